"""A model's votes on steps whose truth is known: labelled sets, a file of one's own, or the gold of this installation.

Reads GoldSegment, ChatCall; asks the endpoint as the judge of a seat would be asked.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

from django.db.models import Count, Sum

from auditing.models import GoldSegment
from auditing.research.qualification.core.qualification import DomainCounts
from auditing.research.studies.instruments.labelled import DataMissingError, Labelled
from auditing.research.studies.instruments.model_tier import (
    Judged,
    ModelTier,
    UnansweredError,
    open_model,
    step_segments,
)
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.runner import Run
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.endpoint import MaySee
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import ChatCall
from hdag.store import content

__all__ = ["Ballots", "judge_gold", "judge_labelled", "spent_so_far"]

ACCOUNT = "study:qualify"


@dataclass(slots=True)
class Ballots:
    """Counts by domain, and each vote under a key that says the same for every model.

    Choice, confidence, right or not.
    """

    domains: dict[str, DomainCounts] = field(default_factory=dict)
    votes: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, *, domain: str, key: str, judged: Judged, is_wrong: bool) -> None:
        """Count one vote on a step that is wrong or right; an abstention is neither."""
        total = self.domains.get(domain, DomainCounts())
        if judged.fails is None:
            self.domains[domain] = total + DomainCounts(abstained=1)
            return
        right = judged.fails == is_wrong
        counts = DomainCounts(wrong=1, failed=int(right)) if is_wrong else DomainCounts(right=1, passed=int(right))
        self.domains[domain] = total + counts
        self.votes[key] = ["fail" if judged.fails else "pass", round(judged.confidence, 3), right]


@dataclass(frozen=True, slots=True)
class Vote:
    """One step with the model's word on it."""

    key: str
    judged: Judged
    is_wrong: bool


def judge_labelled(*, run: Run, dataset: str) -> Ballots:
    """Votes on each file's steps up to the first wrong one; what follows has no label. Raises DataMissingError."""
    ballots = Ballots()
    with _model(run) as model:
        for name, labelled in labelled_sets(run=run, name=dataset, most=run.limit or 0):
            for votes in model.in_parallel(partial(_votes_on, model=model), labelled):
                for vote in votes:
                    ballots.add(domain=name, key=vote.key, judged=vote.judged, is_wrong=vote.is_wrong)
    return ballots


def judge_gold(*, run: Run) -> Ballots:
    """Votes on the active gold segments, by their domains. Raises DataMissingError."""
    rows = list(
        GoldSegment.objects.filter(is_active=True, unit="")
        .select_related("block")
        .order_by("name")[: run.limit or None]
    )
    if not rows:
        raise DataMissingError("there is no active gold")
    ballots = Ballots()
    with _model(run) as model:
        for row, judged in zip(rows, model.in_parallel(partial(_judge_one, model=model), rows), strict=True):
            if judged is not None:
                ballots.add(domain=row.domain, key=f"gold {row.pk}", judged=judged, is_wrong=row.truth == "fail")
    return ballots


def spent_so_far(*, name: str) -> tuple[Decimal, int]:
    """Money and calls of qualifications at an endpoint until now."""
    sums = ChatCall.objects.filter(account=ACCOUNT, endpoint__name=name).aggregate(cost=Sum("cost"), calls=Count("pk"))
    return sums["cost"] or Decimal(0), sums["calls"]


def _model(run: Run) -> Any:
    """The model that the run names. Raises DataMissingError."""
    if not run.options.get("endpoint"):
        raise DataMissingError("no endpoint is named")
    return open_model(run=run, study="qualify")


def _votes_on(labelled: Labelled, *, model: ModelTier) -> list[Vote]:
    return list(_each_step(labelled, model))


def _each_step(labelled: Labelled, model: ModelTier) -> Iterator[Vote]:
    graph = RulesDecomposer().decompose(labelled.trace)
    for segment in step_segments(graph=graph):
        if segment.step is None or (labelled.first_error is not None and segment.step > labelled.first_error):
            continue
        try:
            judged = model.judge(trace=labelled.trace, graph=graph, segment=segment)
        # Counted by the client; a partial run keeps nothing.
        except UnansweredError:
            continue
        told = f"{labelled.trace.problem}\n{labelled.trace.thinking}\n{segment.start}:{segment.end}"
        # Equal for every model that judged this step, and no longer than it must be.
        key = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        yield Vote(key, judged, segment.step == labelled.first_error)


def _judge_one(row: GoldSegment, *, model: ModelTier) -> Judged | None:
    texts = content.read_json(row.block)
    premises = tuple(Dependency(f"P{number}", text) for number, text in enumerate(texts.get("premises", ()), 1))
    context = ShownContext(texts.get("problem", ""), texts["text"], premises, scope=MaySee.TRACES)
    try:
        return model.judge_shown(context)
    except UnansweredError:
        return None
