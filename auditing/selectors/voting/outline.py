"""The outline of a trace beside a seat: what a reviewer may pick as a missing premise, and what was picked.

Reads Segment, Remark.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedRows
from auditing.models import Remark, Seat
from auditing.selectors.voting.neighbourhood import first_asked, standing_columns
from hdag.core.disclosure import Disclosed
from hdag.core.masking.masking import mask
from hdag.core.units import UnitKind
from hdag.core.values import Segment
from hdag.models import Segment as Row
from hdag.selectors import hidden_names, load_trace, segment_value
from hdag.store import content


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A passage before the seat's unit, by its summary."""

    label: str
    summary: str


def outline_of(*, seat: Seat) -> tuple[OutlineEntry, ...]:
    """The passages that stand before the unit of a seat and are not among its premises, in reading order, masked."""
    audit = seat.round.audit
    names = hidden_names(provider=audit.trace.provider, trace=load_trace(audit.trace))
    return tuple(OutlineEntry(value.id, mask(text=value.summary, names=names)) for value in _candidates(seat))


def outline_disclosure(*, seat: Seat) -> Disclosed:
    """What the outline shows: the summaries of its entries."""
    return Disclosed((), {value.id: len(value.summary) for value in _candidates(seat)})


def picked_premises(*, seat: Seat) -> tuple[Row, ...]:
    """The segments that the holder named as missing premises, in reading order, with how they stand."""
    named = [key for (key,) in _named.rows(seat=seat.pk)]
    if not named:
        return ()
    picked = Row.objects.filter(pk__in=named).select_related("block")
    standing = standing_columns(audit=seat.round.audit_id, before=first_asked(round=seat.round))
    return tuple(picked.annotate(**standing).order_by("position"))


@PreparedRows
def _named(seat: UUID) -> QuerySet[Remark, Any]:
    return Remark.objects.filter(seat=seat, kind=Remark.Kind.MISSING_PREMISE).values_list("segment")


def find_pick(*, seat: Seat, label: str) -> Row | None:
    """The segment of this name in the outline of a seat; None for anything else."""
    rows = _rows(seat).filter(label=label)
    return rows.first()


def _candidates(seat: Seat) -> list[Segment]:
    rows = list(_rows(seat))
    content.fetch(row.block for row in rows)
    return [segment_value(row, content.read_json(row.block)) for row in rows]


def _rows(seat: Seat) -> QuerySet[Row]:
    here = seat.round.segment
    before = Row.objects.filter(decomposition=here.decomposition_id, unit=UnitKind.PASSAGE, position__lt=here.position)
    return (
        before.exclude(edges_in__source=here, edges_in__relation="depends_on")
        .exclude(edges_out__target=here, edges_out__relation="enables")
        .select_related("block")
        .order_by("position")
    )
