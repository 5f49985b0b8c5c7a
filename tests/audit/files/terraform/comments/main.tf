resource "aws_sqs_queue" "orders" {
  visibility_timeout_seconds = 300 # 6 x the 30 s of the handler, and 2 min
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600 # 4 days
}
