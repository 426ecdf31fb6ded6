"""Every closed-form number of docs/formulas.md sections 1.1, 1.2 and 1.4, to the digits printed there."""

from math import ceil, exp, log

import pytest

from auditing.core.policy import DEFAULT, PAPER
from auditing.research.policy_lab.core.guarantees import (
    Group,
    always_wrong_log_bound,
    best_window,
    break_even_accuracy,
    breakdown_share,
    chernoff,
    economic_dials,
    hoeffding,
    honest_loss_log_bounds,
    pass_probability,
    printed_honest_exponent,
    printed_malicious_exponent,
    statistical_dial,
    tail,
    trace_accuracy,
    valid_safety,
    wrong_pass_probability,
)

THIRD = 2 / 3
LEMMA = [
    # k, tau, pass, wrong pass: people at eps .3, rho .1
    (1, 0.5, ".630", ".370"),
    (3, 0.5, ".691", ".309"),
    (3, 0.75, ".250", ".051"),
    (5, 0.5, ".733", ".267"),
    (5, 0.6, ".733", ".267"),
    (5, THIRD, ".391", ".066"),
    (5, 0.75, ".391", ".066"),
    (7, 0.5, ".766", ".234"),
    (7, 0.6, ".487", ".070"),
    (7, THIRD, ".487", ".070"),
    (7, 0.75, ".201", ".012"),
    (9, 0.5, ".793", ".207"),
    (9, 0.6, ".558", ".070"),
    (9, 0.75, ".292", ".016"),
    (15, 0.5, ".851", ".149"),
    (15, 0.6, ".700", ".060"),
    (15, THIRD, ".499", ".019"),
    (15, 0.75, ".135", ".001"),
    (31, 0.5, ".931", ".069"),
    (31, 0.6, ".654", ".005"),
    (31, THIRD, ".365", ".0005"),
    (51, 0.5, ".971", ".029"),
    (51, 0.6, ".685", ".0005"),
    (51, THIRD, ".350", ".000"),
    (51, 0.75, ".029", ".000"),
]


def shown(value: float, like: str) -> str:
    """`value` with as many decimals as `like` shows."""
    return f"{value:.{len(like.split('.')[1])}f}".lstrip("0")


@pytest.mark.parametrize(("k", "tau", "right", "wrong"), LEMMA)
def test_lemma_one_gives_the_printed_table(k: int, tau: float, right: str, wrong: str) -> None:
    seat = {"k": k, "tau": tau, "error": 0.3, "malicious": 0.1}
    assert shown(pass_probability(**seat), right) == right
    assert shown(wrong_pass_probability(**seat), wrong) == wrong


def test_lemma_one_is_the_double_sum_of_the_paper() -> None:
    from math import comb

    for k, tau in ((3, 0.5), (5, 0.6), (7, 0.75), (9, 0.9)):
        q = ceil(tau * k - 1e-9)
        double = sum(
            comb(k, m) * 0.1**m * 0.9 ** (k - m) * comb(k - m, c) * 0.7**c * 0.3 ** (k - m - c)
            for m in range(k + 1)
            for c in range(q, k - m + 1)
        )
        assert abs(double - pass_probability(k=k, tau=tau, error=0.3, malicious=0.1)) < 1e-12


def test_models_and_checkers_pass_as_printed() -> None:
    assert shown(pass_probability(k=3, tau=0.5, error=0.05), ".99275") == ".99275"
    assert shown(wrong_pass_probability(k=3, tau=0.5, error=0.05), ".00725") == ".00725"
    assert shown(pass_probability(k=5, tau=0.5, error=0.05), ".99884") == ".99884"
    assert shown(wrong_pass_probability(k=5, tau=0.5, error=0.05), ".00116") == ".00116"
    assert pass_probability(k=1, tau=0.5, error=0) == 1


@pytest.mark.parametrize(
    ("error", "shares"),
    [(0.3, ("28.6", "14.3", "4.8")), (0.2, ("37.5", "25.0", "16.7")), (0.1, ("44.4", "33.3", "25.9"))],
)
def test_breakdown_shares_are_as_printed(error: float, shares: tuple[str, ...]) -> None:
    found = [f"{100 * breakdown_share(tau=tau, error=error):.1f}" for tau in (0.5, 0.6, THIRD)]
    assert tuple(found) == shares


def test_thirty_percent_malicious_is_not_tolerated_at_the_papers_own_error_rate() -> None:
    five, many = (pass_probability(k=k, tau=0.5, error=0.3, malicious=0.3) for k in (5, 51))
    assert f"{five:.3f}" == "0.481"  # .49 five times, three right at least
    assert many < five < 0.5


def test_a_stricter_quorum_makes_valid_segments_fail() -> None:
    assert pass_probability(k=51, tau=0.75, error=0.3, malicious=0.1) < 0.03


MIX = [
    Group(12, 1.0),
    Group(12, pass_probability(k=3, tau=0.5, error=0.05)),
    Group(6, pass_probability(k=5, tau=0.5, error=0.3, malicious=0.1)),
]


@pytest.mark.parametrize(
    ("beta", "exact", "best", "loose"),
    [
        (0.5, "9.7e-24", "1.7e-20", "7.4e-06"),
        (0.6, "3.2e-16", "2.3e-13", "8.4e-04"),
        (0.7, "5.7e-10", "1.5e-07", "2.8e-02"),
        (0.75, "1.7e-06", "3.7e-05", "1.1e-01"),
        (0.8, "5.4e-05", "3.1e-03", "2.9e-01"),
        (0.9, "6.1e-02", "5.5e-01", "8.9e-01"),
    ],
)
def test_the_left_of_figure_four_is_as_recomputed(beta: float, exact: str, best: str, loose: str) -> None:
    found = [function(groups=MIX, beta=beta) for function in (tail, chernoff, hoeffding)]
    assert [f"{value:.1e}" for value in found] == [exact, best, loose]


def curve(counts: tuple[int, ...], seats: tuple[int, ...], tau: float, weights: tuple[int, ...], wrong=None):
    """Accuracy against beta; wrong: per tier, how many segments of a wrong trace are wrong (default all)."""
    rates = ((0.0, 0.0), (0.05, 0.0), (0.3, 0.1))
    wrong = wrong or counts
    right, bad = [], []
    for n, j, k, (error, malicious), weight in zip(counts, wrong, seats, rates, weights, strict=True):
        seat = {"k": k, "tau": tau, "error": error, "malicious": malicious}
        right.append(Group(n, pass_probability(**seat), weight))
        bad += [Group(n - j, pass_probability(**seat), weight), Group(j, wrong_pass_probability(**seat), weight)]
    return trace_accuracy(right=right, wrong=bad, betas=[step / 100 for step in range(1, 100)])


@pytest.mark.parametrize(
    ("counts", "seats", "tau", "weights", "window"),
    [
        ((12, 12, 6), (1, 3, 5), 0.5, (1, 1, 1), (0.21, 0.80)),
        ((12, 12, 6), (1, 3, 5), 0.6, (1, 2, 3), (0.34, 0.66)),
        ((6, 8, 6), (1, 5, 7), 0.6, (1, 2, 3), (0.31, 0.55)),
        ((17, 17, 16), (1, 3, 5), 0.6, (1, 2, 3), (0.34, 0.66)),
        ((34, 33, 33), (1, 5, 9), THIRD, (1, 1, 1), (0.10, 0.74)),
        ((0, 0, 20), (1, 3, 5), 0.5, (1, 1, 1), None),
        ((0, 0, 50), (1, 3, 5), 0.5, (1, 1, 1), None),
        ((0, 0, 100), (1, 3, 7), 0.5, (1, 1, 1), (0.40, 0.61)),
    ],
)
def test_the_windows_of_figure_four_right_are_as_recomputed(counts, seats, tau, weights, window) -> None:
    assert best_window(curve=curve(counts, seats, tau, weights)) == window


def test_people_alone_reach_the_printed_best() -> None:
    best = [curve((0, 0, n), (1, 3, 5), 0.5, (1, 1, 1)).accuracy.max() for n in (20, 50)]
    assert [f"{value:.4f}" for value in best] == ["0.9856", "0.9998"]


def test_figure_four_only_works_when_every_segment_is_wrong() -> None:
    half = curve((12, 12, 6), (1, 3, 5), 0.5, (1, 1, 1), wrong=(6, 6, 3))
    tenth = curve((12, 12, 6), (1, 3, 5), 0.5, (1, 1, 1), wrong=(1, 1, 1))
    assert best_window(curve=half) == (0.64, 0.80)
    assert best_window(curve=tenth) is None
    assert tenth.accuracy.max() < 0.9


# ---- section 1.4: the worked example, line by line
EXAMPLE = {"segments": 1440.0, "error": 0.3, "reward": 6, "penalty": 8, "slash": 0.5}


def test_the_worked_example_has_mean_three_and_variance_25_8() -> None:
    mean, second = 0.7 * 6 - 0.3 * 8 * 0.5, 0.7 * 36 + 0.15 * 64
    assert f"{mean:.1f} {second - mean**2:.1f} {second:.1f}" == "3.0 25.8 34.8"


def test_the_printed_honest_bound_is_not_valid() -> None:
    printed = printed_honest_exponent(segments=1440, mean=3, variance=25.8, step=6)
    exact = honest_loss_log_bounds(**EXAMPLE).exact
    assert f"{printed:.2f} {exact:.2f}" == "203.77 -196.66"
    assert exact > -printed  # the probability is greater than its "bound"


def test_the_valid_honest_bounds_hold_and_are_as_recomputed() -> None:
    found = honest_loss_log_bounds(**EXAMPLE)
    assert f"{found.chernoff:.1f} {found.closed:.1f}" == "-192.8 -151.4"
    assert found.exact <= found.chernoff <= found.closed


def test_the_lower_tail_with_its_true_range_is_weaker_than_printed() -> None:
    assert f"{printed_honest_exponent(segments=1440, mean=3, variance=25.8, step=11):.1f}" == "176.1"


def test_the_printed_malicious_bound_is_not_consistent_with_itself() -> None:
    found = [
        printed_malicious_exponent(segments=1440, loss=1.6, variance=variance, step=step)
        for variance, step in ((25.8, 6), (25.8, 8), (16, 8))
    ]
    assert [f"{value:.2f}" for value in found] == ["63.56", "61.30", "90.95"]


def test_an_always_wrong_seat_must_simply_never_be_slashed() -> None:
    found = [always_wrong_log_bound(segments=1440, slash=slash) for slash in (0.2, 0.5)]
    assert found == [pytest.approx(-288), pytest.approx(-720)]


def test_one_hundred_and_four_segments_make_a_loss_rarer_than_a_millionth() -> None:
    one = honest_loss_log_bounds(**EXAMPLE | {"segments": 1.0}).chernoff
    assert [f"{log(p) / one:.0f}" for p in (1e-6, 1e-9)] == ["103", "155"]  # 103.2: 104 whole segments


def test_the_printed_economic_dial_is_violated_by_the_papers_own_example() -> None:
    earns, printed, valid = economic_dials(policy=PAPER)
    assert (earns.satisfied, printed.satisfied, valid.satisfied) == (True, False, True)
    assert f"{printed.needs:.3f}" == "0.333"
    assert "delta at most 0.120" in printed.mend


def test_the_default_satisfies_the_economic_dials() -> None:
    assert all(check.satisfied for check in economic_dials(policy=DEFAULT))


def test_the_printed_statistical_dial_can_be_four_times_too_lax() -> None:
    groups = [Group(20, 0.8)]
    gap = 20 * 0.8 - 10
    with_sup, with_own = exp(-2 * gap**2 / 5), exp(-2 * gap**2 / 3.2)
    found = [tail(groups=groups, beta=0.5), with_sup, with_own, hoeffding(groups=groups, beta=0.5)]
    assert [f"{value:.1e}" for value in found] == ["5.6e-04", "5.6e-07", "1.7e-10", "2.7e-02"]


def test_the_printed_dial_certifies_a_policy_that_is_not_safe() -> None:
    groups, policy = [Group(20, 0.8)], PAPER
    assert statistical_dial(groups=groups, beta=0.5, policy=policy).satisfied
    assert not valid_safety(groups=groups, beta=0.5, policy=policy).satisfied


def test_break_even_accuracies_are_as_printed() -> None:
    found = [
        break_even_accuracy(reward=6, penalty=8, slash_min=low, slash_max=high)
        for low, high in ((0.2, 0.5), (0.2, 0.2), (0.5, 0.5))
    ]
    assert f"{found[0]:.4f}" == "0.3457"
    assert [f"{value:.2f}" for value in found][1:] == ["0.21", "0.40"]
