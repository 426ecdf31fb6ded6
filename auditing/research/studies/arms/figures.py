"""Figures of an arm: accuracy, F1, Brier, cost and time a trace, with intervals over traces drawn anew as wholes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.research.studies.arms.deciding import Judged, Rule
from auditing.research.studies.arms.recording import Case

__all__ = ["Figure", "Measured", "accuracy_of", "brier_of", "f1_of", "gap", "measure"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: the traces it rests on, the figures, and what a trace took. f1: of finding the wrong traces."""

    traces: int
    accuracy: Figure
    f1: Figure
    brier: Figure
    cost: Figure  # a trace, in the operator's currency
    seconds: Figure  # a trace, summed over all voters


def measure(
    *, cases: Sequence[Case], rule: Rule, rng: np.random.Generator, resamples: int = 400
) -> tuple[Measured, list[Judged]]:
    """The figures of the cases under a rule, and what it says of each. Raises ValueError without a case."""
    if not cases:
        raise ValueError("an arm without a trace has no figure")
    judged = rule(cases)
    # One row a trace: everything that a trace brought goes into or out of a resample together.
    draws = rng.integers(0, len(cases), (resamples, len(cases)))
    accuracy, f1, brier = (_figure(judged, draws, figure) for figure in (accuracy_of, f1_of, brier_of))
    cost, seconds = (
        _mean([sum(getattr(vote, name) for vote in case.votes) for case in cases], draws)
        for name in ("cost", "seconds")
    )
    return Measured(len(cases), accuracy, f1, brier, cost, seconds), judged


def accuracy_of(judged: Sequence[Judged]) -> float:
    """Share of traces whose verdict is true."""
    return sum(entry.passes == entry.is_right for entry in judged) / len(judged)


def f1_of(judged: Sequence[Judged]) -> float:
    """2 hits / (wrong traces + failed traces): of finding the wrong ones; 0 where nothing is hit.

    >>> f1_of([Judged(False, 0.1, False), Judged(True, 0.4, False), Judged(True, 0.9, True)])
    0.6666666666666666
    """
    hits = sum(not entry.is_right and not entry.passes for entry in judged)
    total = sum(not entry.is_right for entry in judged) + sum(not entry.passes for entry in judged)
    return 2 * hits / total if total else 0.0


def brier_of(judged: Sequence[Judged]) -> float:
    """Mean squared error of P(right)."""
    return sum((entry.probability - entry.is_right) ** 2 for entry in judged) / len(judged)


def gap(*, first: Sequence[Judged], second: Sequence[Judged], rng: np.random.Generator, resamples: int = 400) -> Figure:
    """Accuracy of the first less that of the second, on the same traces in the same order."""
    hits = np.array([a.passes == a.is_right for a in first], float) - [b.passes == b.is_right for b in second]
    drawn: Floats = hits[rng.integers(0, len(hits), (resamples, len(hits)))].mean(1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Figure(float(hits.mean()), float(low), float(high))


def _mean(values: Sequence[float], draws: NDArray[np.int64]) -> Figure:
    by_trace: Floats = np.array(values, float)
    low, high = np.quantile(by_trace[draws].mean(1), [0.025, 0.975])
    return Figure(float(by_trace.mean()), float(low), float(high))


def _figure(judged: Sequence[Judged], draws: NDArray[np.int64], figure: Callable[[Sequence[Judged]], float]) -> Figure:
    drawn = [figure([judged[index] for index in draw]) for draw in draws]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Figure(figure(judged), float(low), float(high))
