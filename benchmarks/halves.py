"""What the computer tier finds in the half of the problems that was read while building it, and in the other half.

Run from the repository root: python -m benchmarks.halves. A problem belongs to the read half when the first byte of
SHA-256 of its text, blanks folded, is even. First errors were read in that half alone; false alarms were read in both.
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from auditing.checker.examination import examine_graph
from auditing.checker.findings import Verdict
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

SHARED = Path(__file__).resolve().parents[2] / "shared"


def half(problem: str) -> str:
    """read or unread."""
    return ("read", "unread")[hashlib.sha256(" ".join(problem.split()).encode()).digest()[0] % 2]


def records() -> Iterator[tuple[str, str, list[str], int | None]]:
    """(set, problem, steps, first error) as score_steps.py reads them."""
    sys.path.insert(0, str(SHARED / "checks"))
    from score_steps import first_error_sets  # type: ignore[import-not-found]

    for name, _identifier, problem, steps, error in first_error_sets(str(SHARED / "data")):
        yield name, problem, [str(step) for step in steps], error


def failed_steps(problem: str, steps: list[str]) -> set[int]:
    """The input steps in which a segment is refuted."""
    trace = read_record({"id": "t", "problem": problem, "steps": steps}, where="benchmark")
    graph = RulesDecomposer().decompose(trace)
    found = examine_graph(trace=trace, graph=graph)
    return {
        segment.step
        for segment in graph.segments
        if segment.step is not None and any(item.verdict is Verdict.REFUTED for item in found[segment.id])
    }


def main() -> None:
    """Prints one line a set and half, and the pooled prose."""
    if not SHARED.exists():
        print("../shared is absent: nothing to measure")
        return
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for name, problem, steps, error in records():
        failed = failed_steps(problem, steps)
        right = len(steps) if error is None else min(error, len(steps))
        row = (error is not None and error in failed, error is not None, sum(at < right for at in failed), right)
        for key in [name] if name == "bbm-arithmetic" else [name, "pooled prose"]:
            for column, value in enumerate(row):
                counts[key, half(problem)][column] += value
    for (name, part), (hit, errors, alarms, right) in sorted(counts.items()):
        print(
            f"{name:20s} {part:6s} first errors found {hit}/{errors} = {hit / max(1, errors):.1%}   "
            f"right steps accused {alarms}/{right} = {alarms / max(1, right):.2%}"
        )


if __name__ == "__main__":
    main()
