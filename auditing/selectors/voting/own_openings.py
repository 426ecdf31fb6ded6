"""Strict mode of one reviewer: the check value of their key, and their votes that only their browser can open.

Reads OwnKey, Commitment.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.core.policy import Openings
from auditing.core.stages import RoundStage, SeatStage
from auditing.models import Auditor, Commitment, OwnKey, Seat
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.voting.bindings import binding_of

MOST = 200


@dataclass(frozen=True, slots=True)
class OwnOpenings:
    """Where strict mode stands for one reviewer; `openable` is what the browser needs to open each vote."""

    key: OwnKey | None
    openable: Sequence[dict[str, Any]]
    until: datetime | None  # the first of them must be opened by then
    sealed: int  # votes whose window is still open: nothing to do yet

    @property
    def is_on(self) -> bool:
        """Whether new votes are kept in the browser."""
        return self.key is not None and self.key.is_on

    @property
    def check_value(self) -> str:
        """Hex, or "" without a key."""
        return bytes(self.key.check_value).hex() if self.key is not None else ""


@PreparedQuery
def _keys(auditor: UUID) -> QuerySet[OwnKey]:
    return OwnKey.objects.filter(auditor=auditor)


def own_openings(*, auditor: Auditor) -> OwnOpenings:
    """One query for whoever never used strict mode."""
    key = _keys.first(auditor=auditor.pk)
    if key is None:
        return OwnOpenings(None, (), None, 0)
    waiting = Commitment.objects.filter(seat__auditor=auditor, seat__stage=SeatStage.COMMITTED, sealed__isnull=True)
    rows = list(
        waiting.select_related(
            "seat__round__segment__block", "seat__round__audit", "seat__round__closing_leaf"
        ).order_by("seat__round__due_at")[:MOST]
    )
    now_open = [row for row in rows if _is_open(row)]
    return OwnOpenings(
        key=key,
        openable=[_openable(row) for row in now_open],
        until=now_open[0].seat.round.due_at if now_open else None,
        sealed=len(rows) - len(now_open),
    )


def who_keeps(*, seat: Seat, own: OwnOpenings) -> Openings:
    """Where the opening of this seat's vote goes: ESCROW or BROWSER."""
    audit = seat.round.audit
    rule = load_policy(version=audit.policy, domain=audit.trace.domain).openings
    # The policy speaks first; a reviewer chooses only where it leaves the choice.
    if rule is Openings.CHOICE:
        return Openings.BROWSER if own.is_on else Openings.ESCROW
    return rule


def _is_open(row: Commitment) -> bool:
    # Once the closing leaf has its number the list of sealed votes is fixed, and an opening can no longer sway one.
    leaf = row.seat.round.closing_leaf
    return row.seat.round.stage == RoundStage.REVEALING and leaf is not None and leaf.index is not None


def _openable(row: Commitment) -> dict[str, Any]:
    binding = binding_of(seat=row.seat)
    return {
        "origin": settings.LEDGER_ORIGIN,
        "auditId": str(binding.audit_id),
        "segmentId": str(binding.segment_id),
        "round": binding.round,
        "seatId": str(binding.seat_id),
        "auditorId": binding.auditor_id.hex(),
        "segmentDigest": binding.segment_digest.hex(),
        "label": row.seat.round.segment.label,
        "commitment": bytes(row.digest).hex(),
        "rationaleDigest": bytes(row.rationale_digest).hex(),
        "kept": base64.b64encode(bytes(row.kept or b"")).decode(),
        "url": f"/api/v1/seats/{binding.seat_id}/opening",
    }
