"""Exact evaluation of a tree over fractions, with rational enclosures where a value is irrational.

Nothing here is a float: 0.1 + 0.2 is 3/10, sqrt(2) an interval of width 10^-40. What has no value (a symbol, 1/0, a cap
overrun) raises IncalculableError, whose text is the reason that a reader is told.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from auditing.checker.exact import bits
from auditing.checker.mathematics.enclosure import PI, IncalculableError, Range, Value, real
from auditing.checker.mathematics.operations import MAX_BITS, OPERATIONS, divide, multiply
from auditing.checker.mathematics.rounding import half_unit, is_rounded
from auditing.checker.mathematics.tree import BINDING, Node, Num, Sym, Tree, bare_number

MAX_TERMS = 2_000  # of a sum or product with an ellipsis
# values of sines and logarithms that are kept: a text of 39,000 characters holds 2,500 of them, each in two readings
MOST_KEPT = 8192


class Setting(NamedTuple):
    """What evaluation may assume: log base, degrees, and which decimals may be rounded values."""

    log_base: int = 10  # 0 stands for e
    degrees: bool = False
    loose: bool = False  # decimals known to be rounded stand for any number that rounds to them
    rounded: frozenset[Fraction] = frozenset()  # decimals that came from rounding earlier in the trace
    exact: frozenset[Fraction] = frozenset()  # decimals that are given


DEFAULT = Setting()


def evaluate(tree: Tree, setting: Setting = DEFAULT) -> Value:
    """The value of `tree`; raises IncalculableError.

    >>> from auditing.checker.mathematics.tree import Num
    >>> evaluate(Node("/", (Num(Fraction(1)), Num(Fraction(3)))))
    Fraction(1, 3)
    """
    if isinstance(tree, Num):
        return _number(tree, setting)
    if isinstance(tree, Sym):
        if tree.name == "pi":
            return PI
        raise IncalculableError(f"{tree.name} has no known value")
    special = _SPECIAL.get(tree.op)
    if special is not None:
        return special(tree, setting)
    operation = OPERATIONS.get(tree.op)
    if operation is None:
        raise IncalculableError(f"no rule for {tree.op}")
    result = operation(*[evaluate(arg, setting) for arg in tree.args])
    if isinstance(result, Fraction) and bits(result) > MAX_BITS:
        raise IncalculableError("the number is too long")
    return result


def value_of(tree: Tree) -> Fraction | None:
    """The exact value of a tree without symbols, or None.

    >>> value_of(Sym("x")) is None
    True
    """
    try:
        value = evaluate(tree)
    except IncalculableError:
        return None
    return value if isinstance(value, Fraction) else None


def _number(tree: Num, setting: Setting) -> Value:
    # 0.694... lies between 0.694 and 0.695, or was rounded up before the dots were set
    if tree.cut:
        unit = half_unit(tree) * 2
        return Range(tree.value - unit, tree.value + unit)
    # a decimal that was rounded stands for everything that rounds to it
    if setting.loose and tree.decimals and is_rounded(tree, setting.rounded, setting.exact):
        return Range(tree.value - half_unit(tree), tree.value + half_unit(tree))
    return tree.value


# a relation is compared in several ways, and each asks for the same values
@functools.lru_cache(maxsize=MOST_KEPT)
def _trig(tree: Node, setting: Setting) -> Value:
    argument = tree.args[0]
    # sin 30: radians as written, or degrees when the caller tries that reading too; sin 30° says so itself
    degrees = setting.degrees and not (isinstance(argument, Node) and argument.op == "deg")
    value = evaluate(argument, setting)
    if isinstance(argument, Node) and argument.op == "deg":
        value = divide(multiply(evaluate(argument.args[0], setting), PI), Fraction(180))
    elif degrees:
        value = divide(multiply(value, PI), Fraction(180))
    # the other three are reciprocals: cot = 1/tan, sec = 1/cos, csc = 1/sin
    base = {"cot": "tan", "sec": "cos", "csc": "sin"}.get(tree.op, tree.op)
    result = real(base, value)
    return divide(Fraction(1), result) if base != tree.op else result


def _arc(tree: Node, setting: Setting) -> Value:
    """An angle in radians, or in degrees where the caller tries that reading: arcsin(0.5) = 30°."""
    angle = real(tree.op, evaluate(tree.args[0], setting))
    return divide(multiply(angle, Fraction(180)), PI) if setting.degrees else angle


@functools.lru_cache(maxsize=MOST_KEPT)
def _log(tree: Node, setting: Setting) -> Value:
    # log_b a = ln a / ln b; the base is written, or assumed by the setting
    top = real("ln", evaluate(tree.args[0], setting))
    if len(tree.args) == 2:
        bottom = real("ln", evaluate(tree.args[1], setting))
    elif setting.log_base:
        bottom = real("ln", Fraction(setting.log_base))
    else:
        return top
    return divide(top, bottom)


def _dots(tree: Node, setting: Setting) -> Value:
    """1 + 2 + ... + n and 1 * 2 * ... * n for arithmetic sequences whose first terms are written."""
    sign = tree.op[-1]
    # 1. The terms that are written before the dots, and the last one. 1^2 + 2^2 + ... + 9^2, 1*2 + 2*3 + ... + 9*10 and
    # 1! + 2! + ... + 5! are computed term by term, by a rule that their values do not show.
    written = unrolled(tree.args[0], sign)
    if any(bare_number(term) is None for term in (*written, tree.args[1])):
        raise IncalculableError("the rule of the ellipsis is unclear")
    terms = [evaluate(term_tree, setting) for term_tree in written]
    last = evaluate(tree.args[1], setting)
    if len(terms) < 2 or not all(isinstance(term, Fraction) for term in [*terms, last]):
        raise IncalculableError("the rule of the ellipsis is unclear")
    # 2. They must have one common difference: 1 + 2 + 4 + ... + 64 might be anything, so it is not computed.
    numbers = [term for term in terms if isinstance(term, Fraction)]
    difference, final = numbers[1] - numbers[0], last
    assert isinstance(final, Fraction)
    if difference == 0 or any(b - a != difference for a, b in itertools.pairwise(numbers)):
        raise IncalculableError("the rule of the ellipsis is unclear")
    # 3. The last term must be reached by whole steps.
    count = (final - numbers[0]) / difference + 1
    if count.denominator != 1 or not count >= 2:
        raise IncalculableError("the ellipsis does not reach its end")
    # 4. Gauss: (first + last) * count / 2.
    if sign == "+":
        return (numbers[0] + final) * count / 2
    if sign != "*" or count > MAX_TERMS // 4:
        raise IncalculableError("the rule of the ellipsis is unclear")
    return Fraction(math.prod(numbers[0] + difference * index for index in range(int(count))))


def unrolled(tree: Tree, sign: str) -> list[Tree]:
    """The terms of a sum, or the factors of a product, in order."""
    # ((1 + 2) + 3) is nested to the left; walking down the left arms gives 3, 2, and then 1
    later_terms: list[Tree] = []
    while isinstance(tree, Node) and tree.op == sign:
        later_terms.append(tree.args[1])
        tree = tree.args[0]
    return [tree, *later_terms][:1] + later_terms[::-1]


def _binding(tree: Node, setting: Setting) -> Value:
    # here, because polynomials evaluate their coefficients by this file
    from auditing.checker.mathematics.bound.values import value_of_sign

    return value_of_sign(tree, lambda inner: evaluate(inner, setting))


_SPECIAL: dict[str, Callable[[Node, Setting], Value]] = {
    **dict.fromkeys(("sin", "cos", "tan", "cot", "sec", "csc"), _trig),
    **dict.fromkeys(("arcsin", "arccos", "arctan"), _arc),
    **dict.fromkeys(("log", "lg"), _log),
    **dict.fromkeys(BINDING, _binding),
    "dots+": _dots,
    "dots*": _dots,
    "dots-": _dots,
}
