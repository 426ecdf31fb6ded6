"""How an endpoint stands as a judge: its qualification, its votes on gold, people who judged the same, other families.

Reads Endpoint, Vote, GoldTruth, GoldAnswer.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from auditing.core.consensus.proportions import Rate
from auditing.models import GoldAnswer, GoldTruth, Vote
from auditing.research.qualification.core.alternative_annotator import LEAST_ITEMS, LEAST_PEOPLE
from auditing.research.qualification.core.qualification import DomainCounts, read_domains, whole
from auditing.research.qualification.core.reliability import (
    LEAST_SHARED,
    Bin,
    ErrorCorrelation,
    calibration_error,
    error_correlation,
    reliability,
)
from auditing.selectors.model_tier.consents import refusal_of
from auditing.selectors.model_tier.endpoints import family_name
from auditing.selectors.model_tier.labels import OVER, counted_votes
from hdag.models import Endpoint
from hdag.rendering.charts.chart import Chart
from hdag.rendering.charts.marks import Dot, calibration_chart


@dataclass(frozen=True, slots=True)
class Run:
    """One qualification: on labels or on gold."""

    data: str
    domains: Mapping[str, DomainCounts]
    bins: tuple[Bin, ...]
    cost: Decimal
    calls: int
    right_votes: int

    @property
    def counts(self) -> DomainCounts:
        """All domains together: the confusion matrix."""
        return whole(domains=self.domains)

    @property
    def confusion(self) -> tuple[tuple[str, int, int], ...]:
        """(truth, passed, failed) of right and of wrong steps."""
        counts = self.counts
        return (
            ("right", counts.passed, counts.right - counts.passed),
            ("wrong", counts.wrong - counts.failed, counts.failed),
        )

    @property
    def rows(self) -> tuple[tuple[str, DomainCounts, Rate, Rate], ...]:
        """Each domain with both rates, all of them last."""
        named = [*self.domains.items(), ("all", self.counts)]
        return tuple((name, counts, counts.sensitivity, counts.specificity) for name, counts in named)

    @property
    def error(self) -> float | None:
        """Expected calibration error."""
        return calibration_error(bins=self.bins)

    @property
    def diagram(self) -> Chart:
        """The reliability diagram: what was claimed against what was right."""
        dots = [Dot(bin.claimed, bin.right.share or 0.0, bin.right.of) for bin in self.bins]
        axes = ("claimed confidence", "share right")
        name = "reliability-gold" if self.data == "gold" else "reliability"
        return calibration_chart(name=name, title=f"Reliability on {self.data}", axes=axes, dots=dots)

    @property
    def cost_a_right_verdict(self) -> Decimal | None:
        """Money for each vote that was right; None where none was."""
        return self.cost / self.right_votes if self.right_votes else None


@dataclass(frozen=True, slots=True)
class Other:
    """Another endpoint and how far both err on the same steps."""

    name: str
    family: str
    correlation: ErrorCorrelation


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything about one endpoint as a judge."""

    endpoint: Endpoint
    runs: tuple[Run, ...]
    others: tuple[Other, ...]
    watch: Mapping[str, Any]
    refused: str

    @property
    def why_untested(self) -> str:
        """Why the alternative annotator test was not run; empty where it was."""
        if self.watch.get("annotators"):
            return ""
        return (
            f"not testable yet: {LEAST_PEOPLE} people with {LEAST_ITEMS} items each are needed that they and it judged"
        )


def standing_of(*, endpoint: Endpoint) -> Standing:
    """What the page of its qualification shows."""
    stored = endpoint.qualification or {}
    runs = [_run(values) for values in (stored, stored.get("gold", {})) if values.get("domains")]
    mine = _rights(stored)
    others = Endpoint.objects.exclude(pk=endpoint.pk).exclude(qualification=None).order_by("name")
    rivals = [Other(row.name, family_name(row), _errors(mine, row)) for row in others]
    shared = tuple(rival for rival in rivals if rival.correlation.items >= LEAST_SHARED)
    return Standing(endpoint, tuple(runs), shared, stored.get("watch", {}), refusal_of(endpoint=endpoint))


def gold_votes(*, endpoint: Endpoint) -> list[tuple[str, bool]]:
    """(truth, whether it was right) of its votes on gold in seats since it was qualified, oldest first."""
    votes = counted_votes(endpoint=endpoint).order_by("revealed_at", "pk")
    if endpoint.qualified_at is not None:
        votes = votes.filter(revealed_at__gt=endpoint.qualified_at)
    rows = list(votes.values_list("seat__round__segment", "choice"))
    gold_truths = GoldTruth.objects.filter(segment__in=[row[0] for row in rows], overturn__isnull=True)
    truths = dict(gold_truths.values_list("segment", "truth"))
    return [(truths[segment], choice == truths[segment]) for segment, choice in rows if segment in truths]


def people_labels(*, endpoint: Endpoint) -> dict[str, dict[str, str]]:
    """Labels of people, on gold segments at their first attempt and on the segments that this endpoint voted on."""
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    answers = GoldAnswer.objects.exclude(choice="abstain").order_by("-attempt")
    for auditor, gold, choice in answers.values_list("auditor", "gold", "choice"):
        labels[str(auditor)][f"gold {gold}"] = choice
    segments = counted_votes(endpoint=endpoint).values("seat__round__segment")
    votes = Vote.objects.filter(
        seat__round__tier="human", seat__round__audit__stage__in=OVER, seat__round__segment__in=segments
    ).exclude(choice="abstain")
    for auditor, segment, choice in votes.values_list("seat__auditor", "seat__round__segment", "choice"):
        labels[str(auditor)][f"segment {segment}"] = choice
    return dict(labels)


def _run(values: Mapping[str, Any]) -> Run:
    votes = list(values.get("votes", {}).values())
    return Run(
        data=values["data"],
        domains=read_domains(values=values),
        bins=reliability(votes=[(vote[1], vote[2]) for vote in votes]),
        cost=Decimal(values.get("cost", "0")),
        calls=values.get("calls", 0),
        right_votes=sum(bool(vote[2]) for vote in votes),
    )


def _rights(stored: Mapping[str, Any]) -> dict[str, bool]:
    """Whether each vote was right, on labels and on gold."""
    votes = {**stored.get("votes", {}), **stored.get("gold", {}).get("votes", {})}
    return {key: bool(vote[2]) for key, vote in votes.items()}


def _errors(mine: Mapping[str, bool], row: Endpoint) -> ErrorCorrelation:
    return error_correlation(mine=mine, theirs=_rights(row.qualification or {}))
