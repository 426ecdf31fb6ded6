"""What a vote is bound to: the Place of a seat, computed from the tables, never taken from a client."""

from django.conf import settings

from auditing.core.commitment import Place, auditor_pseudonym, log_id, segment_digest
from auditing.models import Audit, Auditor, Seat
from hdag import content


def current_reasoning(*, seat: Seat) -> str:
    """The text under Current Reasoning exactly as served; the segment digest covers this."""
    texts: dict[str, str] = content.read_json(seat.round.segment.block)
    return texts["own"]


def place_of(*, seat: Seat, text: str | None = None) -> Place:
    """The public half of a seat's vote. `text`: the current reasoning, when the caller has read it already."""
    segment = seat.round.segment
    return Place(
        log_id=log_id(origin=settings.LEDGER_ORIGIN),
        audit_id=seat.round.audit_id,
        segment_id=segment.pk,
        round=seat.round.number,
        seat_id=seat.pk,
        auditor_id=bytes(seat.pseudonym),
        segment_digest=segment_digest(
            salt=bytes(segment.salt), text=current_reasoning(seat=seat) if text is None else text
        ),
    )


def pseudonym(*, audit: Audit, auditor: Auditor) -> bytes:
    """The name of an auditor within one audit: 32 bytes that tell a stranger nothing."""
    return auditor_pseudonym(key=settings.PSEUDONYM_KEY, audit_id=audit.pk, auditor=auditor.pk)
