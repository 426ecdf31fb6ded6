"""Payoffs, agreement, postings, reputation: the numbers of docs/formulas.md sections 1.3 and 1.5, and zero sums."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.core.errors import BadParameterError
from auditing.core.points import (
    POOL,
    JudgedVote,
    SharedVote,
    agreement_given_model,
    agreement_with_consensus,
    correlated_agreement,
    expected_agreement,
    expected_payoff,
    payoff_with_honeypots,
    reversing,
    settle_votes,
    share_out,
    slash_draw,
)
from auditing.core.points.reputation import (
    Reputation,
    ReputationValue,
    Standing,
    decide_standing,
    next_reputation,
    standard_error,
)
from auditing.core.policy import DEFAULT, PAPER
from auditing.core.values import Choice
from auditing.research.policy_lab.core.curves import Behaviour, expected_curves, simulate_profits

SEED, SEAT = bytes(32), bytes(16)


@pytest.mark.parametrize(
    ("name", "accuracy", "gold", "payoff"),
    [
        ("honest", 0.85, 0.85, 4.17),
        ("rubber-stamper", 0.8, 0.5, 2.09),  # slashed by the reputation that gold leaves: .5, not .8
        ("guesser", 0.5, 0.5, -0.40),
        ("camouflaged", 0.35, 0.35, -2.49),
    ],
)
def test_the_default_pays_as_computed(name: str, accuracy: float, gold: float, payoff: float) -> None:
    assert round(payoff_with_honeypots(accuracy=accuracy, gold_accuracy=gold, policy=DEFAULT), 2) == payoff


def test_the_paper_pays_guessers_and_rubber_stampers() -> None:
    guesser, honest, stamper = (expected_payoff(accuracy=a, policy=PAPER) for a in (0.5, 0.7, 0.8))
    assert guesser == pytest.approx(1.6)
    assert stamper - honest == pytest.approx(0.88)


def test_judged_by_consensus_the_malicious_earn() -> None:
    def seat(sensitivity: float, specificity: float, malicious: float) -> float:
        return agreement_with_consensus(
            sensitivity=sensitivity, specificity=specificity, peer_accuracy=0.7 * (1 - malicious), k=5
        )

    assert [f"{seat(*skill, 0.1):.3f}" for skill in ((0.7, 0.7), (1.0, 0.0))] == ["0.739", "0.777"]
    assert seat(0, 0, 0.1) == pytest.approx(0.473, abs=0.001)
    honest, malicious = (expected_payoff(accuracy=seat(a, a, 0.3), policy=PAPER) for a in (0.7, 0.0))
    assert f"{honest:.2f}" == "3.33"
    assert malicious > honest


def test_correlated_agreement_pays_honest_work_only() -> None:
    honest, model, stamp, liar = (0.7, 0.7), (0.95, 0.95), (1.0, 0.0), (0.0, 0.0)

    def pay(mine: tuple[float, float], peer: tuple[float, float]) -> float:
        return round(expected_agreement(mine=mine, peer=peer, base_rate=0.8), 4)

    assert (pay(honest, honest), pay(honest, model)) == (0.0512, 0.1152)
    assert (pay(stamp, honest), pay((0.5, 0.5), honest), pay((0.8, 0.2), honest)) == (0, 0, 0)
    assert (pay(liar, honest), pay(liar, model)) == (-0.128, -0.288)


def test_agreement_needs_two_shared_segments() -> None:
    assert correlated_agreement(mine={"a": Choice.PASS}, peer={"a": Choice.PASS, "b": Choice.FAIL}) is None
    two = {"a": Choice.PASS, "b": Choice.FAIL}
    assert correlated_agreement(mine=two, peer=two) == 1


def shared_votes(mine: str, others: list[str], models: str) -> list[SharedVote]:
    word = {"p": Choice.PASS, "f": Choice.FAIL, "-": Choice.ABSTAIN}
    return [
        SharedVote(mine=word[own], others=[word[other] for other in beside], model=word[model])
        for own, beside, model in zip(mine, others, models, strict=True)
    ]


@given(st.data())
def test_who_votes_as_the_models_or_always_the_same_way_is_paid_nothing(data: st.DataObject) -> None:
    models = data.draw(st.text("pf", min_size=45, max_size=60))
    beside = st.text("pf", min_size=1, max_size=4)
    others = data.draw(st.lists(beside, min_size=len(models), max_size=len(models)))
    for mine in (models, "p" * len(models), "f" * len(models)):
        assert agreement_given_model(votes=shared_votes(mine, others, models)) == 0


def test_who_sees_what_the_models_missed_is_paid_and_who_contradicts_everybody_pays() -> None:
    models = "p" * 40
    truth = "pf" * 20
    others = [word * 2 for word in truth]
    opposite = truth.translate(str.maketrans("pf", "fp"))
    assert agreement_given_model(votes=shared_votes(truth, others, models)) == Fraction(51, 100)
    assert agreement_given_model(votes=shared_votes(opposite, others, models)) == Fraction(-51, 100)


def test_a_stratum_below_twenty_pays_nothing_and_weighs_in_all_the_same() -> None:
    truth = "pf" * 20
    others = [word * 2 for word in truth]
    assert agreement_given_model(votes=shared_votes(truth[:19], others[:19], "p" * 19)) is None
    # Twenty segments count, the nineteen others are worth 0: a half of the value over both.
    both = agreement_given_model(votes=shared_votes(truth[:39], others[:39], "p" * 20 + "f" * 19))
    alone = agreement_given_model(votes=shared_votes(truth[:20], others[:20], "p" * 20))
    assert alone is not None
    assert both == Fraction(round(Fraction(20, 39) * Fraction(10, 19) * 100), 100)
    assert alone == Fraction(53, 100)


@given(st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(list(Choice))))
def test_who_always_passes_gains_nothing(peer: dict[str, Choice]) -> None:
    assert correlated_agreement(mine=dict.fromkeys("abcdef", Choice.PASS), peer=peer) in (None, 0)


@pytest.mark.parametrize(
    ("accuracy", "reputation", "profit"),
    [(0.7, ".701", 5017), (0.5, ".498", 2287), (0.0, ".000", -5709), (0.35, ".350", 59), (0.8, ".800", 6287)],
)
def test_figure_six_is_within_three_standard_errors(accuracy: float, reputation: str, profit: int) -> None:
    """The printed run had 400 seats: its standard error is that of one of our 20 runs of 400."""
    behaviour = Behaviour("seat", accuracy, accuracy)
    rng = np.random.default_rng(6)
    # Seats are independent, so 20 runs of 400 are one run of 8000 cut into 20.
    curves = simulate_profits(behaviour=behaviour, policy=PAPER, segments=1440, seats=8000, rng=rng)
    means = curves.final.reshape(20, 400).mean(1)
    assert abs(means.mean() - profit) < 3 * means.std(ddof=1) * (1 + 1 / 20) ** 0.5
    assert curves.reputation[-1] == pytest.approx(float(reputation), abs=0.01)
    closed = expected_curves(behaviour=behaviour, policy=PAPER, segments=1440)
    assert abs(closed.profit[-1] - means.mean()) < 3 * means.std(ddof=1) / 20**0.5 + 1


def test_paper_guessers_do_not_lose() -> None:
    curves = expected_curves(behaviour=Behaviour("guesser", 0.5, 0.5), policy=PAPER, segments=1440)
    assert curves.profit[-1] > 2000


judged = st.builds(
    JudgedVote,
    vote=st.text("0123456789", min_size=1, max_size=4),
    round=st.just("r"),
    auditor=st.sampled_from("abc"),
    seat=st.binary(min_size=16, max_size=16),
    correct=st.sampled_from([True, False, None]),
    gold=st.booleans(),
    revealed=st.booleans(),
    reputation=st.fractions(0, 1, max_denominator=100),
    agreement=st.none() | st.fractions(-1, 1, max_denominator=50),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(judged, max_size=6))
def test_all_postings_sum_to_zero(votes: list[JudgedVote]) -> None:
    lines = settle_votes(votes=votes, policy=DEFAULT, policy_digest="d", seed=SEED)
    assert sum(line.amount for line in lines) == 0
    undone = [*lines, *reversing(postings=lines)]
    assert all(sum(line.amount for line in undone if line.account == name) == 0 for name in {"a", "b", "c", POOL})


def vote(**options: object) -> JudgedVote:
    return JudgedVote(**{"vote": "v", "round": "r", "auditor": "a", "seat": SEAT, "correct": True} | options)


def earned(**options: object) -> int:
    policy = replace(DEFAULT, agreement_bonus=6)
    lines = settle_votes(votes=[vote(**options)], policy=policy, policy_digest="d", seed=SEED)
    return sum(line.amount for line in lines if line.account == "a")


def test_a_vote_is_paid_by_what_it_was() -> None:
    assert earned() == 6
    assert earned(correct=False, gold=True) == -24
    assert earned(revealed=False) == -8
    assert earned(correct=None) == 0
    assert [earned(agreement=Fraction(n, 20)) for n in (-3, -1, 1, 3)] == [5, 6, 6, 7]


def test_slashes_follow_the_logged_seed_at_the_stated_rate() -> None:
    seats = [number.to_bytes(16, "big") for number in range(4000)]
    slashed = sum(earned(correct=False, seat=seat, reputation=Fraction(7, 10)) < 0 for seat in seats)
    share = 0.34 + 0.26 * 0.3
    assert abs(slashed / 4000 - share) < 3 * (share * (1 - share) / 4000) ** 0.5
    assert slash_draw(seed=SEED, seat=SEAT) == slash_draw(seed=SEED, seat=SEAT)


def test_a_short_seed_is_refused() -> None:
    with pytest.raises(BadParameterError):
        slash_draw(seed=b"short", seat=SEAT)


@given(st.integers(0, 10**6), st.dictionaries(st.sampled_from("abcd"), st.integers(0, 1000)))
def test_sharing_out_loses_no_point(amount: int, weights: dict[str, int]) -> None:
    assert sum(share_out(amount=amount, weights=weights).values()) == amount


# ---- reputation
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def standing(value: Fraction, votes: int = 100, suspended: bool = False, no_shows: int = 0) -> Standing:
    reputation = Reputation(ReputationValue(value, votes), ReputationValue(Fraction(1)))
    silent = [NOW - timedelta(days=1)] * no_shows
    return decide_standing(reputation=reputation, no_shows=silent, now=NOW, policy=DEFAULT, suspended=suspended)


def test_suspension_waits_for_certainty_and_return_for_a_margin() -> None:
    assert standing(Fraction(3, 10)) is Standing.SUSPENDED
    assert standing(Fraction(3, 10), votes=5) is Standing.ACTIVE
    assert standing(Fraction(55, 100), suspended=True) is Standing.SUSPENDED
    assert standing(Fraction(60, 100), suspended=True) is Standing.ACTIVE
    assert standing(Fraction(9, 10), no_shows=2) is Standing.SUSPENDED


def test_reputation_never_leaves_the_unit_interval() -> None:
    value = Fraction(1)
    for _ in range(3):
        value = next_reputation(reputation=value, correct=False, gamma=Fraction(1, 2))
    assert value == Fraction(1, 8)


def test_the_standard_error_matches_simulation() -> None:
    rng = np.random.default_rng(3)
    r = np.full(4000, 0.7)
    for _ in range(60):
        r = 0.98 * r + 0.02 * (rng.random(4000) < 0.7)
    assert standard_error(reputation=Fraction(7, 10), votes=60, gamma=Fraction(1, 50)) == pytest.approx(
        r.std(), rel=0.1
    )
