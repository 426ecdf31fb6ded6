"""Seats by id, and their drafts."""

from uuid import UUID

from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.models import Auditor, Draft, Seat


def find_seat_of(*, auditor: Auditor, key: UUID) -> Seat | None:
    """A seat of this auditor with its round, segment and trace; None for a seat of anybody else."""
    seats = Seat.objects.select_related("round__audit__trace__provider", "round__segment", "auditor")
    # The owner is part of the query: no caller can forget to ask whose seat it is.
    return seats.filter(pk=key, auditor=auditor).first()


def find_draft(*, seat: Seat) -> Draft | None:
    """The unfinished vote of a seat, as its browser encrypted it."""
    return _drafts.first(seat=seat.pk)


@PreparedQuery
def _drafts(seat: UUID) -> QuerySet[Draft]:
    return Draft.objects.filter(seat=seat)
