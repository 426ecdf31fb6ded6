"""Remarks of a reviewer beside the vote: a premise that is missing is shown at once and counted, a bad cut is noted.

Reads Seat, Segment; writes Remark, Seat.shown, AuditEvent.
"""

from django.db import IntegrityError, transaction
from django.db.models import F

from auditing.core.events import EventKind
from auditing.core.stages import SeatStage
from auditing.models import Auditor, Remark, Seat
from auditing.selectors.seating.disclosure import limit_of, pack, seen_besides, unpack
from auditing.selectors.voting.outline import find_pick, outline_disclosure
from auditing.services.events import record_event
from hdag.core.disclosure import Disclosed, whole
from hdag.models import Segment
from hdag.selectors import load_trace, segment_value
from hdag.store import content


class RemarkRefusedError(Exception):
    """This remark cannot be taken: the seat is not held any more, or the segment is none of its outline."""


def open_outline(*, seat: Seat) -> None:
    """Count what the outline shows against the holder's share of the trace; opened again it counts once."""
    _show(seat, outline_disclosure(seat=seat))


def name_premise(*, seat: Seat, label: str) -> Segment:
    """Store that the unit takes something from a passage of the outline, which its holder is shown from now on.

    What is named is shown whatever the disclosure budget says, and counts: nobody can judge what they cannot read.
    Raises RemarkRefusedError.
    """
    row = find_pick(seat=seat, label=label)
    if row is None or seat.stage != SeatStage.HELD:
        raise RemarkRefusedError(RemarkRefusedError.__doc__)
    with transaction.atomic():
        _note(seat, Remark.Kind.MISSING_PREMISE, row)
        _show(seat, whole(segment=segment_value(row, content.read_json(row.block))))
    return row


def report_cut(*, seat: Seat) -> None:
    """Store that the passage is badly cut; the vote is asked for all the same. Raises RemarkRefusedError."""
    if seat.stage != SeatStage.HELD:
        raise RemarkRefusedError(RemarkRefusedError.__doc__)
    with transaction.atomic():
        _note(seat, Remark.Kind.BADLY_CUT, None)


def _note(seat: Seat, kind: Remark.Kind, row: Segment | None) -> None:
    """One remark of a kind and segment a seat: the second is the first."""
    try:
        with transaction.atomic():
            Remark.objects.create(seat=seat, kind=kind, segment=row)
    except IntegrityError:
        return
    record_event(
        audit=seat.round.audit,
        kind=EventKind.SEAT_REMARKED,
        seat=str(seat.pk),
        remark=str(kind),
        segment=str(row.pk) if row else None,
    )


def _show(seat: Seat, more: Disclosed) -> None:
    """Add to what the holder has seen, under the lock that every spending of the budget takes."""
    with transaction.atomic():
        # Who counts at this moment what may still be spent begins again (services/seating/disclosure.py).
        Auditor.objects.filter(pk=seat.auditor_id).update(looks=F("looks") + 1)
        seat.refresh_from_db(fields=["shown"])
        seen = unpack(packed=seat.shown.get("view")) | more
        seat.shown = {**seat.shown, "view": pack(seen=seen)}
        Seat.objects.filter(pk=seat.pk).update(shown=seat.shown)
        limit = limit_of(audit=seat.round.audit, trace=load_trace(seat.round.audit.trace))
        if limit is not None and (seen_besides(seat=seat) | seen).characters > limit:
            record_event(audit=seat.round.audit, kind=EventKind.SEAT_OVER_BUDGET, seat=str(seat.pk))
