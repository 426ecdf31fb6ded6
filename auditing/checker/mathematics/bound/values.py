"""Values of sums, products, definite integrals and limits: exact, or none.

Sums and products of at most a few hundred terms are added up; polynomials are integrated; limits are those of quotients
of polynomials. What is anything else has no value here.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.mathematics.bound.signs import DOWN, UP
from auditing.checker.mathematics.enclosure import IncalculableError, Value
from auditing.checker.mathematics.operations import OPERATIONS
from auditing.checker.mathematics.polynomial import Polynomial, quotient_of
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, literals, substitute

MAX_TERMS = 400
Evaluate = Callable[[Tree], Value]


def value_of_sign(tree: Node, evaluate: Evaluate) -> Value:
    """The value of a node that binds a symbol; raises IncalculableError."""
    if tree.op == "limit":
        return _limit(tree, evaluate)
    symbol, low, high, body = tree.args
    assert isinstance(symbol, Sym)
    first, last = evaluate(low), evaluate(high)
    if not (isinstance(first, Fraction) and isinstance(last, Fraction)):
        raise IncalculableError("the bounds are not exact")
    if tree.op == "integral":
        return _integral(_row(body, symbol.name), first, last)
    # a sum over a polynomial without decimals is one whatever decimals stand for, and hundreds of them stand in a text
    if tree.op == "sum" and not any(number.cut or number.decimals for number in literals(body)):
        with contextlib.suppress(IncalculableError):
            return _sum(_row(body, symbol.name), first, last)
    total: Value = Fraction(0 if tree.op == "sum" else 1)
    join = OPERATIONS["+" if tree.op == "sum" else "*"]
    for term in _terms(body, symbol.name, first, last):
        total = join(total, evaluate(term))
    return total


def _sum(row: list[Fraction], first: Fraction, last: Fraction) -> Fraction:
    """A polynomial over whole steps, in whole numbers by Horner's scheme."""
    scale = math.lcm(*(value.denominator for value in row))
    whole = [int(value * scale) for value in reversed(row)]
    total = 0
    for at in _steps(first, last):
        value = 0
        for coefficient in whole:
            value = value * at + coefficient
        total += value
    return Fraction(total, scale)


def _steps(first: Fraction, last: Fraction) -> range:
    if first.denominator != 1 or last.denominator != 1 or not 0 <= last - first < MAX_TERMS:
        raise IncalculableError("too many terms, or none")
    return range(int(first), int(last) + 1)


def _terms(body: Tree, name: str, first: Fraction, last: Fraction) -> Iterator[Tree]:
    for at in _steps(first, last):
        yield substitute(body, {name: Num(Fraction(at))})


def _row(tree: Tree, name: str) -> list[Fraction]:
    """The coefficients of a polynomial in one symbol, the constant first."""
    quotient = quotient_of(tree)
    divisor = quotient.below.get((), Fraction(0))
    if set(quotient.below) != {()}:
        raise IncalculableError("no polynomial is integrated")
    return [coefficient / divisor for coefficient in _coefficients(quotient.above, name)]


def _coefficients(polynomial: Polynomial, name: str) -> list[Fraction]:
    powers: dict[int, Fraction] = {}
    for monomial, coefficient in polynomial.items():
        if any(symbol != name for symbol, _ in monomial):
            raise IncalculableError("another symbol stands in it")
        powers[sum(power for _, power in monomial)] = coefficient
    return [powers.get(power, Fraction(0)) for power in range(max(powers, default=-1) + 1)]


def _integral(row: list[Fraction], low: Fraction, high: Fraction) -> Fraction:
    return sum(
        (c * (high ** (power + 1) - low ** (power + 1)) / (power + 1) for power, c in enumerate(row)), Fraction(0)
    )


def _limit(tree: Node, evaluate: Evaluate) -> Fraction:
    symbol, place, body = tree.args
    assert isinstance(symbol, Sym)
    quotient = quotient_of(body)
    above, below = (_coefficients(polynomial, symbol.name) for polynomial in (quotient.above, quotient.below))
    if isinstance(place, Sym) and place.name in (UP, DOWN):
        # the leading terms decide, however far away: below may not lose
        if len(above) > len(below):
            raise IncalculableError("no finite limit")
        return above[-1] / below[-1] if len(above) == len(below) else Fraction(0)
    at = evaluate(place)
    if not isinstance(at, Fraction):
        raise IncalculableError("the place is not exact")
    # x - a is cancelled as long as both vanish at a
    while above and not _at(above, at) and not _at(below, at):
        above, below = _without_root(above, at), _without_root(below, at)
    if not _at(below, at):
        raise IncalculableError("no finite limit")
    return _at(above, at) / _at(below, at)


def _at(row: list[Fraction], x: Fraction) -> Fraction:
    return sum((c * x**power for power, c in enumerate(row)), Fraction(0))


def _without_root(row: list[Fraction], root: Fraction) -> list[Fraction]:
    """The row divided by x - root, which divides it (Horner)."""
    quotient: list[Fraction] = []
    carried = Fraction(0)
    for coefficient in reversed(row):
        carried = coefficient + carried * root
        quotient.append(carried)
    return quotient[-2::-1]
