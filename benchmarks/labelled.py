"""The public sets with labels of steps, as streams: which steps are right, and which is the first error.

A third of all problems is read by nobody: SHA-256 of the problem's text, blanks folded, divisible by three. Errors and
alarms are read in the other two thirds alone.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_NONE = ("N/A", "", "NONE")


@dataclass(frozen=True)
class Labelled:
    """One trace: the set, the problem, its steps, and the index of the first wrong one (None: all are right)."""

    source: str
    problem: str
    steps: list[str]
    error: int | None

    @property
    def right(self) -> int:
        """How many steps are labelled right: those before the first error."""
        return len(self.steps) if self.error is None else min(self.error, len(self.steps))

    @property
    def is_unread(self) -> bool:
        """Whether it belongs to the third that nobody reads."""
        return is_unread(self.problem)


def is_unread(problem: str) -> bool:
    """Whether a problem belongs to the third that nobody reads: its digest, blanks folded, is divisible by three."""
    return int(hashlib.sha256(" ".join(problem.split()).encode()).hexdigest(), 16) % 3 == 0


def folded(problem: str) -> str:
    """A problem's text, blanks and case folded: by it problems of two sets are known to be the same."""
    return " ".join(problem.split()).lower()


@cache
def problems_of_the_sets() -> frozenset[str]:
    """Every problem of the labelled sets, folded; none where the sets are absent."""
    return frozenset(folded(case.problem) for case in (*labelled(), *symbolic())) if DATA.exists() else frozenset()


def labelled() -> Iterator[Labelled]:
    """Every trace of every set, in a fixed order."""
    yield from _first_errors()
    for subject in ("math", "medicine", "biology", "chemistry", "physics"):
        yield from (_mr_ben(row, subject) for row in _rows(f"mr_ben/{subject}.jsonl"))
    yield from _mr_gsm8k()
    yield from _parc()
    yield from _prmbench()
    yield from _gsm8k()


# what the issue's own scorer pools: prose with labels of steps, mathematics alone
MATHEMATICS = ("processbench-gsm8k", "processbench-math", "stepverify", "mr_ben-math")
_SYMBOLIC = ("multistep_arithmetic", "tracking_shuffled_objects", "logical_deduction", "word_sorting", "dyck_languages")


def symbolic() -> Iterator[Labelled]:
    """The five tasks of BIG-Bench Mistake, which are no prose: kept apart, for they are decided nearly whole."""
    for name in _SYMBOLIC:
        for row in _rows(f"bigbench_mistake/{name}.jsonl"):
            error = row["mistake_index"]
            yield Labelled(f"bbm, {name}", row["input"], _steps(row["steps"]), None if error is None else int(error))


def _rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / name).open(encoding="utf-8"):
        if line.strip():
            yield json.loads(line)


def _steps(value: Any) -> list[str]:
    if isinstance(value, str):
        value = ast.literal_eval(value) if value.startswith("[") else value.split("\n")
    return [str(step) for step in value]


def _first_errors() -> Iterator[Labelled]:
    for name in ("gsm8k", "math"):
        for row in _rows(f"processbench/{name}.jsonl"):
            error = None if row["label"] < 0 else int(row["label"])
            yield Labelled(f"processbench-{name}", row["problem"], _steps(row["steps"]), error)
    for row in _rows("stepverify/dataset.jsonl"):
        yield Labelled("stepverify", row["problem"], _steps(row["student_incorrect_solution"]), row["incorrect_index"])


def _mr_ben(row: dict[str, Any], subject: str) -> Labelled:
    steps, label = _steps(row["Model_Solution_Steps"]), str(row["Model_Solution_First_Error_Step"]).strip()
    problem = row["Question"] if subject == "math" else f"{row['Question']}\n{row['Options']}"
    if label.upper() in _NONE:
        return Labelled(f"mr_ben-{subject}", problem, steps, None)
    number = int(float(label))
    heads = [at for at, step in enumerate(steps) if re.match(rf"\s*Step\s*{number}\b", step)]
    return Labelled(f"mr_ben-{subject}", problem, steps, heads[0] if heads else number - 1)


def _mr_gsm8k() -> Iterator[Labelled]:
    seen: set[str] = set()
    for path in sorted((DATA / "mr_gsm8k_partial").glob("*.jsonl")):
        for row in _rows(f"mr_gsm8k_partial/{path.name}"):
            label = str(row["model_output_solution_first_error_step"])
            if row["uuid"] not in seen and label.replace(".", "").isdigit():
                seen.add(row["uuid"])
                yield Labelled("mr_gsm8k", row["question"], _steps(row["model_output_steps"]), int(float(label)) - 1)


def _parc() -> Iterator[Labelled]:
    for path in sorted((DATA / "parc").glob("*.jsonl")):
        for row in _rows(f"parc/{path.name}"):
            labels = row["error_annotation"]["error_annotations"]["step_level"]
            wrong = sorted(label["step_number"] - 1 for label in labels if label["has_error"] and label["step_number"])
            yield Labelled("parc", row["question"], _steps(row["steps"]), wrong[0] if wrong else None)


def _prmbench() -> Iterator[Labelled]:
    for path in sorted((DATA / "prmbench_sample").glob("*.jsonl")):
        for row in _rows(f"prmbench_sample/{path.name}"):
            yield Labelled("prm, original", row["original_question"], _steps(row["original_process"]), None)
            if row["error_steps"]:
                error = min(row["error_steps"]) - 1
                yield Labelled("prm, changed", row["modified_question"], _steps(row["modified_process"]), error)


def _gsm8k() -> Iterator[Labelled]:
    """Reference solutions, and solutions of models that end right; the calculator's marks are taken out."""
    for row in _rows("gsm8k/test.jsonl"):
        yield Labelled("gsm8k, reference", row["question"], _unmarked(row["answer"]), None)
    for row in _rows("gsm8k/example_model_solutions.jsonl"):
        for size in ("6b", "175b"):
            for solution in (row[f"{size}_finetuning"], row[f"{size}_verification"]):
                if solution["is_correct"]:
                    yield Labelled("gsm8k, models", row["question"], _unmarked(solution["solution"]), None)


def _unmarked(text: str) -> list[str]:
    return [re.sub(r"<<[^>]*>>", "", line) for line in text.split("\n")]
