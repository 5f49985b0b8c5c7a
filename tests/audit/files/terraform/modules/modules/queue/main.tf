variable "lease" { type = number }
variable "dlq" { type = string }

resource "aws_sqs_queue" "this" {
  visibility_timeout_seconds = var.lease
  message_retention_seconds  = 86400
  redrive_policy             = jsonencode({ deadLetterTargetArn = var.dlq, maxReceiveCount = 800 })
}

output "arn" { value = aws_sqs_queue.this.arn }
