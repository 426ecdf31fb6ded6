"""The matrix is complete: every kind of leaf and every field of the application stands in it, bound by something."""

import typing
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

from auditing.core.ledger import leaves
from auditing.core.ledger.leaves import fields
from auditing.core.seating.rosters import EligibleLine, SegmentLine
from auditing.verifier import verify_audit

RECORDS = {**leaves.TYPES, "list of segments": SegmentLine, "list of the eligible": EligibleLine}
PAGE = Path(verify_audit.__file__).parents[2] / "docs" / "verification.md"


def names_of(record: Any, prefix: str = "") -> set[str]:
    """The fields of a record as the matrix writes them, with those of the records inside of it."""
    names = set()
    for name, hint in fields._field_hints(record).items():
        bare = fields._without_none(hint)
        names.add(f"{prefix}{name}{'?' if fields._is_optional(hint) else ''}")
        inner = typing.get_args(bare)[0] if typing.get_origin(bare) is tuple else bare
        if is_dataclass(inner):
            names |= names_of(inner, f"{prefix}{name}.")
    return names


def test_every_kind_of_leaf_stands_in_the_matrix() -> None:
    assert set(verify_audit.MATRIX) == set(RECORDS)


@pytest.mark.parametrize("kind", RECORDS)
def test_every_field_of_a_kind_stands_in_the_matrix(kind: str) -> None:
    assert {name for name in verify_audit.MATRIX[kind] if name} == names_of(RECORDS[kind])


def test_everything_is_checked_signed_or_believed_and_every_check_is_used() -> None:
    codes = {code for rows in verify_audit.MATRIX.values() for cell in rows.values() for code in cell.split()}
    known = {*map(str, verify_audit.CHECKS), *verify_audit.BELIEVED, *verify_audit.ELSEWHERE}
    assert all(cell for rows in verify_audit.MATRIX.values() for cell in rows.values())
    assert codes <= known
    assert {*map(str, verify_audit.CHECKS)} - codes == {"1"}  # of the file as a whole
    assert verify_audit.BELIEVED.keys() - codes == set()


def test_the_page_for_strangers_is_printed_from_the_matrix() -> None:
    told = "run: python auditing/verifier/verify_audit.py matrix"
    assert verify_audit.matrix_text() in PAGE.read_text(encoding="utf-8"), told
