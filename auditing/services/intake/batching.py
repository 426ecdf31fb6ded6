"""Batches: people see a trace only together with others, so that the moment it appears tells nothing of its provider.

A batch closes at B traces from at least m providers, or after T minutes: batch_size, batch_providers and batch_minutes
of the policy. In anonymity networks this is a threshold-or-timed mix. Reads Audit, Round, Decoy; writes Audit,
AuditEvent.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from auditing.core.events import EventKind
from auditing.core.policy.parameters import Order
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Tier
from auditing.models import Audit, Campaign, Decoy, Round
from auditing.selectors.consensus.premises import premises_are_decided
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event


def rounds_to_open(*, audit: Audit, rounds: Sequence[Round], now: datetime) -> list[Round]:
    """Those of an audit's rounds whose auditors may be drawn now, as its policy has it."""
    if audit.campaign.state == Campaign.State.PAUSED:
        return [round for round in rounds if round.tier == Tier.COMPUTER]
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    ready = rounds
    if policy.order is Order.PREMISES_FIRST:
        ready = [round for round in rounds if round.tier == Tier.COMPUTER or premises_are_decided(round=round)]
    # By the time an adjudicator is called, people have seen the trace.
    unmixed = [round for round in ready if round.tier == Tier.HUMAN and not round.adjudicates]
    if unmixed and not is_mixed(audit=audit, now=now):
        return [round for round in ready if round not in unmixed]
    return list(ready)


def is_mixed(*, audit: Audit, now: datetime) -> bool:
    """Whether people may be seated on `audit`; closes the batch of its campaign when it is full or old enough."""
    if audit.batched_at is not None:
        return True
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    with transaction.atomic():
        # Locked in one order, so that two rounds that ask at once close one batch, not two.
        waiting = list(_waiting(audit).select_related("trace").select_for_update(of=("self",)).order_by("pk"))
        # Decoys wait with the others, but hide nobody: neither their number nor their providers count.
        decoys = set(Decoy.objects.filter(trace__in=[row.trace_id for row in waiting]).values_list("trace", flat=True))
        ordinary = [row for row in waiting if row.trace_id not in decoys]
        providers = {row.trace.provider_id for row in ordinary}
        oldest = min((row.created for row in waiting), default=now)
        is_mixing = policy.batch_size > 1 or policy.batch_providers > 1
        is_full = len(ordinary) >= policy.batch_size and len(providers) >= policy.batch_providers
        if is_mixing and not is_full and now - oldest < timedelta(minutes=policy.batch_minutes):
            return False
        Audit.objects.filter(pk__in=[row.pk for row in waiting], batched_at__isnull=True).update(
            batched_at=now, batch_providers=max(1, len(providers))
        )
        for row in waiting:
            record_event(audit=row, kind=EventKind.BATCH_CLOSED, traces=len(waiting), providers=len(providers))
    audit.refresh_from_db(fields=["batched_at", "batch_providers"])
    return audit.batched_at is not None


def _waiting(audit: Audit) -> QuerySet[Audit]:
    """Audits of the campaign with a round that waits for people, none of them mixed yet."""
    rounds = Round.objects.filter(audit__campaign=audit.campaign_id, tier=Tier.HUMAN, stage=RoundStage.DRAWING)
    return Audit.objects.filter(
        campaign=audit.campaign_id, stage=AuditStage.AUDITING, batched_at__isnull=True, pk__in=rounds.values("audit")
    )
