"""Solutions of models of which only the answer is known to be right or wrong: how many of either kind are accused.

Run from the repository root: python -m benchmarks.solved_by_models FILE ... [--unread] [--out FILE].
Each FILE holds JSON lines: `problem`, `solution` (paragraphs, or numbered lines), `is_right` (whether the answer is).
Who accuses a right one is most often wrong, though an answer may survive a slip; who accuses a wrong one is most often
right. Problems of the labelled sets are left out, and of the rest a third is read by nobody: --out writes none of it.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.firings import Examined, examined
from benchmarks.labelled import Labelled, folded, problems_of_the_sets

_BETWEEN_STEPS = re.compile(r"\n\s*\n|\n(?=(?:Step )?\d{1,2}[.:)] )")


@dataclass(frozen=True, slots=True)
class Solved:
    """One solution by its steps, and whether its answer is right."""

    case: Labelled
    is_right: bool


def solved(path: Path) -> Iterator[Solved]:
    """Each line of one file whose problem the labelled sets do not hold."""
    known = problems_of_the_sets()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        steps = [step.strip() for step in _BETWEEN_STEPS.split(row["solution"]) if step.strip()]
        if steps and folded(row["problem"]) not in known:
            yield Solved(Labelled(path.stem, row["problem"], steps, None), row["is_right"])


def record_of(solution: Solved, found: Examined) -> dict[str, object]:
    """What is to be read of one solution: its text, and the accused and doubted steps."""
    return {
        "source": solution.case.source,
        "is_right": solution.is_right,
        "problem": solution.case.problem,
        "steps": solution.case.steps,
        "accused": {step: finding.evidence.sentence for step, finding in sorted(found.refuted.items())},
        "rules": sorted(
            {f"{finding.evidence.checker} / {finding.evidence.rule}" for finding in found.refuted.values()}
        ),
        "doubts": sorted({f"{step}: {' / '.join(rule)}" for step, rules in found.doubted.items() for rule in rules}),
    }


def main() -> None:
    """Prints one line a file and the sum: solutions, steps and accused solutions, by whether the answer is right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--unread", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    records: list[dict[str, object]] = []
    total: Counter[str] = Counter()
    for path in options.files:
        counts: Counter[str] = Counter()
        for solution in solved(path):
            if solution.case.is_unread is not options.unread:
                continue
            found = examined(solution.case)
            kind = "right" if solution.is_right else "wrong"
            counts.update({f"{kind} solutions": 1, f"{kind} steps": len(solution.case.steps)})
            counts[f"{kind} accused"] += bool(found.refuted)
            counts[f"{kind} doubted"] += bool(found.doubted)
            records.append(record_of(solution, found))
        total.update(counts)
        print(line_of(path.stem, counts), flush=True)
    print(line_of("all", total))
    # the unread third stays unread
    if options.out and not options.unread:
        options.out.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def line_of(name: str, counts: Counter[str]) -> str:
    """One line of the table."""
    parts = (
        f"{kind}: accused {counts[f'{kind} accused']}, doubted {counts[f'{kind} doubted']} "
        f"of {counts[f'{kind} solutions']} in {counts[f'{kind} steps']} steps"
        for kind in ("right", "wrong")
    )
    return f"{name:60s} {'; '.join(parts)}"


if __name__ == "__main__":
    main()
