"""Unfinished votes, encrypted before they come here. Reads Seat; writes Draft, and renews the lease."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction

from auditing.core.stages import SeatStage
from auditing.models import Auditor, Draft, Seat
from auditing.services.assignment import renew

LARGEST = 70_000


class DraftRefused(Exception):
    """This draft cannot be kept: the seat is no longer held."""


class DraftIsStale(Exception):
    """A newer draft of this vote is kept already; it was not overwritten."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(DraftIsStale.__doc__)
        self.draft = draft


def save(*, seat_id: UUID, auditor: Auditor, version: int, body: bytes, now: datetime) -> datetime:
    """Keep a draft unless one of the same or a higher version is kept. Raises DraftRefused, DraftIsStale."""
    seat = Seat.objects.filter(pk=seat_id, auditor=auditor, stage=SeatStage.HELD).first()
    if seat is None or not renew(seat=seat, now=now):
        raise DraftRefused(DraftRefused.__doc__)
    if Draft.objects.filter(seat=seat, version__lt=version).update(version=version, body=body, saved_at=now):
        return now
    try:
        with transaction.atomic():
            Draft.objects.create(seat=seat, version=version, body=body, saved_at=now)
    except IntegrityError:
        raise DraftIsStale(Draft.objects.get(seat=seat)) from None
    return now


def forget(*, auditor: Auditor) -> int:
    """Delete every draft of a reviewer: at logout."""
    return Draft.objects.filter(seat__auditor=auditor).delete()[0]
