"""Declining: a reviewer passes a segment on, and each reason has a consequence of its own.

Reads Seat; writes Seat, Recusal, AuditEvent, Notice.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.stages import SeatStage
from auditing.models import Auditor, Recusal, Seat
from auditing.selectors.seating.sitting import CONFLICT
from auditing.services.conduct import report_escalation, report_unclear
from auditing.services.events import record_event
from auditing.services.seating.assignment import decline, recuse

ESCALATE, UNCLEAR = "escalate", "unclear"
SURELY_UNCLEAR = 2  # reviewers who cannot judge a segment before the admins are told


@dataclass(frozen=True, slots=True)
class DeclineReason:
    """One reason to pass a segment on. word: in events and API; label, done: what the page says before and after."""

    word: str
    label: str
    done: str


# The reasons in the order of the page.
ROUTES: Mapping[str, DeclineReason] = {
    reason.word: reason
    for reason in (
        DeclineReason(
            "not my field",
            "Not my field",
            "Passed on to the next reviewer of the draw. Your profile says which fields you are asked about.",
        ),
        DeclineReason(
            CONFLICT,
            "Conflict of interest",
            "Passed on. You are not asked about traces of this provider again; My record shows it and lets you take it "
            "back.",
        ),
        DeclineReason(
            UNCLEAR,
            "Unclear: cannot be judged",
            "Passed on to the next reviewer of the draw. When a second one finds it unclear, the admins are told.",
        ),
        DeclineReason(
            ESCALATE,
            "Somebody else must decide",
            "Passed on to the next reviewer of the draw, and the admins are told.",
        ),
    )
}


def pass_on(*, seat: Seat, route: DeclineReason, actor: User) -> bool:
    """Give a seat back for the reason `route`; False when it was left already, which changes nothing."""
    if route.word == CONFLICT:
        return recuse(seat=seat)
    with transaction.atomic():
        if not decline(seat=seat, because=route.word):
            return False
        # The seat has gone on already; what follows only tells the admins.
        if route.word == ESCALATE:
            report_escalation(seat=seat, actor=actor)
        elif route.word == UNCLEAR and _times_unclear(seat) >= SURELY_UNCLEAR:
            report_unclear(seat=seat, actor=actor)
    return True


def end_recusal(*, auditor: Auditor, number: int) -> bool:
    """Take back one of one's own recusals; seats that were passed on do not come back by it."""
    with transaction.atomic():
        gone, _ = Recusal.objects.filter(pk=number, auditor=auditor).delete()
        if gone:
            record_event(audit=None, kind=EventKind.RECUSAL_ENDED, actor=auditor.user, auditor=str(auditor.pk))
    return bool(gone)


def _times_unclear(seat: Seat) -> int:
    """How many reviewers of this audit could not judge the segment, in whichever round."""
    same = Seat.objects.filter(round__audit=seat.round.audit_id, round__segment=seat.round.segment_id)
    return same.filter(stage=SeatStage.DECLINED, declined_because=UNCLEAR).count()
