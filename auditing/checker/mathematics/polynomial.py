"""Polynomials and rational functions with exact coefficients, made from expression trees.

A polynomial is a dict: 3 x^2 y - 1 is {(("x", 2), ("y", 1)): 3, (): -1}. Monomials are sorted by symbol and no
coefficient is zero, so equal polynomials are equal dicts, and the zero polynomial is the empty one. What is no
polynomial (sqrt(x), sin(x), f(3)) enters as an *atom*: a symbol whose name is its printed text.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from auditing.checker import exact
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, has_two_values, plain

# caps against texts such as (a + b + c + d)^60, whose expansion would fill the memory
MAX_TERMS = 400
MAX_DEGREE = 24
MAX_COEFFICIENT_BITS = 2_000

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
ONE: Monomial = ()


class TooLargeError(IncalculableError):
    """The polynomial would have too many terms."""


class Quotient(NamedTuple):
    """above / below, both polynomials; below is not the zero polynomial."""

    above: Polynomial
    below: Polynomial


def constant(value: Fraction) -> Polynomial:
    """The polynomial that is a number."""
    return {ONE: value} if value else {}


_UNIT, _MINUS = constant(exact.ONE), Fraction(-1)


def add(a: Polynomial, b: Polynomial, factor: Fraction = exact.ONE) -> Polynomial:
    """a + factor * b."""
    total, is_one = dict(a), factor == 1
    for monomial, coefficient in b.items():
        _count(total, monomial, coefficient if is_one else exact.multiplied(factor, coefficient))
    return total


def _count(total: Polynomial, monomial: Monomial, coefficient: Fraction) -> None:
    """Adds a term to a polynomial that is being made."""
    earlier = total.get(monomial)
    if earlier is None:
        total[monomial] = coefficient
    elif total_of_both := exact.added(earlier, coefficient):
        total[monomial] = total_of_both
    else:
        del total[monomial]


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    """a * b; raises TooLarge."""
    # Before the work: (x + y + z)^60 is written in a line and multiplied for minutes.
    if len(a) * len(b) > MAX_TERMS * 10:
        raise TooLargeError("the expression has too many terms")
    # most denominators are 1
    if a == _UNIT or b == _UNIT:
        return b if a == _UNIT else a
    product: Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            _count(product, _join(left, right), exact.multiplied(x, y))
    if len(product) > MAX_TERMS or any(exact.bits(value) > MAX_COEFFICIENT_BITS for value in product.values()):
        raise TooLargeError("the expression has too many terms")
    return product


def _join(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    powers = dict(a)
    for name, exponent in b:
        powers[name] = powers.get(name, 0) + exponent
    if sum(powers.values()) > MAX_DEGREE:
        raise TooLargeError("the degree is too high")
    return tuple(sorted(powers.items()))


def power(base: Polynomial, exponent: int) -> Polynomial:
    """base ** exponent by squaring; raises TooLarge."""
    result = _UNIT
    while exponent:
        # square and multiply: x^13 = x^8 * x^4 * x, the one bits of 13
        if exponent & 1:
            result = multiply(result, base)
        exponent >>= 1
        if exponent:
            base = multiply(base, base)
    return result


def quotient_of(tree: Tree) -> Quotient:
    """The tree as a rational function; what is neither sum, product nor power becomes an atom.

    Raises IncalculableError for division by zero and TooLarge for what grows too much.

    >>> x = Sym("x")
    >>> quotient_of(Node("*", (x, Node("+", (x, Num(Fraction(1))))))).above
    {(('x', 2),): Fraction(1, 1), (('x', 1),): Fraction(1, 1)}
    """
    if isinstance(tree, Num):
        return Quotient(constant(tree.value), _UNIT)
    if isinstance(tree, Sym):
        return Quotient({((tree.name, 1),): exact.ONE}, _UNIT)
    if tree.op in ("+", "-", "*", "/"):
        return _binary(tree.op, quotient_of(tree.args[0]), quotient_of(tree.args[1]))
    if tree.op == "neg":
        inner = quotient_of(tree.args[0])
        return Quotient(add({}, inner.above, _MINUS), inner.below)
    if tree.op == "^":
        return _power(tree)
    if tree.op == "±":
        raise IncalculableError("two values at once")
    return _atom(tree)


def _binary(op: str, a: Quotient, b: Quotient) -> Quotient:
    if op in ("+", "-"):
        sign = exact.ONE if op == "+" else _MINUS
        # a common denominator stays: x/2 + 3/2 does not become (2x + 6)/4
        if a.below == b.below:
            return Quotient(add(a.above, b.above, sign), a.below)
        above = add(multiply(a.above, b.below), multiply(b.above, a.below), sign)
        return Quotient(above, multiply(a.below, b.below))
    if op == "/":
        if not b.above:
            raise IncalculableError("division by zero")
        b = Quotient(b.below, b.above)
    return Quotient(multiply(a.above, b.above), multiply(a.below, b.below))


def _power(tree: Node) -> Quotient:
    exponent = tree.args[1]
    if free_symbols(exponent):
        return _atom(tree)
    value = evaluate(exponent)
    # x^(1/2) and x^n are no polynomials
    if not isinstance(value, Fraction) or value.denominator != 1 or abs(value) > MAX_DEGREE:
        return _atom(tree)
    base = quotient_of(tree.args[0])
    count = abs(int(value))
    above, below = power(base.above, count), power(base.below, count)
    # x^-2 is 1 / x^2: numerator and denominator change places
    if value < 0:
        if not above:
            raise IncalculableError("division by zero")
        above, below = below, above
    return Quotient(above, below)


def _atom(tree: Node) -> Quotient:
    if has_two_values(tree):
        raise IncalculableError("two values at once")
    # sqrt(4) is a number after all; sqrt(2) is an atom of its own, so sqrt(2) - sqrt(2) is zero and sqrt(2)^2 stays
    if not free_symbols(tree):
        value = evaluate(tree)
        if isinstance(value, Fraction):
            return Quotient(constant(value), _UNIT)
    return Quotient({((plain(tree), 1),): exact.ONE}, _UNIT)


@functools.lru_cache(maxsize=8192)
def difference(left: Tree, right: Tree) -> Polynomial:
    """The numerator of left - right: zero exactly where left = right and both are defined."""
    # over a common denominator, left = right says that the numerator of the difference is zero
    return _binary("-", quotient_of(left), quotient_of(right)).above


def names_in(polynomial: Polynomial) -> frozenset[str]:
    """Every symbol and atom of a polynomial."""
    return frozenset(name for monomial in polynomial for name, _ in monomial)


def put_in(polynomial: Polynomial, values: Mapping[str, Fraction]) -> Polynomial:
    """The polynomial with numbers for symbols."""
    result: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        unknown = []
        for name, exponent in monomial:
            if name in values:
                coefficient = exact.multiplied(coefficient, exact.raised(values[name], exponent))
            else:
                unknown.append((name, exponent))
        result = add(result, {tuple(unknown): coefficient}) if coefficient else result
    return result


def is_constant(polynomial: Polynomial) -> bool:
    """Whether no symbol is left."""
    return not polynomial or set(polynomial) == {ONE}


def folded(polynomial: Polynomial) -> Polynomial:
    """A polynomial in the imaginary unit i alone, reduced by i^2 = -1.

    >>> folded({(("i", 10),): Fraction(1)})
    {(): Fraction(-1, 1)}
    """
    reduced: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        exponent = monomial[0][1] if monomial else 0
        # the powers of i go round: 1, i, -1, -i, 1, ...
        sign = -1 if exponent % 4 in (2, 3) else 1
        reduced = add(reduced, {(("i", 1),) if exponent % 2 else ONE: sign * coefficient})
    return reduced
