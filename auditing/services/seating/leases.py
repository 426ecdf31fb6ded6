"""A lease lives while its holder works. Reads Round, Audit, Campaign; writes Seat."""

from datetime import datetime

from auditing.core.stages import SeatStage
from auditing.models import Seat
from auditing.selectors.seating.sitting import open_seats
from auditing.services.seating.claims import LEASE


def renew(*, seat: Seat, now: datetime) -> bool:
    """Hold a seat for another half hour, also one that came back to its holder because nobody else was left.

    False when it is no longer theirs, or nothing to vote on.
    """
    if Seat.objects.filter(pk=seat.pk, stage=SeatStage.HELD).update(lease_until=now + LEASE):
        return True
    theirs = Seat.objects.filter(pk__in=open_seats(auditor=seat.auditor, now=now).values("pk"))
    back = theirs.filter(pk=seat.pk, stage=SeatStage.OFFERED)
    return bool(back.update(stage=SeatStage.HELD, taken_at=now, lease_until=now + LEASE))
