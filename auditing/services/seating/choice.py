"""A reviewer's own choice among the seats that were drawn for them: one field, or one campaign, for a while.

A choice narrows what the draw gave; it never picks a seat, and a seat in hand comes first whatever was chosen.
Reads Seat; writes Seat.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from auditing.core.stages import SeatStage
from auditing.models import Auditor, Seat
from auditing.selectors.seating.sitting import open_seats
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.claims import LEASE


@dataclass(frozen=True, slots=True)
class Choice:
    """What a desk is narrowed to; "" and None narrow nothing."""

    domain: str = ""
    campaign: UUID | None = None


def chosen_seats(*, auditor: Auditor, choice: Choice, now: datetime) -> QuerySet[Seat]:
    """The open seats of an auditor that a choice leaves."""
    seats = open_seats(auditor=auditor, now=now)
    if choice.domain:
        seats = seats.filter(round__audit__trace__domain=choice.domain)
    return seats.filter(round__audit__campaign=choice.campaign) if choice.campaign else seats


def claim_chosen(*, auditor: Auditor, choice: Choice, now: datetime) -> Seat | None:
    """The seat in hand, else the next that the choice leaves, in the order in which all are served."""
    with transaction.atomic():
        # Two tabs of one reviewer take turns, as in trust_claim_seat.
        Auditor.objects.select_for_update(no_key=True).get(pk=auditor.pk)
        if not open_seats(auditor=auditor, now=now).filter(stage=SeatStage.HELD).exists():
            offered = chosen_seats(auditor=auditor, choice=choice, now=now).filter(stage=SeatStage.OFFERED)
            begun = Seat.objects.filter(auditor=auditor, taken_at__isnull=False).order_by("-taken_at")
            audit = begun.values_list("round__audit", flat=True).first()
            # One sitting, one trace: what was begun is finished first.
            same = offered.filter(round__audit=audit).order_by("round__segment__position")
            seat = (same.first() if audit else None) or offered.order_by("wanted_by", "pk").first()
            if seat is None:
                return None
            taken = Seat.objects.filter(pk=seat.pk, stage=SeatStage.OFFERED)
            if not taken.update(stage=SeatStage.HELD, taken_at=now, lease_until=now + LEASE):
                return None
    # What may not be voted on any more is passed on there, and everything else is as without a choice.
    return claim_next(auditor=auditor, now=now)
