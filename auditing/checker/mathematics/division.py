"""Exact division, common divisors and rational roots of polynomials: what two equations have in common."""

from __future__ import annotations

import math
from fractions import Fraction

from auditing.checker.mathematics.polynomial import Monomial, Polynomial, add, is_constant, names_in

MAX_DIVISION = 400  # steps of one division
MAX_DIVISORS = 2_000  # candidates for a rational root
_LARGEST = 10**8


def only_name(polynomial: Polynomial) -> str:
    """The symbol of a polynomial in exactly one symbol, or the empty text."""
    names = names_in(polynomial)
    return next(iter(names)) if len(names) == 1 else ""


def coefficients(polynomial: Polynomial) -> list[Fraction]:
    """Coefficients of a polynomial in at most one symbol, the constant first.

    >>> coefficients({(("x", 2),): Fraction(3), (): Fraction(-1)})
    [Fraction(-1, 1), Fraction(0, 1), Fraction(3, 1)]
    """
    degree = max((monomial[0][1] for monomial in polynomial if monomial), default=0)
    values = [Fraction(0)] * (degree + 1)
    for monomial, value in polynomial.items():
        values[monomial[0][1] if monomial else 0] = value
    return values


def without_common(polynomial: Polynomial, name: str) -> Polynomial:
    """The polynomial divided by the power of a symbol that stands in all its terms.

    >>> without_common({(("pi", 1), ("r", 2)): Fraction(1), (("pi", 1),): Fraction(-9)}, "pi")
    {(('r', 2),): Fraction(1, 1), (): Fraction(-9, 1)}
    """
    common = min((dict(monomial).get(name, 0) for monomial in polynomial), default=0)
    if not common:
        return polynomial
    divided = {}
    for monomial, value in polynomial.items():
        powers = {symbol: power - common * (symbol == name) for symbol, power in monomial}
        divided[tuple((symbol, power) for symbol, power in powers.items() if power)] = value
    return divided


def names_left(top: Polynomial, bottom: Polynomial) -> frozenset[str]:
    """The symbols of top / bottom that are left when powers of one symbol are cancelled.

    >>> one = Fraction(1)
    >>> sorted(names_left({(("a", 2), ("b", 1)): one}, {(("a", 1), ("b", 1)): one}))
    ['a']
    """
    left = set()
    for name in names_in(top) | names_in(bottom):
        above, below = ([dict(monomial).get(name, 0) for monomial in side] for side in (top, bottom))
        common = min(*above, *below)
        if any(power > common for power in (*above, *below)):
            left.add(name)
    return frozenset(left)


def quotient(top: Polynomial, bottom: Polynomial) -> Polynomial | None:
    """top / bottom when the division leaves nothing, otherwise None.

    >>> x, one = (("x", 1),), Fraction(1)
    >>> quotient({(("x", 2),): one, (): -one}, {x: one, (): one})
    {(('x', 1),): Fraction(1, 1), (): Fraction(-1, 1)}
    """
    if not bottom:
        return None
    names = tuple(sorted(names_in(top) | names_in(bottom)))
    # Long division with several symbols: the terms are ordered by their powers, symbol by symbol (lexicographic
    # order), and the leading term of the remainder is cancelled again and again. It ends early where that term cannot
    # be cancelled: then the division leaves something.
    lead = max(bottom, key=lambda monomial: _order(monomial, names))
    remainder, result = dict(top), dict[Monomial, Fraction]()
    for _ in range(MAX_DIVISION):
        if not remainder:
            return result
        highest = max(remainder, key=lambda monomial: _order(monomial, names))
        step = _without(highest, lead)
        if step is None:
            return None
        factor = remainder[highest] / bottom[lead]
        result[step] = factor
        remainder = add(remainder, {_together(step, monomial): value for monomial, value in bottom.items()}, -factor)
    return None


def _order(monomial: Monomial, names: tuple[str, ...]) -> tuple[int, ...]:
    powers = dict(monomial)
    return tuple(powers.get(name, 0) for name in names)


def _without(a: Monomial, b: Monomial) -> Monomial | None:
    powers = dict(a)
    for name, exponent in b:
        left = powers.get(name, 0) - exponent
        if left < 0:
            return None
        powers[name] = left
    return tuple(sorted((name, exponent) for name, exponent in powers.items() if exponent))


def _together(a: Monomial, b: Monomial) -> Monomial:
    powers = dict(a)
    for name, exponent in b:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted(powers.items()))


def have_common_root(left: Polynomial, right: Polynomial) -> bool:
    """Whether two polynomials in the same single symbol vanish together somewhere (complex numbers included).

    >>> x, one = (("x", 1),), Fraction(1)
    >>> have_common_root({x: one, (): -one}, {x: one, (): one})
    False
    """
    # Euclid's algorithm: two polynomials have a common root exactly when their greatest common divisor is no constant.
    # No root has to be found, so irrational and complex ones count too.
    a, b = coefficients(left), coefficients(right)
    while len(b) > 1 or (b and b[0]):
        a, b = b, _remainder(a, b)
        if len(b) == 1 and not b[0]:
            return len(a) > 1
    return len(a) > 1


def _remainder(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    remainder = list(a)
    while len(remainder) >= len(b) and any(remainder):
        factor = remainder[-1] / b[-1]
        shift = len(remainder) - len(b)
        for index, value in enumerate(b):
            remainder[shift + index] -= factor * value
        while len(remainder) > 1 and not remainder[-1]:
            remainder.pop()
        if len(b) == 1:
            return [Fraction(0)]
    return remainder


def rational_roots(polynomial: Polynomial) -> tuple[Fraction, ...] | None:
    """All rational roots in order, or None when there are too many candidates or symbols.

    >>> x, one = (("x", 1),), Fraction(1)
    >>> [str(root) for root in rational_roots({(("x", 2),): one, (): Fraction(-4)})]
    ['-2', '2']
    """
    if is_constant(polynomial) or len(names_in(polynomial)) > 1:
        return () if is_constant(polynomial) else None
    values = coefficients(polynomial)
    # The rational root theorem: with whole coefficients, every rational root is p/q with p dividing the constant term
    # and q the leading one. So finitely many candidates are tried, and each is tried exactly.
    scale = math.lcm(*(value.denominator for value in values))
    whole = [int(value * scale) for value in values]
    roots = set[Fraction]()
    # x divides the polynomial: zero is a root, and the rest of it has a constant term again
    while whole[0] == 0:
        roots.add(Fraction(0))
        whole.pop(0)
    if len(whole) == 3 and max(map(abs, whole)) <= _LARGEST:
        return tuple(sorted(roots | _quadratic_roots(*whole)))
    tops, bottoms = _divisors(whole[0]), _divisors(whole[-1])
    if tops is None or bottoms is None or len(tops) * len(bottoms) > MAX_DIVISORS:
        return None
    for top in tops:
        for bottom in bottoms:
            roots.update(Fraction(sign, bottom) for sign in (top, -top) if _vanishes(whole, sign, bottom))
    return tuple(sorted(roots))


def _quadratic_roots(c: int, b: int, a: int) -> set[Fraction]:
    """The rational roots of ax^2 + bx + c: none where the discriminant is no square."""
    discriminant = b * b - 4 * a * c
    root = math.isqrt(max(discriminant, 0))
    if root * root != discriminant:
        return set()
    return {Fraction(-b + root, 2 * a), Fraction(-b - root, 2 * a)}


def _vanishes(coefficients_of: list[int], top: int, bottom: int) -> bool:
    """Whether top / bottom is a root: Horner's scheme in whole numbers, bottom^n times the value."""
    total, power = 0, 1
    for value in reversed(coefficients_of):
        total = total * top + value * power
        power *= bottom
    return not total


def _divisors(number: int) -> list[int] | None:
    number = abs(number)
    if number > _LARGEST:
        return None
    small = [d for d in range(1, math.isqrt(number) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})


def is_near_miss(left: Polynomial, right: Polynomial) -> bool:
    """Whether two polynomials of three terms and more are the same up to a factor, but for one term alone.

    >>> x, y, one = (("x", 1),), (("y", 1),), ()
    >>> left = {x: Fraction(1), y: Fraction(1), one: Fraction(-10)}
    >>> is_near_miss(left, left | {y: Fraction(-1)})
    True
    """
    terms = left.keys() | right.keys()
    factors = {right[term] / left[term] for term in left.keys() & right.keys()}
    return len(terms) > 2 and any(
        sum(left.get(term, Fraction(0)) * factor != right.get(term, Fraction(0)) for term in terms) == 1
        for factor in factors
    )


def proportional(left: Polynomial, right: Polynomial) -> bool:
    """Whether one polynomial is a multiple of the other by a number."""
    if set(left) != set(right) or not left:
        return left == right
    monomial = next(iter(left))
    factor = right[monomial] / left[monomial]
    return all(right[term] == factor * value for term, value in left.items())


def are_related(left: Polynomial, right: Polynomial) -> bool:
    """Whether one has solutions of the other: equal up to a factor, or with a common root when in one symbol."""
    if proportional(left, right):
        return True
    name = only_name(left)
    if name and name == only_name(right):
        return have_common_root(left, right)
    # with several symbols: one is a multiple of the other by a polynomial, so that their curves meet
    lower, higher = sorted((left, right), key=_degree)
    # of one degree the quotient would be a number, and they would be proportional
    return _degree(lower) < _degree(higher) and quotient(higher, lower) is not None


def _degree(polynomial: Polynomial) -> int:
    return max((sum(exponent for _, exponent in monomial) for monomial in polynomial), default=0)
