"""Changed lines: a number of a verified line is changed at random, and the line is verified no more."""

import random

import pytest

from auditing.checker.findings import Verdict
from benchmarks.perturbed.said_lines import KINDS
from benchmarks.perturbed.survivors import Survivors, Text
from tests.unit.checker.readings import findings, is_refuted, is_verified, verdicts


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_line_with_one_number_changed_is_not_verified_unless_it_is_true_again(kind: str) -> None:
    rng, survivors = random.Random(kind), Survivors()
    for _ in range(4):
        survivors.add(Text("said", "A problem.", [KINDS[kind](rng)]), rng)
    assert survivors.counts
    assert survivors.falsehoods == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Half of 50% is 25%.", "Half of 50% is 26%."),
        ("Half of 50% is 25.", "Half of 50% is 26."),
        ("Triple 21% is 63%.", "Triple 21% is 64%."),
        ("46% of 10% is 4.6%.", "46% of 10% is 4.7%."),
        ("50% of 30% is 15%.", "50% of 30% is 16%."),
        ("15% of 80 is 12.", "15% of 80 is 13."),
        ("The gcd of 36 and 81 is 9.", "The gcd of 36 and 81 is 8."),
        ("12500 = 1.25e4", "12600 = 1.25e4"),
    ],
)
def test_the_last_digit_of_a_percentage_counts_in_hundredths(right: str, wrong: str) -> None:
    assert is_verified(right)
    assert Verdict.VERIFIED not in verdicts(wrong)


@pytest.mark.parametrize("line", ["Half of 50% is 26%.", "46% of 10% is 4.8%.", "Twice 80% is 170%."])
def test_a_wrong_percentage_in_words_is_refuted(line: str) -> None:
    assert is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        "83% of 130 is 107.",  # digits cut off: neither right nor worth an accusation
        "1% of 25 is 25.",  # a sign too few: nobody can tell what is meant
        "The gcd of 36 and 0.12 is 0.",  # what is not whole has no divisors
        "10400 = 1e4",  # one digit that counts
        "The factors of 12 are 1, 2, 3, 4, 6, and 12%.",  # the last number is another one
    ],
)
def test_what_may_be_meant_otherwise_is_neither_verified_nor_refuted(line: str) -> None:
    assert verdicts(line) == set()


def test_the_right_percentage_is_named_as_one() -> None:
    (finding,) = (item.finding for item in findings("Half of 50% is 26%.") if item.finding.accuses)
    assert finding.evidence.sentence == "Half of 50% is 26%: it is 25%, not 26%."


def test_a_recorded_result_is_proved_by_its_formula() -> None:
    (finding,) = (item.finding for item in findings(">>> 2 ** 5 + 1\n34"))
    assert finding.accuses
    assert '"kind":"numbers"' in finding.proof
