"""Decomposition by rules on every public trace: broken invariants (floor 0), characters a second, linearity, attacks.

Run: python -m benchmarks.decomposition [--per-file N]
"""

import argparse
import time
from collections import Counter

from benchmarks.public_traces import records
from hdag.core.errors import DecompositionRefusedError
from hdag.core.invariants import find_violations
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

FLOOR = 200_000  # characters a second on one core
SENTENCE = "Then we add 17 and {0}, so the total is 17 + {0} = {1} and that is what we use next. "
HOSTILE = {
    "10^5 brackets, 10^4 equations": "(" * 100_000 + "1 + 1 = 2; " * 10_000,
    "10^4 equations on one line": " ".join(f"So {n} + 1 = {n + 1}." for n in range(10_000)),
    "one word": "a" * 1_000_000 + "!",
    "blank lines": "\n" * 1_000_000 + "x",
    "list items": "- 1+1=2\n" * 120_000,
    "equal signs": "x=(" * 333_333,
    "short paragraphs": "Then y = 4.\n\n" * 19_000,
}


def walk(per_file: int) -> None:
    """Decompose every public trace and check its graph."""
    counts: Counter[str] = Counter()
    broken = characters = 0
    spent = 0.0
    for name, record in records(per_file=per_file):
        trace = read_record(record, where=name)
        started = time.process_time()
        graph = RulesDecomposer().decompose(trace)
        spent += time.process_time() - started
        characters += len(trace.problem) + len(trace.thinking) + len(trace.answer)
        broken += bool(find_violations(trace=trace, graph=graph))
        counts[name] += 1
    print(f"{counts.total()} traces of {len(counts)} sets, {characters:,} characters: {broken} broken graphs (floor 0)")
    print(f"{characters / spent:,.0f} characters a second of one core (floor {FLOOR:,})")


def scale() -> None:
    """Time per character at 1, 10 and 100 kB; the ratio of the ends must stay under 1.5."""
    cost = {}
    for size in (1_000, 10_000, 100_000):
        text = "".join(SENTENCE.format(n % 90 + 3, n % 90 + 20) for n in range(size // 80))
        trace = Trace(problem="Add 17 to each.", thinking=text)
        rounds = 200_000 // size
        best = min(_seconds(trace, rounds) for _ in range(5))
        cost[size] = best / (rounds * len(text))
    print("microseconds a character: " + ", ".join(f"{size:,}: {value * 1e6:.2f}" for size, value in cost.items()))
    print(f"100 kB over 1 kB {cost[100_000] / cost[1_000]:.2f} (limit 1.5)")


def _seconds(trace: Trace, rounds: int) -> float:
    started = time.process_time()
    for _ in range(rounds):
        RulesDecomposer().decompose(trace)
    return time.process_time() - started


def attack() -> None:
    """Each hostile megabyte within 5 s, or refused naming the limit."""
    for name, text in HOSTILE.items():
        started = time.process_time()
        try:
            said = f"{len(RulesDecomposer().decompose(Trace(problem='p', thinking=text)).segments)} segments"
        except DecompositionRefusedError as refused:
            said = str(refused)
        print(f"{name}: {time.process_time() - started:.2f} s (limit 5 s), {said}")


def main() -> None:
    """Print every figure beside its floor or limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-file", type=int, default=0)
    walk(parser.parse_args().per_file)
    scale()
    attack()


if __name__ == "__main__":
    main()
