"""From labelled steps to a prior's file: features, a model, and a card that says where it works and where it does not.

A line of the data is {"set", "problem", "steps", "error"}: the index of the first wrong step, null where all are right.
Steps behind the first error carry no label and are left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditing.checker.registry import VERSION as CHECKERS
from auditing.core.errors import CoreError
from auditing.research.prior.boosting import Floats, Ints, Model, model_of, train
from auditing.research.prior.features import NAMES, features_of
from hdag.readers.records import read_record

FORMAT, VERSION, FOLDS, CELLS = "trust-prior", 1, 5, 10
# with fewer labelled errors a model of so many features would learn the data by heart
FEWEST_ERRORS = 50
_LENGTH = NAMES.index("characters")


class BadPriorError(CoreError):
    """The labelled data, or the file of a prior, cannot be read."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Rows of shape (steps, features), labels 0 or 1, and of each row its set and the fold of its problem."""

    rows: Floats
    labels: Floats
    sets: list[str]
    folds: Ints
    traces: int
    digest: str

    def of(self, chosen: Any) -> tuple[Floats, Floats]:
        """Rows and labels where a mask holds."""
        return self.rows[chosen], self.labels[chosen]


def read_labelled(*, lines: Iterable[bytes]) -> Labelled:
    """The labelled steps of a JSONL file. Raises BadPriorError naming the line."""
    digest, rows, labels, sets, folds = hashlib.sha256(), [], [], [], []
    traces = 0
    for number, line in enumerate(lines, 1):
        digest.update(line)
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            trace = read_record({"id": "t", "problem": case["problem"], "steps": case["steps"]}, where=f"line {number}")
            error = None if case["error"] is None else int(case["error"])
            # empty steps are no steps, and keep their number
            places = [span.index for span in trace.steps if error is None or span.index <= error]
            features = features_of(trace)[: len(places)]
        except (ValueError, KeyError, TypeError, CoreError) as reason:
            raise BadPriorError(f"line {number}: {reason}") from reason
        traces += 1
        rows.append(features)
        labels += [float(step == error) for step in places]
        sets += [str(case.get("set", ""))] * len(places)
        folds += [_fold(case["problem"])] * len(places)
    if sum(labels) < FEWEST_ERRORS:
        raise BadPriorError(f"{int(sum(labels))} labelled errors; {FEWEST_ERRORS} are needed")
    return Labelled(np.concatenate(rows), np.array(labels), sets, np.array(folds), traces, digest.hexdigest())


def _fold(problem: str) -> int:
    """By the problem, so that no trace is judged by a model that saw another one of its problem."""
    return hashlib.sha256(" ".join(problem.split()).encode()).digest()[1] % FOLDS


def trained(*, data: Labelled, seed: int) -> dict[str, Any]:
    """The prior's file: model, seed, digest and tables."""
    model = train(rows=data.rows, labels=data.labels, seed=seed)
    return {
        "format": FORMAT,
        "version": VERSION,
        "checkers": CHECKERS,
        "seed": seed,
        "features": list(NAMES),
        "data": {
            "sha256": data.digest,
            "traces": data.traces,
            "steps": len(data.labels),
            "errors": int(data.labels.sum()),
        },
        "use": "a number for the order in which people are asked; never a vote, and no part of any outcome",
        "in_domain": _in_domain(data, seed),
        "left_out": _left_out(data, seed),
        "model": model.as_json(),
    }


def as_bytes(prior: Mapping[str, Any]) -> bytes:
    """Canonical JSON: the same data and seed give the same bytes."""
    return (json.dumps(prior, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n").encode()


def read_prior(*, text: str) -> Model:
    """The model of a prior's file. Raises BadPriorError for other files, versions and features."""
    try:
        prior = json.loads(text)
        if (prior["format"], prior["version"]) != (FORMAT, VERSION):
            raise BadPriorError("no prior of a version that is read here")
        if prior["features"] != list(NAMES):
            raise BadPriorError("it was trained on other features: train it again")
        return model_of(prior["model"])
    except (ValueError, KeyError, TypeError, RecursionError) as reason:
        raise BadPriorError(f"the prior cannot be read: {reason}") from reason


def _in_domain(data: Labelled, seed: int) -> dict[str, dict[str, float]]:
    """Every step judged by a model that saw no trace of its problem."""
    chances = np.zeros(len(data.labels))
    for fold in range(FOLDS):
        held_out = data.folds == fold
        model = train(rows=data.rows[~held_out], labels=data.labels[~held_out], seed=seed)
        chances[held_out] = model.probabilities(data.rows[held_out])
    return _by_set(data, chances)


def _left_out(data: Labelled, seed: int) -> dict[str, dict[str, float]]:
    """Every set judged by a model that saw nothing of it."""
    names = np.array(data.sets)
    tables = {}
    for name in sorted(set(data.sets)):
        held_out = names == name
        if not (~held_out).any() or data.labels[~held_out].sum() < FEWEST_ERRORS or not data.labels[held_out].any():
            continue
        model = train(rows=data.rows[~held_out], labels=data.labels[~held_out], seed=seed)
        tables[name] = _figures(*data.of(held_out), model.probabilities(data.rows[held_out]))
    return tables


def _by_set(data: Labelled, chances: Floats) -> dict[str, dict[str, float]]:
    names = np.array(data.sets)
    tables = {"all": _figures(data.rows, data.labels, chances)}
    for name in sorted(set(data.sets)):
        chosen = names == name
        tables[name] = _figures(*data.of(chosen), chances[chosen])
    return tables


def _figures(rows: Floats, labels: Floats, chances: Floats) -> dict[str, float]:
    """Steps, errors, the area under the ROC curve of the prior and of the step's length alone, calibration error."""
    figures: dict[str, float] = {"steps": len(labels), "errors": int(labels.sum())}
    if 0 < labels.sum() < len(labels):
        figures |= {"auroc": area(chances, labels), "auroc_of_length": area(rows[:, _LENGTH], labels)}
    return figures | {"calibration_error": calibration_error(chances, labels)}


def area(scores: Floats, labels: Floats) -> float:
    """The area under the ROC curve: how often an error scores above a right step; ties count half.

    >>> area(np.array([0.1, 0.4, 0.4, 0.9]), np.array([0.0, 0.0, 1.0, 1.0]))
    0.875
    """
    order = np.sort(scores)
    # the mean rank of equal scores
    ranks = (np.searchsorted(order, scores, "left") + np.searchsorted(order, scores, "right") + 1) / 2
    errors = labels.sum()
    return round(float((ranks[labels > 0].sum() - errors * (errors + 1) / 2) / (errors * (len(labels) - errors))), 4)


def calibration_error(chances: Floats, labels: Floats) -> float:
    """The mean gap between chance and share of errors over CELLS cells of equal width, weighted by their steps."""
    cells = np.minimum((chances * CELLS).astype(int), CELLS - 1)
    gaps = [abs(chances[cells == cell].sum() - labels[cells == cell].sum()) for cell in range(CELLS)]
    return round(float(sum(gaps) / max(1, len(labels))), 4)
