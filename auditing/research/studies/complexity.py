"""Study `complexity`: does a segment's complexity predict that it is wrong?

Steps before and including the first wrong one of ProcessBench; the complexity that routing uses, beside two
rivals.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import DatabaseError

from auditing.core.consensus.proportions import wilson_interval
from auditing.research.agreement.selectors.disagreement import pairs_by_complexity
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.own_file import labelled_sets
from auditing.research.studies.instruments.plots import precision_recall
from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study
from hdag.core.complexity import score_of
from hdag.core.levels import Complexity
from hdag.core.values import Source
from hdag.decomposers.rules import RulesDecomposer

RANK = {Complexity.LOW: 0, Complexity.MEDIUM: 1, Complexity.HIGH: 2}


@dataclass(frozen=True, slots=True)
class Step:
    """An input step: highest complexity and score of its segments, length, place, and whether it is the first error."""

    complexity: Complexity
    score: float
    characters: int
    place: int
    wrong: bool


def steps_of(*, labelled: Labelled) -> list[Step]:
    """The labelled input steps of a trace."""
    graph = RulesDecomposer().decompose(labelled.trace)
    steps = []
    for step in labelled.trace.steps:
        # After the first error the labels say nothing.
        if labelled.first_error is not None and step.index > labelled.first_error:
            break
        # Problem and answer are no steps.
        inside = [s for s in graph.segments if s.step == step.index and s.source is Source.THINKING]
        if inside:
            highest = max((segment.complexity for segment in inside), key=RANK.__getitem__)
            score = max(score_of(features=segment.features) for segment in inside)
            steps.append(Step(highest, score, step.end - step.start, step.index, step.index == labelled.first_error))
    return steps


def area_under_roc(*, scores: list[float], wrong: list[bool]) -> float | None:
    """P(score of a wrong one > score of a right one) + P(equal) / 2; None when one kind is missing.

    >>> area_under_roc(scores=[1, 2, 3], wrong=[False, False, True])
    1.0
    """
    bad = np.array([s for s, w in zip(scores, wrong, strict=True) if w])
    good = np.sort([s for s, w in zip(scores, wrong, strict=True) if not w])
    if not len(bad) or not len(good):
        return None
    # For each wrong one, how many right ones score lower, and how many lower or equal: their mean counts ties half.
    below, upto = np.searchsorted(good, bad, "left"), np.searchsorted(good, bad, "right")
    return float((below + upto).sum() / (2 * len(bad) * len(good)))


NO_PUBLIC_VOTES = (
    "Disagreement is measured on this system's own votes: no public set has several auditors' votes on segments. "
    "Simulated reviewers and imported votes are left out."
)


def _steps_of_set(run: Run, name: str, items: list[Labelled]) -> list[Step]:
    """The steps of one file, one piece of the run."""

    def make() -> list[list[Any]]:
        steps = [step for labelled in items for step in steps_of(labelled=labelled)]
        return [[s.complexity, s.score, s.characters, s.place, s.wrong] for s in steps]

    return [Step(Complexity(level), *fields) for level, *fields in run.piece(key=name, make=make)]


def _disagreement() -> list[Table]:
    """Share of pairs of people's opened votes that disagree, by complexity of the segment; nothing without votes."""
    try:
        pairs = pairs_by_complexity()
    # Public data alone must do.
    except DatabaseError:  # by command, without a server or before its tables are made
        return []
    if not any(of for _, of in pairs.values()):
        return []
    rows: list[list[Cell]] = []
    for level, (apart, of) in pairs.items():
        rate = wilson_interval(count=apart, of=of)
        rows.append([level, rate.of, rate.share, rate.low, rate.high])
    columns = ("complexity", "pairs of votes", "share that disagrees", "low", "high")
    return [Table("Disagreement of people by complexity", columns, rows, "Pairs within one counted round.")]


@study("complexity", "Does complexity predict error?", reads="steps")
def run_complexity(run: Run) -> Report:
    """Error rate by complexity, and the area under the curve beside two rivals."""
    steps: list[Step] = []
    for name, items in labelled_sets(run=run, name="processbench", most=10**9 if run.full else 60):
        run.say(name, 0.5)
        steps += _steps_of_set(run, name, items)
    rates: list[list[Cell]] = []
    for level in Complexity:
        rate = wilson_interval(
            count=sum(s.wrong for s in steps if s.complexity is level), of=sum(s.complexity is level for s in steps)
        )
        rates.append([level.value, rate.of, rate.share, rate.low, rate.high])
    wrong = [s.wrong for s in steps]
    # A score is worth its code only where it tells more than what costs nothing: the length, and the place.
    rivals: list[list[Cell]] = [
        ["complexity score", area_under_roc(scores=[s.score for s in steps], wrong=wrong)],
        ["its three grades", area_under_roc(scores=[RANK[s.complexity] for s in steps], wrong=wrong)],
        ["length in characters", area_under_roc(scores=[s.characters for s in steps], wrong=wrong)],
        ["place in the trace", area_under_roc(scores=[s.place for s in steps], wrong=wrong)],
    ]
    tables = [
        Table("Share of first errors by complexity", ("complexity", "steps", "share", "low", "high"), rates),
        Table("Area under the ROC curve, .5 is chance", ("predictor", "AUC"), rivals),
    ]
    tables.append(precision_recall(scored=[(s.score, s.wrong) for s in steps], of="complexity score"))
    return Report("Complexity", [*tables, *_disagreement()], [NO_PUBLIC_VOTES])
