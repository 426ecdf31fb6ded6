"""Decoys are planted: audits of the system's own among the ordinary ones of a campaign, at the rate of its policy.

A decoy goes through the corridor like any trace: submitted by a provider of a pseudonym that changes, decomposed by
the rules, batched, sealed, drawn; what differs stands in passages.py. When and which is placed follows from a seed that
the event keeps.

Reads Campaign, Round, Decoy; writes Decoy, Trace, Audit, User, Leaf, AuditEvent.
"""

import random
import secrets

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.gold import decoys_due, next_truth
from auditing.core.policy import Policy
from auditing.core.values import Choice
from auditing.models import Audit, Campaign, Decoy
from auditing.selectors.gold.decoys import running_decoys, seats_a_decoy, seats_placed, truths_placed
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.gold.sources import Draft, find_draft
from auditing.services.intake.submission import open_audit
from hdag.services.traces import store_trace
from hdag.store import content

MOST_AT_ONCE = 5  # decoys of one campaign in one sweep
DOMAIN = "pseudonym.invalid"  # of addresses that nobody has: RFC 2606
MOST_OF_A_PROVIDER = 4
NOT_YET = 0.5  # chance that a decoy that is due waits for the next sweep: its hour says nothing of what made it due


def place_due(*, seed: bytes) -> int:
    """Plant what is due in every open campaign; returns how many decoys. seed: 32 random bytes, kept in the events."""
    rows = Campaign.objects.filter(state=Campaign.State.OPEN, policy__isnull=False).order_by("pk")
    return sum(place(campaign=row, seed=seed) for row in rows.select_related("policy"))


def place(*, campaign: Campaign, seed: bytes) -> int:
    """Plant what one campaign's policy asks for and its texts yield; returns how many decoys."""
    policy = load_policy(version=campaign.policy, domain=campaign.domain)
    if not policy.honeypot_share:
        return 0
    rng = random.Random(seed + campaign.pk.bytes)  # noqa: S311  logged and repeatable; the draw of seats is another
    with transaction.atomic():
        # Locked against a second sweep, but not against traces that are handed in meanwhile.
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        placed, decoys = seats_placed(campaign=campaign), sum(truths_placed(campaign=campaign).values())
        running = running_decoys(campaign=campaign)
        ended = placed.gold - sum(decoy.seats for decoy in running)
        seats = seats_a_decoy(policy=policy, gold=ended, decoys=decoys - len(running))
        # What is on its way has its seats to come: after a first wave it would seem cheap.
        to_come = [(max(0, seats - decoy.seats), decoy.misleads) for decoy in running]
        gold = placed.gold + sum(more for more, _ in to_come)
        misleading = placed.misleading + sum(more for more, misleads in to_come if misleads)
        due = decoys_due(ordinary=placed.ordinary, gold=gold, share=policy.honeypot_share, seats=seats)
        ordinary = placed.ordinary + gold - misleading  # every seat but those on gold that models fail on
        due_misleading = decoys_due(ordinary=ordinary, gold=misleading, share=policy.model_fail_share, seats=seats)
        count = sum(rng.random() >= NOT_YET for _ in range(min(due, MOST_AT_ONCE)))
        planted = [_plant(campaign, policy, rng, number < due_misleading) for number in range(count)]
        made = [audit for audit in planted if audit is not None]
        if made:
            record_event(
                audit=None,
                kind=EventKind.GOLD_PLACED,
                campaign=str(campaign.pk),
                seed=seed.hex(),
                due=due,
                due_misleading=due_misleading,
                tried=count,
                placed=len(made),
                ordinary=placed.ordinary,
                gold=placed.gold,
            )
    return len(made)


def _plant(campaign: Campaign, policy: Policy, rng: random.Random, misleading: bool) -> Audit | None:
    """One decoy of the truth that is rarer so far; None where no text yields one. misleading: that models fail on."""
    truths = truths_placed(campaign=campaign)
    truth = next_truth(right=truths[Choice.PASS], wrong=truths[Choice.FAIL], rng=rng)
    opposite = Choice.PASS if truth is Choice.FAIL else Choice.FAIL
    # Where models fail is scarce: of either truth it is taken, and the gold after it evens out.
    wanted = [(truth, True), (opposite, True)] if misleading else []
    # It keeps within its share, where the policy gives it one.
    for choice, is_misleading in (*wanted, (truth, False if policy.model_fail_share else None)):
        draft = find_draft(campaign=campaign, policy=policy, truth=choice, rng=rng, misleading=is_misleading)
        if draft is not None:
            return plant(draft=draft, campaign=campaign, rng=rng)
    return None


def plant(*, draft: Draft, campaign: Campaign, rng: random.Random) -> Audit:
    """Submit a decoy like any trace, and note what is known of it; call inside a transaction."""
    provider = _provider(campaign, rng)
    whole_to_models = draft.original is not None and draft.original.whole_to_models
    row, _ = store_trace(provider=provider, trace=draft.trace, copy=True, whole_to_models=whole_to_models)
    Decoy.objects.create(
        trace=row,
        original=draft.original,
        gold=draft.gold,
        origin=draft.origin,
        truth=draft.truth or "",
        change=draft.change or "",
        grade=draft.grade or "",
        misleads_models=draft.misleads_models,
        source=draft.span.source,
        start=draft.span.start,
        end=draft.span.end,
        at=draft.span.at,
        explanation=content.store_one(draft.explanation),
    )
    return open_audit(trace=row, campaign=campaign, actor=provider).audit


def _provider(campaign: Campaign, rng: random.Random) -> User:
    """A provider whom nobody knows: one of a few traces, as real ones are, then another."""
    pseudonyms = User.objects.filter(email__endswith=f"@{DOMAIN}", traces__audits__campaign=campaign).distinct()
    free = [user for user in pseudonyms.order_by("pk") if user.traces.count() < MOST_OF_A_PROVIDER]
    if free and rng.random() < 0.5:
        return rng.choice(free)
    # Nobody signs in as this person: no password, and no role.
    return User.objects.create_user(f"{secrets.token_hex(8)}@{DOMAIN}", None, is_active=False)
