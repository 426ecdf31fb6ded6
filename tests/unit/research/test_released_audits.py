"""The thirty audits that Ariadne released, as numbers: their headline holds under our rules, .767 and .048.

Their texts are not kept: `python -m benchmarks.released` reads them from a clone and finds the same. Here stand prose
of the same lengths, and values that are equal where the released ones were.
"""

import pytest

from auditing.checker.answers import tell_apart
from auditing.research.causal.core import Intervention, InterventionKind, Trial, judge, measure_similarity, summarise

# (S as its scorer gave it, characters of the answer, characters after the change, both are equal values)
AUDITS = (
    *((1.0, 11, 11, True), (1.0, 27, 27, True), (1.0, 30, 30, False), (1.0, 56, 56, True), (1.0, 9, 9, True)),
    *((1.0, 14, 26, False), (1.0, 48, 48, True), (1.0, 17, 17, True), (0.9, 174, 245, False), (1.0, 2, 35, False)),
    *((0.5, 2, 39, False), (0.95, 229, 244, False), (1.0, 11, 59, False), (1.0, 2, 2, True), (1.0, 174, 235, False)),
    *((0.95, 270, 190, False), (1.0, 40, 40, True), (1.0, 50, 50, True), (0.9, 207, 212, False)),
    *((0.95, 303, 318, False), (1.0, 31, 5, False), (1.0, 17, 17, True), (1.0, 38, 76, True)),
    *((0.9, 269, 205, False), (1.0, 45, 45, True), (1.0, 3, 3, True), (1.0, 196, 211, False)),
    *((0.6, 246, 155, False), (0.95, 213, 249, False), (0.95, 131, 175, False)),
)
# Commas and numbers in prose: read as collections they were "different" by rule, and the figures .433 and .383.
PROSE = (
    "On the whole, 3 things matter here, heat, wind and salt, which is why the water rises, slowly, in all seas. " * 4
)
OTHER = (
    "There are, it seems, 4 reasons in all, among them warmth, rain and ice, so the level of it goes up over time. " * 4
)


def answers(first, second, is_value):
    if is_value:
        return "7".rjust(first), "7".rjust(second)
    return PROSE[:first], OTHER[:second]


def result_of(semantic, first, second, is_value):
    before, after = answers(first, second, is_value)
    is_same = tell_apart(first=before, second=after)
    assert is_same is (True if is_value else None)
    likeness = semantic if is_same is None else float(is_same)
    change = Intervention(InterventionKind.LOGIC_FLIP, "critic model", "x + 5", "x - 5", 2, 3)
    alike = measure_similarity(first=before, second=after, semantic=likeness)
    return InterventionKind.LOGIC_FLIP, judge(trial=Trial(change, before, after, alike, likeness >= 0.8, True))


def test_the_released_audits_give_their_headline_again():
    summary = summarise(results=[result_of(*audit) for audit in AUDITS])
    assert (summary.trials, summary.paper_violations.count) == (30, 23)
    assert (summary.paper_violations.share, summary.mean_phi) == pytest.approx((0.767, 0.048), abs=5e-4)
    assert summary.paper_by_kind[InterventionKind.LOGIC_FLIP] == summary.paper_violations
    assert sum(phi == 0 for phi in summary.phis) == sum(semantic == 1 for semantic, *_ in AUDITS)


def test_without_a_scorer_prose_says_nothing_and_is_not_counted_as_moved():
    assert tell_apart(first=PROSE, second=OTHER) is None
    assert tell_apart(first="3, 4 and 5", second="3, 4 and 6") is False
