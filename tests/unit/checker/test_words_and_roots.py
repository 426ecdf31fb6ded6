"""Arithmetic said in words, lists of factors, values that solve equations, and notation that was not read before."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_refuted, is_verified

FALSE = {
    "a share in words": ["Half of 50 is 20."],
    "a percentage in words": ["So 25% of 80 is 25."],
    "a product in words": ["Note that 5 times 8 equals 45."],
    "a quotient in words": ["84 divided by 7 is 13."],
    "a list added up": ["The sum of 3, 4 and 5 is 13."],
    "an average": ["The average of 2, 4, 6, and 8 is 6."],
    "a median": ["The median of 3, 9, 4 is 9."],
    "a common divisor": ["The greatest common divisor of 252 and 96 is 24."],
    "a common multiple": ["The LCM of 4 and 6 is 24."],
    "a remainder": ["The remainder when 100 is divided by 7 is 3."],
    "a power's remainder": [r"The remainder when 2^{10} is divided by 7 is 4."],
    "a digit": ["The hundreds digit of 2011^2011 is 9."],
    "a digit sum": ["The sum of the digits of 24516 is 19."],
    "divisors counted": ["The number of positive divisors of 196 is 8."],
    "a number that is none": [r"So \(7(3) = 21\), which is not a multiple of 3."],
    "a factor forgotten": ["The common factors of 120 and 40 are 1, 2, 4, 5, 8, 10, and 20."],
    "a factor forgotten later": ["Find the factors common to both 12 and 18. The common factors are 1, 2, 6."],
    "a stranger among factors": ["The factors of 20 are $1, 2, 4, 5, 6, 10,$ and $20$."],
    "an even number among the odd": ["The odd numbers from 1 to 9 are: 1, 3, 5, 7, 8."],
    "a prime forgotten": ["The prime numbers less than 20 are 2, 3, 5, 7, 11, 13, 17."],
    "a number beyond the range": ["Odd numbers between 1 and 8 are: 1, 3, 5, 7, 9."],
    "a comparison in words": ["So 1/2 is greater than 3."],
    "a conversion with symbols": ["1 liter (L) is equal to 100 milliliters (ml)."],
    "a root gained": [r"\((x-2)(x+3) = 0\)", "So x = 2 or x = 3."],
    "a root lost": [r"\(x^3 - 6x^2 + 11x - 6 = 0\)", r"The roots are \(x = 1\) and \(x = 2\)."],
    "a discriminant": [r"\[x^2 - 4x + 1 = 0\]", r"The formula gives \[x = \frac{4 \pm \sqrt{16 + 4}}{2}\]"],
    "a link with two signs": [r"\[x = \frac{4 \pm \sqrt{16 - 4}}{2} = 2 \pm \sqrt{5}\]"],
    "choices in short": ["5C1 * 5^4 = 625 * 625"],
    "choices in LaTeX": [r"$6C_2 = 30$"],
    "scores of a test": ["The sum of all test scores: 45 + 55 + 50 = 160"],
    "an escaped star": [r"det A = (1\*3) - (2\*2) = 1"],
    "products of letters in dollars": [r"We expand: $(a+b)^3 = a^3 + 3a^2b + 3ab^2 + b^3 + 6abc - 6bac + 1$"],
    "a rough value said exactly": ["log(0.02)/log(0.8) ≈ 18.57"],
    "a rough value after equals": ["5/9 = approximately 0.66"],
    "an answer that is not the given formula": [r"So the answer is \(\boxed{2t + 1}\)."],
    "a division by another number": ["18x = 162", "Divide both sides by 18:\nx = 162 / 17\nx = 9.5294"],
    "a function at a point with a root": ["Let f(x) = 3√(2x - 7) - 8", "f(8) = 3√(16 + 7) - 8"],
    "one label over two lines": ["Total hours per day = 10 * 0.5\nTotal hours per day = 10"],
    "one label with symbols over two lines": ["Current height = x + (0.5x)\nCurrent height = 1.6x"],
    "one left side over two lines": ["2w^2 - 4w = -48 - 4 - 30\n2w^2 - 4w = -52"],
}
TRAPS = {
    "more than a share": ["3 more than half of 50 is 28."],
    "a share of what is left": ["Of these, half of 50 is 20 more than 5."],
    "a claim goes on": ["5 times 8 equals 4 dozen minus 8."],
    "a product goes on": ["15% of $26 is 0.15 x 26."],
    "an approximation in words": ["About 33% of 10 is 3."],
    "a hypothesis": ["If half of 50 is 20, we stop."],
    "rounding": ["84 divided by 9 is 9.33."],
    "a remainder in words": ["85 divided by 7 is 12 with a remainder of 1."],
    "an end that may belong": ["The even numbers between 1 and 10 are 2, 4, 6, 8, and 10."],
    "a comparison that goes on": ["12 is greater than 5 times 4.", "x + 5 is greater than 70."],
    "factors of a kind": ["The odd factors of 12 are 1 and 3.", "The factors of 12 greater than 3 are 4, 6, 12."],
    "some factors": ["Factors of 40 include 1, 2 and 4."],
    "prime factors without powers": ["The prime factors of 60 are 2, 3, and 5."],
    "what is no multiple": ["The numbers that are not multiples of 3 are 1, 5, 7."],
    "a list that goes on": ["The multiples of 7 are 7, 14, 21, ..."],
    "another subject": ["The factors of 12 are 1, 2, 3, 4, 6 and 12 and 5 is none."],
    "a positive root": [r"\(x^2 = 9\)", "The side is x = 3."],
    "a trial": [r"\(x^2 = 9\)", "Suppose x = 4."],
    "both roots": [r"\(x^2 - 4x + 1 = 0\)", r"\(x = \frac{4 \pm \sqrt{12}}{2} = 2 \pm \sqrt{3}\)"],
    "roots that are not rational": [r"\(x^2 = 2\)", r"So \(x = \sqrt{2}\) or \(x = -\sqrt{2}\)."],
    "one of the two signs": [r"\(x = 3 \pm 2 = 5\)"],
    "alternatives with one left side": ["So x - 4 = 12 or x - 4 = -12.", "Second: x - 4 = -12, x = -8."],
    "a function named in the problem": [r"Then \(t(5) = 4\)."],
    "bullets between formulas": [r"- \(\sqrt{25} = 5\) - \(\sqrt{16} = 4\)"],
    "a slip taken back": ["2 + 2 = 5. Wait, that's not right."],
    "a label that changes": ["Now the total = 3 * 4. Later the total = 5"],
    "two equations of a system": ["2x + 3y = 7\n2x + 3y = 5 + 2"],
    "a value and its decimals": ["18x = 162.1", "x = 162.1 / 18\nx = 9.006"],
    "coefficients before C": [r"\(20C + 200A = 40\), then \(10A\)."],
}


@pytest.mark.parametrize("name", FALSE)
def test_this_is_refuted(name):
    assert is_refuted(*FALSE[name], problem=r"Simplify \(5t - 2t + 1\).")


def test_the_answer_of_a_formula_is_computed():
    problem = r"What is the value of $\sqrt{5^5+5^5+5^5+5^5+5^5}$? Express your answer as an integer."
    assert is_refuted(r"So it is \boxed{120}.", problem=problem)
    assert is_verified(r"So it is \boxed{125}.", problem=problem)
    assert not is_refuted(r"It is \boxed{120}.", problem="What is the value of $n$ when it is $2+2$?")


@pytest.mark.parametrize("name", TRAPS)
def test_this_is_left_alone(name):
    assert not is_refuted(*TRAPS[name], problem="Let t(x) = 3x + 1 and t(5) = 16.")


def test_what_is_said_rightly_is_verified():
    assert is_verified("The greatest common divisor of 252 and 96 is 12.")
    assert is_verified("The divisors of 12 are $1, 2, 3, 4, 6,$ and $12$.")
    assert is_verified("1/2 = approximately 0.5")


def test_a_root_that_may_be_left_out_on_purpose_is_evidence_only():
    found = findings("We solve x^2 - 5x + 6 = 0.", "So x = 2.")
    lost = [item.finding for item in found if item.finding.evidence.rule == "root lost"]
    assert [item.verdict for item in lost] == [Verdict.NOT_APPLICABLE]
    assert "x = 3" in lost[0].evidence.sentence


def test_a_gained_root_is_named_with_the_true_ones():
    found = findings(r"\((x-2)(x+3) = 0\)", "So x = 2 or x = 3.")
    assert any(
        "does not solve" in item.finding.evidence.sentence and "-3, 2" in item.finding.evidence.sentence
        for item in found
    )
