"""What is no claim, or true under a rule of its own, accuses nobody; the same error without that rule still does."""

import pytest

from auditing.checker.checks.numbers.arithmetic import MOST_FALSE
from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified, verdicts

# a right line, and a false one that the suppression does not excuse
BOTH_SIDES = {
    "terms that are products": ("1·2 + 2·3 + ... + 9·10 = 330", "1 + 2 + ... + 10 = 56"),
    "terms that are factorials": ("1! + 2! + ... + 5! = 153", "1 + 2 + 3 + ... + 5 = 16"),
    "terms that double": ("1 + 2 + ... + 64 = 127", "1 + 2 + ... + 64 = 128"),
    "terms that are squares": ("1 + 4 + ... + 100 = 385", "1 + 4 + ... + 100 = 386"),
    "terms that are primes": ("2 + 3 + ... + 19 = 77", "2 + 3 + ... + 19 = 78"),
    "terms that are triangles": ("1 + 3 + ... + 55 = 220", "1 + 3 + ... + 55 = 221"),
    "a fraction above the line": ("16^1/2 = 4", "16^1/2 = 5"),
    "a rounded root": ("10^1/2 = 3.16", "10^1/2 = 3.26"),
    "a power of e": ("e^-1/2 = 0.607", "e^-1/2 = 0.707"),
    "a branch in words": ("f(x) = x + 1 if x is odd, else x/2. f(4) = 2.", "f(x) = x + 1. f(4) = 2."),
    "a branch at one point": ("f(x) = x^2 - 1, except f(1) = 5.", "f(x) = x^2 - 1 for all x. f(1) = 5."),
    "a false supposition": ("Suppose 1 = 2. Then 1 + 1 = 3.", "Suppose 1 = 1. Then 1 + 1 = 3."),
    "another world": ("In a world where 2 + 2 = 5, 5 - 2 = 2.", "In the world we live in 2 + 2 = 5."),
    "from left to right": ("Ignoring precedence, 2 + 3 × 4 = 20.", "By precedence, 2 + 3 × 4 = 20."),
    "a bug": ("The output is 3 + 4 = 8 which is a bug.", "The output is 3 + 4 = 8 which is fine."),
    "what a program prints": ("The program prints 2 + 2 = 5.", "The program computes 2 + 2 = 5."),
    "instead": ("Instead of 7 × 6 = 42 he took 7 × 6 = 48.", "After 7 × 6 = 42 he took 7 × 6 = 48."),
    "two figures that count": ("1200 / 7 = 170", "30 * 40 = 1210"),
    "a unit behind a power": ("c = 3×10^8 / 6×10^14 = 5×10^-7 m = 500 nm", "7 m + 5 m = 13 m"),
    "prices of tickets": ("2 adult tickets + 3 child tickets = $45", "2 adult tickets + 3 child tickets = 6 tickets"),
    "the middle of a range": ("3-4 = 3.5 on average", "3 - 4 = 1"),
    "two ranges": ("2-3 times 5 = 10-15", "2 * 5 = 15"),
    "three sides": ("3-4-5 triangle ×5 = 15-20-25", "20 - 4 - 5 = 15"),
    "a number that wraps around": ("127 + 1 = -128", "127 + 1 = -127"),
    "exclusive or": ("2 ^ 3 = 1 in C", "2 ^ 3 = 1"),
    "a total told anew": (
        "Total cost = $40.\nTax = $4.\nTotal cost = $44.",
        "Total cost = $40.\nTax = $4.\nTotal cost = $45.",
    ),
    "a count corrected": (
        "Number of ways = 120. But we overcount: number of ways = 60.",
        "Number of ways = 120. So the number of ways = 60.",
    ),
    "parts of a whole": ("1/4 = 15, 4/4 = 60", "12/60 = 5"),
    "words of a student": ("Student answer: 3/4 of 20 = 16.", "The answer: 3/4 of 20 = 16."),
    "what was forgotten": ("If we forget to carry, 48 + 76 = 114.", "If we carry, 48 + 76 = 114."),
    "a condition behind": ("3 + 4 x 5 = 35 if you add first.", "3 + 4 x 5 = 35 as you see."),
    "a contrast": ("My result was 25 × 4 = 90, but I get 100 now.", "My result was 25 × 4 = 90, and I get on."),
    "a trial of a letter": ("a=1: 11b = 93 no. a=2: 11b = 86 no.", "11b = 93 now. 11b = 86 now."),
    "teams": ("1 team + 1 team = 1 match", "1 team + 1 team = 3 teams"),
    "cycles": ("(12)(13) = (132)", "(12)(13) = 132"),
    "an unknown function": ("3 × erf(2 + 1) = 3", "3 × (2 + 1) = 3"),
    "a density of cells": ("OD600 = 0.5 = 4 × 10⁸ cells/mL", "5 × 10^3 = 500"),
    "parsecs": ("d = 1/p = 1/0.5 = 2 pc = 6.5 ly", "d = 1/0.5 = 3 pc"),
    "two computations": ("5 x $2 = $10 + 3 x $1 = $3, total $13", "5 x $2 = $10 + 3 x $1 = $4"),
}


@pytest.mark.parametrize("name", BOTH_SIDES)
def test_what_is_no_claim_accuses_nobody_and_the_error_beside_it_does(name):
    right, wrong = BOTH_SIDES[name]
    assert not is_refuted(right)
    assert is_refuted(wrong)


# verified, and a doubt where it is false
NEW_FORMS = {
    "feet": ("5' + 2' = 7'", "5' + 2' = 8'"),
    "feet and inches": ('5\'10" = 70"', '5\'10" = 68"'),
    "a sum of both": ('6\' 2" + 3" = 6\' 5"', '6\' 2" + 3" = 6\' 7"'),
    "lists": ("[1, 2] + [3, 4] = [4, 6]", "[1, 2] + [3, 4] = [4, 7]"),
    "decimals that repeat": (r"0.\overline{3} = 1/3", r"0.\overline{3} = 1/4"),
    "decimals before those": (r"0.1\overline{6} = 1/6", r"0.1\overline{6} = 1/5"),
    "less than a multiple": ("7 less than 9 times 5 is 38", "7 less than 9 times 5 is 40"),
    "more than the double": ("3 more than twice 5 is 13", "3 more than twice 5 is 14"),
}


@pytest.mark.parametrize("name", NEW_FORMS)
def test_a_new_form_is_read_and_accuses_nobody(name):
    right, wrong = NEW_FORMS[name]
    assert any(item.value == "verified" for item in verdicts(right)) or is_doubted(right)
    assert not is_refuted(right)
    assert is_doubted(wrong)
    assert not is_refuted(wrong)


@pytest.mark.parametrize(
    "line",
    ["12°15' + 3°50' = 16°5'", "f'(2) = 3, f'' = 2", "'5' + '2' = '52'", "[1, 2] + [3, 4] = [1, 2, 3, 4]"],
)
def test_marks_of_other_things_are_no_lengths_and_no_vectors(line):
    assert not is_refuted(line)
    assert not is_doubted(line)


def test_a_base_below_a_logarithm_is_read():
    assert is_verified("log₂ 8 = 3")
    assert is_refuted("log₁₀ 1000 = 4")


def test_a_decimal_that_repeats_behind_a_blank_is_no_whole_number():
    text = r"Let x = 0.\overline{7}. Then 10x = 7. \overline{7}, so 10x - x = 7."
    assert not is_refuted(text)


def test_a_failing_passage_is_read_so_far_and_no_further():
    lines = [f"{n} + 3 = {n + 5}" for n in range(MOST_FALSE + 40)]
    refuted = [item for item in findings("\n".join(lines)) if item.finding.verdict is Verdict.REFUTED]
    assert MOST_FALSE - 40 < len(refuted) <= MOST_FALSE


def test_a_point_gives_its_letters_their_values():
    assert is_doubted("x + y = 8 and (x, y) = (3, 4)")
    assert not is_doubted("x + y = 7 and (x, y) = (3, 4)")


@pytest.mark.parametrize("line", ["(x, y) = (3, 4) or (4, 3), x + y = 8", "Try (x, y) = (3, 4). x + y = 8"])
def test_one_of_several_points_is_no_fact(line):
    assert not is_doubted(line)


def test_a_capital_letter_multiplies_a_bracket_with_a_power():
    assert is_verified("A(x-2)^3 = A(x^3 - 6x^2 + 12x - 8)")


@pytest.mark.parametrize(("right", "wrong"), [("2x + 4 = 10 2x = 6 x = 3", "2x + 4 = 10 2x = 5"), ("y = 5 x = 10", "")])
def test_a_solved_line_begins_behind_a_number(right, wrong):
    assert not is_refuted(right)
    assert not wrong or is_refuted(wrong)


def test_what_stands_at_an_address_is_no_value():
    page = "The first result page = 2 is here. The first result page = 3 is there."
    assert not is_refuted(page)
    assert is_refuted("The first result = 2 is here. The first result = 3 is there.")
    link = "see https://example.org/all?shown page=2 and https://example.org/all?shown page=3"
    assert not is_refuted(link)
    assert not is_doubted(link)
