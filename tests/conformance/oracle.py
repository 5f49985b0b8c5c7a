#!/usr/bin/env python3
"""The queue engine of a public SQS emulator under a virtual clock: one JSON operation a line in, one JSON answer a
line out. No network, no sleeping. README.md has the protocol.

    python oracle.py ministack|localstack < trace.jsonl

The engines are driven through their private modules, so their versions are pinned (requirements-*.txt).
"""

import argparse
import asyncio
import inspect
import json
import logging
import os
import sys
import time
import types
import uuid
import warnings

EPOCH = 1_700_000_000
"""Where the virtual clock starts: any moment will do, as long as it looks like today to the engines."""
QUEUE_DEFAULTS = {"vt": 30, "delay": 0, "retention": 345_600, "fifo": False, "dlq": None, "max": None}


class VirtualClock:
    """Counts whole milliseconds, so that no rounding adds up over a long trace."""

    def __init__(self):
        self.elapsed_ms = 0

    def time(self):
        return EPOCH + self.elapsed_ms / 1000

    def module(self):
        """Stands in for the module `time` in the engines."""
        names = {name: getattr(time, name) for name in dir(time) if not name.startswith("__")}
        return types.SimpleNamespace(**names | {"time": self.time})


def queue_attributes(settings, dead_letter_arn):
    """The settings of a queue as the service takes them."""
    attributes = {
        "VisibilityTimeout": str(settings["vt"]),
        "DelaySeconds": str(settings["delay"]),
        "MessageRetentionPeriod": str(settings["retention"]),
    }
    if settings["fifo"]:
        attributes |= {"FifoQueue": "true", "ContentBasedDeduplication": "true"}
    if settings["dlq"]:
        policy = {"deadLetterTargetArn": dead_letter_arn, "maxReceiveCount": settings["max"]}
        attributes["RedrivePolicy"] = json.dumps(policy)
    return attributes


class Ministack:
    """ministack, through the functions that stand behind its HTTP actions."""

    def __init__(self, clock):
        import ministack.services.sqs as service

        service.time = clock.module()
        self.service = service
        self.loop = asyncio.new_event_loop()
        self.urls = {}
        self.arns = {}

    def action(self, name, **parameters):
        parameters = {key: value for key, value in parameters.items() if value is not None}
        answer = getattr(self.service, f"_act_{name}")(parameters, parameters.get("QueueUrl", ""))
        return self.loop.run_until_complete(answer) if inspect.isawaitable(answer) else answer

    def attributes(self, url):
        return self.action("get_queue_attributes", QueueUrl=url, AttributeNames=["All"])["Attributes"]

    def queue(self, q, **settings):
        attributes = queue_attributes(settings, self.arns.get(settings["dlq"]))
        name = f"{q}-{uuid.uuid4().hex[:8]}" + (".fifo" if settings["fifo"] else "")
        self.urls[q] = self.action("create_queue", QueueName=name, Attributes=attributes)["QueueUrl"]
        self.arns[q] = self.attributes(self.urls[q])["QueueArn"]

    def send(self, q, body, delay=None, group=None, dedup=None):
        self.action(
            "send_message",
            QueueUrl=self.urls[q],
            MessageBody=body,
            DelaySeconds=delay,
            MessageGroupId=group,
            MessageDeduplicationId=dedup,
        )

    def receive(self, q, n, vt=None):
        answer = self.action(
            "receive_message",
            QueueUrl=self.urls[q],
            MaxNumberOfMessages=n,
            VisibilityTimeout=vt,
            WaitTimeSeconds=0,
            AttributeNames=["All"],
        )
        return [
            (message["Body"], int(message["Attributes"]["ApproximateReceiveCount"]), message["ReceiptHandle"])
            for message in answer.get("Messages", [])
        ]

    def delete(self, q, receipt):
        self.action("delete_message", QueueUrl=self.urls[q], ReceiptHandle=receipt)

    def cmv(self, q, receipt, vt):
        self.action("change_visibility", QueueUrl=self.urls[q], ReceiptHandle=receipt, VisibilityTimeout=vt)

    def counts(self, q):
        attributes = self.attributes(self.urls[q])
        return [int(attributes[f"ApproximateNumberOfMessages{kind}"]) for kind in ("", "NotVisible", "Delayed")]


class LocalStack:
    """LocalStack's queues without the server around them. What its provider does beside them is done here: the sweep
    that runs every second there runs before every call, and messages that a receive gives up go to the DLQ."""

    def __init__(self, clock):
        import localstack.services.sqs.models as models

        models.time = clock.module()
        self.models = models
        self.queues = {}
        self.dead_letter_queues = {}

    def swept(self, q):
        queue = self.queues[q]
        queue.requeue_inflight_messages()
        queue.enqueue_delayed_messages()
        queue.remove_expired_messages()
        return queue

    def queue(self, q, **settings):
        dead_letter_queue = self.queues.get(settings["dlq"])
        attributes = queue_attributes(settings, dead_letter_queue and dead_letter_queue.arn)
        kind = self.models.FifoQueue if settings["fifo"] else self.models.StandardQueue
        name = q + (".fifo" if settings["fifo"] else "")
        self.queues[q] = kind(name, "us-east-1", "000000000000", attributes=attributes)
        self.dead_letter_queues[q] = dead_letter_queue

    def send(self, q, body, delay=None, group=None, dedup=None):
        self.swept(q).put(
            {"MessageId": str(uuid.uuid4()), "Body": body, "Attributes": {}},
            message_group_id=group,
            message_deduplication_id=dedup,
            delay_seconds=delay,
        )

    def receive(self, q, n, vt=None):
        queue = self.swept(q)
        result = queue.receive(n, 0, vt)
        for moved in result.dead_letter_messages:
            self.dead_letter_queues[q].put(
                message=moved.message,
                message_group_id=moved.message_group_id,
                message_deduplication_id=moved.message_deduplication_id,
            )
            if isinstance(queue, self.models.FifoQueue):
                queue.update_message_group_visibility(queue.get_message_group(moved.message_group_id))
        return [
            (received.message["Body"], int(received.message["Attributes"]["ApproximateReceiveCount"]), receipt)
            for received, receipt in zip(result.successful, result.receipt_handles)
        ]

    def delete(self, q, receipt):
        self.swept(q).remove(receipt)

    def cmv(self, q, receipt, vt):
        self.swept(q).update_visibility_timeout(receipt, vt)

    def counts(self, q):
        queue = self.swept(q)
        return [
            queue.approximate_number_of_messages,
            queue.approximate_number_of_messages_not_visible,
            queue.approximate_number_of_messages_delayed,
        ]


ENGINES = {"ministack": Ministack, "localstack": LocalStack}


def error_code(error):
    """The code of an error of the service; `None` for an error of ours or of the engine itself. The wire has no
    "Exception" behind a code; LocalStack's classes have."""
    codes = (getattr(error, name, None) for name in ("code", "error_type"))
    return next((code.removesuffix("Exception") for code in codes if isinstance(code, str)), None)


class Oracle:
    """Reads the protocol and keeps what the engines do not: the clock, and short names for receipts."""

    def __init__(self, engine):
        self.clock = VirtualClock()
        self.engine = ENGINES[engine](self.clock)
        self.receipts = []

    def answer(self, operation):
        name = operation.pop("op")
        if name == "advance":
            self.clock.elapsed_ms += 1000 * operation["s"]
            return "ok"
        self.clock.elapsed_ms += 1
        if name == "queue":
            operation = QUEUE_DEFAULTS | operation
        if "h" in operation:
            operation["receipt"] = self.receipts[operation.pop("h")]
        try:
            answer = getattr(self.engine, name)(**operation)
        except Exception as error:
            code = error_code(error)
            if code is None:
                raise
            return code
        if name == "receive":
            return [[body, count, self.handle(receipt)] for body, count, receipt in answer]
        return "ok" if answer is None else answer

    def handle(self, receipt):
        self.receipts.append(receipt)
        return len(self.receipts) - 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=ENGINES)
    engine = parser.parse_args().engine

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    # Answers keep the standard output to themselves; whatever an engine prints goes to the standard error.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    oracle = Oracle(engine)
    for line in sys.stdin:
        print(json.dumps(oracle.answer(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
