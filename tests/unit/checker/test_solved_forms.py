"""What is said to solve what stands before: for each form errors that it accuses, and right lines that look alike."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_refuted

CURVES = "The region lies between $y = |x|$ and $y = -|x| + 3$."
PARABOLAS = "Find the area between y = x^2 and y = 2 - x^2."
DAPS = "If 4 daps = 7 yaps, and 5 yaps = 3 baps, how many daps equal 42 baps?"
# rule -> problem, traces with an error (their last step is accused), traces of which none may be
FORMS = {
    "values of a system": (
        "Rowena paints for x hours and Ruby for y hours.",
        [
            [
                r"If both work so, we get $\frac{x}{14} + \frac{y}{6} = \frac{1}{2}$.",
                r"If they swap, we get the equation $\frac{y}{14} + \frac{x}{6} = 1$.",
                r"Solving the system of equations, we find $x = \frac{11}{10}$ and $y = \frac{11}{10}$.",
            ],
        ],
        [
            ["If so, x + y = 5 and x - y = 1.", "Solving the system, we get x = 3 and y = 2."],
            ["If so, x + y = 5 and x - y = 1.", "Solving the system, we get x = 6/2 and y = 4/2."],
            ["If so, x + y = 5.", "Solving the system, we get x = 3 and y = 4."],
            ["If so, x + y = 5 and x - y = 1.", "Solving the system, we get x = 3 or x = 4 and y = 2."],
            ["If so, x + y = 5 and x - y = 1.", "Solving the system would not give x = 1 and y = 2."],
            ["If so, x + y = 5 and x - y = 1.", "Is solving the system, we get x = 1 and y = 1?"],
            ["If so, a + b = 5 and a - b = 1.", "Solving the system, we get x = 3 and y = 4."],
            ["If so, 3x + y = 5 and x - y = 2.", "Solving the system, we get x = 1.75 and y = -0.25."],
            ["If so, x + y = 5 and x - y = 1.", "Solving the system we get x = 3."],
            ["If so, x y = 6 and x + y = 5.", "Solving the system, we get x = 2 and y = 3."],
            ["If so, x y = 6 and x + y = 5.", "Solving these equations gives x = 3 and y = 2."],
        ],
    ),
    "where two curves cross": (
        CURVES,
        [
            ["The two graphs intersect at the points (0,0), (1,1), and (1,2)."],
            ["Since the graphs intersect at x = 0 and x = 1.5, the region is bounded."],
            ["Setting them equal gives x = 2."],
        ],
        [
            ["The two graphs intersect at the points (-1.5, 1.5) and (1.5, 1.5)."],
            ["Since the graphs intersect at x = ±1.5, the region is bounded."],
            ["Since the graphs intersect at x = 3/2, the region is bounded."],
            ["Setting them equal gives x = 1.5."],
            ["The graphs intersect the x-axis at (3, 0) and (-3, 0)."],
            ["The graphs do not intersect at (0, 0)."],
            ["The graphs intersect the line y = 1 at (1, 1)."],
            ["If the graphs intersect at x = 2, then they are others."],
            ["Now take y = 2x. The graphs intersect at (1, 2)."],
            ["Do the graphs intersect at x = 2?"],
            ["The graphs intersect at x = a."],
            ["The lines x = 1 and x = 2 cross the axis when x = 1."],
        ],
    ),
    "a formula with a value put in": (
        r"What is the value of $\frac{x^8+12x^4+36}{x^4+6}$ when $x=5$?",
        [
            ["We are given that x=5.", r"The expression becomes \(\frac{5^8+12(5^4)+36}{5^3+6}\)."],
            [r"The least value is that of $(x+3)^2 - 16$.", r"Substituting $x = -3$ gives $(-3)^2 - 16 = -7$."],
        ],
        [
            ["We are given that x=5.", r"The expression becomes \(\frac{5^8+12(5^4)+36}{5^4+6}\)."],
            ["We are given that x=5.", r"The expression becomes \(\frac{390625+12(625)+36}{625+6}\)."],
            ["We are given that x=5.", r"The expression becomes \(\frac{(5^4+6)^2}{5^4+6}\)."],
            ["We are given that x=5.", r"The expression becomes \(5^4 + 6\)."],
            [r"The least value is that of $(x+3)^2 - 16$.", r"Substituting $x = -3$ gives $(0)^2 - 16 = -16$."],
            [r"The least value is that of $(x+3)^2 - 16$.", r"Substituting $x = -3$ gives $(-3+3)^2 - 16 = -16$."],
            [r"With $x^2 + 6x - 7$.", r"Substituting $x = -3$ gives $(-3)^2 + 6(-3) - 7$."],
            [r"With $x^2 + 6x - 7$.", r"Substituting $x = -3$ gives $9 - 18 - 7$."],
            [r"With $x^2 + 6x - 7$.", r"Substituting $x = -3$ into the circumference gives $2\pi \cdot 3$."],
            [r"With $3x^2$ and the derivative $6x$.", r"Substituting $x = 2$ gives $3 \cdot 2^2 = 12$."],
            [r"With $2x + 1$ and $2x - 1$.", r"Substituting $x = 2$ gives $2 \cdot 2 - 1 = 3$."],
        ],
    ),
    "a rate of exchange": (
        DAPS,
        [["4 daps = 7 (3 baps) = 21 baps"], ["So 20 daps = 35 baps."]],
        [
            ["4 daps = 7 yaps and 5 yaps = 3 baps."],
            ["So 20 daps = 35 yaps."],
            ["So 35 yaps = 21 baps."],
            ["So 20 daps = 21 baps."],
            ["So 40 daps = 42 baps."],
            ["4 daps = 21/5 baps"],
            ["8 daps = 14 yaps."],
            ["If 4 daps = 5 baps, it were easy."],
            ["He says 4 daps = 3 baps, which is wrong."],
            ["Is 4 daps = 21 baps?"],
            ["2 * 4 daps = 14 yaps"],
            ["So 20 daps are 21 baps, and 5 apples = 3 pears."],
        ],
    ),
    "a value rounded": (
        "How long does it take?",
        [["Taking the root, t = √80 = 4√5.", "Thus t ≈ 9.01 s."], ["So x = 10/3.", "Hence x ≈ 3.43."]],
        [
            ["Taking the root, t = √80 = 4√5.", "Thus t ≈ 8.94 s."],
            ["Taking the root, t = √80 = 4√5.", "Thus t ≈ 8.9."],
            ["Taking the root, t = √80 = 4√5 hours.", "Thus t ≈ 536.7 minutes."],
            ["Taking the root, t = √80 = 4√5.", "Thus t ≈ 9."],
            ["θ = π/6", "Hence θ ≈ 30.0"],
            ["So x = 10/3.", "Now x = 5/3.", "Hence x ≈ 1.67."],
            ["So x = 10/3.", "If x ≈ 3.43, it is more."],
            ["So x = 1/3 + 3.", "Hence x ≈ 3.33."],
            ["So x = 2.5 * 2.", "Hence x ≈ 5.2."],
            ["So x = ±√2.", "Hence x ≈ -1.41."],
            ["So x = √2.", "Hence y ≈ 1.73."],
        ],
    ),
    "an area by the vertices": (
        "Find the area.",
        [["It is a square with vertices at (-1, 0), (1, 0), (0, -1), (0, 1). This square has area 4."]],
        [
            ["It is a square with vertices at (-1, 0), (1, 0), (0, -1), (0, 1). This square has area 2."],
            ["It is a triangle with vertices (0, 0), (4, 0), (0, 3) and has an area of 6."],
            ["It is a triangle with vertices (0, 0), (4, 0), (0, 3) and has an area of 12/2."],
            ["It is a rectangle with vertices (0, 0), (4, 0), (4, 3) and (0, 3). The area is 12."],
            ["It is a square with vertices (0, 0), (1, 0), (1, 1), (0, 1). Its area is 4 times that of the other."],
            ["It is a triangle with vertices (0, 0), (2, 0), (0, 2). The square beside it has area 9."],
            ["It is a quadrilateral with vertices (0, 0), (4, 0), (1, 1), (0, 4) and has area 8."],
            ["If it is a square with vertices (0, 0), (1, 0), (1, 1), (0, 1) and has area 5, it is another."],
            ["It is a square with vertices (0, 0), (1, 0), (1, 1), (0, 1). It does not have area 5."],
            ["It is a triangle with vertices (0, 0), (1, 0), (0, 1) and has area 1/2."],
            ["It is a triangle with vertices (0, 0), (1, 0), (0, 1) and has area 0.5."],
        ],
    ),
    "a result denied": (
        "Find two numbers.",
        [["Check whether the product is 70: 5 * 14 = 70. The product is not equal to 70, so A is out."]],
        [
            ["Check whether the product is 70: 5 * 15 = 75. The product is not equal to 70, so A is out."],
            ["5 * 14 = 70, which is not equal to 71."],
            ["5 * 14 = 70, which is not 70 more."],
            ["5 * 14 = 70, which is not 70%."],
            ["5 * 14 = 70, which is not 70/2."],
            ["2/3 = 0.67, which is not equal to 0.67 exactly."],
            ["x = 70, which is not 70 in the other case."],
            ["5 * 14 = 70. It is not 7 * 14."],
            ["5 * 14 = 70, and the sum is not equal to 70.5."],
            ["70 = 70. That is not 70."],
            ["5 * 14 = 70 is equal to 70."],
        ],
    ),
    "the place of a median": (
        "Find the median.",
        [
            ["Since there are 8 numbers, the median will be the average of the 3rd and 4th numbers."],
            ["There are 9 values, so the median is the 4th."],
        ],
        [
            ["Since there are 8 numbers, the median will be the average of the 4th and 5th numbers."],
            ["Since there are 8 numbers, the median will be the average of the 5th and 4th numbers."],
            ["There are 9 values, so the median is the 5th."],
            ["There are 8 numbers, and the median is the 4th for some."],
            ["There are 7 numbers, so the median is the average of the 3rd and 4th."],
            ["If there are 8 numbers, the median is the average of the 3rd and 4th?"],
            ["There are 12 terms, so the median is the average of the 6th and the 7th term."],
            ["There are 1 numbers, so the median is the 1st."],
            ["There are 8 numbers, so the mode is the 3rd."],
            ["There are 101 scores, so the median is the 51st."],
        ],
    ),
    "values in an interval": (
        "Find the whole numbers.",
        [
            ["So 2 < x < 6.", "The possible values of x are 2, 3, 4, 5."],
            ["So 2 < x <= 6.", "The values of x are 3, 7."],
        ],
        [
            ["So 2 < x < 6.", "The possible values of x are 3, 4, 5."],
            ["So 2 <= x < 6.", "The possible values of x are 2, 3, 4, 5."],
            ["So 2 < x < 6.", "The possible values of y are 2, 3, 4, 5."],
            ["So x < 6.", "The possible values of x are 6, 7."],
            ["So 2 < x < 6.", "So 1 < x.", "The possible values of x are 2, 3, 4, 5."],
            ["So 2 < x + 1 < 6.", "The possible values of x are 2, 3, 4, 6."],
            ["So 2 < x < a.", "The possible values of x are 2, 3, 4, 5."],
            ["So 2 < x < 6.", "Is it true that the possible values of x are 2, 3?"],
            ["So 2 < x < 6.", "One.", "Two.", "Three.", "The possible values of x are 2, 3."],
            ["So 2 < x < 6.", "The possible values of x are 3, 5 + 2."],
            ["So -2 < x < 2.", "The possible values of x are -1, 0, 1."],
        ],
    ),
}
FALSE = [(rule, problem, trace) for rule, (problem, wrong, _) in FORMS.items() for trace in wrong]
RIGHT = [(rule, problem, trace) for rule, (problem, _, right) in FORMS.items() for trace in right]


@pytest.mark.parametrize(("rule", "problem", "trace"), FALSE)
def test_what_does_not_fit_is_accused(rule, problem, trace):
    assert is_refuted(*trace, problem=problem)
    assert rule in refuting_rules(trace, problem)


@pytest.mark.parametrize(("rule", "problem", "trace"), RIGHT)
def test_what_fits_or_is_not_claimed_is_left_alone(rule, problem, trace):
    assert rule not in refuting_rules(trace, problem)


def test_two_places_are_enough_for_curves_of_the_problem():
    assert "where two curves cross" in refuting_rules(["Setting them equal gives x = ±√2."], PARABOLAS)
    assert "where two curves cross" not in refuting_rules(["Setting them equal gives x = ±1."], PARABOLAS)


def refuting_rules(trace, problem):
    placed = findings(*trace, problem=problem)
    return {each.finding.evidence.rule for each in placed if each.finding.verdict is Verdict.REFUTED}
