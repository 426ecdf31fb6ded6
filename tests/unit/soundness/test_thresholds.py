"""The threshold by one sort, against every cut tried one after the other."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.research.soundness.core.thresholds import best_of, best_threshold, five_fold, macro_f1

rows = st.lists(st.tuples(st.integers(0, 8).map(lambda tenth: tenth / 8), st.booleans()), min_size=1, max_size=12)


def cuts_of(scores: list[float]) -> list[float]:
    """The lowest score, at which everything is sound, and the middle between every two neighbours."""
    values = sorted(set(scores))
    return [values[0], *((low + high) / 2 for low, high in pairwise(values))]


@given(rows)
def test_the_best_cut_is_the_best_of_all_and_of_equals_the_one_nearest_a_half(pairs: list[tuple[float, bool]]) -> None:
    scores, sound = np.array([score for score, _ in pairs]), np.array([label for _, label in pairs])
    worth = {cut: macro_f1(scores=scores, sound=sound, threshold=cut) for cut in cuts_of(scores.tolist())}
    best = [cut for cut, value in worth.items() if value >= max(worth.values()) - 1e-12]
    assert abs(best_threshold(scores=scores, sound=sound) - 0.5) == min(abs(cut - 0.5) for cut in best)


@given(rows, st.integers(0, 8).map(lambda tenth: tenth / 8))
def test_macro_f1_is_the_mean_of_both_classes_f1(pairs: list[tuple[float, bool]], cut: float) -> None:
    hits = [sum((score >= cut) is said is label for score, label in pairs) for said in (True, False)]
    named = [sum(((score >= cut) is said) + (label is said) for score, label in pairs) for said in (True, False)]
    parts = [2 * hit / total if total else 1.0 for hit, total in zip(hits, named, strict=True)]
    scores, sound = np.array([score for score, _ in pairs]), np.array([label for _, label in pairs])
    assert macro_f1(scores=scores, sound=sound, threshold=cut) == pytest.approx(sum(parts) / 2)


def test_labels_and_scores_of_other_lengths_or_none_are_refused() -> None:
    for scores, sound in (([], []), ([0.1, 0.2], [True]), ([0.1], [True, False])):
        with pytest.raises(ValueError, match=f"got {len(scores)} and {len(sound)}"):
            best_threshold(scores=np.array(scores), sound=np.array(sound, dtype=bool))


def test_as_many_chains_as_folds_are_enough_and_one_fewer_is_refused() -> None:
    scores, sound = [np.array([0.9, 0.1])] * 5, [np.array([True, False])] * 5
    folded = five_fold(scores=scores, sound=sound, seed=1)
    assert (folded.mean, folded.deviation, folded.thresholds) == (1.0, 0.0, (0.5,) * 5)
    with pytest.raises(ValueError, match="5 folds need at least 5 chains, got 4"):
        five_fold(scores=scores[:4], sound=sound[:4], seed=1)


def test_no_chain_is_the_best_of_none() -> None:
    with pytest.raises(ValueError, match="no chain"):
        best_of(means=[])
