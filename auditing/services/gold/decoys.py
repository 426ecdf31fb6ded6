"""Decoys are planted: audits of the system's own among the ordinary ones of a campaign, at the rate of its policy.

A decoy goes through the corridor like any trace: submitted by a provider of a pseudonym that changes, decomposed by
the rules, batched, sealed, drawn; what differs stands in passages.py, how many are due in placing.py.

Reads Campaign, Decoy; writes Decoy, Trace, Audit, User, Leaf.
"""

import math
import random
import secrets

from django.core.cache import cache

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.gold import next_truth
from auditing.core.policy import Policy
from auditing.core.stages import AuditStage
from auditing.core.values import Choice
from auditing.models import Audit, Campaign, Decoy, GoldSegment
from auditing.selectors.gold.decoys import truths_placed
from auditing.selectors.policy.versions import load_policy
from auditing.services.gold import placing
from auditing.services.gold.drafts import Draft
from auditing.services.gold.sources import find_draft
from auditing.services.intake.submission import open_audits
from hdag.services.traces import store_traces
from hdag.store import content

DOMAIN = "pseudonym.invalid"  # of addresses that nobody has: RFC 2606
MOST_OF_A_PROVIDER = 4
BARREN_SECONDS = 300  # a look at 36 texts that yield none takes .6 s of CPU, and would come every 20 s


def place_due(*, seed: bytes) -> int:
    """Plant what is due in every open campaign; returns how many decoys. seed: 32 random bytes, kept in the events."""
    return placing.place_everywhere(place=lambda campaign: place(campaign=campaign, seed=seed))


def place(*, campaign: Campaign, seed: bytes) -> int:
    """Plant what one campaign's policy asks for and its texts yield; returns how many decoys."""
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    sort = placing.Sort(
        event=EventKind.GOLD_PLACED,
        is_repeat=False,
        share=policy.honeypot_share,
        plant=lambda rng, misleading: _plant(campaign, policy, rng, misleading),
    )
    return placing.place_due(campaign=campaign, policy=policy, sort=sort, seed=seed)


def _plant(campaign: Campaign, policy: Policy, rng: random.Random, misleading: bool) -> Audit | None:
    """One decoy of the truth that is rarer so far; None where no text yields one. misleading: that models fail on."""
    truths = truths_placed(campaign=campaign)
    truth = next_truth(right=truths[Choice.PASS], wrong=truths[Choice.FAIL], rng=rng)
    opposite, barren = Choice.PASS if truth is Choice.FAIL else Choice.FAIL, _barren(campaign, truth)
    if cache.get(barren):
        return None
    # Where models fail is scarce: of either truth it is taken, and the gold after it evens out.
    wanted = [(truth, True), (opposite, True)] if misleading else []
    # It keeps within its share, where the policy gives it one.
    for choice, is_misleading in (*wanted, (truth, False if policy.model_fail_share else None)):
        draft = find_draft(campaign=campaign, policy=policy, truth=choice, rng=rng, misleading=is_misleading)
        if draft is not None:
            return plant(draft=draft, campaign=campaign, rng=rng)
    cache.set(barren, True, BARREN_SECONDS)
    return None


def _barren(campaign: Campaign, truth: Choice) -> str:
    """The name under which the cache keeps that a campaign's texts yielded none of it: another with a tenth more."""
    recorded = Audit.objects.filter(campaign=campaign, stage=AuditStage.RECORDED).count()
    tenths = int(10 * math.log1p(recorded))
    return f"barren:{campaign.pk}:{truth}:{tenths}:{GoldSegment.objects.filter(is_active=True).count()}"


def plant(*, draft: Draft, campaign: Campaign, rng: random.Random) -> Audit:
    """Submit a decoy like any trace, and note what is known of it; call inside a transaction."""
    provider = _provider(campaign, rng)
    whole_to_models = draft.original is not None and draft.original.whole_to_models
    ((row, _),) = store_traces(provider=provider, traces=[draft.trace], copy=True, whole_to_models=whole_to_models)
    Decoy.objects.create(
        trace=row,
        original=draft.original,
        gold=draft.gold,
        origin=draft.origin,
        truth=draft.truth or "",
        change=draft.change or "",
        grade=draft.grade or "",
        misleads_models=draft.misleads_models,
        apart=list(draft.apart),
        source=draft.span.source,
        start=draft.span.start,
        end=draft.span.end,
        at=draft.span.at,
        explanation=content.store_one(draft.explanation),
    )
    return open_audits(traces=[row], campaign=campaign, actor=provider)[0].audit


def _provider(campaign: Campaign, rng: random.Random) -> User:
    """A provider whom nobody knows: one of a few traces, as real ones are, then another."""
    pseudonyms = User.objects.filter(email__endswith=f"@{DOMAIN}", traces__audits__campaign=campaign).distinct()
    free = [user for user in pseudonyms.order_by("pk") if user.traces.count() < MOST_OF_A_PROVIDER]
    if free and rng.random() < 0.5:
        return rng.choice(free)
    # Nobody signs in as this person: no password, and no role.
    return User.objects.create_user(f"{secrets.token_hex(8)}@{DOMAIN}", None, is_active=False)
