"""Study `table1`: the paper's corruption table beside ours, under three modes of corruption.

All eleven printed rows obey a(c) = a0 - c(2 a0 - 1): the FINAL decision is flipped with probability c, so that no
row can show robustness. Corrupting votes, or capturing auditors, is what an audit has to withstand.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from auditing.research.studies.instruments.runner import Cell, Report, Run, Table, study

SHARES = (0.0, 0.05, 0.10, 0.15, 0.20)
ACCURACIES = np.array([0.677, 0.674, 0.668, 0.641, 0.638, 0.521])  # the six single models of the paper
CORRELATION = 0.42  # of errors: independent ones would give majority voting 75.8 %, the paper has 68.7 %
PAPER: dict[str, tuple[float, ...]] = {
    "TRUST": (72.4, 70.2, 67.5, 65.8, 63.4),
    "Majority Voting": (68.7, 66.8, 64.9, 63.4, 61.4),
    "Supermajority": (68.7, 66.8, 65.0, 63.2, 61.2),
    "Weighted Voting": (68.1, 66.4, 64.6, 62.7, 60.9),
    "Unanimous": (45.6, 46.1, 46.5, 46.8, 47.4),
    "DeepSeek-R1-8B": (67.7, 65.9, 64.2, 62.5, 60.5),
    "Qwen2.5-7B": (67.4, 65.7, 64.1, 62.1, 60.5),
    "Mistral-7B": (66.8, 65.2, 63.6, 61.8, 60.1),
    "DeepSeek-R1-1.5B": (64.1, 62.9, 61.2, 59.7, 58.5),
    "GPT-OSS-20B": (63.8, 62.5, 60.9, 59.7, 58.4),
    "LLaMA-3B": (52.1, 51.9, 51.7, 51.4, 51.3),
}
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


@study("table1", "The paper's corruption table, under three modes of corruption")
def table1(run: Run) -> Report:
    """Decision flip (paper), vote flip, auditor capture."""
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
    columns = ["method", *(f"{100 * c:.0f} %" for c in SHARES)]
    note = (
        f"{traces} traces; six auditors, error correlation {CORRELATION}, 1.96 s.e. about {98 / traces**0.5:.2f} points"
    )
    return Report(
        "Table 1 under three modes of corruption",
        [
            Table("Paper, and the line a0 - c(2 a0 - 1) through each first column", columns, _paper_rows()),
            Table("Ours: votes flipped, auditors captured", columns, ours, note),
        ],
        [f"Largest residual of the printed rows from the line: {largest_residual():.2f} points."],
        simulated="six auditors and the traces they vote on, drawn at random; the paper's rows are as printed.",
    )


def largest_residual() -> float:
    """Points between the printed rows and the decision-flip line with the best a0 of each row (least squares)."""
    worst = 0.0
    factor = 1 - 2 * np.array(SHARES)  # a(c) - 50 = (a0 - 50)(1 - 2c)
    for row in PAPER.values():
        margin = np.array(row) - 50
        best = float(margin @ factor / (factor @ factor))
        worst = max(worst, float(np.abs(margin - best * factor).max()))
    return worst


def _paper_rows() -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for name, row in PAPER.items():
        rows.append([name, *row])
        line = [round(100 * decision_flip(accuracy=row[0] / 100, share=c), 1) for c in SHARES]
        rows.append(["  flip of the decision", *line])
    return rows


def _captured_accuracy(right: Right, share: float, rng: np.random.Generator) -> float:
    votes, weights = captured(right=right, share=share, rng=rng)
    return share_right(right=votes, weights=weights)


def _normal_quantile(p: Floats) -> Floats:
    from statistics import NormalDist

    return np.array([NormalDist().inv_cdf(float(value)) for value in p])
