resource "aws_sns_topic_subscription" "orders" {
  topic_arn      = "arn:aws:sns:eu-west-1:123456789012:orders"
  protocol       = "sqs"
  endpoint       = aws_sqs_queue.orders.arn
  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.undelivered.arn })
}

resource "aws_sqs_queue" "undelivered" {}
resource "aws_sqs_queue" "orders" {
  visibility_timeout_seconds = 180
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600
}
