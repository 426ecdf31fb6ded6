"""The exact tail of a trace against integer arithmetic, and its edge cases."""

from decimal import Decimal
from fractions import Fraction
from math import ceil, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.core.errors import BadParameterError
from auditing.core.policy import PAPER
from auditing.core.values import Tier
from auditing.research.policy_lab.core.guarantees import Group, log_tail, policy_groups, tail, tail_of_many, tails


def exact_by_integers(groups: list[tuple[int, Fraction, int]], threshold: int) -> Fraction:
    """Numerators over a common denominator, with Python's integers only."""
    masses, scale = [1], 1
    for count, p, weight in groups:
        for _ in range(count):
            scale *= p.denominator
            fail, win = p.denominator - p.numerator, p.numerator
            longer = [value * fail for value in masses] + [0] * weight
            for x, value in enumerate(masses):
                longer[x + weight] += value * win
            masses = longer
    return Fraction(sum(masses[:threshold]), scale)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.sampled_from([Fraction(n, 8) for n in range(9)]), st.integers(1, 3)),
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 100),
)
def test_the_tail_equals_exact_integer_arithmetic(groups, percent: int) -> None:
    total = sum(count * weight for count, _, weight in groups)
    threshold = ceil(Fraction(percent, 100) * total - Fraction(1, 10**9))
    wanted = float(exact_by_integers(groups, threshold))
    found = tail(groups=[Group(n, float(p), w) for n, p, w in groups], beta=percent / 100)
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("percent", [30, 50, 70, 76, 90])
def test_many_segments_keep_nine_digits_however_small_the_tail(percent: int) -> None:
    groups = [(300, Fraction(3, 4), 1), (200, Fraction(7, 8), 2)]
    threshold = 7 * percent
    exact = exact_by_integers(groups, threshold)
    wanted = log(exact.numerator) - log(exact.denominator)
    found = log_tail(groups=[Group(n, float(p), w) for n, p, w in groups], beta=percent / 100)
    assert abs(found - wanted) < 1e-9


def test_distinct_probabilities_agree_with_programming() -> None:
    rng = np.random.default_rng(7)
    p, weights = rng.uniform(0.5, 1, 1500), rng.integers(1, 4, 1500)
    dp = np.zeros(int(weights.sum()) + 1)
    dp[0] = 1
    for share, weight in zip(p, weights, strict=True):
        moved = dp[:-weight] * share
        dp *= 1 - share
        dp[weight:] += moved
    for threshold in (2000, 2200, int((p * weights).sum()), 2600):
        found = tail_of_many(p=p, weights=weights, threshold=threshold)
        assert found == pytest.approx(dp[:threshold].sum(), abs=1e-12, rel=1e-9)


def test_sure_segments_and_impossible_thresholds() -> None:
    assert tail(groups=[Group(3, 1.0), Group(1, 0.0)], beta=0.75) == 0
    assert tail(groups=[Group(3, 1.0), Group(1, 0.0)], beta=0.76) == 1
    assert tail(groups=[Group(500, 1.0)], beta=1.0) == 0
    assert tail(groups=[Group(500, 0.5)], beta=0.0) == 0


def test_weights_may_be_decimals() -> None:
    halves, wholes = [Group(4, 0.7, Fraction(1, 2)), Group(4, 0.6, 1)], [Group(4, 0.7, 1), Group(4, 0.6, 2)]
    assert tail(groups=halves, beta=0.6) == tail(groups=wholes, beta=0.6)


def test_a_group_out_of_range_is_refused() -> None:
    with pytest.raises(BadParameterError):
        Group(1, 1.5)


def test_a_policy_becomes_groups_by_tier() -> None:
    groups = policy_groups(policy=PAPER, counts={Tier.COMPUTER: 4, Tier.HUMAN: 3}, wrong={Tier.HUMAN: 1})
    assert [(group.count, f"{group.p:.3f}") for group in groups] == [(4, "1.000"), (2, "0.733"), (1, "0.267")]


def test_a_share_written_with_too_many_sixes_still_means_two_of_three() -> None:
    assert tail(groups=[Group(3, 0.5)], beta=0.6666666666666667) == 0.5


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.floats(0, 1), st.sampled_from(["1", "1.5", "3"])), min_size=1, max_size=4),
    st.lists(st.integers(0, 100), min_size=1, max_size=5),
)
def test_many_thresholds_at_once_are_the_single_tails(groups, percents: list[int]) -> None:
    found, betas = [Group(n, p, Decimal(w)) for n, p, w in groups], [percent / 100 for percent in percents]
    wanted = [tail(groups=found, beta=beta) for beta in betas]
    assert tails(groups=found, betas=betas) == pytest.approx(wanted, rel=1e-12, abs=1e-300)
