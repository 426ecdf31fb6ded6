"""Equations that stand beside each other contradict nobody; the same equations one after the other still do.

The forms are those of solutions that models wrote and that nobody here had read; the lines are our own.
"""

import pytest

from tests.unit.checker.readings import is_doubted, is_refuted

# form -> a problem, right steps that nobody may accuse, and steps of which one is false
FORMS = {
    "two cases of a list": (
        "Solve |7x - 2| = x + 4.",
        ["This can be broken into two cases:\n1. $7x - 2 = x + 4$\n2. $7x - 2 = -(x + 4)$"],
        ["We have $7x - 2 = x + 4$.", "Subtracting x, we get $6x - 2 = 5$."],
    ),
    "items with an equation each": (
        "Find all integers x with (x^2 - 7)(x^2 + 3) < 0.",
        ["**1. Find the zeros of each factor:**", "* $x^2 - 7 = 0$\n* $x^2 + 3 = 0$"],
        ["* $x^2 - 7 = 0$ means that\n* $x^2 = 8$"],
    ),
    "pairs of factors": (
        "Find all whole numbers a and b with a^2 - b^2 = 45, where a - b is 1, 3 or 5.",
        [
            "Solve in each case:\n1. \\( a - b = 1 \\) and \\( a + b = 45 \\)",
            r"2. \( a - b = 3 \) and \( a + b = 15 \)",
        ],
        [r"So \( a - b = 1 \) and \( a + b = 45 \).", r"Adding both, \( 2a = 48 \)."],
    ),
    "numbered cases": (
        "Given that a + bc = 24 and -a + cd = 11, find the greatest c.",
        [
            r"1. If \( c = 35 \) and \( b + d = 1 \), then \( b = 1 - d \). Putting \( c = 35 \) in, "
            r"we get: \[ a + 35b = 24 \quad \text{and} \quad -a + 35d = 11 \] Adding these, we get \( b + d = 1 \).",
            r"2. If \( c = 7 \) and \( b + d = 5 \), then \( b = 5 - d \). Putting \( c = 7 \) in, "
            r"we get: \[ a + 7b = 24 \quad \text{and} \quad -a + 7d = 11 \]",
        ],
        [r"Since \( c = 7 \), we have \( a + 7b = 24 \), so \( 2a + 14b = 49 \)."],
    ),
    "the roots of unity": (
        "Let w be a number with w^3 = 1.",
        [
            "The values are:",
            "* $w = 1$\n* $w = e^{2\\pi i/3}$\n* $w = e^{4\\pi i/3}$",
            "$e^{2\\pi i/3} + e^{4\\pi i/3} + 1 = 0$",
        ],
        ["We have $w = 1$.", "So $3w = 4$."],
    ),
    "a letter that was solved": (
        "How many multiples of 4 and of 10 are there up to 80?",
        [
            "**Step 1: Multiples of 4**",
            "Solving for $n$ gives $80 = 4 + (n-1)4$, so $n = 20$.",
            "**Step 2: Multiples of 10**",
            "Solving for $n$ gives $80 = 10 + (n-1)10$, so $n = 8$.",
        ],
        ["Solving for $n$ gives $80 = 4 + (n-1)4$, so $4n = 84$."],
    ),
    "roots and coefficients": (
        "The numbers a, b and c are the roots of 3x^3 - 12x^2 + 9x + 4 = 0. Find a + b + c.",
        [
            "For a cubic $ax^3 + bx^2 + cx + d = 0$ the sum of the roots is $-\\frac{b}{a}$.",
            "Here $a = 3$, $b = -12$, $c = 9$.",
            "So $a + b + c = -\\frac{-12}{3} = 4$.",
        ],
        ["We know that $a = 3$, $b = -12$ and $c = 9$.", "So $a + b + c = 4$."],
    ),
    "an absolute value": (
        "A problem.",
        ["So $\\frac{1}{3} = -v$.", "A speed is positive, so we take the absolute value:", "$v = \\frac{1}{3}$"],
        ["So $\\frac{1}{3} = -v$.", "This means:", "$3v = 1$"],
    ),
    "the problem's own line": (
        "The lines x = 2 and y = 5 part the circle x^2 + y^2 = 49.",
        ["The circle $x^2 + y^2 = 49$ is parted by the lines $x = 2$ and $y = 5$."],
        ["The circle is $x^2 + y^2 = 49$.", "Simplifying it, we get $x^2 + y^2 + 1 = 51$."],
    ),
    "a corrected line": (
        "A problem.",
        ["So $3k = 12$.", "The correct interpretation is that $3k = 15$."],
        ["So $3k = 12$.", "It follows that $6k = 26$."],
    ),
    "what can never hold": (
        "A problem.",
        ["The equation left over would be", "$x - 3 = x - 5$", "This equation has no real roots."],
        ["Adding both sides we get", "$x - 3 = x - 5$", "Then we go on."],
    ),
    "pairs that are looked for": (
        "A problem.",
        [r"We need pairs \((a, b)\) such that \(a + b = 20\).", r"Now find pairs \((a, b)\) such that \(a + b = 12\)."],
        [r"We know that \(a + b = 20\).", r"Doubling it gives \(2a + 2b = 30\)."],
    ),
    "a value that is supposed": (
        "It is given that a + b + c = 2019.",
        [
            "If we assume $a = 587$, then $b = 1432 - c$.",
            "We have $a + b = 700$ and $c = 1319$.",
            "So $a = 587$, $b = 114$.",
        ],
        ["We have $a = 587$.", "So $b + c = 1433$."],
    ),
    "a line that solves nothing": (
        "The lines x = 4 and y = 3 part the circle x^2 + y^2 = 36.",
        ["For $y = 3$ we get $x^2 = 27$.", "The lines $x = 4$ and $y = 3$ part the circle."],
        ["For $y = 3$ we get $x^2 = 27$.", "So the solution is $x = 5$."],
    ),
    "a rule that is tried": (
        "Find all functions f.",
        ["If f(n) = n - 1, then 1 + f(n) = n, which is too small. Therefore, f(1) = 1."],
        ["Let f(n) = n - 1. Therefore, f(1) = 1."],
    ),
    "a unit set upright": (
        "A problem.",
        [r"So $T = 20 = 293.15 \, \mathrm{K}$ and $T = 20 + 273.15 = 293.15 \, \mathrm{K}$."],
        [r"So $20 = 4K$, and therefore $K = 6$."],
    ),
    "functions by their letters": (
        "A problem.",
        [r"So $\sigma(15) = (1 + 3)(1 + 5)$, and $\sigma(127) = 1 + 127 = 128$."],
        ["So $s = (1 + 3)(1 + 5)$, and therefore $2s = 50$."],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_alternatives_accuse_nobody_and_a_false_line_is_refuted(form: str) -> None:
    problem, right, false = FORMS[form]
    assert not is_refuted(*right, problem=problem)
    assert is_refuted(*false, problem=problem)


def test_what_stands_beside_another_line_is_still_told() -> None:
    """A doubt, not silence: whoever judges the step reads that the two lines exclude each other."""
    problem, right, _ = FORMS["two cases of a list"]
    assert is_doubted(*right, problem=problem)
