"""Forecasts beside what happened, for the recorded audits of a campaign or a policy, and what the open ones will take.

The forecast is made again from what routing had fixed before anybody was drawn: tiers, seats, and what checkers
decided. Reads Audit, Route, Round, TraceOutcome.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum

from auditing.core.policy import Policy
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Campaign, PolicyVersion, Round, Route
from auditing.research.policy_lab.core.forecast import Unit, forecast_trace, longest_days, unit_paths
from auditing.research.policy_lab.selectors.people import AtHand, Minutes, at_hand, minutes_a_verdict
from auditing.selectors.gold.decoys import ordinary_audits
from auditing.selectors.policy.versions import load_policy

MOST_AUDITS = 100  # the newest: older ones say little of the people who are here now
TRIALS = 200
OPEN = (AuditStage.ROUTED, AuditStage.AUDITING)
_Routed = tuple[list[Unit], Policy]


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure: what was forecast, and what happened."""

    name: str
    expected: float
    happened: float
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Recorded audits: means an audit, forecast and happened. simulated: audits in which simulated reviewers sat."""

    audits: int
    simulated: int
    figures: tuple[Compared, ...]
    days_at_most: float  # as forecast, of the audit that was to take longest
    days: float | None  # the median, from when people could be seated to the outcome


@dataclass(frozen=True, slots=True)
class OpenWork:
    """Audits of a campaign that are under way: what they take in all, from first to last seat."""

    audits: int
    seats: float
    adjudications: float
    hours: float
    people: AtHand
    minutes: Minutes


def hindsight_of(*, campaign: Campaign | None = None, version: PolicyVersion | None = None) -> Hindsight | None:
    """Forecast and happened over the newest recorded audits of a campaign or of a policy version; None without any."""
    chosen = Q(stage=AuditStage.RECORDED)
    if campaign is not None:
        chosen &= Q(campaign=campaign)
    if version is not None:
        chosen &= Q(policy=version)
    audits = _recorded(chosen)
    return _compare(audits, _routed(audits))


def campaign_forecasts(*, campaign: Campaign) -> tuple[OpenWork | None, Hindsight | None]:
    """What open_work and hindsight_of say of a campaign, whose routes are read once for both."""
    audits, going = _recorded(Q(stage=AuditStage.RECORDED, campaign=campaign)), _going(campaign)
    routed = _routed([*audits, *going])
    return _sum_up(campaign, going, routed), _compare(audits, routed)


def _recorded(chosen: Q) -> list[Audit]:
    rows = ordinary_audits().filter(chosen).select_related("policy", "trace", "trace_outcome")
    rows = rows.only(*_READ, "trace_outcome__body", "trace_outcome__decided_at")
    return list(rows.order_by("-recorded_at")[:MOST_AUDITS])


_READ = ("outcome", "batched_at", "is_simulated", "policy__number", "trace__domain")


def _compare(audits: Sequence[Audit], routed: Mapping[UUID, _Routed]) -> Hindsight | None:
    if not audits:
        return None
    # Forecast under the policy of each audit, by what was known at its routing: hindsight must not see the votes.
    forecasts = [_expected(*routed[audit.pk]) for audit in audits if audit.pk in routed]
    spans = [
        (audit.trace_outcome.decided_at - audit.batched_at) / timedelta(days=1)
        for audit in audits
        if audit.batched_at is not None
    ]
    happened = _happened(audits)
    names = ("Seats of people", "Adjudications", "Traces passed", "Traces left undecided")
    return Hindsight(
        audits=len(audits),
        simulated=sum(audit.is_simulated for audit in audits),
        figures=tuple(
            Compared(name, sum(values[number] for values in forecasts) / len(audits), happened[number], number > 1)
            for number, name in enumerate(names)
        ),
        # A campaign is as slow as its slowest audit.
        days_at_most=max(values[4] for values in forecasts),
        days=median(spans) if spans else None,
    )


def open_work(*, campaign: Campaign) -> OpenWork | None:
    """What the open audits of a campaign take; None when there is none that was routed."""
    audits = _going(campaign)
    return _sum_up(campaign, audits, _routed(audits))


def _going(campaign: Campaign) -> list[Audit]:
    rows = _open_audits(campaign).select_related("policy", "trace", "trace_outcome").only(*_READ, "trace_outcome__body")
    return list(rows.order_by("-created")[:MOST_AUDITS])


def _open_audits(campaign: Campaign) -> QuerySet[Audit]:
    return Audit.objects.filter(campaign=campaign, stage__in=OPEN)


def _sum_up(campaign: Campaign, audits: Sequence[Audit], routed: Mapping[UUID, _Routed]) -> OpenWork | None:
    if not audits:
        return None
    # Of a campaign of thousands the newest stand for all: their mean, times how many there are.
    count = len(audits) if len(audits) < MOST_AUDITS else _open_audits(campaign).count()
    seats = adjudications = 0.0
    for audit in audits:
        means = _means(*routed[audit.pk]) if audit.pk in routed else (0.0, 0.0)
        seats, adjudications = seats + means[0], adjudications + means[1]
    seats, adjudications = seats * count / len(audits), adjudications * count / len(audits)
    minutes = minutes_a_verdict()
    hours = (seats + adjudications) * minutes.each / 60
    people = at_hand(campaign=campaign, domain=campaign.domain)
    return OpenWork(count, seats, adjudications, hours, people, minutes)


def _routed(audits: Sequence[Audit]) -> dict[UUID, _Routed]:
    """The units of each audit that is routed, as routing fixed them, with its policy."""
    if not audits:
        return {}
    keys = [audit.pk for audit in audits]
    looks = Round.objects.filter(audit__in=keys, number=0, tier=Tier.COMPUTER)
    decided = {
        (audit, segment): outcome for audit, segment, outcome in looks.values_list("audit", "segment", "outcome")
    }
    outcomes = ((audit.pk, getattr(audit, "trace_outcome", None)) for audit in audits)
    basis: dict[UUID, set[str]] = {key: set(row.body.get("basis", ())) for key, row in outcomes if row is not None}
    units: dict[UUID, list[Unit]] = defaultdict(list)
    for route in Route.objects.filter(audit__in=keys).select_related("segment").order_by("segment__position"):
        outcome = decided.get((route.audit_id, route.segment_id), "")
        rests = basis.get(route.audit_id)
        units[route.audit_id].append(
            Unit(
                tiers=route.tiers,
                k=route.k,
                weight=float(route.weight),
                rests=not rests or route.segment.label in rests,
                decided=Outcome(outcome) if outcome in (Outcome.PASS, Outcome.FAIL) else None,
            )
        )
    return {
        audit.pk: (units[audit.pk], load_policy(version=audit.policy, domain=audit.trace.domain))
        for audit in audits
        if units[audit.pk]
    }


def _means(units: Sequence[Unit], policy: Policy) -> tuple[float, float]:
    """(seats of people, adjudications) in the mean, exactly: each unit is the wrong one with an equal share."""
    wrong = (1 - float(policy.trace_base_rate)) / len(units)
    seats = adjudications = 0.0
    for unit in units:
        for path in unit_paths(unit=unit, policy=policy):
            share = (1 - wrong) * path.if_right + wrong * path.if_wrong
            seats, adjudications = seats + share * path.people, adjudications + share * path.adjudicated
    return seats, adjudications


def _expected(units: Sequence[Unit], policy: Policy) -> tuple[float, float, float, float, float]:
    """(seats, adjudications, share passed, share undecided, days at most) of one audit."""
    forecast, right = forecast_trace(units=units, policy=policy, trials=TRIALS), float(policy.trace_base_rate)
    shares = {
        name: getattr(forecast, name).share or 0.0 for name in ("not_passed", "passed", "undecided", "undecided_wrong")
    }
    passed = right * (1 - shares["not_passed"]) + (1 - right) * shares["passed"]
    undecided = right * shares["undecided"] + (1 - right) * shares["undecided_wrong"]
    return *_means(units, policy), passed, undecided, longest_days(forecast=forecast, policy=policy)


def _happened(audits: Sequence[Audit]) -> tuple[float, float, float, float]:
    """The same figures as they came: (seats, adjudications, share passed, share undecided)."""
    people = Round.objects.filter(audit__in=audits, tier=Tier.HUMAN, stage=RoundStage.TALLIED)
    rounds = people.aggregate(
        seats=Sum("k", filter=Q(adjudicates=False)), adjudications=Count("pk", filter=Q(adjudicates=True))
    )
    seats, adjudications = rounds["seats"] or 0, rounds["adjudications"]
    outcomes = [audit.outcome for audit in audits]
    count = len(audits)
    return (
        seats / count,
        adjudications / count,
        outcomes.count(Outcome.PASS) / count,
        outcomes.count(Outcome.UNDECIDED) / count,
    )
