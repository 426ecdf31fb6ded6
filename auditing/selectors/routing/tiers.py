"""Availability and load of the tiers: which can take seats now, and how many wait. Reads Endpoint, Round, Auditor."""

from typing import Any

from django.db.models import Q, Sum
from django.db.models.functions import Now

from auditing.core.routing.table import Load
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Round
from auditing.selectors.kept import kept
from auditing.selectors.model_tier.endpoints import endpoints_for
from hdag.models import Endpoint

WAITING = (RoundStage.DRAWING, RoundStage.COMMITTING)


def available_tiers(*, audit: Audit | None = None) -> frozenset[Tier]:
    """Computer and people always.

    Models when texts of this audit may go to an endpoint that did not write its trace.
    """
    has_models = llm_is_available() if audit is None else bool(endpoints_for(audit=audit))
    return frozenset({Tier.COMPUTER, Tier.HUMAN} | ({Tier.LLM} if has_models else set()))


def llm_is_available() -> bool:
    """Whether any endpoint is set and enabled; pages say so when not."""
    return Endpoint.objects.filter(enabled=True).exists()


def tier_load() -> Load:
    """Seats of rounds that still wait for votes, by tier, beside who can fill them. Three queries.

    People count who are not suspended, and models as the calls that enabled endpoints take at once.
    """
    rounds = Round.objects.filter(stage__in=WAITING, audit__stage=AuditStage.AUDITING)
    seats: Any = kept(name="tiers", count=lambda: list(rounds.order_by().values_list("tier").annotate(Sum("k"))))
    free = Q(suspended_until__isnull=True) | Q(suspended_until__lt=Now())
    people = Auditor.objects.filter(free, tier=Tier.HUMAN, is_simulated=False).count()
    # A model has no shifts: what it can take is how many calls may run at once.
    calls = Endpoint.objects.filter(enabled=True).aggregate(calls=Sum("max_concurrency"))["calls"] or 0
    return Load({Tier(tier): k for tier, k in seats}, {Tier.COMPUTER: 1, Tier.LLM: calls, Tier.HUMAN: people})
