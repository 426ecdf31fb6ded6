"""Study `trace_rules`: which rule finds a trace with j wrong segments? (docs/formulas.md section 1.2, last table.)

Twelve segments: four computer (exact), four model (k = 3), four people (k = 5); half of the traces have j wrong
segments at random places. Each rule is scored by its best accuracy over thresholds and by its AUC.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditing.research.studies.parts.runner import Cell, Report, Run, Table, study

WRONG = (1, 2, 3, 6)
SIMULATED = "traces of twelve segments with planted errors, and the votes of every seat."
SEATS = np.repeat(np.array([1, 3, 5]), 4)
ACCURACY = np.repeat(np.array([1.0, 0.95, 0.63]), 4)  # 1 - eps, times 1 - rho for people
PAPER_WEIGHTS = np.repeat(np.array([1.0, 2.0, 3.0]), 4)
OUR_WEIGHTS = PAPER_WEIGHTS[::-1]
BASE_RATE = 0.8
# j -> rule -> (best accuracy, AUC or None)
REFERENCE: dict[int, dict[str, tuple[float, float | None]]] = {
    1: {
        "W, paper's weights": (0.674, 0.656),
        "share": (0.676, 0.730),
        "all pass": (0.625, 0.626),
        "minimum": (0.829, 0.887),
        "noisy-AND": (0.829, 0.893),
    },
    2: {
        "W, paper's weights": (0.766, 0.778),
        "share": (0.811, 0.881),
        "all pass": (0.640, None),
        "minimum": (0.941, 0.976),
        "noisy-AND": (0.946, 0.981),
    },
    3: {
        "W, paper's weights": (0.818, 0.868),
        "share": (0.903, 0.958),
        "all pass": (0.642, None),
        "minimum": (0.981, 0.997),
        "noisy-AND": (0.987, 0.998),
    },
    6: {
        "W, paper's weights": (0.954, 0.985),
        "share": (0.994, None),
        "all pass": (0.642, None),
        "minimum": (1.000, None),
        "noisy-AND": (0.999, None),
    },
}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Traces:
    """right: is the trace free of error; passed: segment outcome by quorum; posterior: by log-odds."""

    right: NDArray[np.bool_]
    passed: Floats
    posterior: Floats


RULES: dict[str, Callable[[Traces], Floats]] = {
    "W, paper's weights": lambda traces: traces.passed @ PAPER_WEIGHTS,
    "W, our weights": lambda traces: traces.passed @ OUR_WEIGHTS,
    "share": lambda traces: traces.passed.sum(1),
    "all pass": lambda traces: traces.passed.min(1),
    "minimum": lambda traces: traces.posterior.min(1),
    "noisy-AND": lambda traces: np.log(traces.posterior).sum(1),
}


def draw_traces(*, wrong: int, count: int, rng: np.random.Generator) -> Traces:
    """`count` traces, about half of them with `wrong` wrong segments; a malicious seat votes wrong."""
    right = rng.random(count) < 0.5
    places = rng.random((count, len(SEATS))).argsort(1) < wrong
    valid = right[:, None] | ~places
    passes = rng.binomial(SEATS, np.where(valid, ACCURACY, 1 - ACCURACY))
    sure = ACCURACY.clip(max=1 - 1e-6)
    odds = (2 * passes - SEATS) * np.log(sure / (1 - sure)) + np.log(BASE_RATE / (1 - BASE_RATE))
    passed: Floats = (2 * passes >= SEATS).astype(np.float64)
    return Traces(right, passed, 1 / (1 + np.exp(-odds)))


def score(*, value: Floats, right: NDArray[np.bool_]) -> tuple[float, float]:
    """(best accuracy over all thresholds, AUC with ties counted half)."""
    order = np.argsort(value)
    value, right = value[order], right[order]
    cuts = np.concatenate([[0], np.flatnonzero(np.diff(value) > 1e-12) + 1, [len(value)]])
    good = np.concatenate([[0], np.cumsum(right)])[cuts]
    bad = np.concatenate([[0], np.cumsum(~right)])[cuts]
    best = float((good[-1] - good + bad).max() / len(value))
    steps = np.diff(good)
    auc = float((steps * (bad[:-1] + np.diff(bad) / 2)).sum() / (good[-1] * bad[-1]))
    return best, auc


def _scores(run: Run, wrong: int, count: int) -> dict[str, tuple[float, float]]:
    traces = draw_traces(wrong=wrong, count=count, rng=run.rng(stream=wrong))
    return {name: score(value=rule(traces), right=traces.right) for name, rule in RULES.items()}


@study("trace_rules", "Which trace rule finds a trace with j wrong segments")
def trace_rules(run: Run) -> Report:
    """Best accuracy and AUC of six rules, the printed numbers beside."""
    count = 200_000 if run.full else 20_000
    rows: list[list[Cell]] = []
    for number, wrong in enumerate(WRONG):
        for name, (best, auc) in run.piece(key=str(wrong), make=lambda: _scores(run, wrong, count)).items():  # noqa: B023
            printed = REFERENCE[wrong].get(name)
            rows.append([wrong, name, round(best, 3), round(auc, 3), printed[0] if printed else None])
        run.say(f"{wrong} wrong segments", (number + 1) / len(WRONG))
    columns = ["wrong segments", "rule", "best accuracy", "AUC", "reference accuracy"]
    return Report(
        "Trace rules against local errors", [Table(f"{count} traces each", columns, rows)], simulated=SIMULATED
    )
