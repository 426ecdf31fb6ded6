"""Step labels in the record shapes of ProcessBench and PRM800K, so that existing training code reads them."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import Any

from auditing.core.values import Outcome
from auditing.research.exports.formats.columns import Dataset, Row
from auditing.research.exports.formats.content import ContentHash

BATCH_TRACES = 200


class Shape(StrEnum):
    """Record shapes of others that the data set `steps` can take, one JSON object a trace."""

    PROCESSBENCH = "processbench"
    PRM800K = "prm800k"


class StepLabelsRefusedError(ValueError):
    """The outcomes of this trace do not say enough for the record asked for."""


@dataclass(frozen=True, slots=True)
class LabelledTrace:
    """A trace with one outcome and one posterior P(right) per step; None where consensus has no posterior."""

    trace: str
    generator: str
    problem: str
    steps: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    posteriors: tuple[float | None, ...] = ()
    final_answer_correct: bool | None = None
    reference_answer: str = ""

    def __post_init__(self) -> None:
        """Refuse lists of different lengths."""
        if len(self.outcomes) != len(self.steps) or len(self.posteriors) not in (0, len(self.steps)):
            raise StepLabelsRefusedError(
                f"trace {self.trace}: {len(self.steps)} steps need as many outcomes and posteriors"
            )

    @property
    def first_error(self) -> int:
        """0-based index of the first failing step, -1 when all pass.

        Raises StepLabelsRefusedError when a step before the first failing one is hung or undecided.
        """
        for index, outcome in enumerate(self.outcomes):
            if outcome is Outcome.FAIL:
                return index
            # pass, undecided, fail: the undecided step may have been the first error.
            if outcome is not Outcome.PASS:
                raise StepLabelsRefusedError(
                    f"trace {self.trace}: step {index} is {outcome}, so the first error is unknown"
                )
        return -1


def processbench_record(*, labelled: LabelledTrace) -> dict[str, Any]:
    """{id, generator, problem, steps, final_answer_correct, label} and, beside them, soft_labels when known.

    label is the 0-based index of the first erroneous step, -1 for none. Source: ProcessBench (Zheng et al., 2024).
    """
    record: dict[str, Any] = {
        "id": labelled.trace,
        "generator": labelled.generator,
        "problem": labelled.problem,
        "steps": list(labelled.steps),
        "final_answer_correct": labelled.final_answer_correct,
        "label": labelled.first_error,
    }
    if labelled.posteriors:
        record["soft_labels"] = list(labelled.posteriors)
    return record


def prm800k_record(*, labelled: LabelledTrace, labeler: str, timestamp: str, seconds: float = 0.0) -> dict[str, Any]:
    """One PRM800K line: ratings 1 and -1 up to and with the first error; after it nothing is labelled.

    finish_reason is found_error or solution. Source: Lightman et al. (2023), data format of PRM800K phase 2.
    """
    first = labelled.first_error
    labelled_steps = labelled.steps if first < 0 else labelled.steps[: first + 1]
    question = {
        "problem": labelled.problem,
        "ground_truth_answer": labelled.reference_answer,
        "pre_generated_steps": list(labelled.steps),
        "pre_generated_answer": None,
        "pre_generated_verifier_score": None,
    }
    return {
        "labeler": labeler,
        "timestamp": timestamp,
        "generation": None,
        "is_quality_control_question": False,
        "is_initial_screening_question": False,
        "question": question,
        "label": {
            "steps": [_rated_step(text, -1 if index == first else 1) for index, text in enumerate(labelled_steps)],
            "total_time": round(seconds * 1000),
            "finish_reason": "solution" if first < 0 else "found_error",
        },
    }


def _rated_step(text: str, rating: int) -> dict[str, Any]:
    completion = {"text": text, "rating": rating, "flagged": False}
    return {"completions": [completion], "human_completion": None, "chosen_completion": 0 if rating > 0 else None}


def read_traces(rows: Iterable[Row]) -> Iterator[LabelledTrace]:
    """The rows of the data set `steps`, trace by trace; a trace whose text is gone or not asked for gives none."""
    for _, group in groupby(rows, key=lambda row: row["audit"]):
        steps = list(group)
        texts = [row["content"] for row in steps]
        # The text of the trace was erased, or this export carries no text.
        if None in texts or steps[0]["problem"] is None:
            continue
        yield LabelledTrace(
            trace=str(steps[0]["trace"]),
            generator="",
            problem=str(steps[0]["problem"]),
            steps=tuple(map(str, texts)),
            outcomes=tuple(Outcome(str(row["outcome"])) for row in steps),
            posteriors=tuple(row["soft_label"] for row in steps),  # type: ignore[misc]
            final_answer_correct=steps[0]["is_answer_right"],  # type: ignore[arg-type]
            reference_answer=str(steps[0]["reference"] or ""),
        )


def write_records(
    *, rows: Iterable[Row], dataset: Dataset, path: Path, shape: Shape, day: str, on_progress: Callable[[int], None]
) -> tuple[int, str]:
    """Write one record a trace; (records, content hash of the rows behind them). Undecided traces give no record."""
    content, written = ContentHash(dataset), 0

    def hashed() -> Iterator[Row]:
        for number, row in enumerate(rows, start=1):
            # The hash covers the rows behind the records: it equals that of the same scope in any other format.
            content.add([dataset.check_row(row=row, number=number)])
            yield row

    partial = path.with_name(f".{path.name}.partial")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            for number, labelled in enumerate(read_traces(hashed()), start=1):
                try:
                    record = _RECORDS[shape](labelled, day)
                # A trace without a clear first error teaches nothing in these formats.
                except StepLabelsRefusedError:
                    continue
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                written += 1
                if number % BATCH_TRACES == 0:
                    on_progress(written)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return written, content.hexdigest()


_RECORDS: dict[Shape, Callable[[LabelledTrace, str], dict[str, Any]]] = {
    Shape.PROCESSBENCH: lambda labelled, day: processbench_record(labelled=labelled),
    Shape.PRM800K: lambda labelled, day: prm800k_record(labelled=labelled, labeler="consensus", timestamp=day),
}
