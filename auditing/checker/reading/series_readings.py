"""Second readings of sums with dots: 1 + 2 + ... + 64 may double, 1 + 4 + ... + 100 may be squares.

Two terms show no rule. Read as one difference such a sum is false, and true by another rule that people leave to their
readers; as in second_readings.py only what holds under such a rule is let go.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.mathematics.evaluate import unrolled
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number
from auditing.checker.reading.links import Link

# terms of a series that are added up
MOST_TERMS = 200


def _has_another_rule(link: Link) -> bool:
    """1 + 2 + ... + 64 = 127: powers of two, and 2 + 3 + ... + 19 = 77 primes."""
    sides = ((link.left, link.right), (link.right, link.left))
    return any(link.agrees(Num(total), other) for series, other in sides for total in _totals(series))


def _totals(tree: Tree) -> Iterator[Fraction]:
    """What a sum or product with dots and two terms before them is by other rules than one difference."""
    if not isinstance(tree, Node) or tree.op not in ("dots+", "dots*"):
        return
    numbers = [bare_number(term) for term in (*unrolled(tree.args[0], tree.op[-1]), tree.args[1])]
    values = [number.value for number in numbers if number is not None]
    if len(values) != len(numbers) or len(values) != 3:
        return
    join = math.prod if tree.op == "dots*" else sum
    for rule in _RULES:
        series = list(itertools.islice(rule(values[0], values[1]), MOST_TERMS))
        # the rule has to begin as written and to meet the last term
        if series[:2] == values[:2] and values[2] in series:
            yield Fraction(join(series[: series.index(values[2]) + 1]))


def _doubling(first: Fraction, second: Fraction) -> Iterator[Fraction]:
    if first == 0 or second in (first, -first):
        return
    ratio, term = second / first, first
    for _ in range(MOST_TERMS):
        yield term
        term *= ratio


def _powers(exponent: int) -> Callable[[Fraction, Fraction], Iterator[Fraction]]:
    def rule(first: Fraction, _second: Fraction) -> Iterator[Fraction]:
        start = round(abs(first) ** Fraction(1, exponent)) if abs(first) < 10**6 else 0
        return (Fraction((start + step) ** exponent) for step in range(MOST_TERMS))

    return rule


def _triangles(_first: Fraction, _second: Fraction) -> Iterator[Fraction]:
    return (Fraction(n * (n + 1) // 2) for n in range(1, MOST_TERMS + 1))


def _added_up(first: Fraction, second: Fraction) -> Iterator[Fraction]:
    """Each term is the sum of the two before it, as in 1 + 2 + 3 + 5 + 8."""
    for _ in range(MOST_TERMS):
        yield first
        first, second = second, first + second


def _primes(first: Fraction, _second: Fraction) -> Iterator[Fraction]:
    return (
        Fraction(n)
        for n in range(max(2, int(first) if first < 1000 else 1000), 5 * MOST_TERMS)
        if all(n % divisor for divisor in range(2, math.isqrt(n) + 1))
    )


_RULES = (_doubling, _powers(2), _powers(3), _triangles, _added_up, _primes)

SERIES_READINGS: dict[str, Callable[[Link], bool]] = {"another rule of a series": _has_another_rule}
