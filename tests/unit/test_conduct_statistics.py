"""Statistics beside the bets: each fires on what it is for, and seldom on honest reviewers; null distributions hold."""

import numpy as np
import pytest

from auditing.research.conduct.core import JudgedPassage, at_one_moment, copied_reasons, length_effect
from auditing.research.conduct.core.reasons import binomial_tail, shingles
from auditing.research.conduct.core.timing import poisson_tail

DAY = 86_400.0


def timed(*, slope: float, seed: int, count: int = 60) -> list[JudgedPassage]:
    """Times that grow with the length to this power, half as long or twice as long by chance."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(150, 1_500, count)
    times = 40_000 * (lengths / 500) ** slope * np.exp(rng.normal(0, 0.6, count))
    return [
        JudgedPassage(passed=True, valid=0.8, characters=int(length), milliseconds=int(time))
        for length, time in zip(lengths, times, strict=True)
    ]


def test_the_most_lenient_reader_is_named_as_often_as_promised_and_others_less() -> None:
    chances = np.array([length_effect(votes=timed(slope=0.2, seed=seed)) for seed in range(400)], dtype=np.float64)
    # 40 of 400 expected below .1; outside 21 to 61 in less than one run of 500.
    assert 21 < (chances < 0.1).sum() < 61
    steep = np.array([length_effect(votes=timed(slope=0.8, seed=seed)) for seed in range(100)], dtype=np.float64)
    assert (steep < 0.02).sum() == 0


def test_whose_time_shrinks_with_length_is_named() -> None:
    chance = length_effect(votes=timed(slope=-0.6, seed=1))
    assert chance is not None
    assert chance < 0.001


@pytest.mark.parametrize("count", [0, 29])
def test_of_few_times_nothing_is_said(count: int) -> None:
    assert length_effect(votes=timed(slope=0.0, seed=1, count=60)[:count]) is None


def sittings(*, rng: np.random.Generator, days: int = 10, votes: int = 12) -> list[float]:
    """Evenings of one person: begun within the same two hours, a vote every two to four minutes."""
    starts = [day * DAY + 19 * 3_600 + rng.uniform(0, 7_200) for day in range(days)]
    return [start + gap for start in starts for gap in np.cumsum(rng.uniform(120, 240, votes))]


def test_people_who_keep_the_same_hours_are_not_at_one_moment() -> None:
    named = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        moments = {f"person {number}": sittings(rng=rng) for number in range(8)}
        named += len(at_one_moment(moments=moments, rng=rng))
    # Ten crowds of 28 pairs, each crowd held to .02: two that show a pair come in one run of sixty.
    assert named <= 1


def test_a_second_account_that_follows_the_first_is_at_one_moment() -> None:
    rng = np.random.default_rng(5)
    moments = {f"person {number}": sittings(rng=rng) for number in range(6)}
    moments["twin"] = [moment + rng.uniform(5, 25) for moment in moments["person 0"]]
    [pair] = at_one_moment(moments=moments, rng=rng)
    assert {pair.first, pair.second} == {"person 0", "twin"}
    assert pair.together > 2 * pair.expected


WORDS = "the sum of both terms is not what the step before says since a factor of two was lost while moving it".split()


def reasons_of(*, who: str, rng: np.random.Generator, passages: int = 20) -> list[tuple[int, str, str]]:
    return [(number, who, " ".join(rng.permutation(WORDS)[:14])) for number in range(passages)]


def test_who_hands_on_the_reasons_of_another_is_named_and_nobody_else() -> None:
    rng = np.random.default_rng(3)
    reasons = [row for who in "abcde" for row in reasons_of(who=who, rng=rng)]
    assert copied_reasons(reasons=reasons) == []
    copied = [(number, "f", f"{text} indeed.") for number, who, text in reasons if who == "a"]
    [pair] = copied_reasons(reasons=reasons + copied)
    assert (pair.first, pair.second, pair.shared, pair.alike) == ("a", "f", 20, 20)


def test_stock_phrases_that_everybody_writes_name_nobody() -> None:
    phrase = "this step does not follow from the premises that are given to it"
    reasons = [(number, who, phrase) for number in range(20) for who in "abcd"]
    assert copied_reasons(reasons=reasons) == []


def test_two_alone_are_compared_with_nobody_and_not_named() -> None:
    text = "the sum is wrong because seven and five make twelve and not thirteen"
    assert copied_reasons(reasons=[(number, who, text) for number in range(20) for who in "ab"]) == []


def test_a_short_reason_is_no_reason_to_suspect() -> None:
    assert shingles(text="The sum is wrong here.") == frozenset()


@pytest.mark.parametrize(("count", "mean", "tail"), [(0, 2.0, 1.0), (1, 2.0, 0.8647), (5, 2.0, 0.0527)])
def test_the_tail_of_a_poisson_variable(count: int, mean: float, tail: float) -> None:
    assert poisson_tail(count=count, mean=mean) == pytest.approx(tail, abs=1e-4)


def test_the_tail_of_a_binomial_variable() -> None:
    assert binomial_tail(count=3, of=5, share=0.5) == pytest.approx(0.5)
