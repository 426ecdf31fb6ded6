"""Drafts: unfinished votes, encrypted in the browser before they come here.

Reads Seat; writes Draft, Seat (its lease is renewed).
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from auditing.core.stages import RoundStage, SeatStage
from auditing.models import Auditor, Draft, Seat
from auditing.services.seating.leases import renew

LARGEST = 250_028  # 20,000 characters, whatever they are; the figure of static/js/draft.js with nonce and tag
OPEN = (SeatStage.OFFERED, SeatStage.HELD)  # a seat may come back on offer while its holder still writes


class DraftRefusedError(Exception):
    """This segment is no longer yours: time ran out, its window closed, or you sealed or passed it on elsewhere."""


class DraftIsStaleError(Exception):
    """A newer draft of this vote is kept already; it was not overwritten."""

    def __init__(self, draft: Draft) -> None:
        super().__init__(DraftIsStaleError.__doc__)
        self.draft = draft


def save(*, seat_id: UUID, auditor: Auditor, version: int, body: bytes, now: datetime) -> datetime:
    """Keep a draft unless one of the same or a higher version is kept. Raises DraftRefusedError, DraftIsStaleError."""
    with transaction.atomic():
        seat = Seat.objects.filter(pk=seat_id, auditor=auditor, stage__in=OPEN).first()
        # Renewing locks the seat until the end of this transaction: no draft outlives a commitment.
        if seat is None or not renew(seat=seat, now=now):
            raise DraftRefusedError(DraftRefusedError.__doc__)
        if Draft.objects.filter(seat=seat, version__lt=version).update(version=version, body=body, saved_at=now):
            return now
        # No row had a lower version: there is none yet, or another tab was ahead.
        newer = Draft.objects.filter(seat=seat).first()
        if newer is not None:
            raise DraftIsStaleError(newer)
        Draft.objects.create(seat=seat, version=version, body=body, saved_at=now)
    return now


def is_open(*, seat_id: UUID, auditor: Auditor) -> bool:
    """Whether this reviewer may still vote on the seat."""
    mine = Seat.objects.filter(pk=seat_id, auditor=auditor, stage__in=OPEN)
    return mine.filter(round__stage=RoundStage.COMMITTING).exists()


def forget(*, auditor: Auditor) -> int:
    """Delete every draft of a reviewer: at logout."""
    return Draft.objects.filter(seat__auditor=auditor).delete()[0]
