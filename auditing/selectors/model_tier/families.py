"""Families of models measured on their opened votes: bias towards the own family, and correlation of errors.

Reads Vote, FamilyMeasure, GoldTruth, SegmentOutcome, Endpoint.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Exists, OuterRef

from auditing.core.model_tier.families import (
    FamilyBias,
    Judgement,
    correlation_in_use,
    effective_votes,
    family_bias,
    family_of,
)
from auditing.core.policy import Policy
from auditing.core.stages import RoundStage
from auditing.models import Auditor, FamilyMeasure, GoldTruth, SegmentOutcome, Vote
from auditing.selectors.gold.truths import later_outcomes
from auditing.selectors.model_tier.endpoints import family_name
from auditing.selectors.policy.versions import latest_policy, load_policy
from hdag.models import Endpoint
from hdag.selectors import load_trace

MOST_VOTES = 2_000
KNOWN_STAGES = ("settled", "recorded")  # gold speaks once its audit is over


@dataclass(frozen=True, slots=True)
class Measured:
    """A family's measured correlation, the one that counts under the newest policy, what three such votes are worth."""

    row: FamilyMeasure
    in_use: Fraction | None

    @property
    def worth_of_three(self) -> float | None:
        """Independent votes that three of one family are worth."""
        return None if self.in_use is None else effective_votes(votes=3, correlation=float(self.in_use))


@dataclass(frozen=True, slots=True)
class Families:
    """The families that take seats, how they judge one another, and how far the errors of each correlate."""

    names: tuple[str, ...]
    bias: tuple[FamilyBias, ...]
    measured: tuple[Measured, ...]
    votes: int


def families() -> Families:
    """Measured on opened votes of models; truth is what people or checkers decided where they did."""
    names = tuple(sorted({family_name(row) for row in Endpoint.objects.filter(enabled=True)}))
    votes = list(judgements())
    policy = latest_policy()
    rules = load_policy(version=policy) if policy is not None else None
    measured = tuple(
        Measured(row, None if rules is None else _in_use(row, rules)) for _, row in sorted(newest_measures().items())
    )
    return Families(names, family_bias(judgements=votes), measured, len(votes))


def correlations_for(*, auditors: Iterable[Auditor], policy: Policy) -> dict[str, Fraction]:
    """By family, the correlation that counts: empty where no model is among the auditors or nothing was measured."""
    if all(auditor.endpoint_id is None for auditor in auditors):
        return {}
    return {family: _in_use(row, policy) for family, row in newest_measures().items()}


def newest_measures() -> dict[str, FamilyMeasure]:
    """The newest measurement of every family."""
    return {row.family: row for row in FamilyMeasure.objects.order_by("family", "-id").distinct("family")}


def _in_use(row: FamilyMeasure, policy: Policy) -> Fraction:
    believed = Fraction(policy.family_correlation)
    return correlation_in_use(measured=row.correlation, segments=row.segments, believed=believed)


def judgements() -> Iterator[Judgement]:
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
        correct_choice = truth.get(key)
        passed = vote.choice == "pass"
        judged = f"{round.pk}:{family_name(endpoint)}"
        correct = None if correct_choice is None else passed == (correct_choice == "pass")
        yield Judgement(family_name(endpoint), authors[trace.pk], passed, judged, correct)


def _truth(votes: list[Vote]) -> dict[Any, str]:
    """Gold of finished audits, and outcomes that did not rest on models alone and that no appeal overturned."""
    outcomes = SegmentOutcome.objects.filter(
        audit__in={vote.seat.round.audit_id for vote in votes}, outcome__in=("pass", "fail")
    ).exclude(round__tier="llm")
    overturned = later_outcomes(audit="audit", segment="segment").exclude(outcome=OuterRef("outcome"))
    decided = {(row.audit_id, row.segment_id): row.outcome for row in outcomes.exclude(Exists(overturned))}
    finished = {
        vote.seat.round.segment_id: vote.seat.round.audit_id
        for vote in votes
        if vote.seat.round.audit.stage in KNOWN_STAGES
    }
    gold = GoldTruth.objects.filter(segment__in=finished, overturn__isnull=True).values_list("segment_id", "truth")
    return decided | {(finished[segment], segment): truth for segment, truth in gold}
