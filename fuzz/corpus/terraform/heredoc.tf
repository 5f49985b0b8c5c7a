resource "aws_sqs_queue" "orders" {
  redrive_policy = <<EOF
{"deadLetterTargetArn": "${aws_sqs_queue.orders_dlq.arn}", "maxReceiveCount": 1}
EOF
}

resource "aws_sqs_queue" "orders_dlq" {
  message_retention_seconds = 1209600
}
