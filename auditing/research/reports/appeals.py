"""Appeals: within the window, a provider or an auditor of a recorded audit opens a second one, linked both ways.

Reads Audit, Seat; writes Appeal, Audit, Block, Leaf, Notice, AuditEvent.
"""

import os
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import User
from auditing import dispatch
from auditing.core.events import EventKind
from auditing.core.ledger import leaves
from auditing.core.ledger.leaves.fields import Name
from auditing.core.stages import AuditStage, SeatStage
from auditing.models import Appeal, Audit, Seat
from auditing.research.reports.selectors.appeals import WITHOUT_OUTCOME
from auditing.services.campaigns import notices
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from hdag.store import content


class AppealRefusedError(Exception):
    """This audit cannot be appealed."""


class NoStandingError(AppealRefusedError):
    """Only the provider of the trace, and auditors who voted on it, may appeal."""


class WindowOverError(AppealRefusedError):
    """The appeal window of this audit is not open."""


class LookedAgainError(AppealRefusedError):
    """A second audit has looked at this trace again, or ended without an outcome: there is one for each audit."""


class AppealedAlreadyError(AppealRefusedError):
    """You have appealed against this audit already."""


def find_side(*, audit: Audit, user: User) -> str:
    """In which role a person may appeal against an audit, or ""."""
    if audit.trace.provider_id == user.pk:
        return Appeal.Side.PROVIDER
    sat = Seat.objects.filter(round__audit=audit, auditor__user=user, stage=SeatStage.REVEALED)
    return Appeal.Side.AUDITOR if sat.exists() else ""


def is_open(*, audit: Audit, now: datetime) -> bool:
    """Whether one may appeal against an audit: in time, and while no second audit of it is over."""
    return is_in_time(audit=audit, now=now) and not has_looked_again(audit=audit)


def is_in_time(*, audit: Audit, now: datetime) -> bool:
    """Whether the appeal window of an audit is open."""
    until = audit.appeals_until
    return audit.stage == AuditStage.RECORDED and until is not None and now < until and audit.released_at is None


def has_looked_again(*, audit: Audit) -> bool:
    """Whether the second audit is over: an appeal would join what nobody works at any more."""
    second = Audit.objects.filter(follows=audit).only("stage", "outcome").first()
    return second is not None and bool(second.outcome or second.stage in WITHOUT_OUTCOME)


def appeal(*, audit: Audit, by: User, reason: str, text: str, now: datetime) -> Appeal:
    """Appeal against a recorded audit; the first appeal opens the successor audit, later ones join it.

    Held postings stay held until the successor's own window has closed. Raises AppealRefusedError, also where the
    successor is over.
    """
    side = find_side(audit=audit, user=by)
    if not side:
        raise NoStandingError(NoStandingError.__doc__)
    if reason not in Appeal.Reason.values:
        raise AppealRefusedError("An appeal names one of the reasons.")
    with transaction.atomic():
        # Locked against the release of its postings, and against a second appeal that would open a second successor.
        current = Audit.objects.select_for_update(of=("self",)).select_related("trace").get(pk=audit.pk)
        if has_looked_again(audit=current):
            raise LookedAgainError(LookedAgainError.__doc__)
        if not is_open(audit=current, now=now):
            raise WindowOverError(WindowOverError.__doc__)
        if current.trace.erased_at is not None:
            raise AppealRefusedError("The text of this trace was erased: nobody could look at it again.")
        successor = _successor(current)
        try:
            with transaction.atomic():  # a savepoint: the refusal below must not undo the rest
                row = Appeal.objects.create(
                    audit=current,
                    by=by,
                    side=side,
                    reason=reason,
                    successor=successor,
                    block=content.store_one(text) if text.strip() else None,
                )
        except IntegrityError:
            raise AppealedAlreadyError(AppealedAlreadyError.__doc__) from None
        # The leaf names the side and a word of a list, never the person or what they wrote.
        leaf = leaves.Appeal(audit=current.pk, by=Name(str(side)), reason=Name(reason), successor=successor.pk)
        ledger.write(audit=current, leaves=[leaf])
        record_event(
            audit=current,
            kind=EventKind.AUDIT_APPEALED,
            actor=by,
            side=str(side),
            reason=reason,
            successor=str(successor.pk),
        )
        notices.tell_appeal(audit=current, by=by)
    dispatch.enqueue("auditing.advance_audit", successor.pk)
    return row


def _successor(audit: Audit) -> Audit:
    """The audit that follows: the same trace, graph and policy, another seed; nobody sits twice on a segment."""
    successor = Audit.objects.filter(follows=audit).first()
    if successor is not None:
        return successor
    successor = Audit.objects.create(
        trace=audit.trace,
        campaign_id=audit.campaign_id,
        policy_id=audit.policy_id,
        decomposition_id=audit.decomposition_id,
        follows=audit,
        seed=os.urandom(32),
    )
    record_event(audit=successor, kind=EventKind.AUDIT_SUBMITTED, why="appeal")
    return successor
