module "orders" {
  source = "./modules/queue"
  lease  = 120
  dlq    = module.dlq.arn
}

module "refunds" {
  source = "./modules/queue"
  lease  = 30
  dlq    = module.dlq.arn
}

module "dlq" {
  source = "./modules/dlq"
}
