provider "aws" {
  region = "eu-west-1"
}

provider "aws" {
  alias  = "far"
  region = "us-east-1"
}

resource "aws_sqs_queue" "orders" {
  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.orders_dlq.arn, maxReceiveCount = 5 })
}

resource "aws_sqs_queue" "orders_dlq" {
  provider                  = aws.far
  message_retention_seconds = 1209600
}
