"""What a polynomial with numbers, or the curve on which it is zero, is said to have: roots, coefficients, slopes."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import (
    ONE,
    Monomial,
    Polynomial,
    is_constant,
    names_in,
    put_in,
    quotient_of,
)
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree

_ZERO, _TWO = Fraction(0), Num(Fraction(2))


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in a sentence: what is zero by it, the expression that it is or equals, what else is named."""

    zero: Polynomial
    expression: Polynomial | None
    beside: Tree | None
    is_of_function: bool  # y = 3x + 2, f(x) = x^2

    @property
    def of_one(self) -> list[Fraction] | None:
        """The coefficients of the only letter, the highest first; None where there are more letters."""
        polynomial = self.expression if self.expression is not None else self.zero
        names = names_in(polynomial)
        if len(names) != 1 or not _is_letter(name := next(iter(names))):
            return None
        degree = max(sum(power for _, power in monomial) for monomial in polynomial)
        powers: list[Monomial] = [((name, power),) for power in range(degree, 0, -1)]
        return [polynomial.get(power, _ZERO) for power in (*powers, ONE)]


def polynomial_of(tree: Tree | None) -> Polynomial | None:
    """The tree as a polynomial; None where a letter stands below a line: x + 1/x is none."""
    try:
        quotient = None if tree is None else quotient_of(tree)
    except IncalculableError:
        quotient = None
    if quotient is None or not is_constant(quotient.below):
        return None
    above, below = quotient
    return {monomial: value / below[ONE] for monomial, value in above.items()}


def _is_letter(name: str) -> bool:
    return len(name) == 1 and name.isalpha()


def _number(value: Fraction) -> Tree:
    """A number as its digits stand in a text: 3, -3, 3/4."""
    tree: Tree = Num(Fraction(abs(value.numerator)))
    if value.denominator > 1:
        tree = Node("/", (tree, Num(Fraction(value.denominator))))
    return Node("neg", (tree,)) if value < 0 else tree


def _over(above: Fraction, below: Fraction) -> Tree:
    return _number(above) if below == 1 else Node("/", (_number(above), _number(below)))


def roots_added(formula: Formula, match: re.Match[str]) -> Tree | None:
    """By Vieta, where all roots are counted: two different real ones, or those of a higher degree by their name."""
    factors = _rooted(formula, match)
    return None if factors is None else _over(-factors[1], factors[0])


def roots_multiplied(formula: Formula, match: re.Match[str]) -> Tree | None:
    """The last coefficient over the first, with a sign for an odd degree."""
    factors = _rooted(formula, match)
    return None if factors is None else _over(factors[-1] if len(factors) % 2 else -factors[-1], factors[0])


def _rooted(formula: Formula, match: re.Match[str]) -> list[Fraction] | None:
    factors = formula.of_one
    if factors is None or len(factors) < 3:
        return None
    if len(factors) == 3:
        a, b, c = factors
        return factors if b * b > 4 * a * c else None
    # solutions may be counted once each, or the real ones alone
    return factors if match["roots"].lower() != "solutions" else None


def extreme(formula: Formula, match: re.Match[str]) -> Tree | None:
    """The least or greatest value of quadratics in one letter each, added up: c - (b / 2)^2 / a for each."""
    polynomial = formula.expression
    is_least = match["which"].lower() in ("minimum", "smallest", "least")
    if polynomial is None or is_constant(polynomial):
        return None
    total = _number(polynomial.get(ONE, _ZERO))
    for name in sorted(names_in(polynomial)):
        a, b = (polynomial.get(((name, power),), _ZERO) for power in (2, 1))
        if not _is_letter(name) or not a or (a > 0) is not is_least:
            return None
        # in numbers of the text and 2 alone: whoever re-checks the proof looks for them there
        total = Node("-", (total, Node("/", (Node("^", (Node("/", (_number(b), _TWO)), _TWO)), _number(a)))))
    terms = sum(((name, power),) in polynomial for name in names_in(polynomial) for power in (1, 2))
    return total if terms + (ONE in polynomial) == len(polynomial) else None


def discriminant(formula: Formula, match: re.Match[str]) -> Tree | None:
    """b^2 - 4ac of a quadratic."""
    factors = formula.of_one
    if factors is None or len(factors) != 3:
        return None
    a, b, c = map(_number, factors)
    four = Node("*", (_TWO, _TWO))
    return Node("-", (Node("^", (b, _TWO)), Node("*", (Node("*", (four, a)), c))))


def degree(formula: Formula, match: re.Match[str]) -> Tree | None:
    """The highest power of the only letter."""
    factors = formula.of_one if formula.expression is not None else None
    return None if factors is None else Num(Fraction(len(factors) - 1))


def leading_coefficient(formula: Formula, match: re.Match[str]) -> Tree | None:
    """The factor of the highest power."""
    factors = formula.of_one if formula.expression is not None else None
    return None if factors is None else _number(factors[0])


def constant_term(formula: Formula, match: re.Match[str]) -> Tree | None:
    """What is left at zero."""
    factors = formula.of_one if formula.expression is not None else None
    return None if factors is None else _number(factors[-1])


def coefficients_added(formula: Formula, match: re.Match[str]) -> Tree | None:
    """The value where every letter is 1."""
    polynomial = formula.expression
    if polynomial is None or not all(map(_is_letter, names_in(polynomial))):
        return None
    return _number(sum(polynomial.values(), _ZERO))


def coefficient(formula: Formula, match: re.Match[str]) -> Tree | None:
    """The factor of a term, in all letters of the expression: of x^2 in (x + 1)^3."""
    polynomial, term = formula.expression, polynomial_of(formula.beside)
    if polynomial is None or term is None or len(term) != 1 or set(term.values()) != {Fraction(1)}:
        return None
    if not all(map(_is_letter, names_in(polynomial))) or len(names_in(polynomial)) > len(names_in(term)):
        return None
    return _number(polynomial.get(next(iter(term)), _ZERO))


def _line(formula: Formula) -> tuple[Fraction, Fraction, Fraction] | None:
    """a, b and c of ax + by + c = 0; of a function's rule b is -1."""
    polynomial = formula.zero
    if formula.is_of_function and formula.expression is not None and names_in(formula.expression) == {"x"}:
        expression = formula.expression
        if any(sum(power for _, power in monomial) > 1 for monomial in expression):
            return None
        return expression.get((("x", 1),), _ZERO), Fraction(-1), expression.get(ONE, _ZERO)
    if names_in(polynomial) != {"x", "y"} or set(polynomial) - {(("x", 1),), (("y", 1),), ONE}:
        return None
    return polynomial[(("x", 1),)], polynomial[(("y", 1),)], polynomial.get(ONE, _ZERO)


def slope(formula: Formula, match: re.Match[str]) -> Tree | None:
    """-a / b of a line."""
    line = _line(formula)
    return None if line is None else _over(line[0], -line[1])


def intercept(formula: Formula, match: re.Match[str]) -> Tree | None:
    """Where a line meets an axis: -c over the factor of the axis."""
    line, axis = _line(formula), formula.beside
    if line is None or not isinstance(axis, Sym) or axis.name not in ("x", "y"):
        return None
    below = line[axis.name == "y"]
    return _over(-line[2], below) if below else None


def radius(formula: Formula, match: re.Match[str]) -> Tree | None:
    """Of x^2 + y^2 + dx + ey + f = 0: the root of (d/2)^2 + (e/2)^2 - f."""
    polynomial, squared = formula.zero, {(("x", 2),), (("y", 2),)}
    if names_in(polynomial) != {"x", "y"} or set(polynomial) - squared - {(("x", 1),), (("y", 1),), ONE}:
        return None
    a, b = polynomial.get((("x", 2),), _ZERO), polynomial.get((("y", 2),), _ZERO)
    if not a or a != b:
        return None
    d, e, f = (polynomial.get(monomial, _ZERO) / a for monomial in ((("x", 1),), (("y", 1),), ONE))
    square = d * d / 4 + e * e / 4 - f
    return Node("sqrt", (_number(square),)) if square > 0 else None


def remainder(formula: Formula, match: re.Match[str]) -> Tree | None:
    """Of a division by x - a: the value at a."""
    polynomial, by = formula.expression, polynomial_of(formula.beside)
    names = frozenset[str]() if by is None else names_in(by)
    if polynomial is None or by is None or len(names) != 1 or names_in(polynomial) != names:
        return None
    name = next(iter(names))
    if not _is_letter(name) or set(by) - {((name, 1),), ONE}:
        return None
    value = put_in(polynomial, {name: (at := -by.get(ONE, _ZERO) / by[((name, 1),)])})
    return _value_at(polynomial, at) if is_constant(value) else None


def _value_at(polynomial: Polynomial, at: Fraction) -> Tree:
    """The sum of its terms with a number for its letter, written with numbers alone that stand in a text with both."""
    terms = [_term_at(monomial, coefficient, at) for monomial, coefficient in polynomial.items()]
    return functools.reduce(lambda a, b: Node("+", (a, b)), terms)


def _term_at(monomial: Monomial, coefficient: Fraction, at: Fraction) -> Tree:
    power = sum(exponent for _, exponent in monomial)
    if not power:
        return _number(coefficient)
    raised = _number(at) if power == 1 else Node("^", (_number(at), _number(Fraction(power))))
    return raised if coefficient == 1 else Node("*", (_number(coefficient), raised))
