"""Rounds that wait for their draw, and audits with such rounds. Reads Round, Audit."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from accounts.prepared import PreparedQuery
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, Round
from auditing.selectors.policy.versions import load_policy

AFTER_ALL_JUDGED = timedelta(hours=1)  # a reviewer who is away for a moment may still be drawn


def drawing(*, now: datetime) -> QuerySet[Round]:
    """Rounds that wait for their draw and may look again by now."""
    is_due = Q(due_at__isnull=True) | Q(due_at__lte=now)
    running = {"audit__stage": AuditStage.AUDITING, "audit__paused_at__isnull": True}
    return Round.objects.filter(is_due, stage=RoundStage.DRAWING, **running)


def late_rounds_of_people(*, audit: UUID, now: datetime) -> list[Round]:
    """Rounds after others of an audit that have waited so long that they may close with nobody; one object for it."""
    (shared,) = _audit.rows(audit=audit)
    policy = load_policy(version=shared.policy, domain=shared.trace.domain)
    least = min(AFTER_ALL_JUDGED, timedelta(seconds=policy.adjudication_seconds))
    rounds = list(_late.rows(audit=audit, now=now, since=now - least))
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


@PreparedQuery
def _late(audit: UUID, now: datetime, since: datetime) -> QuerySet[Round]:
    return drawing(now=now).filter(tier=Tier.HUMAN, number__gt=0, audit=audit, stage_since__lte=since)


@PreparedQuery
def _audit(audit: UUID) -> QuerySet[Audit]:
    # Once, not beside each of its rounds: every row would bring the policy's parameters along.
    return Audit.objects.filter(pk=audit).select_related("policy", "trace", "campaign")
