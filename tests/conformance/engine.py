"""Queue engines as child processes that speak the protocol of README.md."""

import json
import shlex
import subprocess


class Engine:
    """One engine: an operation in, its answer out."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def answer(self, operation):
        try:
            print(json.dumps(operation), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise SystemExit(f"The engine {self.name} has ended at {json.dumps(operation)}.")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def add_engine_option(parser):
    """`--engine NAME=COMMAND`, as often as there are engines."""
    parser.add_argument(
        "--engine", action="append", required=True, metavar="NAME=COMMAND", help="an engine and how to start it"
    )


def start_engines(options):
    return [Engine(*option.split("=", 1)) for option in options]
