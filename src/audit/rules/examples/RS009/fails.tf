resource "aws_sqs_queue" "orders" {
  visibility_timeout_seconds = 300
  message_retention_seconds  = 1209600
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 10
  })
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 345600
}
