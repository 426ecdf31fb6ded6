"""Equations announced as rewritten, and numbered steps whose own lines are refuted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.checker.examination import examine_graph
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import read_page
from auditing.checker.mathematics.division import have_common_root, quotient, rational_roots
from auditing.checker.mathematics.polynomial import Polynomial, multiply, quotient_of
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record
from tests.unit.checker.readings import is_refuted

CIRCLE = r"Find the area of the circle \(x^2 + 6x + y^2 - 4y = 12\)."
FALSE = {
    "a square completed wrongly": ([r"Completing the square gives \((x+3)^2 + (y-2)^2 = 5\)."], CIRCLE),
    "the given line rewritten": ([r"We can rewrite the given line as \(y = -2x + 3\)."], r"The line \(2x - y = 3\)."),
    "terms lost on the way": (
        [r"\(b^2 - 4c = b^2 - 4bc + 4c^2\)", r"Rearranging the terms gives \(4c^2 - 4bc = 0\)."],
        "Find c.",
    ),
    "a factor taken out wrongly": (
        [r"By factoring we get \((x-r)(x-p-r+q) = 0\)."],
        r"One solution of \((x-p)(x-q) = (r-p)(r-q)\) is known.",
    ),
    "factors that have other roots": ([r"\(y^2 - 19y + 70 = 0\)", r"Factoring: \((y-10)(y-7) = 0\)."], "Find y."),
    "an inequality over a common denominator": (
        [r"\(\frac{1}{r} > \frac{1}{r-1} + \frac{1}{r-4}\)", r"Simplify: \(\frac{1}{r} > \frac{2r-4}{(r-1)(r-4)}\)."],
        "Find r.",
    ),
    "Unicode powers": (["Completing the square gives (x + 3)² + (y - 2)² = 5."], CIRCLE),
}
TRAPS = {
    "a square completed rightly": ([r"Completing the square gives \((x+3)^2 + (y-2)^2 = 25\)."], CIRCLE),
    "a multiple": ([r"Simplifying, \(y = 2x - 3\)."], r"The line \(4x - 2y = 6\)."),
    "a root divided out": ([r"\(x^2 y = x y^2\)", r"Simplifying, \(x = y\)."], "Here x and y are positive."),
    "both sides multiplied": ([r"\(\frac{x}{y} = \frac{2}{3}\)", r"Rearranging, \(3x = 2y\)."], "Find x."),
    "a second equation of a list": ([r"Expanding these, we get \[a - 1 + 2c = 0,\] \[2a + 4 + c = 0.\]"], "Find a."),
    "a system added up": (
        [r"\(x + y = 7\) and \(x - y = 1\). Combining both, \(2x + 0y = 8\)."],
        "Find x and y.",
    ),
    "something put in": ([r"\(x^2 + y^2 = 25\). Substituting and simplifying, \(x + y = 7\)."], "Find x."),
    "another line": ([r"The perpendicular line, rewritten, is \(y = -x + 1\)."], r"The line \(y = x + 3\)."),
    "a case": ([r"\(xy = 0\). If we factor, \(x = 2y\)."], "Find x."),
    "values crossed out": (
        [r"\(y = 8\) and \(y = 48\) are no roots. We cancel the factors on both sides: \(3(y-1) = 90\)."],
        "Find y.",
    ),
    "moduli": ([r"Simplifying \(4n = 2\) gives \(2n + 3 = 7\) modulo 6."], "Find n."),
    "a source that cannot be read": ([r"\(x + y = 7 @ 3\)", r"Simplifying, \(x = 2y\)."], r"Here \(x + y = 2\)."),
}


@pytest.mark.parametrize("name", FALSE)
def test_an_equation_that_is_not_the_one_before_rewritten_is_refuted(name):
    steps, problem = FALSE[name]
    assert is_refuted(*steps, problem=problem)


@pytest.mark.parametrize("name", TRAPS)
def test_a_true_rewriting_or_another_equation_is_left_alone(name):
    steps, problem = TRAPS[name]
    assert not is_refuted(*steps, problem=problem)


def _failed(*steps: str) -> list[int | None]:
    trace = read_record({"id": "t", "problem": "A problem.", "steps": list(steps)}, where="test")
    graph = RulesDecomposer().decompose(trace)
    found = examine_graph(trace=trace, graph=graph)
    refuted = {key for key, items in found.items() if any(item.verdict is Verdict.REFUTED for item in items)}
    return sorted({item.step for item in graph.segments if item.id in refuted and item.step is not None})


def test_a_numbered_step_fails_with_its_own_line():
    assert _failed("Step 1: We add.", "2 + 2 = 4", "Step 2: We subtract:", "So we get", "9 - 3 = 5") == [2, 4]


def test_the_steps_around_a_false_line_are_left_alone():
    assert _failed("Step 1: We add:", "2 + 2 = 4", "Therefore, the answer is 2 * 3 = 7", "Step 2: Done.") == [2]
    assert _failed("We add:", "2 + 2 = 5") == [1]


def _polynomial(text: str) -> Polynomial:
    chain = read_page(f"\\({text} = 0\\)").chains[0]
    assert chain.sides[0].tree is not None
    return quotient_of(chain.sides[0].tree).above


_SMALL = st.integers(-6, 6)


@given(_SMALL, _SMALL, _SMALL)
def test_division_undoes_multiplication_and_roots_are_found(a, b, c):
    one, other = _polynomial(f"(x - ({a}))(x - ({b}))"), _polynomial(f"x - ({c})")
    product = multiply(one, other)
    assert quotient(product, other) == one
    assert rational_roots(product) == tuple(sorted({a, b, c}))
    assert have_common_root(one, other) == (c in (a, b))


def test_roots_with_denominators_and_zero_are_found():
    assert [str(root) for root in rational_roots(_polynomial("6x^3 - 5x^2 + x"))] == ["0", "1/3", "1/2"]
    assert rational_roots(_polynomial("6x^2 - 5x + 2")) == ()


@given(_SMALL)
def test_a_remainder_is_no_division(a):
    assert quotient(_polynomial(f"(x + y - ({a}))(x - y) + 1"), _polynomial(f"x + y - ({a})")) is None
