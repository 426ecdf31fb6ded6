"""Votes that were cast elsewhere, read from records: medical annotators, judge models, or columns that a person maps.

Reads records that it is given; writes nothing. Text of the files is searched by linear patterns and never evaluated.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from auditing.core.values import Choice

Record = Mapping[str, Any]
REASONABLE = "Reasonable response by GPT-4"
UNSURE = "Cannot pick any error category"
MOST_VOTES = 2_000_000
# The column is the printed form of a Python list; a pattern reads it, nothing is evaluated.
_ANNOTATION = re.compile(r"'annotation': (?:'([^']*)'|\"([^\"]*)\")")
_PART = re.compile(r"(\d+)([dhms])")
_SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_JUDGE = "_eval_output"
# What people write for pass, fail and abstain; the last of each but "" is Prodigy's word.
_WORDS = {
    Choice.PASS: ("pass", "correct", "right", "true", "yes", "1", "valid", "accept"),
    Choice.FAIL: ("fail", "incorrect", "wrong", "false", "no", "0", "invalid", "reject"),
    Choice.ABSTAIN: ("abstain", "unsure", "na", "n/a", "skip", "ignore", ""),
}
_CHOICES = {word: choice for choice, words in _WORDS.items() for word in words}


class Layout(StrEnum):
    """How a file of votes is laid out."""

    COLUMNS = "columns"
    USMLE = "usmle_gpt4_errors"
    MR_GSM8K = "mr_gsm8k"


class VotesRefusedError(ValueError):
    """This file of votes cannot be imported; each line that is wrong is named."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems[:20]))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class ImportedVote:
    """One vote from elsewhere: never sealed, never paid. classes are the kinds of error that it marks."""

    item: str
    auditor: str
    choice: Choice
    classes: frozenset[str] = frozenset()
    seconds: float | None = None
    reason: str = ""
    confidence: float | None = None
    level: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column holds what; an empty name means that the file has no such column."""

    item: str = "item"
    auditor: str = "auditor"
    choice: str = "choice"
    confidence: str = ""
    error_type: str = ""
    seconds: str = ""
    level: str = ""
    reason: str = ""


def from_usmle(records: Iterable[Record]) -> list[ImportedVote]:
    """One vote an annotator and item; of several sheets of one annotator on one item the last counts.

    Fail when a class of error was marked; pass when none was and the response was marked reasonable; otherwise abstain.
    """
    votes: dict[tuple[str, str], ImportedVote] = {}
    for record in records:
        classes = frozenset(a or b for a, b in _ANNOTATION.findall(record["span_annotations"]))
        # "Reasonable" and "cannot pick" stand among the classes of error, but mark none.
        errors = classes - {REASONABLE, UNSURE}
        choice = Choice.FAIL if errors else Choice.PASS if REASONABLE in classes else Choice.ABSTAIN
        vote = ImportedVote(record["id"], record["annotator_id"], choice, classes, _time_spent(record))
        # A later sheet of the same annotator replaces the earlier one.
        votes[vote.item, vote.auditor] = vote
    return list(votes.values())


def _time_spent(record: Record) -> float | None:
    """Seconds from "Time spent: 0d 0h 9m 19s"."""
    parts = _PART.findall(record.get("behavioral_data", "").partition("Time spent:")[2])
    return float(sum(int(number) * _SECONDS[unit] for number, unit in parts)) if parts else None


def from_mr_gsm8k(records: Iterable[Record]) -> list[ImportedVote]:
    """One vote a judge model and solution: the judge is named by its *_eval_output column."""
    votes: dict[tuple[str, str], ImportedVote] = {}
    for record in records:
        for column in (name for name in record if name.endswith(_JUDGE)):
            evaluation = record[column]
            choice = Choice.PASS if str(evaluation["correctness_pred"]).lower() == "correct" else Choice.FAIL
            reason = str(evaluation.get("error_reason") or "")
            vote = ImportedVote(record["uuid"], column.removesuffix(_JUDGE), choice, reason=reason)
            votes[vote.item, vote.auditor] = vote
    return list(votes.values())


def from_columns(records: Iterable[Record], columns: Columns) -> list[ImportedVote]:
    """One vote a record. Raises VotesRefusedError naming each line, its column and what is wrong; two votes of one
    auditor on one item are wrong too.
    """
    votes: dict[tuple[str, str], ImportedVote] = {}
    problems: list[str] = []
    for number, record in enumerate(records, start=1):
        try:
            vote = _mapped(record, columns)
            if (vote.item, vote.auditor) in votes:
                raise ValueError(f"{vote.auditor} has voted on {vote.item} before")
        except ValueError as error:
            problems.append(f"record {number}: {error}")
            # Twenty faults show what is wrong with a file; a million would not fit the page.
            if len(problems) >= 20:
                break
        else:
            votes[vote.item, vote.auditor] = vote
    if problems:
        raise VotesRefusedError(problems)
    return list(votes.values())


def _mapped(record: Record, columns: Columns) -> ImportedVote:
    def text(name: str, longest: int = 120) -> str:
        value = record.get(name) if name else None
        cell = "" if value is None else str(value).replace("\x00", "").strip()
        if len(cell) > longest:
            raise ValueError(f"column {name}: longer than {longest} characters")
        return cell

    item_id, auditor, word = text(columns.item), text(columns.auditor), text(columns.choice).lower()
    for name, value in ((columns.item, item_id), (columns.auditor, auditor)):
        if not value:
            raise ValueError(f"column {name} is missing or empty")
    # A missing column is not the same as an empty cell, which means abstain.
    if columns.choice not in record or word not in _CHOICES:
        raise ValueError(f"column {columns.choice}: {word[:30]!r} is neither pass, fail nor abstain")
    return ImportedVote(
        item_id,
        auditor,
        _CHOICES[word],
        classes=frozenset(filter(None, [text(columns.error_type)])),
        seconds=_number(text(columns.seconds), columns.seconds, 0, 1e9),
        reason=text(columns.reason, 20_000),
        confidence=_number(text(columns.confidence), columns.confidence, 0.5, 1),
        level=text(columns.level, 10).lower(),
    )


def _number(text: str, name: str, low: float, high: float) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"column {name}: {text[:30]!r} is no number") from None
    if not low <= value <= high:
        raise ValueError(f"column {name}: {text[:30]} does not lie between {low} and {high:g}")
    return value


def read_votes(*, data: bytes, name: str, layout: Layout, columns: Columns) -> list[ImportedVote]:
    """The votes of a JSONL or CSV file. Raises VotesRefusedError; nothing is half read."""
    records = records_of(data=data, name=name)
    try:
        if layout is Layout.COLUMNS:
            votes = from_columns(records, columns)
        else:
            votes = from_usmle(records) if layout is Layout.USMLE else from_mr_gsm8k(records)
    except (KeyError, TypeError, AttributeError) as error:
        raise VotesRefusedError(
            [f"{name} has not the layout {layout}: {error} is missing or of another kind"]
        ) from None
    if not votes:
        raise VotesRefusedError([f"{name} holds no vote"])
    return votes


def records_of(*, data: bytes, name: str) -> list[Record]:
    """The records of a CSV file with a header, or of a JSONL file. Raises VotesRefusedError naming the line."""
    try:
        # Spreadsheets write a byte order mark at the beginning of a CSV file.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise VotesRefusedError([f"{name} is not UTF-8 (byte {error.start})"]) from None
    if not text.strip():
        raise VotesRefusedError([f"{name} is empty"])
    return list(_csv(text) if name.lower().endswith(".csv") else _jsonl(text))


def _jsonl(text: str) -> Iterator[Record]:
    for number, line in enumerate(io.StringIO(text), start=1):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                raise VotesRefusedError([f"line {number} is not JSON"]) from None
            if not isinstance(record, dict):
                raise VotesRefusedError([f"line {number} is not an object"])
            yield record


def _csv(text: str) -> Iterator[Record]:
    try:
        yield from csv.DictReader(io.StringIO(text), strict=True)
    except csv.Error as error:
        raise VotesRefusedError([f"this is no CSV file: {error}"]) from None
