"""What no test noticed when one sign or number of a check was changed (`make mutants`): a test for each such line."""

from fractions import Fraction

import pytest

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import quotient_of
from auditing.checker.mathematics.tree import Node, Num, Sym
from tests.unit.checker.readings import findings, is_refuted, is_verified, verdicts

EQUATION = r"\(x^2 + 3xy + 5y = 7\)"


def sentences(step: str, problem: str) -> list[str]:
    return [placed.finding.evidence.sentence for placed in findings(step, problem=problem)]


@pytest.mark.parametrize(
    ("before", "is_told"),
    [
        ("The problem states that ", True),
        ("The problem states, in a good many words about this and that and the weather of the day, that ", True),
        ("", False),  # nobody says that it is the problem's
        ("The problem states this, and after it is multiplied we have ", False),  # it was changed on purpose
        ("The problem states this. " + "It rains a lot on this day. " * 8, False),  # said too far before it
    ],
)
def test_an_equation_copied_with_another_coefficient_is_told_where_the_words_before_it_say_whose_it_is(
    before: str, is_told: bool
) -> None:
    told = sentences(f"{before}{EQUATION}.", r"Let \(x^2 + 3xy + 2y = 7\) and \(y > 0\). Find x.")
    assert any("one coefficient (2 became 5)" in sentence for sentence in told) is is_told


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    # the last digit rounded; one off, which may be rounded up on purpose; more than one off
    [("3.33", {Verdict.VERIFIED}), ("3.34", set()), ("3.32", {Verdict.REFUTED}), ("3.35", {Verdict.REFUTED})],
)
def test_a_share_in_words_is_right_when_it_is_rounded_and_wrong_from_one_unit_of_its_last_digit(
    claimed: str, verdict: set[Verdict]
) -> None:
    assert verdicts(f"One third of 10 is {claimed}.") == verdict


@pytest.mark.parametrize(
    ("cell", "total", "verdict"),
    [
        ("$4", "$7.10", "verified"),
        ("$4", "$7.11", "refuted"),
        ("$4.25", "$7.36", "refuted"),
        ("$4.25", "$7.35", "verified"),
    ],
)
def test_a_table_of_money_adds_up_to_the_cent_whether_or_not_its_cents_are_written(
    cell: str, total: str, verdict: str
) -> None:
    table = f"| Item | Cost |\n|---|---|\n| A | $3.10 |\n| B | {cell} |\n| Total | {total} |"
    rules = {placed.finding.evidence.rule: placed.finding.verdict.value for placed in findings(table)}
    assert rules["table total"] == verdict


@pytest.mark.parametrize(("before", "is_read"), [("", True), ("> ", False), ("- ", False), ("So ", True)])
def test_a_sign_before_a_computation_is_a_part_of_it_also_at_the_very_beginning(before: str, is_read: bool) -> None:
    rules = {placed.finding.evidence.rule for placed in findings(f"{before}4 * 5, which is 21.")}
    assert ("said and computed" in rules) is is_read


@pytest.mark.parametrize(
    ("claimed", "verdict"),
    # a whole number may be rounded either way, and may as well be off by one
    [("2", set()), ("3", set()), ("2.5", {Verdict.VERIFIED}), ("1", {Verdict.REFUTED}), ("4", {Verdict.REFUTED})],
)
def test_half_of_an_odd_number_that_was_rounded_is_left_open(claimed: str, verdict: set[Verdict]) -> None:
    assert verdicts(f"Half of 5 is {claimed}.") == verdict


@pytest.mark.parametrize(("total", "verdict"), [("3.5", "verified"), ("3.6", "verified"), ("3.7", "refuted")])
def test_measured_cells_may_miss_their_total_by_half_a_unit_each(total: str, verdict: str) -> None:
    table = f"| Item | Weight |\n|---|---|\n| A | 1.2 |\n| B | 2.3 |\n| Total | {total} |"
    rules = {placed.finding.evidence.rule: placed.finding.verdict.value for placed in findings(table)}
    assert rules["table total"] == verdict


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("3 days after March 3, 2024 is March 6, 2024.", True),
        ("3 days after March 3, 2024 is March 7, 2024.", False),
        ("3 days before March 3, 2024 is February 29, 2024.", True),
        ("3 days before March 3, 2024 is March 6, 2024.", False),
        ("3 days after February 30, 2024 is March 4, 2024.", False),  # there is no such day
    ],
)
def test_days_are_counted_forwards_and_backwards_between_days_that_exist(sentence: str, is_so: bool) -> None:
    assert (is_verified(sentence), is_refuted(sentence)) == (is_so, not is_so)


def test_two_values_at_once_are_no_quotient_and_what_is_no_product_is_an_atom() -> None:
    x, two = Sym("x"), Num(Fraction(2))
    with pytest.raises(IncalculableError, match="two values"):
        quotient_of(Node("±", (two, x)))
    assert len(quotient_of(Node("+", (two, Node("sqrt", (x,))))).above) == 2
