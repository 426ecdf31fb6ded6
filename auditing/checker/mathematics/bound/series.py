"""Geometric series without an end, as the first term over one less the ratio.

A sum is one where its term is built of powers whose exponents grow in even steps; a sum with dots where its written
terms, three or more, have one ratio. Both become plain computations, so that whoever checks them needs no new rule.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.polynomial import quotient_of
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, substitute

ONE = Fraction(1)


def sum_without_end(*, body: Tree, symbol: str, low: Tree) -> Tree | None:
    """The sum of `body` over symbol = low, low + 1, ...; None where it is no geometric series that converges."""
    ratio = _ratio(body, symbol)
    if ratio is None or free_symbols(low):
        return None
    return _closed(substitute(body, {symbol: low}), ratio)


def dots_without_end(terms: list[Tree]) -> Tree | None:
    """1 + 1/2 + 1/4 + ...; None where the terms are fewer than three or have several ratios."""
    values = [_value(term) for term in terms]
    numbers = [value for value in values if value]
    if len(numbers) < max(3, len(terms)):
        return None
    ratios = {after / before for before, after in itertools.pairwise(numbers)}
    return _closed(terms[0], ratios.pop()) if len(ratios) == 1 else None


def terms_of(tree: Tree) -> list[Tree]:
    """The terms of a sum in order, those behind a minus sign negated."""
    later: list[Tree] = []
    while isinstance(tree, Node) and tree.op in ("+", "-"):
        later.append(tree.args[1] if tree.op == "+" else Node("neg", (tree.args[1],)))
        tree = tree.args[0]
    return [tree, *reversed(later)]


def _closed(first: Tree, ratio: Fraction) -> Tree | None:
    if not 0 < abs(ratio) < 1:
        return None
    return Node("/", (first, Node("-", (Num(ONE), _fraction(ratio)))))


def _fraction(value: Fraction) -> Tree:
    top: Tree = Num(Fraction(abs(value.numerator)))
    tree = top if value.denominator == 1 else Node("/", (top, Num(Fraction(value.denominator))))
    return Node("neg", (tree,)) if value < 0 else tree


def _ratio(tree: Tree, symbol: str) -> Fraction | None:
    """What the tree is multiplied by when the symbol grows by one; None where that is no constant."""
    if symbol not in free_symbols(tree):
        return ONE if _value(tree) is not None else None
    if not isinstance(tree, Node):
        return None
    if tree.op == "^":
        return _power(tree, symbol)
    parts = [_ratio(arg, symbol) for arg in tree.args] if tree.op in ("neg", "*", "/", "+", "-") else [None]
    ratios = [ratio for ratio in parts if ratio is not None]
    if len(ratios) < len(parts):
        return None
    if tree.op in ("*", "/"):
        return ratios[0] * ratios[1] if tree.op == "*" else ratios[0] / ratios[1]
    return ratios[0] if len(set(ratios)) == 1 else None


def _power(tree: Node, symbol: str) -> Fraction | None:
    base, exponent = tree.args
    ratio = _ratio(base, symbol)
    steps = _step(exponent, symbol) if symbol in free_symbols(exponent) else _value(exponent)
    if ratio is None or steps is None or steps.denominator != 1 or abs(steps) > 9:
        return None
    if symbol not in free_symbols(exponent):
        return ratio ** int(steps)
    value = _value(base)
    return value ** int(steps) if value and ratio == 1 else None


def _step(exponent: Tree, symbol: str) -> Fraction | None:
    """By how much an exponent grows."""
    try:
        quotient = quotient_of(exponent)
    except IncalculableError:
        return None
    divisor = quotient.below.get((), Fraction(0)) if set(quotient.below) == {()} else Fraction(0)
    slope = quotient.above.get(((symbol, 1),), Fraction(0))
    return slope / divisor if divisor and set(quotient.above) <= {(), ((symbol, 1),)} else None


def _value(tree: Tree) -> Fraction | None:
    try:
        value = evaluate(tree) if not free_symbols(tree) else None
    except IncalculableError:
        return None
    return value if isinstance(value, Fraction) else None
