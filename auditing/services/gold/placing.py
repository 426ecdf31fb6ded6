"""Audits of the system's own are placed among the ordinary ones of a campaign: decoys with gold, and blind repeats.

Of either, one more is due where its seats, with those that running ones have still to come, keep within the policy's
share of all seats. Each waits another sweep with probability one half. What is placed follows from a seed that the
event keeps.

Reads Campaign, Round, Decoy; writes AuditEvent.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile

from django.db import transaction

from auditing.core.events import EventKind
from auditing.core.gold import decoys_due
from auditing.core.policy import Policy
from auditing.models import Audit, Campaign
from auditing.selectors.gold.decoys import reckon_seats
from auditing.services.events import record_event

MOST_AT_ONCE = 5  # audits of one campaign and sort in one sweep
NOT_YET = 0.5  # chance that what is due waits for the next sweep: its hour says nothing of what made it due


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """What is placed: decoys or repeats, up to a share of all seats.

    plant: submits one by the draw, where the second argument is true of gold that models fail on; None where no text
    yields one.
    """

    event: EventKind
    is_repeat: bool
    share: Decimal
    plant: Callable[[random.Random, bool], Audit | None]


def place_everywhere(*, place: Callable[[Campaign], int]) -> int:
    """Place what is due in every open campaign, oldest key first; returns how many audits."""
    rows = Campaign.objects.filter(state=Campaign.State.OPEN, policy__isnull=False).order_by("pk")
    return sum(place(row) for row in rows.select_related("policy"))


def place_due(*, campaign: Campaign, policy: Policy, sort: Sort, seed: bytes) -> int:
    """Place what is due of one sort; returns how many audits. seed: 32 random bytes, kept in the event."""
    if not sort.share:
        return 0
    rng = random.Random(seed + campaign.pk.bytes)  # noqa: S311  logged and repeatable; the draw of seats is another
    with transaction.atomic():
        # Locked against a second sweep, but not against traces that are handed in meanwhile.
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        seats = reckon_seats(campaign=campaign, policy=policy, repeats=sort.is_repeat)
        due = decoys_due(ordinary=seats.placed.ordinary, gold=seats.own, share=sort.share, seats=seats.each)
        due_misleading = decoys_due(
            ordinary=seats.placed.ordinary + seats.own - seats.misleading,
            gold=seats.misleading,
            share=policy.model_fail_share,
            seats=seats.each,
        )
        count = sum(rng.random() >= NOT_YET for _ in range(min(due, MOST_AT_ONCE)))
        # Where one try finds no text the sweep after this one tries again: each look at many texts takes a second.
        tries = (sort.plant(rng, number < due_misleading) for number in range(count))
        made = list(takewhile(lambda audit: audit is not None, tries))
        if made:
            record_event(
                audit=None,
                kind=sort.event,
                campaign=str(campaign.pk),
                seed=seed.hex(),
                due=due,
                due_misleading=due_misleading,
                tried=min(count, len(made) + 1),
                placed=len(made),
                seats=seats.own,
                others=seats.placed.ordinary,
            )
    return len(made)
