"""Planting errors and counting what is due: pure."""

import random
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.checker.planting import Change, perturb
from auditing.core.errors import BadParameterError
from auditing.core.gold import decoys_due, next_truth, tickets_for_gold
from auditing.core.values import Choice


def planted(text: str, problem: str = "", seeds: int = 60) -> set[tuple[Change, str]]:
    """Everything that some seed makes of a text whose whole is proved."""
    errors = [
        perturb(text=text, equations=[(0, len(text))], problem=problem, rng=random.Random(seed))
        for seed in range(seeds)
    ]
    return {(error.change, error.applied(text=text)) for error in errors if error is not None}


def test_a_product_is_off_by_one_far_off_or_made_of_a_wrongly_copied_number() -> None:
    assert planted("12 * 5 = 60 eggs", problem="12 hens lay 5 eggs, 3 weeks") == {
        (Change.OFF_BY_ONE, "12 * 5 = 61 eggs"),
        (Change.OFF_BY_ONE, "12 * 5 = 59 eggs"),
        (Change.FAR_OFF, "12 * 5 = 600 eggs"),
        (Change.COPIED_NUMBER, "3 * 5 = 15 eggs"),
        (Change.COPIED_NUMBER, "12 * 3 = 36 eggs"),
    }


def test_a_turned_sign_keeps_the_arithmetic_true() -> None:
    assert (Change.SIGN, "We have 288 + 15 = 303 left") in planted("We have 288 - 15 = 273 left")


def test_a_unit_is_changed_where_the_problem_speaks_of_it() -> None:
    assert (Change.UNIT, "40 * 3 = 120 cents") in planted("40 * 3 = 120 dollars", problem="at 3 dollars")
    assert Change.UNIT not in {change for change, _ in planted("40 * 3 = 120 dollars")}


def test_a_formula_is_read_as_it_is_written() -> None:
    assert (Change.OFF_BY_ONE, r"$12 \times 24 = 289$") in planted(r"$12 \times 24 = 288$")
    assert (Change.FAR_OFF, r"$189 \div 6.30 = 300$") in planted(r"$189 \div 6.30 = 30$")


def test_thousands_and_decimals_stay_as_their_author_wrote_them() -> None:
    texts = {text for _, text in planted("1,000 * 2.5 = 2,500.0")}
    assert "1,000 * 2.5 = 25,000.0" in texts
    assert "1,000 * 2.5 = 2,500.1" in texts


@pytest.mark.parametrize("text", ["2 * 12 * 5 = 120", "12 * 5 = 61", "no number", "x = 3", "7 / 0 = 1"])
def test_what_is_no_true_equation_of_two_numbers_is_left_alone(text: str) -> None:
    assert planted(text) == set()


def test_nothing_is_planted_outside_what_is_proved() -> None:
    assert perturb(text="3 + 4 = 7", equations=[(0, 5)], problem="", rng=random.Random(1)) is None


def test_one_error_in_four_is_obvious() -> None:
    rng = random.Random(5)
    errors = [perturb(text="12 * 5 = 60", equations=[(0, 11)], problem="", rng=rng) for _ in range(2000)]
    assert 0.2 < sum(error is not None and error.change is Change.FAR_OFF for error in errors) / 2000 < 0.3


@given(ordinary=st.integers(0, 10_000), gold=st.integers(0, 3000), seats=st.integers(1, 9), percent=st.integers(0, 50))
def test_what_is_due_stays_within_the_share_and_one_more_does_not(
    ordinary: int, gold: int, seats: int, percent: int
) -> None:
    share = Decimal(percent) / 100
    due = decoys_due(ordinary=ordinary, gold=gold, share=share, seats=seats)
    reached = gold + due * seats
    assert reached <= Fraction(share) * (ordinary + reached) or not due
    reached += seats
    assert reached > Fraction(share) * (ordinary + reached)


def test_a_share_of_everything_is_refused() -> None:
    with pytest.raises(BadParameterError):
        decoys_due(ordinary=1, gold=0, share=Decimal(1), seats=3)


def test_half_of_the_gold_is_right() -> None:
    rng, counts = random.Random(3), {Choice.PASS: 0, Choice.FAIL: 0}
    for _ in range(101):
        counts[next_truth(right=counts[Choice.PASS], wrong=counts[Choice.FAIL], rng=rng)] += 1
    assert abs(counts[Choice.PASS] - counts[Choice.FAIL]) == 1


@given(
    seats=st.integers(0, 500),
    gold=st.integers(0, 100),
    emphasis=st.integers(0, 8),
    is_new=st.booleans(),
    share=st.decimals("0", "0.5", places=2),
)
def test_tickets_are_what_a_draw_takes_and_grow_with_what_is_owed(
    seats: int, gold: int, emphasis: int, is_new: bool, share: Decimal
) -> None:
    def tickets(seats: int) -> int:
        return tickets_for_gold(seats=seats, gold=gold, share=share, emphasis=emphasis, is_new=is_new)

    assert 1 <= tickets(seats) <= tickets(seats + 10) <= 8


def test_a_newcomer_has_the_emphasis_and_whoever_had_enough_one_ticket() -> None:
    share = Decimal("0.15")
    assert tickets_for_gold(seats=0, gold=0, share=share, emphasis=4, is_new=True) == 4
    assert tickets_for_gold(seats=20, gold=9, share=share, emphasis=4, is_new=False) == 1
    assert tickets_for_gold(seats=20, gold=0, share=share, emphasis=4, is_new=False) == 4
    assert tickets_for_gold(seats=20, gold=0, share=share, emphasis=0, is_new=True) == 1
