"""Six auditors by chance, with correlated errors and the paper's accuracies, under three modes of corruption."""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from auditing.research.studies.arms.printed import SHARES, TABLE1
from auditing.research.studies.instruments.runner import Cell, Run, Table

ACCURACIES = np.array([0.677, 0.674, 0.668, 0.641, 0.638, 0.521])  # the six single models of the paper
CORRELATION = 0.42  # of errors: independent ones would give majority voting 75.8 %, the paper has 68.7 %
Right = NDArray[np.bool_]  # (traces, auditors): is the vote right?
Floats = NDArray[np.float64]


def decision_flip(*, accuracy: float, share: float) -> float:
    """a - c(2a - 1): accuracy after the final decision is flipped with probability c."""
    return accuracy - share * (2 * accuracy - 1)


def correlated_votes(*, traces: int, rng: np.random.Generator) -> Right:
    """Right votes of six auditors: Gaussian copula, one common factor, the printed accuracies as margins."""
    common = rng.standard_normal((traces, 1))
    individual = rng.standard_normal((traces, len(ACCURACIES)))
    # A vote is right when its latent normal lies below the quantile of the auditor's accuracy; the common factor
    # makes the errors of one trace correlated.
    latent = sqrt(CORRELATION) * common + sqrt(1 - CORRELATION) * individual
    right: Right = latent < _normal_quantile(ACCURACIES)
    return right


def flipped(*, right: Right, share: float, rng: np.random.Generator) -> Right:
    """Each vote flipped on its own with probability `share`."""
    return right ^ (rng.random(right.shape) < share)


def captured(*, right: Right, share: float, rng: np.random.Generator) -> tuple[Right, Floats]:
    """(votes, log-odds weights): each auditor captured with probability `share`, in blocks of 200 traces.

    A captured auditor turns every vote of its own round, wrong and right ones. Its reputation, learned from 20 votes on
    gold with a prior of 1.4 : .6, weighs it: below one half the weight is negative, and the vote is turned back.
    """
    traces, seats = right.shape
    # An auditor is captured for a block, not for a single vote: that is what a reputation can notice.
    block = np.arange(traces) // 200
    taken = rng.random((int(block.max()) + 1, seats)) < share
    accuracy = np.where(taken, 1 - ACCURACIES, ACCURACIES)
    gold = 20
    # Posterior mean of a Beta(1.4, 0.6) prior after `gold` answers.
    learned = (1.4 + rng.binomial(gold, accuracy)) / (2 + gold)
    return right ^ taken[block], np.log(learned / (1 - learned))[block]


def share_right(*, right: Right, weights: Floats | None = None) -> float:
    """Accuracy of the weighted majority; a tie goes to the first auditor, the most accurate one."""
    # +1 for a right vote, -1 for a wrong one.
    signs = np.where(right, 1.0, -1.0)
    total = (signs if weights is None else signs * weights).sum(1)
    # The small term breaks ties in favour of the first auditor without changing any other sum.
    return float((total + 1e-9 * signs[:, 0] > 0).mean())


def simulated_table(run: Run) -> Table:
    """Whole decisions of six auditors: votes flipped, auditors captured."""
    traces = 400_000 if run.full else 60_000
    log_odds = np.log(ACCURACIES / (1 - ACCURACIES))
    right = correlated_votes(traces=traces, rng=run.rng())
    rows: dict[str, Callable[[float, np.random.Generator], float]] = {
        "single (first)": lambda c, rng: float(flipped(right=right, share=c, rng=rng)[:, 0].mean()),
        "majority": lambda c, rng: share_right(right=flipped(right=right, share=c, rng=rng)),
        "log-odds weights": lambda c, rng: share_right(right=flipped(right=right, share=c, rng=rng), weights=log_odds),
        "capture, majority": lambda c, rng: share_right(right=captured(right=right, share=c, rng=rng)[0]),
        "capture, reputation log-odds": lambda c, rng: _captured_accuracy(right, c, rng),
    }
    ours: list[list[Cell]] = []
    for number, (name, row) in enumerate(rows.items()):
        run.say(name, number / len(rows))
        # A stream for each cell, so that a table can be resumed at any row.
        streams = [(share, run.rng(stream=10 * number + column + 1)) for column, share in enumerate(SHARES)]
        cells = run.piece(key=name, make=lambda: [round(100 * row(c, rng), 1) for c, rng in streams])  # noqa: B023
        ours.append([name, *cells])
    note = (
        f"{traces} traces; six auditors, error correlation {CORRELATION}, 1.96 s.e. about {98 / traces**0.5:.2f} points"
    )
    columns = ("method", *(f"{100 * c:.0f} %" for c in SHARES))
    return Table("Chance alone: six auditors of whole traces", columns, ours, note)


def largest_residual() -> float:
    """Points between the printed rows and the decision-flip line with the best a0 of each row (least squares)."""
    worst = 0.0
    factor = 1 - 2 * np.array(SHARES)  # a(c) - 50 = (a0 - 50)(1 - 2c)
    for row in TABLE1.values():
        margin = np.array(row) - 50
        best = float(margin @ factor / (factor @ factor))
        worst = max(worst, float(np.abs(margin - best * factor).max()))
    return worst


def _captured_accuracy(right: Right, share: float, rng: np.random.Generator) -> float:
    votes, weights = captured(right=right, share=share, rng=rng)
    return share_right(right=votes, weights=weights)


def _normal_quantile(p: Floats) -> Floats:
    from statistics import NormalDist

    return np.array([NormalDist().inv_cdf(float(value)) for value in p])
