"""Forms of solutions from a public set that was never ours: errors that were muted, and right lines that were accused.

The words before a sum say whether it began earlier: "half of 5 + 3" did, "he took out 64 / 4" did not. Where the forms
were read is said in docs/measurements.md; the lines here are our own.
"""

import pytest

from tests.unit.checker.readings import is_doubted, is_refuted

# form -> a false step that is refuted for certain, and one with the same form that nobody may accuse
FORMS = {
    "a word that takes something out": ("So she took out 56 / 4 = 12 fish.", "So she took out 56 / 4 = 14 fish."),
    "out between two numbers": ("She is out 900 - 250 = 550 by now.", "Of 12 out 3 + 4 = 5 were blue."),
    "a day that is told of": ("On the third day 7 * 2 = 18 fish swim.", "On day 7 * 2 = 18 fish swim."),
    "an article": ("They get a 250*.2=$45 discount.", "They get a 250*.2=$50 discount."),
    "behind a verb": ("Two less than 7 times it is 91 - 2 = 88.", "Two less than 7 times it is 91 - 2 = 89."),
    "equal to": ("4 feet is equal to 4 x 12 = 46 inches.", "4 feet is equal to 4 x 12 = 48 inches."),
    "given values put in": (
        "Plugging in the given values: (1/2) * 12 * 10 = 70",
        "Plugging in x = 3 we would need 2 * 3 + 1 = 9, which fails.",
    ),
    "without, and told as it is": (
        "Without the coins they have 1.25 + 4.25 = 6.50 dollars.",
        "Without the carry 17 + 25 = 32.",
    ),
    "rupees": ("He spends 4 x Rs. 3500 = Rs. 12000.", "He spends 4 x Rs. 3500 = Rs. 14000."),
    "what an hour holds": ("Since an hour has 50 minutes, it is short.", "Since an hour has 60 minutes, it is short."),
    "pi by its name": ("So the area is pi * 3^2 = 6pi.", "So the area is pi * 3^2 = 9pi = 28.27."),
    "units in a formula": (
        r"So $5 \text{ km} + 300 \text{ m} = 5.4 \text{ km}$.",
        r"So $5\,\text{km} + 300\,\text{m} = 5.3\,\text{km}$.",
    ),
    "a bracket between its bounds": (
        r"So $\left[ \frac{x^3}{3} - x \right]_{1}^{4} = 17$.",
        r"So $\left[ \frac{x^3}{3} - x \right]_{1}^{4} = \frac{64}{3} - 4 - (\frac13 - 1) = 18$.",
    ),
    "a bar with bounds": (r"So $\frac{x^3}{3} \Big|_0^3 = 8$.", r"So $f(x) \Big|_0^3 = 9 = x^2 \bigg|_{0}^{3}$."),
    "what is in a foot": ("There are 10 inches in 1 ft, so it fits.", "There are 8 hours in a day, he says."),
}
RIGHT = {
    "whole parts of quotients": ["The number of factors of $5$ in $42!$ is $42/5 + 42/25 = 8 + 1 = 9$."],
    "letters that look like a unit": ["(l+b)^2 = l^2 + b^2 + 2lb = 49", "l^2 + b^2 = 25", "So 2lb = 24."],
    "minutes, then a part of an hour": ["x / 9 + x / 6 = 50 minutes", "x / 9 + x / 6 = 5/6"],
    "a cut digit of a percentage": ["That is 3 pins / 21 pieces * 100% = 14.28 of it."],
    "an even root of positive numbers": [r"By AM-GM, $x^6 + y^6 \ge \sqrt[6]{(x^6)(y^6)(27^4)} = 9xy,$ as asked."],
    "a box as a sign": [r"The inner expression is $\boxed{11}\times\boxed{20}=2\times6=12$."],
    "the square of i": [r"So \[(x + yi)^2 + 2yi + 2 = 0,\]which expands as\[x^2 + 2xyi - y^2 + 2yi + 2 = 0.\]"],
    "a point before a formula": [r"Her ratio started at exactly .$500 = \tfrac{1}{2},$ so she won half."],
    "by symmetry": ["We solve $(x+7/2)(x-5/2)=0$. By symmetry, the left intersection is $x=-2.5$."],
    "roots of unity": [r"For roots of unity $b^{12} (1 + a/b)^{12} = (1 + a/b)^{12}$ holds."],
    "a case whose formula stands below": [
        "In the first case the denominator is zero, so",
        "$$2x-5=0$$",
        "For the second case the other one is zero. If so, we have",
        "$$5(2x-5)=2$$",
    ],
    "a factor in brackets": ["The smallest multiple of 18 that is greater than 200 is $18(12)=216$."],
    "dollars and cents in one sum": ["So $3.50 + 25 cents = $3.75."],
    "a rate converted by a number": ["So 100 km/h ÷ 3.6 = 27.8 m/s."],
    "an hour on a plan": ["On this plan each yard is 2 feet."],
    "pi by its name": ["So V = pi * (2 - 2ln(2)) * 2 = 4pi - 4pi*ln(2).", "C = 2 pi r = 2 * pi * 5 = 10pi = 31.4"],
    "a proportion with colons": ["Write 0.75 : x = 5 : 8 as 0.75/x = 5/8.", "So 0.75*8 = 5*x."],
    "a lesson": ["There are 10 minutes in an hour lesson for this."],
    "working hours": ["There are 8 hours in a day of work."],
}


@pytest.mark.parametrize("form", FORMS)
def test_a_false_line_is_refuted_and_a_right_one_is_not(form: str) -> None:
    false, right = FORMS[form]
    assert is_refuted(false)
    assert not is_refuted(right)


@pytest.mark.parametrize("steps", RIGHT.values(), ids=RIGHT)
def test_nobody_is_accused_of_how_others_write(steps: list[str]) -> None:
    assert not is_refuted(*steps)


@pytest.mark.parametrize("line", ["8 hours * 50 minutes/hour = 400 minutes", "15 minutes * 1 hour/50 minutes"])
def test_a_rate_between_two_units_of_one_kind_is_a_doubt(line: str) -> None:
    assert is_doubted(line)
    assert not is_refuted(line)


@pytest.mark.parametrize("line", ["So 3/4 = 0.75 = 70%.", "So 0.045 = 45%.", "So 70% = 0.75."])
def test_a_decimal_with_another_percentage_is_a_doubt(line: str) -> None:
    assert is_doubted(line)
    assert not is_refuted(line)


@pytest.mark.parametrize(
    "line", ["So 0.33 = 33.3%.", "So 1.08 = 8% growth.", "So 0.92 = 8% off.", "So 0.045 = 4.5%.", "So 2 = 200%."]
)
def test_a_decimal_with_its_own_percentage_or_a_change_is_none(line: str) -> None:
    assert not is_doubted(line)


@pytest.mark.parametrize("line", ["8 hours * 60 minutes/hour = 480 minutes", "He rests 5 minutes per hour."])
def test_a_rate_that_is_a_factor_or_none_is_not(line: str) -> None:
    assert not is_doubted(line)
