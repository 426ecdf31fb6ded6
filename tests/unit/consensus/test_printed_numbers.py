"""Further closed-form numbers of docs/formulas.md sections 1.1 to 1.5, and claims of the paper that do not hold."""

from dataclasses import replace
from decimal import Decimal
from math import ceil, exp, lgamma, log

import numpy as np
import pytest

from auditing.core.points import agreement_with_consensus, expected_payoff, payoff_with_honeypots
from auditing.core.policy import PAPER, Policy
from auditing.research.policy_lab.core.guarantees import (
    Group,
    best_window,
    chernoff,
    hoeffding,
    honest_loss_log_bounds,
    pass_probability,
    trace_accuracy,
    wrong_pass_probability,
)

PEOPLE = {"tau": 0.5, "error": 0.3, "malicious": 0.1}
CHECKER, MODEL, HUMAN = 1.0, pass_probability(k=3, tau=0.5, error=0.05), pass_probability(k=5, **PEOPLE)


def test_thirty_one_people_at_three_quarters() -> None:
    seat = {"k": 31, "tau": 0.75, "error": 0.3, "malicious": 0.1}
    assert f"{pass_probability(**seat):.3f}" == "0.066"
    assert f"{wrong_pass_probability(**seat):.0e}" == "5e-06"  # P[Bin(31, .37) >= 24]


def test_the_bounds_of_figure_four_have_the_printed_third_digit() -> None:
    mix = [Group(12, CHECKER), Group(12, MODEL), Group(6, HUMAN)]
    loose = [f"{hoeffding(groups=mix, beta=beta):.3f}" for beta in (0.75, 0.8, 0.9)]
    assert (loose, f"{chernoff(groups=mix, beta=0.9):.3f}") == (["0.105", "0.290", "0.892"], "0.549")


def accuracy_of_a_local_error(wrong: tuple[int, int, int], weights: tuple[int, int, int]) -> tuple[float, object]:
    """(best accuracy, window of 99.99 %) when only `wrong` of 12, 12, 6 segments of a wrong trace are wrong."""
    right, bad = [], []
    for n, j, p, weight in zip((12, 12, 6), wrong, (CHECKER, MODEL, HUMAN), weights, strict=True):
        right.append(Group(n, p, weight))
        bad += [Group(n - j, p, weight), Group(j, 1 - p, weight)]
    curve = trace_accuracy(right=right, wrong=bad, betas=[step / 100 for step in range(1, 100)])
    return float(curve.accuracy.max()), best_window(curve=curve)


@pytest.mark.parametrize(
    ("wrong", "weights", "best"),
    [((3, 3, 2), (1, 1, 1), "0.9993"), ((1, 1, 1), (1, 1, 1), "0.861"), ((1, 1, 1), (1, 2, 3), "0.743")],
)
def test_w_against_beta_cannot_see_a_local_error(wrong, weights, best: str) -> None:
    found, window = accuracy_of_a_local_error(wrong, weights)
    assert (f"{found:.{len(best) - 2}f}", window) == (best, None)


def test_fifty_people_stay_below_the_printed_window() -> None:
    group = [Group(50, HUMAN)], [Group(50, 1 - HUMAN)]
    curve = trace_accuracy(right=group[0], wrong=group[1], betas=[step / 100 for step in range(1, 100)])
    assert f"{curve.accuracy.max():.5f}" == "0.99975"


# ---- section 1.4
def payoff_moments(accuracy: float, slash: float) -> tuple[float, float]:
    """(mean, variance) of a seat's payoff with R = 6 and P = 8."""
    mean = 6 * accuracy - 8 * (1 - accuracy) * slash
    return mean, 36 * accuracy + 64 * (1 - accuracy) * slash - mean**2


def test_the_papers_malicious_mean_and_variance_hold_only_at_reputation_zero() -> None:
    at_zero, at_one = payoff_moments(0.0, 0.5), payoff_moments(0.0, 0.2)
    assert at_zero == (-4.0, 16.0)
    assert at_one == (pytest.approx(-1.6), pytest.approx(10.24))
    assert expected_payoff(accuracy=0.0, policy=PAPER, reputation=1.0) == pytest.approx(-1.6)
    assert payoff_moments(0.7, 0.5)[1] <= (6 + 8) ** 2 / 4  # the notation table's bound is true


def test_replacing_z_minus_one_by_its_logarithm_goes_the_wrong_way() -> None:
    """Step (12): E z^N = exp(lT(z - 1)), and z - 1 >= ln z, so the replaced "bound" is smaller than what it bounds."""
    grid = np.linspace(0.01, 3, 300)
    assert (grid - 1 >= np.log(grid)).all()


def test_a_fixed_number_of_votes_would_have_had_the_exponents_207_and_211() -> None:
    wins = np.arange(1441)
    terms = []
    for w in wins:
        s = np.arange(ceil(6 * w / 8), 1441 - w)
        if len(s):
            rest = 1440 - w - s
            ways = (
                lgamma(1441)
                - lgamma(w + 1)
                - np.array([lgamma(a + 1) + lgamma(b + 1) for a, b in zip(s, rest, strict=True)])
            )
            terms.append(np.logaddexp.reduce(ways + w * log(0.7) + (s + rest) * log(0.15)))
    t = np.linspace(0, 0.5, 5001)
    best = 1440 * log((0.7 * np.exp(-6 * t) + 0.15 * np.exp(8 * t) + 0.15).min())
    assert (f"{np.logaddexp.reduce(terms):.1f}", f"{best:.1f}") == ("-210.9", "-207.0")
    assert honest_loss_log_bounds(segments=1440, error=0.3, reward=6, penalty=8, slash=0.5).exact > best


def test_the_printed_derivative_of_g_is_a_misprint() -> None:
    """g(t) = t^2 / (1 - t) has g' = t(2 - t) / (1 - t)^2; the paper prints (2t - 1) / (1 - t)^2."""
    t, h = 0.3, 1e-6
    slope = ((t + h) ** 2 / (1 - t - h) - (t - h) ** 2 / (1 - t + h)) / (2 * h)
    assert slope == pytest.approx(t * (2 - t) / (1 - t) ** 2, rel=1e-8)
    assert slope != pytest.approx((2 * t - 1) / (1 - t) ** 2, rel=0.1)


def test_the_dials_one_minus_alpha_is_the_break_even_error_rate() -> None:
    rate = PAPER.reward / (PAPER.reward + PAPER.penalty * float(PAPER.slash_max))
    assert (rate, f"{float(PAPER.delta) / rate:.3f}") == (pytest.approx(0.6), "0.333")
    assert expected_payoff(accuracy=1 - rate, policy=PAPER, reputation=0.0) == pytest.approx(0)


def test_an_honest_seat_whose_reputation_settles_is_far_safer_than_the_theorem() -> None:
    worst, settled = (
        honest_loss_log_bounds(segments=1440, error=0.3, reward=6, penalty=8, slash=slash).exact
        for slash in (0.5, 0.29)
    )
    assert (f"{worst:.1f}", f"{settled:.1f}") == ("-196.7", "-320.8")


# ---- section 1.5
@pytest.mark.parametrize(
    ("skill", "malicious", "agree", "payoff"),
    [
        ((0.5, 0.5), 0.1, 0.662, 3.16),
        ((1.0, 0.0), 0.1, 0.777, 4.19),
        ((0.0, 0.0), 0.1, 0.473, 1.33),
        ((0.0, 0.0), 0.3, None, 3.52),
        ((0.7, 0.7), 0.3, None, 3.33),
    ],
)
def test_judged_by_consensus_everybody_earns(skill, malicious: float, agree: float | None, payoff: float) -> None:
    """Printed from simulation: within a thousandth and a hundredth or two of the closed form."""
    found = agreement_with_consensus(
        sensitivity=skill[0], specificity=skill[1], peer_accuracy=0.7 * (1 - malicious), k=5
    )
    assert agree is None or found == pytest.approx(agree, abs=1.5e-3)
    assert expected_payoff(accuracy=found, policy=PAPER) == pytest.approx(payoff, abs=0.02)


def with_gold(share: str, multiplier: int) -> Policy:
    return replace(PAPER, honeypot_share=Decimal(share), honeypot_multiplier=multiplier)


def test_gold_makes_the_rubber_stamper_lose_and_keeps_the_honest() -> None:
    """10 % gold, all of it wrong segments, certain slash; and 20 % with M = 3."""
    mild, hard = with_gold("0.1", 1), with_gold("0.2", 3)
    pays = [
        payoff_with_honeypots(accuracy=a, gold_accuracy=g, policy=policy)
        for policy in (mild, hard)
        for a, g in ((0.7, 0.7), (0.8, 0.02))
    ]
    assert pays[1] < pays[0]
    assert pays[3] < 0 < pays[2]


def test_without_gold_only_harsh_slashes_make_guessers_lose() -> None:
    harsh = replace(PAPER, slash_min=Decimal("0.6"), slash_max=Decimal(1))
    found = [f"{expected_payoff(accuracy=a, policy=harsh):.2f}" for a in (0.7, 0.5, 0.8)]
    assert found == ["2.47", "-0.20", "3.71"]


def test_hoeffding_counts_every_weight_twice_in_its_divisor() -> None:
    """Two segments of weight 3 at .9 and four of weight 1 at .5: mean 7.4, W 10, sum of squares 22."""
    groups = [Group(2, 0.9, 3), Group(4, 0.5, 1)]
    assert hoeffding(groups=groups, beta=0.5) == pytest.approx(exp(-2 * 2.4**2 / 22))
    assert hoeffding(groups=groups, beta=0.74) == 1.0
