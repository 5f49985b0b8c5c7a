resource "aws_sqs_queue" "orders" {
  visibility_timeout_seconds = var.lease
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600
}

variable "lease" {}
