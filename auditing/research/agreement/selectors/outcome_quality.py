"""How good outcomes are where gold exists: Brier, F1, confusion by tier and by domain, calibration, costs by length."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from django.db.models import Count, Exists, Q

from auditing.core.consensus.calibration import (
    Bin,
    Confusion,
    CostReport,
    brier,
    calibrate_thresholds,
    calibration_bins,
    confusion,
    cost_by_length,
)
from auditing.core.policy import DEFAULT, Policy
from auditing.core.values import Choice, Outcome
from auditing.models import SegmentOutcome, TraceOutcome
from auditing.research.exports.selectors.scope import Scope
from auditing.selectors.gold.truths import FINISHED, later_outcomes, on_gold
from auditing.selectors.policy.versions import latest_policy, load_policy

ADJUDICATOR = "adjudicator"


@dataclass(frozen=True, slots=True)
class Judged:
    """A decided gold segment: who decided it, what was found, and whether the segment is valid."""

    domain: str
    decided_by: str  # a tier, or the adjudicator
    outcome: Outcome
    posterior: float
    valid: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The outcomes of one tier or domain against gold."""

    name: str
    segments: int
    brier: float
    confusion: Confusion


@dataclass(frozen=True, slots=True)
class OutcomeQuality:
    """Everything about decided gold segments; `whole` is None without one."""

    whole: Group | None
    by_tier: Sequence[Group]
    by_domain: Sequence[Group]
    bins: Sequence[Bin]


@dataclass(frozen=True, slots=True)
class TraceQuality:
    """What the thresholds of a policy cost on traces of known truth, by length; the cheapest pair on them."""

    traces: int
    policy: Policy
    reports: Sequence[CostReport]
    cheapest: tuple[float | None, float | None]  # theta_pass, theta_fail; None where nothing should pass, or fail


def quality_of_outcomes(*, scope: Scope) -> OutcomeQuality:
    """Outcomes of gold segments in settled audits that no later one overturned or confirmed, with their posteriors."""
    rows = list(_judged(scope))
    return OutcomeQuality(
        whole=_group("all", rows) if rows else None,
        by_tier=_groups(rows, [row.decided_by for row in rows]),
        by_domain=_groups(rows, [row.domain or "(none)" for row in rows]),
        bins=calibration_bins(posterior=[row.posterior for row in rows], truth=[row.valid for row in rows]),
    )


def quality_of_traces(*, scope: Scope) -> TraceQuality:
    """Traces whose truth is known: wrong with a wrong gold segment among the audited ones, right when all are right.

    Posteriors are judged by the costs of the newest policy.
    """
    version = latest_policy()
    policy = load_policy(version=version) if version else DEFAULT
    rows = _known_traces(scope)
    costs = float(policy.cost_miss), float(policy.cost_false_alarm), float(policy.cost_review)
    thresholds = float(policy.trace_theta_pass), float(policy.trace_theta_fail)
    cheapest: tuple[float | None, float | None] = (None, None)
    # Thresholds can only be calibrated on traces of both kinds.
    if {right for _, _, right in rows} == {True, False}:
        upper, lower = calibrate_thresholds(
            posterior=[p for _, p, _ in rows],
            truth=[right for *_, right in rows],
            miss=costs[0],
            false_alarm=costs[1],
            review=costs[2],
        )
        cheapest = (upper if isfinite(upper) else None, lower if isfinite(lower) else None)
    return TraceQuality(len(rows), policy, cost_by_length(rows=rows, thresholds=thresholds, costs=costs), cheapest)


def _judged(scope: Scope) -> Iterable[Judged]:
    outcomes = SegmentOutcome.objects.filter(
        on_gold(segment="segment__"),
        ~Exists(later_outcomes(audit="audit", segment="segment")),
        round__in=scope.rounds(),
        audit__stage__in=FINISHED,
        posterior__isnull=False,
    )
    columns = (
        "audit__trace__domain",
        "round__tier",
        "round__adjudicates",
        "outcome",
        "posterior",
        "segment__gold_truth__truth",
    )
    for domain, tier, adjudicates, outcome, posterior, truth in outcomes.values_list(*columns):
        # The adjudicator sits in a round of the human tier, but decides alone, so it has a row of its own.
        decided_by = ADJUDICATOR if adjudicates else tier
        yield Judged(domain, decided_by, Outcome(outcome), posterior, truth == Choice.PASS)


def _known_traces(scope: Scope) -> list[tuple[int, float, bool]]:
    """(audited segments, posterior, is right) of settled traces whose truth gold tells, by the last audit of each."""
    gold = "audit__segment_outcomes__segment__gold_truth__truth"
    is_gold = on_gold(segment="audit__segment_outcomes__segment__")
    last = scope.audits().exclude(successor__stage__in=FINISHED)
    rows = TraceOutcome.objects.filter(audit__in=last, audit__stage__in=FINISHED).annotate(
        # "wrong" and "right" count gold segments only: a trace is known to be wrong by one wrong gold segment,
        # but known to be right only when gold covers every audited segment.
        segments=Count("audit__segment_outcomes"),
        wrong=Count("audit__segment_outcomes", filter=is_gold & Q(**{gold: Choice.FAIL})),
        right=Count("audit__segment_outcomes", filter=is_gold & Q(**{gold: Choice.PASS})),
    )
    totals = rows.filter(Q(wrong__gt=0) | Q(right__gt=0)).values_list("segments", "score", "wrong", "right")
    return [(total, float(score or 0), not wrong) for total, score, wrong, right in totals if wrong or right == total]


def _groups(rows: Sequence[Judged], keys: Sequence[Hashable]) -> list[Group]:
    group_names = sorted({str(key) for key in keys})
    return [
        _group(group_name, [row for row, key in zip(rows, keys, strict=True) if str(key) == group_name])
        for group_name in group_names
    ]


def _group(name: str, rows: Sequence[Judged]) -> Group:
    return Group(
        name=name,
        segments=len(rows),
        brier=brier(posterior=[row.posterior for row in rows], truth=[row.valid for row in rows]),
        confusion=confusion(outcomes=[(row.outcome, row.valid) for row in rows]),
    )
