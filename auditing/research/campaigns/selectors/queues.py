"""The seats that wait for a reviewer, by field and campaign: those that the desk will give, in one statement.

Reads Seat, Draft and what decides who may sit.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Min
from django.db.models.functions import Now

from auditing.models import Auditor
from auditing.selectors.seating.sitting import Sitting, open_seats, sitting_columns


@dataclass(frozen=True, slots=True)
class Queue:
    """Seats that wait for one reviewer in one field of one campaign, and when the first window closes."""

    domain: str
    campaign: str
    campaign_id: UUID
    seats: int
    closes_at: datetime


def waiting_queues(*, auditor: Auditor) -> tuple[tuple[Queue, ...], int]:
    """What the desk will give, the first window first, and how many of it have a draft."""
    queues: dict[tuple[str, UUID], Queue] = {}
    groups = _fit(auditor)
    for group in groups:
        key, closes_at = (group["domain"], group["campaign"]), group["closes_at"]
        queue = queues.get(key) or Queue(group["domain"], group["title"], group["campaign"], 0, closes_at)
        queues[key] = replace(queue, seats=queue.seats + group["seats"], closes_at=min(queue.closes_at, closes_at))
    in_order = sorted(queues.values(), key=lambda queue: queue.closes_at)
    return tuple(in_order), sum(group["drafts"] for group in groups)


def _fit(auditor: Auditor) -> list[dict[str, Any]]:
    """Seats that their holder may sit on, grouped by what decides about it; a queue may come in several groups."""
    # A seat that a conflict or a calibration takes away stays open until the desk or the sweep comes to it.
    trace, campaign = "round__audit__trace__", "round__audit__campaign"
    by = {"domain": F(f"{trace}domain"), "title": F(f"{campaign}__title"), "campaign": F(campaign)}
    columns = sitting_columns()
    seats = open_seats(auditor=auditor, now=Now()).order_by().annotate(**columns).values(*columns, **by)
    groups = seats.annotate(seats=Count("pk"), drafts=Count("draft"), closes_at=Min("round__due_at"))
    return [group for group in groups if not Sitting(*(group[column] for column in columns)).objection(is_voting=False)]
