resource "aws_sqs_queue" "orders" {
  visibility_timeout         = 3
  visibility_timeout_seconds = 180
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn
    maxReceiveCount     = 5
  })
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600
}

resource "aws_lambda_function" "handler" {
  function_name = "orders-handler"
  timeout       = 30
}

resource "aws_lambda_event_source_mapping" "orders" {
  event_source_arn        = aws_sqs_queue.orders.arn
  function_name           = aws_lambda_function.handler.arn
  function_response_types = ["ReportBatchItemFailures"]
  maximum_concurrency     = 5
}
