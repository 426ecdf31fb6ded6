"""Figures of every endpoint: calls, failures, cost, and how its attempts to vote ended.

Reads Endpoint, ChatCall, SeatAttempt.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Avg, Count, Max, Q, Sum
from django.db.models.functions import Now, TruncDay

from auditing.models import SeatAttempt
from auditing.selectors.clock import database_now
from auditing.selectors.model_tier.consents import refusal_of
from auditing.selectors.model_tier.endpoints import is_left_alone
from hdag.models import ChatCall, Endpoint

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class EndpointFigures:
    """One endpoint with its figures; rates are shares, None where nothing was counted."""

    row: Endpoint
    spent_today: Decimal
    dearest_audit: Decimal
    calls_today: int
    failed: float | None
    tool_calls: float | None
    parse_errors: float | None
    conflicts: float | None
    no_votes: float | None
    attempts: int
    bytes_sent: int
    is_left_alone: bool
    answered_nothing: bool  # when it was probed last
    is_paused: bool
    has_key: bool
    refused: str  # why its qualification refuses it seats


def figures() -> list[EndpointFigures]:
    """All endpoints by name."""
    now = database_now()
    return [_figures(row, now) for row in Endpoint.objects.order_by("-enabled", "name")]


def _figures(row: Endpoint, now: datetime) -> EndpointFigures:
    calls = ChatCall.objects.filter(endpoint=row)
    # The day of the database, as the daily cap counts it (hdag/services/call_book.py).
    today = calls.filter(created__gte=TruncDay(Now()))
    day = today.aggregate(cost=Sum("cost"), count=Count("pk"), failed=Count("pk", filter=Q(state="failed")))
    # hdag knows no audits: a call names who pays for it as text.
    audits = calls.filter(account__startswith="audit:").values("account").annotate(cost=Sum("cost"))
    # An attempt that still waits for its answer has neither failed nor voted.
    tried = SeatAttempt.objects.filter(seat__auditor__endpoint=row).exclude(state=SeatAttempt.State.ASKED)
    made = tried.aggregate(
        count=Count("pk"),
        tools=Avg("tool_calls"),
        corrections=Sum("corrections"),
        calls=Sum("calls"),
        conflicts=Count("pk", filter=Q(is_conflict=True)),
        none=Count("pk", filter=Q(state=SeatAttempt.State.NO_VOTE)),
    )
    return EndpointFigures(
        row=row,
        spent_today=day["cost"] or NOTHING,
        dearest_audit=audits.aggregate(most=Max("cost"))["most"] or NOTHING,
        calls_today=day["count"],
        failed=_share(day["failed"], day["count"]),
        tool_calls=made["tools"],
        parse_errors=_share(made["corrections"] or 0, made["calls"] or 0),
        conflicts=_share(made["conflicts"], made["count"]),
        no_votes=_share(made["none"], made["count"]),
        attempts=made["count"],
        bytes_sent=calls.aggregate(sent=Sum("bytes_sent"))["sent"] or 0,
        is_left_alone=is_left_alone(endpoint=row, now=now),
        answered_nothing=_answered_nothing(row),
        is_paused=row.paused_until is not None and row.paused_until > now,
        has_key=bool(row.wrapped_key),
        refused=refusal_of(endpoint=row),
    )


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


def _answered_nothing(row: Endpoint) -> bool:
    """Whether its last probe got no usable answer in any mode; such a probe changes nothing in its settings."""
    modes = (row.probe or {}).get("modes", {}).values()
    return row.probed_at is not None and not any(mode["answered"] for mode in modes)
