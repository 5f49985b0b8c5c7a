"""Random traces: made while they are played, on several engines in lock step, and cut down to what matters."""

import dataclasses
import json

DRAIN_RECEIVES = 12
"""Receives of ten messages that empty any source of a trace, dead-lettered messages left out."""

MOST_OPERATIONS = 1000
"""Each moves the clock by 1 ms, and everything else takes whole seconds: up to here no two coincide."""


@dataclasses.dataclass(frozen=True)
class Kind:
    """What a trace does, within what all engines do alike (README.md says what they do not)."""

    name: str
    fifo: bool
    batches: tuple
    """Messages that a receive asks for."""


KINDS = {
    "standard": Kind("standard", fifo=False, batches=(1, 1, 2, 10)),
    "fifo": Kind("fifo", fifo=True, batches=(1,)),
}


def random_setup(random, kind):
    """The settings of the source."""
    return {"fifo": kind.fifo, "vt": random.choice([4, 30, 30]), "max": random.choice([1, 2, 3, 5])}


def random_step(random, kind, play):
    """The next step of a trace; it names a message by its body, so that it keeps its meaning in a shorter trace."""
    draw = random.random()
    if draw < 0.25:
        step = {"op": "send", "body": f"m{play.sent + 1}"}
        if not kind.fifo and random.random() < 0.2:
            step["delay"] = random.choice([0, 7, 45])
        return step
    if draw < 0.55:
        return {"op": "receive", "n": random.choice(kind.batches)}
    if draw < 0.60:
        return {"op": "look into dlq"}
    if draw < 0.80:
        return {"op": "advance", "s": random.choice([1, 3, 11, 32, 101])}
    if draw < 0.84:
        return {"op": "counts"}
    held = play.held()
    if not held:
        return {"op": "receive", "n": random.choice(kind.batches)}
    body = random.choice(held)
    if draw < 0.92:
        return {"op": "delete", "of": body}
    return {"op": "cmv", "of": body, "vt": random.choice([0, 5, 60])}


class Disagreement(Exception):
    """Two engines have answered differently."""


class Play:
    """One trace being played: the same operations on every engine, in queues of its own."""

    def __init__(self, engines, number, kind, setup):
        self.engines = engines
        self.kind = kind
        self.setup = setup
        self.source, self.dlq = f"source-{number}", f"dlq-{number}"
        self.now_ms = 0
        self.sent = 0
        self.leases = {}
        """By body: the newest receipt on each engine, and the end of the lease."""
        self.tally = {"operations": 0, "deliveries": 0, "dead-lettered": 0}
        self.log = []
        # Whoever looks into the DLQ must not see a message twice.
        self.do({"op": "queue", "q": self.dlq, "fifo": kind.fifo, "vt": 43_200})
        self.do({"op": "queue", "q": self.source, "dlq": self.dlq, **setup})

    def held(self):
        """The messages under a running lease. Engines disagree on what older receipts can do."""
        return [body for body, (_, end_ms) in self.leases.items() if end_ms > self.now_ms]

    def step(self, step):
        """Plays a step; one that means nothing any more, since the trace has been cut, is left out."""
        operation = dict(step)
        match step["op"]:
            case "advance":
                self.do(operation)
            case "send":
                self.sent += 1
                if self.kind.fifo:
                    operation |= {"group": "g", "dedup": step["body"]}
                self.do(operation | {"q": self.source})
            case "receive":
                self.receive(step["n"])
            case "counts":
                self.do(operation | {"q": self.source}, view=self.comparable_counts)
            case "look into dlq":
                self.look_into_dlq()
            case "delete" | "cmv":
                body = operation.pop("of")
                if body not in self.held():
                    return
                self.do(operation | {"q": self.source}, about=body)
                receipts, _ = self.leases[body]
                self.leases[body] = (receipts, self.now_ms + 1000 * operation.get("vt", 0))

    def receive(self, n):
        answers = self.do({"op": "receive", "q": self.source, "n": n}, view=messages)
        received = answers[self.engines[0].name]
        for place, (body, _, _) in enumerate(received):
            receipts = {name: answer[place][2] for name, answer in answers.items()}
            self.leases[body] = (receipts, self.now_ms + 1000 * self.setup["vt"])
        self.tally["deliveries"] += len(received)
        return received

    def look_into_dlq(self):
        """Compares what is in the DLQ. On a standard queue it is compared as a set, and the source is emptied before:
        engines disagree on how far a receive that has found enough messages goes on looking for ones to move."""
        if not self.kind.fifo:
            for _ in range(DRAIN_RECEIVES):
                if not self.receive(10):
                    break
        found = {engine.name: [] for engine in self.engines}
        while True:
            answers = self.do({"op": "receive", "q": self.dlq, "n": 10}, view=messages if self.kind.fifo else len)
            if not answers[self.engines[0].name]:
                break
            for name, answer in answers.items():
                found[name] += messages(answer)
        self.tally["dead-lettered"] += len(found[self.engines[0].name])
        self.compare({"op": "all of the dlq"}, {name: sorted(answer) for name, answer in found.items()})

    def comparable_counts(self, answer):
        """For the reason given above, a standard queue may still show messages that belong into the DLQ."""
        visible, in_flight, delayed = answer
        return answer if self.kind.fifo else [in_flight, delayed]

    def do(self, operation, about=None, view=lambda answer: answer):
        """One operation on every engine, with its own receipt of the message that it is about; raises where the answers
        are not the same in the view that is taken of them."""
        self.now_ms += 1000 * operation["s"] if operation["op"] == "advance" else 1
        assert self.tally["operations"] < MOST_OPERATIONS, "later operations could fall on the end of a lease"
        answers = {}
        for engine in self.engines:
            receipt = {"h": self.leases[about][0][engine.name]} if about else {}
            answers[engine.name] = engine.answer(operation | receipt)
        self.tally["operations"] += 1
        views = {name: view(answer) for name, answer in answers.items()}
        self.compare(operation | ({"of": about} if about else {}), views)
        return answers

    def compare(self, operation, views):
        self.log.append((operation, views))
        if len({json.dumps(view) for view in views.values()}) > 1:
            raise Disagreement


def messages(answer):
    """What was received, without the numbers of receipts, which are each engine's own business."""
    return [message[:2] for message in answer] if isinstance(answer, list) else answer


def agrees(play, steps):
    """Plays steps that are known beforehand."""
    try:
        for step in steps:
            play.step(step)
    except Disagreement:
        return False
    return True


def shortest(steps, differs):
    """Leaves out steps, many at a time and then fewer, for as long as the rest still differs."""
    size = len(steps) // 2
    while size:
        start = 0
        while start < len(steps):
            shorter = steps[:start] + steps[start + size :]
            if differs(shorter):
                steps = shorter
            else:
                start += size
        size //= 2
    return steps
