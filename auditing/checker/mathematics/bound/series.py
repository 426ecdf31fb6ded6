"""Series: geometric ones without an end as the first term over one less the ratio, and ends after dots as sums.

A sum has no end where its term is built of powers whose exponents grow in even steps; a sum with dots where its written
terms, three or more, have one ratio. 1^2 + 2^2 + ... + 9^2 is a sum over an index where the terms differ in numbers
that grow in even steps, and in nothing else. All become computations that are known already.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import NamedTuple

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.polynomial import quotient_of
from auditing.checker.mathematics.tree import BINDING, Node, Num, Sym, Tree, free_symbols, substitute

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


INDEX = Sym("k")
MOST_POWERS = 200


class Growth(NamedTuple):
    """How a number of the terms grows: what it begins with, by how much, and at which index from 0 the last one is."""

    start: Fraction
    step: Fraction
    turns: Fraction
    doubles: bool = False  # multiplied by `step` each time


def dots_to(terms: list[Tree], last: Tree, sign: str) -> Tree | None:
    """1^2 + 2^2 + ... + 9^2, 1*2 + 2*3 + ... + 9*10 as a sum over an index; None where no single rule is seen."""
    every = [*terms, last]
    if sign not in "+*" or len(terms) < 2 or any(free_symbols(term) for term in every):
        return None
    # 1 + 2 + ... + n has a sign of its own (evaluate._dots)
    if isinstance(last, Num) and (len(terms) < 3 or _steps_evenly(terms)):
        return None
    growths: list[Growth] = []
    body = _rule(every, growths, Fraction(0))
    counts = {growth.turns for growth in growths}
    count = counts.pop() if len(counts) == 1 else Fraction(0)
    if body is None or count.denominator != 1 or count < len(terms):
        return None
    # 21^2 + 22^2 + ...: the index is what is squared
    low = growths[0].start if growths[0].step == 1 and not any(growth.doubles for growth in growths) else Fraction(0)
    if low and low > 0 and low.denominator == 1:
        body = _rule(every, growths, low) or body
    else:
        low = Fraction(0)
    return Node("sum" if sign == "+" else "prod", (INDEX, Num(low), Num(low + count), body))


def _steps_evenly(terms: list[Tree]) -> bool:
    numbers = [term.value for term in terms if isinstance(term, Num)]
    return len({after - before for before, after in itertools.pairwise(numbers)}) == 1


def _rule(terms: list[Tree], growths: list[Growth], low: Fraction) -> Tree | None:
    """What the terms are as a function of the index, which begins at `low`; adds how each of their numbers grows."""
    first = terms[0]
    if isinstance(first, Num):
        numbers = [term.value for term in terms if isinstance(term, Num) and not (term.cut or term.percent)]
        growth = _growth(numbers) if len(numbers) == len(terms) else None
        if growth is None or not growth.step:
            return first if growth else None
        growths.append(growth)
        return _grown(first, growth, low)
    if not isinstance(first, Node):
        return first if all(term == first for term in terms) else None
    alike = [
        term for term in terms if isinstance(term, Node) and (term.op, len(term.args)) == (first.op, len(first.args))
    ]
    if len(alike) < len(terms) or first.op in BINDING:
        return None
    columns = [_rule(list(column), growths, low) for column in zip(*(term.args for term in alike), strict=True)]
    arguments = [argument for argument in columns if argument is not None]
    return Node(first.op, tuple(arguments)) if len(arguments) == len(columns) else None


def _growth(numbers: list[Fraction]) -> Growth | None:
    """By even steps, or from three written terms on by one ratio; None where neither leads to the last number."""
    *written, last = numbers
    start, step = written[0], written[1] - written[0]
    if step == 0:
        return Growth(start, step, Fraction(0)) if set(numbers) == {start} else None
    doubling = _powers_to(start, written[1], last)
    if all(after - before == step for before, after in itertools.pairwise(written)):
        # 1/2 + 1/4 + ... + 1/64: two terms tell no rule where both lead to the last
        return Growth(start, step, (last - start) / step) if doubling is None or len(written) > 2 else None
    ratios = {after / before for before, after in itertools.pairwise(written) if before}
    if doubling is None or len(written) < 3 or len(ratios) > 1:
        return None
    return Growth(start, ratios.pop(), Fraction(doubling), doubles=True)


def _grown(first: Num, growth: Growth, low: Fraction) -> Tree:
    if growth.doubles:
        return Node("*", (first, Node("^", (_fraction(growth.step), INDEX))))
    if growth.step == 1:
        ahead = growth.start - low
        sign = "+" if ahead > 0 else "-"
        return Node(sign, (INDEX, Num(abs(ahead)))) if ahead else INDEX
    return Node("+", (first, Node("*", (_fraction(growth.step), INDEX))))


def _powers_to(first: Fraction, second: Fraction, last: Fraction) -> int | None:
    """How often `first` is multiplied by second / first until it is `last`."""
    if not first or not second or abs(second) == abs(first):
        return None
    ratio, value = second / first, first
    for power in range(MOST_POWERS):
        if value == last:
            return power
        value *= ratio
    return None


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
