"""Gradient boosting of small regression trees with logistic loss, deterministic and stored as plain numbers.

Source: Friedman, "Greedy function approximation: a gradient boosting machine", Annals of Statistics 29 (2001); leaf
values by one Newton step, splits by histograms over quantile bins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROUNDS, DEPTH, RATE, BINS = 80, 3, 0.12, 24
FEWEST_IN_LEAF, PENALTY, SHARE = 25.0, 5.0, 0.8
_EMPTY_GAIN = 1e-9

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tree:
    """A complete tree of DEPTH levels: feature and greatest left bin of each inner node, and the leaf values."""

    features: Ints
    bins: Ints
    leaves: Floats

    def leaf_of(self, binned: Ints) -> Ints:
        """The leaf of each row of shape (rows, features)."""
        node = np.zeros(len(binned), dtype=np.int64)
        for _ in range(DEPTH):
            is_right = binned[np.arange(len(binned)), self.features[node]] > self.bins[node]
            node = 2 * node + 1 + is_right
        return np.asarray(node - (2**DEPTH - 1), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Model:
    """Thresholds of the bins of each feature, the log odds of the base rate, and the trees."""

    edges: list[list[float]]
    base: float
    trees: list[Tree]

    def probabilities(self, rows: Floats) -> Floats:
        """How likely each row of shape (rows, features) is an error."""
        binned = _binned(rows, self.edges)
        odds = np.full(len(rows), self.base)
        for tree in self.trees:
            odds += tree.leaves[tree.leaf_of(binned)]
        return _sigmoid(odds)

    def as_json(self) -> dict[str, Any]:
        """Plain lists; leaf values to six decimals, so that the file does not depend on the last bits."""
        trees = [
            {"features": tree.features.tolist(), "bins": tree.bins.tolist(), "leaves": tree.leaves.tolist()}
            for tree in self.trees
        ]
        return {"edges": self.edges, "base": self.base, "trees": trees}


def model_of(fields: dict[str, Any]) -> Model:
    """The model of its plain lists. Raises KeyError, TypeError or ValueError for other shapes."""
    trees = [
        Tree(np.array(tree["features"], int), np.array(tree["bins"], int), np.array(tree["leaves"], float))
        for tree in fields["trees"]
    ]
    inner, leaves, width = 2**DEPTH - 1, 2**DEPTH, len(fields["edges"])
    for tree in trees:
        if tree.features.shape != (inner,) or tree.bins.shape != (inner,) or tree.leaves.shape != (leaves,):
            raise ValueError("a tree of another depth")
        # A negative index would silently read the last feature.
        if tree.features.min() < 0 or tree.features.max() >= width:
            raise ValueError("a tree that asks for a feature that there is not")
    return Model([[float(edge) for edge in row] for row in fields["edges"]], float(fields["base"]), trees)


def train(*, rows: Floats, labels: Floats, seed: int, rounds: int = ROUNDS) -> Model:
    """Rows of shape (rows, features), labels 0 or 1 of shape (rows,); the seed draws the rows of each tree."""
    rng = np.random.default_rng(seed)
    edges = [_edges(column) for column in rows.T]
    binned = _binned(rows, edges)
    rate = float(np.clip(labels.mean(), 1e-4, 1 - 1e-4))
    base = round(float(np.log(rate / (1 - rate))), 6)
    odds = np.full(len(rows), base)
    trees = []
    for _ in range(rounds):
        chance = _sigmoid(odds)
        drawn = (rng.random(len(rows)) < SHARE).astype(float)
        tree = _grown(binned, (labels - chance) * drawn, chance * (1 - chance) * drawn)
        odds += tree.leaves[tree.leaf_of(binned)]
        trees.append(tree)
    return Model(edges, base, trees)


def _grown(binned: Ints, gradient: Floats, curvature: Floats) -> Tree:
    inner = 2**DEPTH - 1
    features, bins = np.zeros(inner, dtype=np.int64), np.full(inner, BINS, dtype=np.int64)
    node = np.zeros(len(binned), dtype=np.int64)
    for level in range(DEPTH):
        first, width = 2**level - 1, 2**level
        for at, (feature, limit) in enumerate(_best_splits(binned, node - first, width, gradient, curvature)):
            features[first + at], bins[first + at] = feature, limit
        node = 2 * node + 1 + (binned[np.arange(len(binned)), features[node]] > bins[node])
    leaf = node - inner
    top = np.bincount(leaf, weights=gradient, minlength=2**DEPTH)
    bottom = np.bincount(leaf, weights=curvature, minlength=2**DEPTH)
    leaves = np.asarray(RATE * top / (bottom + PENALTY), dtype=np.float64)
    return Tree(features, bins, leaves.round(6))


def _best_splits(binned: Ints, leaves: Ints, width: int, gradient: Floats, curvature: Floats) -> list[tuple[int, int]]:
    """For each of `width` nodes the feature and bin whose split gains most; a split that sends all left for none."""
    features = binned.shape[1]
    # one histogram for all features of all nodes: node, feature, bin
    key = (leaves[:, None] * features + np.arange(features)) * BINS + binned
    sums = []
    for values in (gradient, curvature, (curvature > 0).astype(float)):
        cells = np.bincount(key.ravel(), weights=np.repeat(values, features), minlength=width * features * BINS)
        sums.append(cells.reshape(width, features, BINS).cumsum(axis=2))
    gain = _gain(*sums).reshape(width, features * BINS)
    best = gain.argmax(axis=1)
    return [
        (int(at) // BINS, int(at) % BINS) if gain[node, at] > _EMPTY_GAIN else (0, BINS) for node, at in enumerate(best)
    ]


def _gain(gradient: Floats, curvature: Floats, count: Floats) -> Floats:
    """What each split gains: the score of both sides less that of the node; nothing where a side is too small."""
    total = [values[..., -1:] for values in (gradient, curvature, count)]
    left = gradient**2 / (curvature + PENALTY)
    right = (total[0] - gradient) ** 2 / (total[1] - curvature + PENALTY)
    gain = left + right - total[0] ** 2 / (total[1] + PENALTY)
    is_large = (count >= FEWEST_IN_LEAF) & (total[2] - count >= FEWEST_IN_LEAF)
    return np.where(is_large, gain, 0.0)


def _edges(column: Floats) -> list[float]:
    """At most BINS - 1 thresholds between quantiles."""
    quantiles = np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])
    return [round(float(edge), 6) for edge in np.unique(quantiles)]


def _binned(rows: Floats, edges: list[list[float]]) -> Ints:
    columns = [np.searchsorted(np.array(edge), rows[:, at], side="left") for at, edge in enumerate(edges)]
    return np.stack(columns, axis=1).astype(np.int64)


def _sigmoid(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-odds))
