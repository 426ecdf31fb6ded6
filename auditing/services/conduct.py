"""A reviewer calls the admins: dangerous content, or a decision that others must take. Writes AuditEvent, Notice."""

from typing import Any

from django.db import transaction

from accounts.models import Role, User
from auditing.models import Notice, Seat
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event


def report_danger(*, seat: Seat, actor: Any) -> None:
    """Tell every admin at once that a segment holds dangerous content; the vote goes on."""
    said = "A reviewer reports dangerous content."
    _tell_admins(seat, actor, "dangerous", f"danger:{seat.round_id}", said, Notice.Kind.DANGER)


def report_escalation(*, seat: Seat, actor: Any) -> None:
    """Tell every admin that a reviewer passed a segment on because somebody else must decide what to do with it."""
    label = seat.round.segment.label
    _tell_admins(
        seat, actor, "escalated", f"escalated:{seat.pk}", f"A reviewer asks for a decision on segment {label}."
    )


def report_unclear(*, seat: Seat, actor: Any) -> None:
    """Tell every admin, once a round, that several reviewers could not judge a segment as it stands."""
    said = f"Two reviewers found segment {seat.round.segment.label} too unclear to judge."
    _tell_admins(seat, actor, "unclear", f"unclear:{seat.round_id}", said)


def _tell_admins(seat: Seat, actor: Any, what: str, key: str, text: str, kind: str = Notice.Kind.DECISION) -> None:
    audit, segment = seat.round.audit, seat.round.segment
    with transaction.atomic():
        record_event(audit=audit, actor=actor, kind=f"segment.{what}", segment=str(segment.pk), seat=str(seat.pk))
        admins = User.objects.filter(is_active=True, grants__role=Role.ADMIN)
        tell_people(
            people=admins, kind=kind, key=key, text=text, link=f"/audits/{audit.pk}?segment={segment.label}#reading"
        )
