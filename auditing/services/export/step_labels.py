"""Step labels in the record shapes of ProcessBench and PRM800K, so that existing training code reads them."""

from dataclasses import dataclass
from typing import Any

from auditing.core.values import Outcome


class StepLabelsRefused(ValueError):
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
            raise StepLabelsRefused(f"trace {self.trace}: {len(self.steps)} steps need as many outcomes and posteriors")

    @property
    def first_error(self) -> int:
        """0-based index of the first failing step, -1 when all pass.

        Raises StepLabelsRefused when a step before the first failing one is hung or undecided.
        """
        for index, outcome in enumerate(self.outcomes):
            if outcome is Outcome.FAIL:
                return index
            if outcome is not Outcome.PASS:
                raise StepLabelsRefused(f"trace {self.trace}: step {index} is {outcome}, so the first error is unknown")
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
    kept = labelled.steps if first < 0 else labelled.steps[: first + 1]
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
            "steps": [_rated_step(text, -1 if index == first else 1) for index, text in enumerate(kept)],
            "total_time": round(seconds * 1000),
            "finish_reason": "solution" if first < 0 else "found_error",
        },
    }


def _rated_step(text: str, rating: int) -> dict[str, Any]:
    completion = {"text": text, "rating": rating, "flagged": False}
    return {"completions": [completion], "human_completion": None, "chosen_completion": 0 if rating > 0 else None}
