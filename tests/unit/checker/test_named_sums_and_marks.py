"""Sums of things by whose they are, units with points, currencies behind numbers, vectors in angles; and what not."""

import pytest

from auditing.checker.mathematics.notation.marks import without_marks
from auditing.checker.mathematics.tokens import tokenize
from tests.unit.checker.readings import is_doubted, is_refuted, is_verified

# name: (right, wrong)
SUMS = {
    "by whom": ("42 by Ryan + 67 by Alyssa = 109", "42 by Ryan + 67 by Alyssa = 119"),
    "from three": ("12 from Tom + 15 from Ann + 3 from Bob = 30", "12 from Tom + 15 from Ann + 3 from Bob = 31"),
    "on what": ("$8 on chicken + $1 on soda = $9", "$8 on chicken + $1 on soda = $10"),
    "cents without a sign": ("8.00 on chicken + $1.00 on soda = $9.00", "8.00 on chicken + $1.00 on soda = $9.50"),
    "less": ("16 eggs - 3 for breakfast - 4 for cakes = 9 eggs", "16 eggs - 3 for breakfast - 4 for cakes = 8"),
    "vectors in angles": ("⟨1, 2⟩ + ⟨3, 4⟩ = ⟨4, 6⟩", "⟨1, 2⟩ + ⟨3, 4⟩ = ⟨4, 7⟩"),
}  # fmt: skip
MARKS = {
    "inches": ("12 in. + 6 in. = 18 in.", "12 in. + 6 in. = 19 in."),
    "inches divided": ("18 in / 3 = 6 in", "18 in / 3 = 9 in"),
    "feet": ("5 ft. + 2 ft. = 7 ft.", "5 ft. + 2 ft. = 8 ft."),
    "minutes": ("30 min. + 15 min. = 45 min.", "30 min. + 15 min. = 50 min."),
    "of what": ("5 people * 3 slices of pizza = 15 slices.", "5 people * 3 slices of pizza = 16 slices."),
    "products first": ("2 cups of tea + 3 cups of tea * 2 = 8", "2 cups of tea + 3 cups of tea * 2 = 10"),
    "in each": ("15 small boxes * 20 bars in each small box = 300 bars", "15 boxes * 20 bars in each box = 400 bars"),
    "which ones": ("17 shells - 12 not spiral shells = 5 shells", "401 hens - 15 that don't lay eggs = 385 hens"),
    "grades": (
        "19 first graders + 25 third graders = 44 students",
        "19 first graders + 25 third graders = 90 students",
    ),
    "points": ("12 points + 6 points + 20 points = 38 points", "12 points + 6 points + 20 points = 48 points"),
    "square feet": ("21 sq. ft + 24 sq. ft. + 35 sq. ft. = 80 sq. ft.", "The wall is 4 * 160 sq. ft. = 840 sq. ft."),
    "at a price": ("12 apples @ $0.50 each = $6.00", "12 apples @ $0.50 each = $7.00"),
    "euros": ("5 € + 3 € = 8 €", "5 € + 3 € = 9"),
}


@pytest.mark.parametrize("kind", SUMS)
def test_a_named_sum_is_verified_and_a_wrong_one_is_a_doubt_at_most(kind: str) -> None:
    right, wrong = SUMS[kind]
    assert is_verified(right)
    assert is_doubted(wrong)
    assert not is_refuted(wrong)


@pytest.mark.parametrize("kind", MARKS)
def test_a_mark_behind_a_unit_or_a_number_ends_no_sum(kind: str) -> None:
    right, wrong = MARKS[kind]
    assert is_verified(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "5 by 3 + 2 by 4 = 6",
        "Half of 20 for him + 5 for her = 15",
        "$8 on chicken + 3 cups of tea = $12",
        "24 hours in a day * 7 days in a week = 158 hours",
        "5 dozen of eggs + 3 for him = 8",
        "If 42 by Ryan + 67 by Alyssa = 119, then it fails.",
        "12 in 1999 + 15 in 2000 = 30",
        "$8 on chicken + 3 on soda = $12",
        "12% by Ryan + 67 by Alyssa = 80",
        "2 bags of 3 apples + 1 = 7",
        "3 of the 5 + 2 = 5",
        "5 is not 3 + 4 = 7",
        "Of the 3 boxes 2 of the 5 + 2 = 5",
        "It is 5 in every 3 + 2 = 9",
        "The rate rose by 3% to 5% = 2 points",
        "Write to bob @ 5 + 3 = 9 pm",
        "The box weighs 3 lb. The other is 4 lb.",
        "It is 12 ft. 3 + 4 = 7 shows it.",
    ],
)
def test_what_only_looks_like_it_is_accused_by_nobody(line: str) -> None:
    assert not is_refuted(line)
    assert not is_doubted(line)


def texts(line: str) -> list[str]:
    return [token.text for token in without_marks(tokenize(line))]


def test_a_point_that_ends_a_sentence_and_money_before_its_number_stay() -> None:
    assert "." in texts("It weighs 3 lb. So 4 + 5 = 9")
    assert texts("$5 + $3").count("$") == 2
    assert "in" in texts("There were 5 in the box")
