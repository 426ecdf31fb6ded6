"""How well learners tell two sorts of rows apart on people, and on texts, that they have not seen."""

from typing import Any

import numpy as np

HALVES, MOST_TRIES, FIFTHS = 10, 100, 5


def chance_error(real: int, own: int) -> float:
    """Of an AUC near .5 (Hanley and McNeil 1982): that of the rank sum of two samples of one distribution."""
    return float(np.sqrt((real + own + 1) / (12 * real * own)))


def scores(table: Any, gold: Any, keys: list[Any], rng: np.random.Generator) -> tuple[dict[str, list[float]], Any]:
    """AUC of both learners for each half, and the mean AUC of every feature alone, its direction learned too.

    keys: by which seats are divided; who learns sees none of the values of those whom it is scored on.
    """
    learners = _learners()
    areas, singles = {name: [] for name in learners}, []
    for _ in range(MOST_TRIES):
        learns, scored = _divided(keys, rng)
        if len(singles) == HALVES:
            break
        if not all(len(set(gold[rows])) == 2 for rows in (learns, scored)):
            continue
        for name, learner in learners.items():
            learner.fit(table[learns], gold[learns])
            says = learner.predict_proba(table[scored])[:, 1:]
            areas[name].append(float(_areas(says, gold[scored])[0]))
        alone, before = _areas(table[scored], gold[scored]), _areas(table[learns], gold[learns])
        singles.append(np.where(before >= 0.5, alone, 1 - alone))
    return areas, np.mean(singles, axis=0)


def _learners() -> dict[str, Any]:
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return {
        "regression": make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=2000)),
        "forest": ExtraTreesClassifier(300, min_samples_leaf=3, random_state=0),
    }


def across(table: Any, gold: Any, campaigns: Any, groups: Any) -> dict[str, list[float]]:
    """AUC of both learners within each campaign, who learn from all others, less the group that is scored.

    groups: of rows, a few of them; those of one text stand in one group where texts are to be held out.
    """
    areas: dict[str, list[float]] = {}
    for name, learner in _learners().items():
        says = np.zeros(len(gold))
        for campaign in np.unique(campaigns):
            for group in np.unique(groups):
                learns, scored = (
                    (campaigns != campaign) & (groups != group),
                    (campaigns == campaign) & (groups == group),
                )
                if scored.any():
                    learner.fit(table[learns], gold[learns])
                    says[scored] = learner.predict_proba(table[scored])[:, 1]
        rows = [campaigns == campaign for campaign in np.unique(campaigns)]
        areas[name] = [float(_areas(says[mine][:, None], gold[mine])[0]) for mine in rows]
    return areas


def fifths(texts: Any, rng: np.random.Generator) -> Any:
    """Each text's rows in one of five groups, drawn."""
    names, numbers = np.unique(texts, return_inverse=True)
    return (rng.permutation(len(names)) % FIFTHS)[numbers]


def _divided(keys: list[Any], rng: np.random.Generator) -> tuple[Any, Any]:
    """Which rows are learned from, and which are scored: those that share no key with them."""
    learns, scored = np.ones(len(keys[0]), bool), np.ones(len(keys[0]), bool)
    for key in keys:
        values = np.unique(key)
        of_learners = np.isin(key, rng.permutation(values)[: len(values) // 2])
        learns, scored = learns & of_learners, scored & ~of_learners
    return learns, scored


def _areas(table: Any, gold: Any) -> Any:
    """The area under the ROC curve of every column: the share of pairs that it puts in order, ties as halves."""
    from scipy.stats import rankdata

    own, real = int(gold.sum()), int((~gold).sum())
    return (rankdata(table, axis=0)[gold].sum(axis=0) - own * (own + 1) / 2) / (own * real)
