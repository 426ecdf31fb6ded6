"""Conventions of solutions that are no errors: where a number ends, what a logarithm is taken of, what ties a letter.

The forms are those of solutions that models wrote and that nobody here had read; the lines are our own.
"""

import pytest

from tests.unit.checker.readings import is_refuted

LEAST = "Numbers x and y with $2x + 3y = 13$ are given. Determine the minimum possible value of $x^2 + 9y^2$."
FREE = "Determine the minimum possible value of $x^2 + 9y^2 + 4$."
# form -> right steps that nobody may accuse, and steps of which one is false
FORMS = {
    "the end of a range": (
        ["So a number chosen from 1 through 50 is a multiple of 7 with this chance."],
        ["So the number 50 is a multiple of 7."],
    ),
    "the end of a list": (
        [r"It is formed by the digits \( 2, 3, 5, 7 \) that is divisible by 12."],
        [r"So for n = 3, \( 7 \) is divisible by 12."],
    ),
    "a span of years": (
        ["The shift from 2013 to 2019 is a multiple of 7."],
        ["It adds up to 2019, which is a multiple of 7."],
    ),
    "a radius": (
        ["So the perimeter of each triangle in a circle of radius 1 is greater than 2."],
        ["But the number 1 is greater than 2."],
    ),
    "digits with a sum": (["A number with a sum of digits equal to 9 is prime."], ["So we see that 9 is prime."]),
    "the logarithm of a product": (
        [r"So \(\log_{2\sqrt{3}} 4 \cdot 3 = \log_{2\sqrt{3}} 12 = 2\)."],
        [r"So \(\log_{2\sqrt{3}} 4 \cdot 3 = \log_{2\sqrt{3}} 13\)."],
    ),
    "a logarithm with a bracket": (
        [r"So \(\log_2 (8) \cdot 4 = 12\)."],
        [r"So \(\log_2 (8) \cdot 4 = 5\)."],
    ),
    "a factor behind a unit": (
        [r"\[ 1.05 \times 10^7 \, \text{m}^{-1} = 1.09 \times 10^7 \, \text{m}^{-1} ( 1 - \frac{1}{n^2} ) \]"],
        [r"\[ 1.05 \times 10^7 \, \text{m}^{-1} = 1.09 \times 10^7 \, \text{m}^{-1} \]"],
    ),
    "negative divisors": (
        [r"The divisors of 21 are \( \pm 1, \pm 3, \pm 7, \pm 21 \).", "There are 8 divisors of 21."],
        ["The divisors of 21 are 1, 3, 7 and 21.", "There are 8 divisors of 21."],
    ),
    "one of two values": (
        [r"If \( d(Q, R) = 1 \), then \( d(R, S) = 1 \) or \( d(R, S) = 2 \)."],
        ["So the total cost = 4. The total cost = 5."],
    ),
    "one of two formulas": (
        [r"There \( n = 3k \) or \( n = 3k - 1 \)."],
        [r"So \( n = 3k + 2k \) \( n = 6k \)."],
    ),
    "an equation multiplied out": (
        [r"\[ 5(4 + x) = 2(10 - x) \]" + "\n" + r"\[ 20 + 5x = 20 - 2x \]"],
        [r"\[ 3(4x) + 2(5x) = 20x \]"],
    ),
    "a reason beside the equation that is meant": (
        [
            r"We have \[(a+b)(a+c)(b+c) = 27(a+b+c)(ab+ac+bc) - (a^2b^2 + a^2c^2 + b^2c^2).\] "
            r"Since \(a + b + c = 0\), this simplifies to: \[(a+b)(a+c)(b+c) = - (a^2b^2 + a^2c^2 + b^2c^2).\]"
        ],
        ["We have $a + b + c = 0$. This simplifies to $2a + 2b = c$."],
    ),
    "two sides set equal": (
        ["So $x^2 + y = 10$. Equating the simplified sides, we have $8x + 3y = 2$."],
        ["So $x^2 + y = 10$. Simplifying both sides, we have $8x + 3y = 2$."],
    ),
    "differentials": (
        [
            r"\[ v(t) = L \frac{d}{dt} \left( C \frac{dw(t)}{dt} \right) + w(t) \]",
            r"**Simplify the equation:** \[ v(t) = L C \frac{d^2 w(t)}{dt^2} + w(t) \]",
        ],
        ["So $x^2 + y = 10$. Simplifying it, we have $8x + 3y = 2$."],
    ),
    "what depends on the variable": (
        [r"So \[ \frac{d}{dr} \left( K \rho^2 \right) = -3r \]"],
        [r"So \[ \frac{d}{dt} \left( 4 t^2 \right) = -3t \]"],
    ),
    "new coordinates": (
        ["The slope is that of $y = 2x + 1$. Letting $x' = -12x - 11$ and $y' = -6x - 5$, we solve for $y'$."],
        ["The slope is the derivative of $y = 2x + 1$, which is $y' = 3x$."],
    ),
    "an equation with a value put in": (
        ["Substituting $x = 30n$ into the original equation, we get:", "$$15n - 10n = 4n$$"],
        ["Adding the shares, we get:", "$$15n - 10n = 4n$$"],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_convention_accuses_nobody_and_a_false_line_is_refuted(form: str) -> None:
    right, false = FORMS[form]
    assert not is_refuted(*right)
    assert is_refuted(*false)


def test_letters_that_the_problem_ties_have_another_least_value() -> None:
    """2x + 3y = 13 allows no x = y = 0."""
    assert not is_refuted(r"So the minimum possible value of \(x^2 + 9y^2\) is \(\boxed{33.8}\).", problem=LEAST)
    assert not is_refuted(r"So the minimum possible value of \(x^2 + 9y^2\) is \(\boxed{34}\).", problem=LEAST)
    assert is_refuted(r"So the minimum possible value of \(x^2 + 9y^2 + 4\) is \(\boxed{10}\).", problem=FREE)
