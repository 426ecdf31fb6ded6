"""Hostile files for every reader that a stranger runs: python -m benchmarks.fuzzing [--minutes 60] [--state DIRECTORY]

One process that goes on where it stopped: the state says how many files each reader was given, and what became of
them. File N of a reader is the same in every run. A finding (an exception, an exit code other than 0 and 2, more than
20 s of CPU or 512 MB of memory for one file, an accepted file that says another thing) is kept in the state's directory
and ends the run with 1. Set `nice` yourself: it computes all the time.
"""

import argparse
import json
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import NoReturn

from benchmarks.fuzzing.mutations import mutated
from benchmarks.fuzzing.readers import OF_VALUES, Readers

SECONDS_OF_CPU = 20
MEGABYTES = 512  # more than before


class TooLongError(BaseException):
    """One file took too long; no `except Exception` may hide it."""


def stop(number: int, frame: FrameType | None) -> NoReturn:
    raise TooLongError


class State:
    """What was asked so far, kept in a directory."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir(parents=True, exist_ok=True)
        self.path = place / "state.json"
        self.seconds: float = 0
        self.fates: dict[str, Counter[str]] = {}
        if self.path.exists():
            kept = json.loads(self.path.read_text())
            self.seconds, self.fates = kept["seconds"], {name: Counter(row) for name, row in kept["fates"].items()}

    def save(self) -> None:
        self.path.write_text(json.dumps({"seconds": round(self.seconds, 1), "fates": self.fates}, indent=1))

    def keep(self, name: str, number: int, data: bytes, why: str) -> None:
        stem = f"{name.replace(' ', '-')}-{number}"
        (self.place / stem).write_bytes(data)
        (self.place / f"{stem}.why").write_text(why)
        print(f"finding: {name} {number}: {why.strip().splitlines()[-1][:200]}", flush=True)


def fate_of(ask: object, data: bytes) -> tuple[str, str]:
    """The fate of one file, and why it is a finding; "" where it is none."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.setitimer(signal.ITIMER_PROF, SECONDS_OF_CPU)
    try:
        fate = ask(data)  # type: ignore[operator]
    except TooLongError:
        return "finding", f"more than {SECONDS_OF_CPU} s of CPU\n{traceback.format_exc()}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return "finding", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    if more > MEGABYTES:
        return "finding", f"{more} MB of memory"
    return (fate, "it says another thing, and is accepted") if fate == "accepted otherwise" else (fate, "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=60, help="of all runs on this state together")
    parser.add_argument("--state", type=Path, default=Path(".run") / "fuzzing")
    parser.add_argument("--only", help="one reader")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, stop)
    state = State(options.state)
    with tempfile.TemporaryDirectory() as place:
        readers = Readers(Path(place)).all()
        names = [options.only] if options.only else list(readers)
        while state.seconds < options.minutes * 60:
            for name in names:
                ask_once(state, name, *readers[name])
            state.save()
    total = sum(state.fates.values(), start=Counter())
    print(f"{total.total()} files in {state.seconds / 60:.1f} minutes")
    for name, fates in state.fates.items():
        print(f"  {name}: {dict(fates)}")
    return int(total["finding"] + total["accepted otherwise"] > 0)


def ask_once(state: State, name: str, seeds: list[bytes], ask: object) -> None:
    fates = state.fates.setdefault(name, Counter())
    number, started = fates.total(), time.monotonic()
    data = mutated(seeds, random.Random(f"{name} {number}"), name in OF_VALUES)
    fate, why = fate_of(ask, data)
    fates[fate] += 1
    state.seconds += time.monotonic() - started
    if why:
        state.keep(name, number, data, why)


if __name__ == "__main__":
    sys.exit(main())
