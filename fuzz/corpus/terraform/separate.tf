resource "aws_sqs_queue" "orders" {
  count                      = 1
  visibility_timeout_seconds = 30
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600
}

resource "aws_sqs_queue_redrive_policy" "orders" {
  queue_url = aws_sqs_queue.orders[0].id
  redrive_policy = jsonencode({
    deadLetterTargetArn = one(aws_sqs_queue.orders_dlq[*].arn)
    maxReceiveCount     = 50
  })
}

resource "aws_sqs_queue_redrive_allow_policy" "orders_dlq" {
  queue_url = aws_sqs_queue.orders_dlq.id
  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.orders[0].arn]
  })
}

resource "aws_sqs_queue_redrive_policy" "stray" {
  queue_url = aws_sqs_queue.order.id
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 5
  })
}
