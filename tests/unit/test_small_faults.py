"""What no test noticed when one sign or number of a line was changed (`make mutants`): a test for each such line."""

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from auditing.core.consensus.planning.wave import PlanRules
from auditing.core.errors import BadPolicyError
from auditing.core.model_tier.families import correlation_in_use
from auditing.core.points.agreement import correlated_agreement
from auditing.core.points.reputation import standard_error
from auditing.core.policy import DEFAULT
from auditing.core.policy.checks import check_policy
from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import Oracle
from auditing.core.soundness.particles import certify
from auditing.core.values import Choice
from hdag.core.complexity import assess
from hdag.core.levels import Level
from hdag.core.passages import Why
from hdag.core.passages.context import _Memory
from hdag.core.passages.planning import _one_form
from hdag.core.passages.values import Passage
from hdag.core.values import Source


def passage(number: int, text: str = "", why: Why = Why.ASKED) -> Passage:
    return Passage(f"P{number}", (f"ST{number}",), Source.THINKING, 0, len(text), text, why)


@pytest.mark.parametrize(("measured", "segments"), [(1.01, 5), (-0.01, 5), (0.5, -1)])
def test_what_is_no_correlation_is_refused(measured: float, segments: int) -> None:
    with pytest.raises(ValueError, match="is no correlation"):
        correlation_in_use(measured=measured, segments=segments, believed=Fraction(1, 2))


@pytest.mark.parametrize("measured", [0.0, 1.0])
def test_the_ends_are_correlations(measured: float) -> None:
    assert correlation_in_use(measured=measured, segments=20, believed=Fraction(1, 2)) == Fraction(measured + 0.5) / 2


def test_one_shared_segment_says_nothing_about_agreement() -> None:
    mine, peer = {"a": Choice.PASS, "b": Choice.PASS}, {"a": Choice.PASS, "c": Choice.FAIL}
    assert correlated_agreement(mine=mine, peer=peer) is None
    assert correlated_agreement(mine=mine, peer={**peer, "b": Choice.FAIL}) is not None


def test_points_stay_exact_in_json_and_in_the_database() -> None:
    check_policy(policy=replace(DEFAULT, reward=1_000_000_000))
    with pytest.raises(BadPolicyError, match="reward"):
        check_policy(policy=replace(DEFAULT, reward=1_000_000_001))


def test_an_interval_of_soundness_ends_at_none_and_at_all() -> None:
    derived = tuple(DerivedClaim(name, name, ("b",)) for name in ("never", "always"))
    chain = Chain((BaseClaim("b", "b", 0.5),), derived)
    certificate = certify(chain=chain, model=Oracle(lambda query: query.hypothesis == "always"), seed=1, epsilon=0.2)
    assert [(claim.low, claim.high) for claim in certificate.claims] == [(0.0, 0.2), (0.8, 1.0)]


def test_a_word_is_remembered_of_the_last_twelve_passages() -> None:
    """In twelve passages each of eight words weighs a twelfth, in thirteen nothing: the oldest has to be forgotten."""
    memory = _Memory()
    text = "carriage painted shade green windows doors behind speed"
    for number in range(1, 14):
        memory.learn(passage(number, text))
    assert memory._likest(passage(14, text)) == "P13"


@pytest.mark.parametrize(("shared", "likest"), [("windows doors", "P1"), ("windows", "")])
def test_passages_have_to_share_two_words_that_tell_something(shared: str, likest: str) -> None:
    """`windows` stands in two passages and weighs a half of the rarest, `doors` in three: 6 + 4 of 8 that are asked."""
    memory = _Memory()
    for number, text in enumerate(("windows doors", "windows", "doors", "doors"), 1):
        memory.learn(passage(number, text))
    assert memory._likest(passage(5, shared)) == likest


def test_an_adjudicators_word_multiplies_by_the_odds_of_an_error() -> None:
    half, low, high = Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)
    rules = PlanRules(base_rate=half, theta_pass=high, theta_fail=low, accuracy=high, adjudicator_error=Fraction(1, 20))
    assert (rules.word, rules.step, rules.drift) == (Fraction(1, 19), Fraction(1, 9), Fraction(4, 5))


def test_a_trace_of_one_record_is_that_record() -> None:
    record = passage(1, why=Why.TOOL_RECORD)
    assert _one_form([record]) == [record]


def test_what_claims_something_is_the_unit_and_carries_the_rest() -> None:
    record, claim, more = passage(1, why=Why.TOOL_RECORD), passage(2), passage(3)
    assert [(p.id, p.why, p.carries) for p in _one_form([record, claim, more])] == [
        ("P1", Why.TOOL_RECORD, ()),
        ("P2", Why.ASKED, ("P1", "P3")),
        ("P3", Why.ONE_UNIT, ()),
    ]


def test_of_a_long_segment_three_thousand_characters_are_looked_at() -> None:
    def numbers(text: str) -> float:
        return assess(content=text, level=Level.STEP).features["numbers"]

    inside, outside = "a " * 1_499 + " 7", "a " * 1_500 + "7"
    assert (len(inside), len(outside)) == (3_000, 3_001)
    assert numbers(inside) > numbers(outside) == numbers("a")


@pytest.mark.parametrize(("reputation", "accuracy"), [(Fraction(7, 10), 0.7), (Fraction(0), 0.05), (Fraction(1), 0.95)])
def test_the_standard_error_of_a_moving_average(reputation: Fraction, accuracy: float) -> None:
    """Three votes at gamma = .2: the variance of one vote times .2 / 1.8, of which 1 - .8^6 is reached."""
    expected = sqrt(accuracy * (1 - accuracy) * 0.2 / 1.8 * (1 - 0.262144))
    assert standard_error(reputation=reputation, votes=3, gamma=Fraction(1, 5)) == pytest.approx(expected)
    assert standard_error(reputation=reputation, votes=0, gamma=Fraction(1, 5)) == 1
