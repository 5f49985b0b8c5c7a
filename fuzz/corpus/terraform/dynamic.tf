resource "aws_sqs_queue" "orders" {
  for_each                   = toset(["a", "b"])
  name                       = "orders-${each.key}"
  visibility_timeout_seconds = each.value
  redrive_policy             = jsonencode({ deadLetterTargetArn = data.aws_sqs_queue.dlq.arn, maxReceiveCount = 5 })

  dynamic "timeouts" {
    for_each = []
    content {}
  }
}

data "aws_sqs_queue" "dlq" {
  name = "orders-dlq"
}
