"""`manage.py serve` without Django: its own process only watches, and need not load what it starts."""

import argparse
from collections.abc import Sequence

from trustweb import addresses, env
from trustweb.serve.system import Machine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to listen, and whether to load the demo."""
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--empty", action="store_true", help="do not load the demo")


def say(line: str) -> None:
    """One line to the person at the terminal, at once."""
    print(line, flush=True)


def main(arguments: Sequence[str]) -> None:
    """Serve until Ctrl-C. Raises ServiceError, and ImproperlyConfigured for an address that is none."""
    parser = argparse.ArgumentParser(prog="manage.py serve", description=Machine.__doc__)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    if url := env.find_text("DATABASE_URL"):
        addresses.database(url, kept=False)
    if url := env.find_text("REDIS_URL"):
        addresses.redis(url)
    Machine(host=options.host, port=options.port, empty=options.empty, say=say).run()
