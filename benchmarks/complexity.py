"""Does complexity predict the first wrong step better than plain length? AUC by set, on problems the fit has not seen.

Refits the weights of hdag/core/complexity.py on one half of the problems of five public sets and confirms them on the
other, both ways; prints the weights in use beside them. Run: python -m benchmarks.complexity [--most N]
"""

import argparse
import math
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditing.research.studies.complexity import area_under_roc
from auditing.research.studies.instruments.labelled import Labelled, files_of, read_labelled
from benchmarks.public_traces import DATA
from hdag.core.complexity import WEIGHTS, score_of
from hdag.core.values import Source
from hdag.decomposers.rules import RulesDecomposer

SETS = ("processbench", "stepverify", "prmbench", "mr_ben", "bigbench_mistake")
FITTED = ("words", "numbers", "premises", "depth", "hedges", "inference")
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Steps:
    """Labelled steps: features as the score takes them, score in use, length, label, set, half of the problems."""

    x: Array
    score: Array
    length: Array
    wrong: Array
    place: Array  # index of the set
    half: Array

    def auc(self, scores: Array, chosen: Array) -> float:
        """Area under the ROC curve of `scores` on the chosen steps."""
        found = area_under_roc(scores=list(scores[chosen]), wrong=list(self.wrong[chosen]))
        return float("nan") if found is None else found


def read(most: int) -> Steps:
    """Every labelled step up to the first wrong one, of at most `most` traces a file."""
    rows = [
        (*step, place, zlib.crc32(item.trace.problem.encode()) & 1)
        for place, name in enumerate(SETS)
        for path in files_of(name=name, data=DATA)
        for item in read_labelled(name=name, path=path, most=most)
        for step in _steps(item)
    ]
    x, score, length, wrong, places, half = (np.array(column) for column in zip(*rows, strict=True))
    return Steps(x, score, length, wrong, places, half)


def _steps(item: Labelled) -> list[tuple[list[float], float, int, bool]]:
    graph, found = RulesDecomposer().decompose(item.trace), []
    for step in item.trace.steps:
        inside = [s for s in graph.segments if s.step == step.index and s.source is Source.THINKING]
        if (item.first_error is not None and step.index > item.first_error) or not inside:
            continue
        widest = max(inside, key=lambda one: len(one.content)).features
        x = [widest[name] if name == "hedges" else math.log1p(widest[name]) for name in FITTED]
        score = max(score_of(features=one.features) for one in inside)
        found.append((x, score, step.end - step.start, step.index == item.first_error))
    return found


def fit(steps: Steps, chosen: Array) -> Array:
    """Logistic weights, ridge 3, an intercept a set, every set weighing the same."""
    sets = np.eye(len(SETS))[steps.place[chosen]]
    scale = steps.x[chosen].std(axis=0)
    x, y = np.hstack([sets, steps.x[chosen] / scale]), steps.wrong[chosen].astype(float)
    each = (1000 / sets.sum(axis=0))[steps.place[chosen]]
    ridge = np.diag([1e-6] * len(SETS) + [3.0] * len(FITTED))
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (each * (y - p)) - ridge @ weights
        weights += np.linalg.solve((x * (each * p * (1 - p))[:, None]).T @ x + ridge, gradient)
    found: Array = weights[len(SETS) :] / scale
    return found


def main() -> None:
    """Weights in use and fitted; AUC of the score, of the refit and of length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=600)
    steps = read(parser.parse_args().most)
    print(f"{len(steps.wrong)} steps, {int(steps.wrong.sum())} first errors")
    fits = [fit(steps, steps.half == half) for half in (0, 1)]
    for place, name in enumerate(FITTED):
        print(f"  {name:10s} {WEIGHTS[name]:5.2f} in use, {fits[0][place]:5.2f} and {fits[1][place]:5.2f} fitted")
    rows = []
    for place, name in enumerate(SETS):
        halves = [(steps.place == place) & (steps.half == half) for half in (1, 0)]
        held = np.mean([steps.auc(steps.x @ weights, half) for weights, half in zip(fits, halves, strict=True)])
        whole = steps.place == place
        rows.append((steps.auc(steps.score, whole), float(held), steps.auc(steps.length, whole)))
        print("{:18s} score {:.3f}, refit on the other half {:.3f}, length {:.3f}".format(name, *rows[-1]))
    print("{:18s} score {:.3f}, refit on the other half {:.3f}, length {:.3f}".format("mean", *np.mean(rows, axis=0)))


if __name__ == "__main__":
    main()
