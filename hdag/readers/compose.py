"""Pieces of a log -> one trace: the steps joined by a blank line, each with its span, speaker and stated parents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import StepSpan
from hdag.readers.records import JOINT, check_text


@dataclass(frozen=True, slots=True)
class LogStep:
    """One step of a log: its text, who spoke, and the indices of its stated premises."""

    text: str
    speaker: str = ""
    parents: tuple[int, ...] | None = None


def join(*, pieces: Sequence[LogStep]) -> tuple[str, tuple[StepSpan, ...]]:
    """The thinking that `pieces` make and where each lies; a blank piece keeps its index and gives no span.

    >>> join(pieces=[LogStep("a"), LogStep(""), LogStep("b")])[1][1]
    StepSpan(index=2, start=5, end=6, speaker='', parents=None)
    """
    spans, cursor = [], 0
    for index, piece in enumerate(pieces):
        end = cursor + len(piece.text)
        if piece.text.strip():
            spans.append(StepSpan(index, cursor, end, piece.speaker, piece.parents))
        cursor = end + len(JOINT)
    return JOINT.join(piece.text for piece in pieces), tuple(spans)


def first_text(*, fields: Mapping[str, Any], names: Sequence[str], where: str, at: str = "") -> str:
    """The first of the named fields that is present, checked; "" when none is."""
    for name in names:
        if fields.get(name) is not None:
            return check_text(fields[name], where=where, field=f"{at}{name}")
    return ""


def first_key(*, fields: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of `names` that `fields` holds, "" when none."""
    return next((name for name in names if name in fields), "")


def check_object(value: object, *, where: str, field: str) -> Mapping[str, Any]:
    """`value` as an object. Raises BadRecordError."""
    if not isinstance(value, Mapping):
        raise BadRecordError(where=where, field=field, reason="must be an object")
    return value
