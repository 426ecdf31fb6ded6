"""A campaign's prior orders the queues of its reviewers: what is likelier to be wrong is asked about sooner.

It moves a seat that was drawn already within its holder's own queue, by less than the day that a contested round is
worth: it seats nobody, votes nowhere and is no part of any outcome. What it said is kept beside the audit.

Reads Trace, Seat; writes CampaignPrior, PriorOrder, PriorPlace, Seat.wanted_by.
"""

import hashlib
from datetime import timedelta

from django.db import transaction
from django.db.models import F

from auditing.core.stages import SeatStage
from auditing.models import Audit, Campaign, Seat
from auditing.research.models import CampaignPrior, PriorOrder, PriorPlace
from auditing.research.prior.selectors import audits_to_read, seats_to_order
from hdag.selectors import load_trace

AUDITS, SEATS = 20, 500  # of one sweep; the next ones follow in the next
FURTHEST = timedelta(hours=23)  # how much sooner what is certainly wrong is asked about


def set_prior(*, campaign: Campaign, text: str) -> CampaignPrior:
    """Order the queues of a campaign by this prior's file from now on. Raises BadPriorError."""
    from auditing.research.prior.training import read_prior  # with numpy, which no idle worker needs

    read_prior(text=text)
    fields = {"sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}
    return CampaignPrior.objects.update_or_create(campaign=campaign, defaults=fields)[0]


def take_prior_off(*, campaign: Campaign) -> bool:
    """Order no more seats of a campaign; whether it had a prior. What was moved stays where it is."""
    return CampaignPrior.objects.filter(campaign=campaign).delete()[0] > 0


def order_queues() -> int:
    """Let each campaign's prior read its new audits, and move the seats offered since; returns how many were moved."""
    for audit in audits_to_read(most=AUDITS):
        _read(audit)
    return sum(_move(seat) for seat in seats_to_order(most=SEATS))


def _read(audit: Audit) -> None:
    from auditing.research.prior.features import features_of
    from auditing.research.prior.training import read_prior

    assert audit.campaign is not None
    prior = audit.campaign.prior
    trace = load_trace(audit.trace)
    chances = list[float]()
    if trace.steps:
        model = read_prior(text=prior.text)
        chances = [round(float(chance), 4) for chance in model.probabilities(features_of(trace))]
    PriorOrder.objects.get_or_create(audit=audit, defaults={"sha256": prior.sha256, "chances": chances})


def _move(seat: Seat) -> bool:
    """Moves one seat, once; False where it was taken meanwhile."""
    chances, step = seat.round.audit.prior_order.chances, seat.round.segment.step
    assert step is not None
    chance = chances[step] if step < len(chances) else 0.0
    with transaction.atomic():
        # one conditional UPDATE: whoever takes the seat in this moment keeps it as it was
        waiting = Seat.objects.filter(pk=seat.pk, stage=SeatStage.OFFERED)
        if not waiting.update(wanted_by=F("wanted_by") - FURTHEST * chance):
            return False
        PriorPlace.objects.create(seat=seat, chance=chance)
    return True
