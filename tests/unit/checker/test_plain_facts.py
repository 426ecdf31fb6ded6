"""Plain facts: doubted where they are false, and left alone where something else may be meant."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified


@pytest.mark.parametrize(
    "line",
    [
        "Sorted in ascending order: 3, 9, 7, 12.",
        "The first five squares are 1, 4, 9, 15, 25.",
        "The perfect squares are 1, 4, 9, 18, 25.",
        "The five values are 1, 2, 3, 4.",
        "The list 3, 5, 7, 9 has 5 numbers.",
        "Three consecutive integers that add to 24 are 6, 8 and 9.",
        "Of 2/3, 3/5 and 5/8, the greatest is 5/8.",
        "The Roman numeral XLII equals 62.",
        "The binary number 1010 equals 12 in decimal.",
        "12331 is a palindrome.",
        '"hello" has 6 letters.',
        'There are 2 r\'s in "strawberry".',
        "True AND False is True.",
        "Five days after Monday is Sunday.",
        "360 factors into primes as 2^3 · 3^2 · 7.",
        "2^10 has 5 digits.",
        "10! ends in 3 zeros.",
        "Going from 50 to 60 is a 25% increase.",
        "The data set is 5, 7, 9, 11; its mean is 9.",
    ],
)
def test_a_false_fact_is_a_doubt_and_fails_nobody(line):
    assert is_doubted(line)
    assert not is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        "Arrange in ascending order: 3, 9, 7, 12.",
        "Sort the numbers in descending order: 3, 9, 7.",
        "If the first three primes are 1, 2, 3, the sum is 6.",
        "The perfect squares are 1, 4, 9, ...",
        "The two pairs of numbers are 3 and 5, 7 and 9.",
        "Is 12331 is a palindrome?",
        "CD is 6 and MN is 4, so the ratio is 3:2.",
        "234 in base 6 is 2·36 + 3·6 + 4 = 94.",
        'The student says "hello" has 6 letters.',
        "The number of ways to choose 2 of 5 in order is 20.",
        "Values in increasing order: 1, 2, 5, 3 becomes 1, 2, 3, 5.",
    ],
)
def test_what_may_be_meant_otherwise_is_left_alone(line):
    assert not is_doubted(line)
    assert not is_refuted(line)


def test_a_right_fact_is_verified_with_what_is_true():
    (item,) = [
        item
        for item in findings("XIV in a Roman inscription. XIV is 14.")
        if item.finding.evidence.checker == "plain facts"
    ]
    assert item.finding.verdict is Verdict.VERIFIED
    assert "XIV is 14" in item.finding.evidence.sentence


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The smallest of 0.5, 0.45 and 0.6 is 0.45.", "The smallest of 0.5, 0.45 and 0.6 is 0.5."),
        ("7.4 rounds up to 8.", "7.4 rounds up to 7."),
        ("7.6 rounds down to 7.", "7.6 rounds down to 8."),
        ("2.341 is rounded up to 2.35.", "2.341 is rounded up to 2.34."),
    ],
)
def test_no_rounding_makes_a_picked_or_directed_number_right(right, wrong):
    assert [item.finding.verdict for item in findings(right)] == [Verdict.VERIFIED]
    assert Verdict.VERIFIED not in {item.finding.verdict for item in findings(wrong)}


def test_digits_in_brackets_behind_a_decimal_repeat_or_multiply_whichever_is_true():
    assert is_verified("0.1(6) + 0.5 = 2/3", problem="Add 1, 2, 3, 6, 0.1 and 0.5.")
    assert is_verified("0.1(6) = 0.6", problem="Multiply 0.1 by 6.")
    # the file that checks proofs reads no decimals that repeat: a doubt
    assert is_doubted("0.1(6) = 1/7")
    assert is_doubted("5/6 = 0.8(2) + 1")
    assert not is_refuted("5/6 = 0.8(3)")


def test_what_is_struck_out_is_taken_back():
    assert not is_refuted("<del>2 + 2 = 5</del>")
    assert is_refuted("<b>2 + 2 = 5</b>")


def test_a_list_of_shares_and_numbers_is_no_list_in_which_the_greatest_is_told():
    assert findings("Of 50%, 0.6 and 0.55, the greatest is 0.6.") == []
    assert is_doubted("Of 0.5, 0.6 and 0.55, the greatest is 0.55.")
