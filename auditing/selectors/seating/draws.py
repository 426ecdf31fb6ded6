"""Rounds that wait for their draw, and audits with such rounds. Reads Round, Audit."""

from datetime import datetime
from uuid import UUID

from django.db.models import Count, DateTimeField, Q, QuerySet, UUIDField

from accounts.prepared import PreparedQuery, Slot
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, Round


def drawing(*, now: datetime | Slot) -> QuerySet[Round]:
    """Rounds that wait for their draw and may look again by now."""
    is_due = Q(due_at__isnull=True) | Q(due_at__lte=now)
    running = {"audit__stage": AuditStage.AUDITING, "audit__paused_at__isnull": True}
    return Round.objects.filter(is_due, stage=RoundStage.DRAWING, **running)


def later_rounds_of_people(*, audit: UUID, now: datetime) -> list[Round]:
    """Rounds of an audit that wait for their draw after other tiers or people were asked, with one object for it."""
    rounds = list(_LATER.rows(audit=audit, now=now))
    if rounds:
        (shared,) = _AUDIT.rows(audit=audit)
        for round in rounds:
            round.audit = shared
    return rounds


def audits_to_draw(*, now: datetime, most: int, most_rounds: int, at_once: int) -> list[UUID]:
    """Up to `most` audits with rounds to draw, and about `most_rounds` rounds of theirs, `at_once` of each audit.

    Who has drawn or looked once is not due for a while, so that all have their turn.
    """
    waiting = drawing(now=now).order_by().values_list("audit").annotate(Count("pk"))[:most]
    audits, rounds = list[UUID](), 0
    for audit, count in waiting:
        rounds += min(count, at_once)
        if audits and rounds > most_rounds:
            break
        audits.append(audit)
    return audits


def _later() -> QuerySet[Round]:
    rounds = drawing(now=Slot("now", DateTimeField())).filter(tier=Tier.HUMAN, number__gt=0)
    return rounds.filter(audit=Slot("audit", UUIDField()))


def _audit() -> QuerySet[Audit]:
    # Once, not beside each of its rounds: every row would bring the policy's parameters along.
    return Audit.objects.filter(pk=Slot("audit", UUIDField())).select_related("policy", "trace", "campaign")


_LATER, _AUDIT = PreparedQuery(_later), PreparedQuery(_audit)
