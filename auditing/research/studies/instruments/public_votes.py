"""Files of votes that were cast elsewhere: medical annotators (usmle_gpt4_errors), judges (mr_gsm8k), one's own."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from auditing.core.values import Choice
from auditing.research.imported_votes.records import (
    Columns,
    ImportedVote,
    Record,
    from_columns,
    from_mr_gsm8k,
    from_usmle,
)
from auditing.research.studies.instruments.labelled import get_public_file, read_lines
from auditing.research.studies.instruments.own_file import own_records
from auditing.research.studies.instruments.runner import Run

__all__ = ["ImportedVote", "choices_by_item", "read_mr_gsm8k", "read_usmle", "votes_of"]
_MARKS = "span_annotations"  # the column that tells a sheet of the medical annotators


def read_usmle(*, path: Path) -> list[ImportedVote]:
    """One vote an annotator and item."""
    return from_usmle(read_lines(path))


def read_mr_gsm8k(*, paths: Iterable[Path]) -> list[ImportedVote]:
    """One vote a judge model and solution, over all files."""
    return from_mr_gsm8k(chain.from_iterable(map(read_lines, paths)))


def votes_of(*, run: Run) -> list[ImportedVote]:
    """The votes of the run's own file, or of the medical annotators. Raises DataMissingError.

    A second vote of one auditor on one item replaces the first.
    """
    if run.file is None:
        return read_usmle(
            path=get_public_file(name="usmle_gpt4_errors", file="raw_annotator_level.jsonl", data=run.data)
        )
    votes = own_records(run=run, make=_own_vote)
    return list({(vote.item, vote.auditor): vote for vote in votes}.values())


def choices_by_item(*, votes: Iterable[ImportedVote]) -> dict[str, dict[str, Choice]]:
    """item -> auditor -> vote."""
    by_item: dict[str, dict[str, Choice]] = {}
    for vote in votes:
        by_item.setdefault(vote.item, {})[vote.auditor] = vote.choice
    return by_item


def _own_vote(record: Record) -> ImportedVote:
    error_class = "error_type" if "error_type" in record else ""
    return from_usmle([record])[0] if _MARKS in record else from_columns([record], Columns(error_type=error_class))[0]
