resource "aws_sqs_queue" "dlq" {
  message_retention_seconds = 1209600
}

output "arn" { value = aws_sqs_queue.dlq.arn }
