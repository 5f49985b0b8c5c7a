#!/usr/bin/env python3
"""Random traces on several queue engines in lock step: every answer must be the same. README.md says what is compared.

    python3 lockstep.py --engine model=... --engine ministack=... --kind standard --traces 400 --steps 60 --seed 1
"""

import argparse
import collections
import itertools
import json
import random
import sys
import time

from engine import add_engine_option, start_engines
from traces import KINDS, Disagreement, Play, agrees, random_setup, random_step, shortest


def explain(play):
    """The operations of a trace and the last answers, line by line."""
    for operation, _ in play.log:
        yield json.dumps(operation)
    _, answers = play.log[-1]
    for name, answer in answers.items():
        yield f"    {name} answers {json.dumps(answer)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_engine_option(parser)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--traces", type=int, default=400)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    kind = KINDS[options.kind]
    engines = start_engines(options.engine)
    names = ", ".join(engine.name for engine in engines)
    queues = itertools.count()
    tally = collections.Counter()
    began = time.monotonic()
    for trace in range(options.traces):
        # A trace has a stream of its own: a change of one leaves the others as they were.
        stream = random.Random(f"{options.seed}/{kind.name}/{trace}")
        setup = random_setup(stream, kind)
        play = Play(engines, next(queues), kind, setup)
        steps = []
        try:
            for _ in range(options.steps):
                steps.append(random_step(stream, kind, play))
                play.step(steps[-1])
        except Disagreement:
            print(f"{kind.name}: {names} disagree in trace {trace} of seed {options.seed}; the shortest trace that does:")
            differs = lambda steps: not agrees(Play(engines, next(queues), kind, setup), steps)
            play = Play(engines, next(queues), kind, setup)
            agrees(play, shortest(steps, differs))
            print(*explain(play), sep="\n")
            return 1
        tally.update(play.tally)
    for engine in engines:
        engine.close()
    counted = ", ".join(f"{count} {what}" for what, count in tally.items())
    print(
        f"{kind.name}: {options.traces} of {options.traces} traces of {options.steps} steps agree on {names} "
        f"(seed {options.seed}; {counted}; {time.monotonic() - began:.0f} s)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
