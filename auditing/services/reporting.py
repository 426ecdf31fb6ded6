"""A reviewer calls the admins: dangerous content, or a decision that others must take. Writes AuditEvent, Notice."""

from typing import Any

from django.db import transaction

from accounts.models import Role, User
from auditing.models import Notice, Seat
from auditing.services.doors import note
from auditing.services.notices import tell_people


def report_danger(*, seat: Seat, actor: Any) -> None:
    """Tell every admin at once that a segment holds dangerous content; the vote goes on."""
    _tell_admins(seat, actor, "segment.dangerous", f"danger:{seat.round_id}", "A reviewer reports dangerous content.")


def report_escalation(*, seat: Seat, actor: Any) -> None:
    """Tell every admin that a reviewer passed a segment on because somebody else must decide what to do with it."""
    _tell_admins(
        seat, actor, "segment.escalated", f"escalated:{seat.pk}", "A reviewer asks for a decision on a segment."
    )


def _tell_admins(seat: Seat, actor: Any, kind: str, key: str, text: str) -> None:
    audit = seat.round.audit
    with transaction.atomic():
        note(audit=audit, actor=actor, kind=kind, segment=str(seat.round.segment_id), seat=str(seat.pk))
        admins = User.objects.filter(is_active=True, grants__role=Role.ADMIN)
        tell_people(people=admins, kind=Notice.Kind.DANGER, key=key, text=text, link=f"/audits/{audit.pk}")
