"""What endpoints did and cost, and how families of models judge one another."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, Max, Q, Sum
from django.db.models.functions import Now, TruncDay

from auditing.core.families import (
    FamilyBias,
    Judgement,
    correlation_within,
    effective_votes,
    family_bias,
    family_of,
)
from auditing.core.stages import RoundStage
from auditing.models import SeatAttempt, SegmentOutcome, Vote
from auditing.selectors.endpoints import family_name, is_left_alone
from hdag.models import ChatCall, Endpoint
from hdag.selectors import load_trace

MOST_VOTES = 2_000
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
    has_key: bool


@dataclass(frozen=True, slots=True)
class Families:
    """How families judge: bias towards the own, correlation of errors within one, what three such votes are worth."""

    names: tuple[str, ...]
    bias: tuple[FamilyBias, ...]
    correlation: float | None
    votes: int

    @property
    def worth_of_three(self) -> float | None:
        """Independent votes that three of one family are worth."""
        return None if self.correlation is None else effective_votes(votes=3, correlation=self.correlation)


def figures() -> list[EndpointFigures]:
    """All endpoints by name."""
    return [_figures(row) for row in Endpoint.objects.order_by("-enabled", "name")]


def families() -> Families:
    """Measured on opened votes of models; truth is what people or checkers decided where they did."""
    enabled = Endpoint.objects.filter(enabled=True)
    names = tuple(sorted({family_name(row) for row in enabled}))
    judgements = list(_judgements())
    return Families(names, family_bias(judgements=judgements), _correlation(judgements), len(judgements))


def _figures(row: Endpoint) -> EndpointFigures:
    calls = ChatCall.objects.filter(endpoint=row)
    today = calls.filter(created__gte=TruncDay(Now()))
    day = today.aggregate(cost=Sum("cost"), count=Count("pk"), failed=Count("pk", filter=Q(state="failed")))
    audits = calls.filter(account__startswith="audit:").values("account").annotate(cost=Sum("cost"))
    tried = SeatAttempt.objects.filter(seat__auditor__endpoint=row).exclude(state=SeatAttempt.State.ASKED)
    made = tried.aggregate(
        count=Count("pk"), tools=Avg("tool_calls"), corrections=Sum("corrections"), calls=Sum("calls"),
        conflicts=Count("pk", filter=Q(is_conflict=True)), none=Count("pk", filter=Q(state=SeatAttempt.State.NO_VOTE)),
        sent=Sum("bytes_sent"),
    )  # fmt: skip
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
        bytes_sent=made["sent"] or 0,
        is_left_alone=is_left_alone(endpoint=row),
        has_key=bool(row.wrapped_key),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _judgements() -> Iterator[Judgement]:
    """Opened votes of models, newest first; those of open rounds are nobody's to see."""
    rows = (
        Vote.objects.filter(seat__round__tier="llm", seat__round__stage=RoundStage.TALLIED)
        .exclude(choice="abstain")
        .select_related("seat__auditor__endpoint", "seat__round__audit__trace__payload")
        .order_by("-revealed_at")[:MOST_VOTES]
    )
    votes = list(rows)
    truth = _truth(votes)
    authors: dict[Any, str] = {}
    for vote in votes:
        round, endpoint = vote.seat.round, vote.seat.auditor.endpoint
        if endpoint is None:
            continue
        trace = round.audit.trace
        if trace.pk not in authors:
            authors[trace.pk] = "" if trace.erased_at else family_of(model=load_trace(trace).model_name)
        key = (round.audit_id, round.segment_id)
        known = truth.get(key)
        passed = vote.choice == "pass"
        place = f"{round.pk}:{family_name(endpoint)}"
        correct = None if known is None else passed == (known == "pass")
        yield Judgement(family_name(endpoint), authors[trace.pk], passed, place, correct)


def _truth(votes: list[Vote]) -> dict[Any, str]:
    """Outcomes that did not rest on models alone."""
    found = SegmentOutcome.objects.filter(
        audit__in={vote.seat.round.audit_id for vote in votes}, outcome__in=("pass", "fail")
    ).exclude(round__tier="llm")
    return {(row.audit_id, row.segment_id): row.outcome for row in found}


def _correlation(judgements: list[Judgement]) -> float | None:
    return correlation_within(judgements=judgements)
