"""Solutions of other public sets than those that this project was built with: errors found, right steps accused.

Run from the repository root: python -m benchmarks.foreign [--cases DIR] [--solutions FILE] [--unread] [--show N].
DIR holds the generated cases of "Evaluating Mathematical Reasoning of LLMs: error identification and correction" (EIC:
GSM8K and MathQA solutions in which a model was told to make one error): the first line that differs from the original
is the error, and the originals are right. FILE holds solutions as JSON lines (`problem`, `solution`) that are right as
printed, or solutions of models whose answer is right. Problems of the other sets are left out, and of the rest a third
is read by nobody.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.firings import Tables
from benchmarks.labelled import Labelled, folded, problems_of_the_sets


def cases(folder: Path) -> Iterator[Labelled]:
    """Each generated case by its kind, and each original once."""
    originals: set[tuple[str, str]] = set()
    for path in sorted(folder.glob("generated_cases_*/**/generated_cases_clean.jsonl")):
        kind = re.sub(r"_\d+(?:_50)?$", "", path.parent.name)
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            before, after = _lines(row["original_solution"]), _lines(row["transformed_solution"])
            error = next((index for index, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
            if error is not None and len(before) == len(after):
                yield Labelled(kind, row["question"], after, error)
            key = row["question"], row["original_solution"]
            if key not in originals:
                originals.add(key)
                yield Labelled(f"originals, {path.relative_to(folder).parts[0]}", row["question"], before, None)


def solutions(path: Path) -> Iterator[Labelled]:
    """Reference solutions, paragraph by paragraph."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        steps = [part for part in re.split(r"\n\n+", row["solution"]) if part.strip()]
        yield Labelled("reference solutions", row["problem"], steps, None)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip() and not line.startswith("####")]


def main() -> None:
    """Prints one line a kind, the pooled line, and the alarms to be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--solutions", type=Path)
    parser.add_argument("--unread", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    known = problems_of_the_sets()
    tables = Tables()
    for case in itertools.chain(
        cases(options.cases) if options.cases else (), solutions(options.solutions) if options.solutions else ()
    ):
        if case.is_unread is options.unread and folded(case.problem) not in known:
            tables.add(case)
    # alarms of the unread third stay unread
    for alarm in [] if options.unread else tables.alarms[: options.show]:
        print(alarm)
    for line in tables.report():
        print(line)


if __name__ == "__main__":
    main()
