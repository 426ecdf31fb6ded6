"""Votes that were cast elsewhere, read from public files: medical annotators (usmle_gpt4_errors) and judges (mr_gsm8k).

Their annotation column is the text of a Python list; it is searched by a linear pattern and never evaluated.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from auditing.core.values import Choice
from auditing.studies.labelled import Record, read_lines

REASONABLE = "Reasonable response by GPT-4"
UNSURE = "Cannot pick any error category"
_ANNOTATION = re.compile(r"'annotation': (?:'([^']*)'|\"([^\"]*)\")")
_PART = re.compile(r"(\d+)([dhms])")
_SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_JUDGE = "_eval_output"


@dataclass(frozen=True, slots=True)
class ImportedVote:
    """One vote from elsewhere: never sealed, never paid. classes are the kinds of error that it marks."""

    item: str
    auditor: str
    choice: Choice
    classes: frozenset[str] = frozenset()
    seconds: float | None = None
    reason: str = ""


def read_usmle(*, path: Path) -> list[ImportedVote]:
    """One vote an annotator and item; of several sheets of one annotator on one item the last counts.

    Fail when a class of error was marked; pass when none was and the response was marked reasonable; otherwise abstain.
    """
    found: dict[tuple[str, str], ImportedVote] = {}
    for record in read_lines(path):
        classes = frozenset(a or b for a, b in _ANNOTATION.findall(record["span_annotations"]))
        errors = classes - {REASONABLE, UNSURE}
        choice = Choice.FAIL if errors else Choice.PASS if REASONABLE in classes else Choice.ABSTAIN
        vote = ImportedVote(record["id"], record["annotator_id"], choice, classes, _time_spent(record))
        found[vote.item, vote.auditor] = vote
    return list(found.values())


def _time_spent(record: Record) -> float | None:
    """Seconds from "Time spent: 0d 0h 9m 19s"."""
    parts = _PART.findall(record.get("behavioral_data", "").partition("Time spent:")[2])
    return float(sum(int(number) * _SECONDS[unit] for number, unit in parts)) if parts else None


def read_mr_gsm8k(*, paths: Iterable[Path]) -> list[ImportedVote]:
    """One vote a judge model and solution: the judge of each file is named by its *_eval_output column."""
    found: dict[tuple[str, str], ImportedVote] = {}
    for path in paths:
        for record in read_lines(path):
            for column in (name for name in record if name.endswith(_JUDGE)):
                given = record[column]
                choice = Choice.PASS if str(given["correctness_pred"]).lower() == "correct" else Choice.FAIL
                reason = str(given.get("error_reason") or "")
                vote = ImportedVote(record["uuid"], column.removesuffix(_JUDGE), choice, reason=reason)
                found[vote.item, vote.auditor] = vote
    return list(found.values())
