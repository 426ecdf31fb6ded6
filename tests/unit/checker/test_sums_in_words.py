"""Right sums whose terms are told in words, drawn by seed: what began before a number is no sum of its own."""

import random
from fractions import Fraction

import pytest

from tests.unit.checker.readings import is_doubted, is_refuted, is_verified

# a term in words, with a and b below 13, c = 2 .. 6 and h = 20, 40, ... and its value
TERMS = {
    "{a} bags of {b} pens": lambda a, b, c, h: a * b,
    "{a} bags with {b} pens each": lambda a, b, c, h: a * b,
    "{a} bags, each with {b} pens,": lambda a, b, c, h: a * b,
    "{a} bags ({b} pens each)": lambda a, b, c, h: a * b,
    "{a} pens (each worth {b})": lambda a, b, c, h: a * b,
    "{a} pens at ${b} each": lambda a, b, c, h: a * b,
    "${a} each for {b} pens": lambda a, b, c, h: a * b,
    "{a} pens for {b} people": lambda a, b, c, h: a * b,
    "{a} per day for {b} days": lambda a, b, c, h: a * b,
    "{a} for each of the {b} girls": lambda a, b, c, h: a * b,
    "the {a} pens in each of {b} boxes": lambda a, b, c, h: a * b,
    "{a} rows of {b} seats": lambda a, b, c, h: a * b,
    "half of {h}": lambda a, b, c, h: h // 2,
    "half the {h} pens": lambda a, b, c, h: h // 2,
    "half of the remaining {h} pens": lambda a, b, c, h: h // 2,
    "a quarter of {h}": lambda a, b, c, h: h // 4,
    "20% of {h}": lambda a, b, c, h: h // 5,
    "20% of the {h} pens": lambda a, b, c, h: h // 5,
    "1/4 of the {h} pens": lambda a, b, c, h: h // 4,
    "{h} reduced by 50%": lambda a, b, c, h: h // 2,
    "twice {b}": lambda a, b, c, h: 2 * b,
    "double the {b} pens": lambda a, b, c, h: 2 * b,
    "{b} doubled": lambda a, b, c, h: 2 * b,
    "{a} times as many as {b}": lambda a, b, c, h: a * b,
    "{a} more than {b}": lambda a, b, c, h: a + b,
    "{a} fewer than {h} pens": lambda a, b, c, h: h - a,
    "the sum of {a} and {b}": lambda a, b, c, h: a + b,
    "the product of {a} and {b}": lambda a, b, c, h: a * b,
    "the difference between {h} and {b}": lambda a, b, c, h: h - b,
    "the cube of {c}": lambda a, b, c, h: c**3,
    "{b} squared": lambda a, b, c, h: b * b,
    "{a} of {h} kinds": lambda a, b, c, h: a,
    "the first {a} of {h} pens": lambda a, b, c, h: a,
    "{a} out of every 10 in 20": lambda a, b, c, h: 2 * a,
    "{a} choose 1": lambda a, b, c, h: a,
    "{a} and 1/{c}": lambda a, b, c, h: a + Fraction(1, c),
    "{a} and a half": lambda a, b, c, h: a + Fraction(1, 2),
    "{a} dozen pens": lambda a, b, c, h: 12 * a,
    "{a} quarters": lambda a, b, c, h: Fraction(a, 4),
    "{a} pairs of socks": lambda a, b, c, h: 2 * a,
    "each of the {a} people's {b} pens": lambda a, b, c, h: a * b,
}
AROUND = (
    ("", ""),
    ("So ", " in all."),
    ("He has ", " now."),
    ("In total: ", "."),
    ("Adding up, ", ""),
    ("That is ", "."),
)
SIGNS = (" = ", " = ", " is ", " equals ", ", which is ", ", or ")


def right_sums(term: str) -> list[str]:
    """Twelve sums with this term: before a number, behind one, in a bracket, beside another term."""
    chance = random.Random(term)
    lines = []
    for form in ("{x} + {k}", "{x} - 1", "{x} plus {k}", "{k} + {x}", "({x}) * {k}", "{x} + {y}") * 2:
        numbers = {
            "a": chance.randint(2, 9), "b": chance.randint(2, 12), "c": chance.randint(2, 6),
            "h": 20 * chance.randint(1, 5),
        }  # fmt: skip
        other = chance.choice(sorted(TERMS))
        k, x, y = chance.randint(2, 30), TERMS[term](**numbers), TERMS[other](**numbers)
        values = [x + k, x - 1, x + k, x + k, x * k, x + y]
        value = values[len(lines) % 6]
        said = form.format(x=term.format(**numbers), y=other.format(**numbers), k=k)
        before, behind = chance.choice(AROUND)
        lines.append(f"{before}{said}{chance.choice(SIGNS)}{value}{behind}")
    return lines


@pytest.mark.parametrize("term", TERMS)
def test_no_right_sum_with_this_term_is_refuted(term: str) -> None:
    assert [line for line in right_sums(term) if is_refuted(line)] == []


CLAIMS = (
    "the sum of 10 and 14", "the product of 4 and 6", "the average of 20 and 28", "half of 48", "40% of 60",
    "4 times 6", "10 plus 14", "40 minus 16", "48 divided by 2", "4 more than 20", "twice 12", "three times 8",
    "4 factorial",
    "the median of 20, 24 and 40", "the larger of 24 and 7", "4 * 6", "10 + 14", "40 - 16", "(2 + 4) * 4", "√576",
)  # fmt: skip
TOLD = (
    "12 doubled", "12 twice", "12 pairs", "2 dozen", "48 divided by 2", "72 over 3", "48 by 2", "48/2", "2(12)",
    "20 and 4 more", "25, less 1", "25 less 1", "240 tenths", "2400 hundredths", "23 if we drop one", "4 more than 20",
    "30 minus 6", "half of 48", "24, not 25", "less than 25", "at least 23", "between 23 and 25", "48 halves",
    "23 + 1 = 24",
)  # fmt: skip


@pytest.mark.parametrize("told", TOLD)
def test_a_value_that_is_told_in_other_words_accuses_nobody(told: str) -> None:
    lines = [f"So {claim} {word} {told}." for claim in CLAIMS for word in ("is", "equals", "gives")]
    assert [line for line in lines if is_refuted(line)] == []


@pytest.mark.parametrize(
    "line",
    [
        "So √576 is less than 25.", "∛27 is an odd number.", "log 1000 is less than 5", "log_2 32 is a prime number",
        "4 x 5 is also an even number.", "\\(7 \\cdot 12\\) is between 83 and 85", "41 1/2 is greater than 37.5",
        "30 (not 31) is smaller than 31", "12 (not 13), which is an even number", "8 x 6 is a 2-digit number",
        "√16 is congruent to 4 modulo 5", "5 times 7 is congruent to 5 modulo 6", "twice 5 is even",
        "the sum of the digits of 70, which is less than 16", "8 hundred and 2, which is larger than 801",
    ],
)  # fmt: skip
def test_a_fact_is_told_of_the_whole_number(line: str) -> None:
    assert not is_refuted(line)
    assert not is_doubted(line)


@pytest.mark.parametrize(
    "line", ["17 is less than 3", "So 17 is even.", "The number 12 is prime.", "8 is a 2-digit number"]
)
def test_a_false_fact_is_refuted(line: str) -> None:
    assert is_refuted(line)


# name: (right, wrong): what is read to its end is judged as before
STILL = {
    "a total of": ("a total of 5 + 3 = 8", "a total of 5 + 3 = 9"),
    "bought, then a sum": ("He has 3 dogs and 4 * 2 = 8 cats", "He has 3 dogs and 4 * 2 = 9 cats"),
    "written as": ("We write this as 3 * 4 = 12", "We write this as 3 * 4 = 13"),
    "the other": ("Since the other 3 * 4 = 12 are red", "Since the other 3 * 4 = 13 are red"),
    "paid for": ("She paid for 3 shirts 3 * 15 = 45", "She paid for 3 shirts 3 * 15 = 50"),
    "5 pens for a product": ("He buys 5 pens for 5 * 2 = $10", "He buys 5 pens for 5 * 2 = $11"),
    "by whom": ("40 - 16 = 24 by now", "40 - 16 = 25 by now"),
    "and a quotient": ("So n² = 36 and 36/4 = 9", "So n² = 36 and 36/4 = 8"),
    "a unit ends before what it is of": (
        "He has 24 hours in a day - (11 hours + 8 hours) = 5 hours of free time left.",
        "He has 24 hours in a day - (11 hours + 8 hours) = 15 hours of free time left.",
    ),
    "thinking about": (
        "5 are thinking about it, which leaves a total of 30 + 5 = 35",
        "5 are thinking about it, which leaves a total of 30 + 5 = 40",
    ),
    "adjectives": ("5 red + 3 blue marbles = 8 marbles", "5 red + 3 blue marbles = 9 marbles"),
    "a formula filled": ("F = 9/5 C + 32 = 9/5 * 100 + 32 = 212", "9/5 * 100 + 32 = 213"),
}


@pytest.mark.parametrize("name", STILL)
def test_a_whole_sum_behind_words_is_judged(name: str) -> None:
    right, wrong = STILL[name]
    assert is_verified(right)
    assert is_refuted(wrong)


@pytest.mark.parametrize("line", ["2 boxes + 5 pencils = 29 pencils", "293 K + 20 = 313", "3 boxes + 1 pen = 37 pens"])
def test_units_of_two_sizes_are_no_accusation(line: str) -> None:
    assert not is_refuted(line)
    assert not is_doubted(line)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("So half a yard is 1.5 feet.", "So a yard is 4 feet."),
        ("We know half a year equals 6 months.", "We know a year has 13 months."),
        ("Three quarters of an hour is 45 minutes.", "An hour is 45 minutes."),
        ("6 quarts - 1 pint = 11 pints", "6 quarts - 1 quart = 11 quarts"),
        ("3 cups * 5 = 240 tablespoons", "3 cups * 5 = 16 cups"),
        ("5 times 7 km is 35000 m", "5 km * 7 = 36 km"),
        ("twice 8 km, which is 16000 m", "8 km * 2 = 17 km"),
    ],
)
def test_parts_of_units_and_their_conversions(right: str, wrong: str) -> None:
    assert not is_refuted(right)
    assert not is_doubted(right)
    assert is_refuted(wrong)


def test_what_each_of_several_does_is_no_sum_of_its_own() -> None:
    assert not is_refuted("Each of the 4 people eats 3 + 1 = 16 slices.")
    assert is_refuted("One person eats 3 + 1 = 16 slices.")


def test_a_letter_that_is_introduced_anew_is_another_one() -> None:
    cats, dogs = (
        "Let x be the number of cats. 2x = 12, so x = 6.",
        "Now let x be the number of dogs. 3x = 57, so x = 19.",
    )
    assert not is_refuted(cats, dogs)
    assert is_refuted(cats, "So 3x = 57, and x = 19.")
