"""Computations told of things, beside each other or twice: what is right is verified, what is wrong doubted at most."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted, is_verified

# right, and wrong where the wrong line is a doubt (empty: there it says nothing)
TOLD = {
    "a total": ("12 boys and 15 girls, for a total of 27.", "12 boys and 15 girls, for a total of 28."),
    "a total of three": ("3 red, 4 blue and 5 caps, a total of 12.", "3 red, 4 blue and 5 caps totals 13 caps."),
    "things together": ("5 apples and 7 oranges make 12 fruits.", ""),
    "in total": ("12 boys and 15 girls, so 27 in total.", "12 boys and 15 girls, so 29 in total."),
    "things less things": ("30 students minus 12 boys leaves 18.", "30 students minus 12 boys leaves 17."),
    "prices": ("$20 for the shirt plus $15 for the hat is $35.", "$20 for the shirt plus $15 for the hat is $36."),
    "so many of each": ("4 boxes with 6 pens each is 24 pens.", "4 boxes with 6 pens each is 25 pens."),
    "a price each": ("3 shirts at $15 each cost $45.", "3 shirts at $15 each cost $46."),
    "each of": ("Each of the 4 boxes has 6 pens, so there are 24.", "Each of the 4 boxes has 6 pens, so there are 23."),
    "a rate": ("60 words per hour for 3 hours is 180 words.", "60 words per hour for 3 hours is 190 words."),
    "a rate behind": ("3 hours at 60 words per hour is 180 words.", "3 hours at 60 words per hour is 170 words."),
    "a rate found": ("$120 for 4 hours is $30 per hour.", "$120 for 4 hours is $40 per hour."),
    "shared out": ("12 cookies shared among 4 children is 3 each.", ""),
    "what is left": ("5 apples from 12 apples leaves 7 apples.", ""),
    "out of": ("The probability is 3 out of 12, or 1/4.", ""),
    "a share in brackets": ("It worked for 45/50 (90%) patients.", ""),
    "a count in brackets": ("It worked for 12 of 48 (25%).", ""),
    "a count behind its share": ("So 90% (45/50) got well.", ""),
    "a share between": ("That is 12 (25%) of the 48 patients.", "That is 12 (35%) of the 48 patients."),
    "a number twice": ("The share is 3/4 or 0.75.", ""),
    "a fraction reduced": ("Here 3/12 is equivalent to 1/4.", "Here 3/12 is equivalent to 1/5."),
    "a mixed number": ("We get 7/2, or 3 1/2.", ""),
    "as a percentage": ("0.75 as a percentage is 75%.", "0.75 as a percentage is 85%."),
    "a scale": ("2.5 million is 2,500,000.", ""),
    "a unit in brackets": ("It took 3 hours (180 minutes).", ""),
    "another unit": ("It took 180 minutes, or 3 hours.", ""),
    "half a scale": ("Half a million is 500,000.", "Half a million is 50,000."),
    "twice": ("24 is twice 12.", "26 is twice 12."),
    "three quarters": ("30 is three-quarters of 40.", "20 is three-quarters of 40."),
    "two thirds": ("Two-thirds of 24 is 16.", "Two-thirds of 24 is 18."),
    "times": ("24 is 3 times 8.", "25 is 3 times 8."),
    "more than": ("24 is 4 more than 20.", "25 is 4 more than 20."),
    "less than": ("16 is 4 less than 20.", "15 is 4 less than 20."),
    "the sum of": ("24 is the sum of 10 and 14.", "25 is the sum of 10 and 14."),
    "a percentage more": ("20% more than 50 is 60.", "20% more than 50 is 65."),
    "a percentage less": ("20% less than 50 is 40.", "20% less than 50 is 30."),
    "a discount": ("A 20% discount on $50 is $10.", "A 20% discount on $50 is $15."),
    "an order": ("12 exceeds 10.", "10 exceeds 12."),
    "at least": ("7 is at least 5.", "5 is at least 7."),
    "between": ("7 lies between 5 and 10.", "12 lies between 5 and 10."),
    "a factorial": ("5 factorial is 120.", "5 factorial is 125."),
    "a choice": ("5 choose 2 is 10.", ""),
    "ways to choose": ("The number of ways to choose 2 of 5 is 10.", "The number of ways to choose 2 of 5 is 11."),
    "an absolute value": ("The absolute value of -5 is 5.", "The absolute value of -5 is 6."),
    "a power": ("2 to the 5th power is 32.", "2 to the 5th power is 64."),
    "a logarithm": ("The log base 2 of 8 is 3.", ""),
    "a root": ("The square root of 50 is about 7.07.", "The square root of 50 is 7.57."),
    "a sine": ("The sine of 30 degrees is 1/2.", "The sine of 30 degrees is 1/3."),
    "the largest": ("The largest of 3, 9, and 5 is 9.", "The largest of 3, 9, and 5 is 5."),
    "a product": ("The product of 3, 4 and 5 is 60.", "The product of 3, 4 and 5 is 50."),
    "a range": ("The range of 3, 9 and 5 is 6.", "The range of 3, 9 and 5 is 5."),
    "halfway": ("Halfway between 4 and 10 is 7.", "Halfway between 4 and 10 is 8."),
    "numbers between": ("There are 6 integers from 5 to 10.", ""),
    "a multiple": ("The 3rd multiple of 12 is 36.", "The 3rd multiple of 12 is 48."),
    "a base": ("In other words, 555_{10} = 4210_{5}.", ""),
    "years": ("The number of years between 1960 and 1987 is 27.", ""),
    "two added": ("They are $19$ and $-4$, so when I add them I get $15$.", ""),
    "an amount or another": ("There are 20 - 5, or 15, apples left.", ""),
    "where it comes from": ("We get 60 from 12 * 5.", ""),
    "goes into": ("7 goes into 35 exactly 5 times.", "7 goes into 35 exactly 6 times."),
    "a rectangle": ("A 3 by 4 rectangle has an area of 12.", "A 3 by 4 rectangle has an area of 14."),
    "a square": ("The area of a square with side 5 is 25.", "The area of a square with side 5 is 20."),
    "a perimeter": ("The perimeter of a square with side 5 is 20.", "The perimeter of a square with side 5 is 25."),
    "a triangle": (
        "The area of a triangle with base 6 and height 5 is 15.",
        "",
    ),
    "a hypotenuse": ("Legs 3 and 4 has hypotenuse 5.", "Legs 3 and 4 has hypotenuse 6."),
    "a slope": ("The slope of the line through (1, -2) and (3, 6) is 4.", "The slope between (1, -2) and (3, 6) is 2."),
    "a distance": ("The distance between (0, 0) and (3, 4) is 5.", "The distance between (0, 0) and (3, 4) is 7."),
    "a circle": ("The area of a circle with radius 3 is 9π.", "The area of a circle with radius 3 is 6π."),
    "simple interest": (
        "The simple interest on $1,000 at 5% for 3 years is $150.",
        "The simple interest on $1,000 at 5% for 3 years is $160.",
    ),
    "compound interest": (
        "$1,000 at 5% compounded annually for 3 years grows to $1,157.63.",
        "$1,000 at 5% compounded annually for 3 years grows to $1,150.00.",
    ),
    "interest by months": (
        "$1,000 invested at 6% compounded monthly for 2 years grows to $1,127.16.",
        "$1,000 invested at 6% compounded monthly for 2 years grows to $1,123.60.",
    ),
    "interest by quarters": (
        "$1,000 invested at 8% compounded quarterly for 1 year becomes $1,082.43.",
        "$1,000 invested at 8% compounded quarterly for 1 year becomes $1,080.00.",
    ),
    "a present value": (
        "The present value of $1,000 due in 3 years at 5% is $863.84.",
        "The present value of $1,000 due in 3 years at 5% is $850.00.",
    ),
    "an annuity": (
        "The present value of an annuity of $100 per year for 10 years at 5% is $772.17.",
        "The present value of an annuity of $100 per year for 10 years at 5% is $1,000.",
    ),
    "an annuity's end": (
        "The future value of an annuity of $100 per year for 10 years at 5% is $1,257.79.",
        "The future value of an annuity of $100 per year for 10 years at 5% is $1,628.89.",
    ),
    "a perpetuity": ("A perpetuity of $100 at 5% is worth $2,000.", "A perpetuity of $100 at 5% is worth $500."),
    "a loan": (
        "The monthly payment on a $200,000 loan at 6% for 30 years is $1,199.10.",
        "The monthly payment on a $200,000 loan at 6% for 30 years is $1,000.",
    ),
    "an effective rate": (
        "The effective annual rate of 12% compounded monthly is 12.68%.",
        "The effective annual rate of 12% compounded monthly is 12.50%.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TOLD)
def test_a_right_line_is_verified_and_a_wrong_one_is_a_doubt_at_most(kind: str) -> None:
    right, wrong = TOLD[kind]
    assert is_verified(right)
    if wrong:
        assert is_doubted(wrong)
        assert not is_refuted(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "2 eggs and 3 cups of flour make 1 cake.",
        "The pages 45/50 (12) are missing.",
        "It takes 3/4 or 0.5 of an hour.",
        "Suppose 24 is twice 13.",
        "If 12 boys and 15 girls come, for a total of 28, we need two buses.",
        "Is 24 twice 13?",
        "There are 4 integers from 5 to 10 that are not prime.",
        "The sum of the first 10 numbers of the list is 73.",
        "5 is at least 7, which is false.",
        "The number of ways to choose 2 of 5 in order is 20, so the number of ways to choose 2 of 5 is 20.",
        "$5 per day for 2 weeks is $70.",
        "3 boxes with 4 large and 5 small pens each is 27 pens.",
        "7 goes into 36 5 times.",
        "The largest of 3, 9, and 5 is about 8.",
        "$20 and 3 apples, for a total of 25.",
        "half of 12 boys and 15 girls, for a total of 21.",
        "He lost 1/3 of 12 kg which is 12 x 1/3.",
        "He lost 1/3 of 12 kg which is 12 kg * 1/3 of it.",
        "She is 3 times 8 years and 1 more, 25 is 3 times 8 plus 1.",
    ],
)
def test_what_may_mean_something_else_is_left_alone(line: str) -> None:
    assert not is_doubted(line)
    assert not is_refuted(line)


def test_a_percentage_more_than_a_number_is_no_sum_of_the_two() -> None:
    assert not is_refuted("30% more than 50 is 65.")
    assert not is_refuted("30% less than 50 is 35.")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("$2.5 million * 4 = $10 million", "$2.5 million * 4 = $12 million"),
        ("500 thousand + 500 thousand = 1 million", "500 thousand + 500 thousand = 2 million"),
        ("3 billion / 1.5 million = 2,000", "3 billion / 1.5 million = 200"),
        ("1,234,567 * 2 = 2.47 million", "1,234,567 * 2 = 2.57 million"),
    ],
)
def test_words_of_scale_are_powers_of_ten_and_accuse_of_nothing_certain(right: str, wrong: str) -> None:
    assert is_verified(right)
    assert is_doubted(wrong)
    assert not is_refuted(wrong)


def test_a_word_of_scale_is_no_number_from_nowhere() -> None:
    placed = findings("So 2.5 million * 4 = 10 million.", problem="It costs 2.5 million, 4 times.")
    assert not [item for item in placed if item.finding.evidence.rule == "number from nowhere"]
    assert [item for item in placed if item.finding.verdict is Verdict.VERIFIED]
