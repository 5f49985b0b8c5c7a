#!/usr/bin/env python3
"""Plays the cases of recorded.json, where engines are known to differ, and holds each engine against the answers of the
service. README.md says how the table is read.

    python3 recorded.py --engine model=... --engine ministack=... --engine localstack=...
"""

import argparse
import collections
import json
import pathlib
import sys

from engine import add_engine_option, start_engines
from traces import messages

TABLE = pathlib.Path(__file__).with_name("recorded.json")


class Case:
    """One case on one engine."""

    def __init__(self, case, engine, number):
        self.case = case
        self.engine = engine
        self.number = number
        self.receipts = {}

    def play(self):
        """What is not as listed, line by line, and whether a listed difference has shown."""
        surprises, differs = [], False
        for step in self.case["steps"]:
            expected = step.get("but", {}).get(self.engine.name, step.get("answer", "ok"))
            answer = self.answer(step)
            is_open = step.get("answer", "ok") is None
            differs = differs or (self.engine.name in step.get("but", {}) and not is_open)
            if answer != expected:
                surprises.append(f"    {json.dumps(step)}: {json.dumps(answer)} in place of {json.dumps(expected)}")
        return surprises, differs

    def answer(self, step):
        """Queues have names of their own in each case, receipts those that the table gives them."""
        operation = {key: value for key, value in step.items() if key not in ("answer", "but", "as", "of")}
        for key in ("q", "dlq"):
            if key in operation:
                operation[key] = f"{operation[key]}-case-{self.number}"
        if "of" in step:
            operation["h"] = self.receipts[step["of"]]
        answer = self.engine.answer(operation)
        if step["op"] != "receive":
            return answer
        for name, message in zip(step.get("as", []), answer):
            self.receipts[name] = message[2]
        return messages(answer)


def check_table(cases):
    """Every difference has a reason, and every reason a difference."""
    for case in cases:
        differing = {name for step in case["steps"] for name in step.get("but", {})}
        if differing != set(case.get("why", {})):
            raise SystemExit(f"recorded.json, {case['name']}: differences and reasons do not match")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_engine_option(parser)
    engines = start_engines(parser.parse_args().engine)
    cases = json.loads(TABLE.read_text())
    check_table(cases)
    failed = False
    differences = dict.fromkeys((engine.name for engine in engines), 0)
    for number, case in enumerate(cases):
        for engine in engines:
            surprises, differs = Case(case, engine, number).play()
            differences[engine.name] += differs
            if surprises:
                failed = True
                print(f"recorded: {case['name']} (rule {case['rule']}): {engine.name} answers")
                print(*surprises, sep="\n")
    if failed:
        return 1
    listed = ", ".join(f"{name} in {count}" for name, count in differences.items())
    kinds = collections.Counter(case["real"] for case in cases)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"recorded: {len(cases)} cases ({counted}); engines that differ from the service, each as listed: {listed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
