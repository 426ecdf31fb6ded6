"""Public files of votes that were cast elsewhere: medical annotators (usmle_gpt4_errors), judges (mr_gsm8k)."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from auditing.research.imported_votes.records import ImportedVote, from_mr_gsm8k, from_usmle
from auditing.research.studies.instruments.labelled import read_lines

__all__ = ["ImportedVote", "read_mr_gsm8k", "read_usmle"]


def read_usmle(*, path: Path) -> list[ImportedVote]:
    """One vote an annotator and item."""
    return from_usmle(read_lines(path))


def read_mr_gsm8k(*, paths: Iterable[Path]) -> list[ImportedVote]:
    """One vote a judge model and solution, over all files."""
    return from_mr_gsm8k(chain.from_iterable(map(read_lines, paths)))
