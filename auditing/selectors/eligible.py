"""Who may sit in a round: reviewers of the campaign who neither own the trace nor sat on this segment before."""

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from accounts.models import Role
from auditing.core.values import Tier
from auditing.models import Auditor, Round


def eligible_auditors(*, round: Round) -> Sequence[Auditor]:
    """Auditors who can be drawn for a round of its tier, in a fixed order."""
    found = Auditor.objects.filter(tier=round.tier).filter(
        Q(suspended_until__isnull=True) | Q(suspended_until__lt=round.stage_since)
    )
    if round.tier == Tier.LLM:
        return list(found.filter(endpoint__enabled=True).select_related("endpoint").order_by("pk"))
    return list(_people(found, round).order_by("pk"))


def _people(found: QuerySet[Auditor], round: Round) -> QuerySet[Auditor]:
    """Active people with the round's role, free of conflicts with this trace."""
    role = Role.ADJUDICATOR if round.adjudicates else Role.REVIEWER
    people = found.filter(user__is_active=True, user__grants__role=role).exclude(user=round.audit.trace.provider_id)
    campaign = round.audit.campaign
    if not campaign.open_to_all and not round.adjudicates:
        people = people.filter(user__reviews_for=campaign)
    if round.audit.follows_id:
        people = people.exclude(seats__round__audit=round.audit.follows_id, seats__round__segment=round.segment_id)
    return people.exclude(
        seats__round__audit=round.audit_id, seats__round__segment=round.segment_id, seats__stage__in=_SAT
    ).distinct()


_SAT = ("offered", "held", "committed", "revealed", "silent", "declined", "lapsed")
