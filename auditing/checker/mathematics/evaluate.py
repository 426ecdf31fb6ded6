"""Exact evaluation over fractions, with rational enclosures where a value is irrational."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.enclosure import (
    PI,
    IncalculableError,
    Range,
    Value,
    as_range,
    make,
    negated,
    real,
    root,
)
from auditing.checker.mathematics.rounding import half_unit, is_rounded
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree

MAX_BITS = 20_000
MAX_EXPONENT = 5_000
MAX_FACTORIAL = 400
MAX_TERMS = 2_000


@dataclass(frozen=True, slots=True)
class Setting:
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
    if isinstance(result, Fraction) and result.numerator.bit_length() + result.denominator.bit_length() > MAX_BITS:
        raise IncalculableError("the number is too long")
    return result


def _number(tree: Num, setting: Setting) -> Value:
    if tree.cut:
        unit = half_unit(tree) * 2
        return Range(tree.value, tree.value + unit) if tree.value >= 0 else Range(tree.value - unit, tree.value)
    if setting.loose and tree.decimals and is_rounded(tree, setting.rounded, setting.exact):
        return Range(tree.value - half_unit(tree), tree.value + half_unit(tree))
    return tree.value


def _add(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a + b
    x, y = as_range(a), as_range(b)
    return make(x.low + y.low, x.high + y.high)


def _sub(a: Value, b: Value) -> Value:
    return _add(a, negated(b))


def _mul(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a * b
    x, y = as_range(a), as_range(b)
    corners = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high]
    return make(min(corners), max(corners))


def _div(a: Value, b: Value) -> Value:
    if isinstance(b, Fraction):
        if b == 0:
            raise IncalculableError("division by zero")
        return a / b if isinstance(a, Fraction) else _mul(a, 1 / b)
    if b.low <= 0 <= b.high:
        raise IncalculableError("division by an interval around zero")
    return _mul(a, Range(1 / b.high, 1 / b.low))


def _whole(a: Value, what: str = "a whole number is needed") -> int:
    if isinstance(a, Fraction) and a.denominator == 1:
        return int(a)
    raise IncalculableError(what)


def _power(a: Value, b: Value) -> Value:
    if not isinstance(b, Fraction):
        return real("exp", _mul(b, real("ln", a)))
    if b.denominator != 1:
        return _fractional_power(a, b)
    exponent = int(b)
    if abs(exponent) > MAX_EXPONENT:
        raise IncalculableError("the exponent is too large")
    if exponent < 0:
        return _div(Fraction(1), _power(a, Fraction(-exponent)))
    if isinstance(a, Fraction):
        if (a.numerator.bit_length() + a.denominator.bit_length()) * exponent > MAX_BITS * 2:
            raise IncalculableError("the power is too long")
        return a**exponent
    return _range_power(a, exponent)


def _range_power(a: Range, exponent: int) -> Value:
    if exponent > 200:
        raise IncalculableError("the exponent is too large")
    result: Value = Fraction(1)
    for _ in range(exponent):
        result = _mul(result, a)
    return result


def _fractional_power(a: Value, b: Fraction) -> Value:
    if b.denominator > 60:
        return real("exp", _mul(b, real("ln", a)))
    return _power(root(a, b.denominator), Fraction(b.numerator))


def _factorial(a: Value) -> Value:
    n = _whole(a)
    if not 0 <= n <= MAX_FACTORIAL:
        raise IncalculableError("the factorial is too large")
    return Fraction(math.factorial(n))


def _choose(a: Value, b: Value) -> Value:
    n, k = _whole(a), _whole(b)
    if not (0 <= n <= 5000 and 0 <= k <= 5000) or min(k, n - k) > 400:
        raise IncalculableError("the binomial is too large")
    return Fraction(math.comb(n, k))


def _arrange(a: Value, b: Value) -> Value:
    n, k = _whole(a), _whole(b)
    if not 0 <= k <= n <= MAX_FACTORIAL:
        raise IncalculableError("the number of arrangements is too large")
    return Fraction(math.perm(n, k))


def _mod(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction) and b > 0:
        return a % b
    raise IncalculableError("no remainder")


def _floor(a: Value) -> Value:
    x = as_range(a)
    if math.floor(x.low) != math.floor(x.high):
        raise IncalculableError("rounding is undecided")
    return Fraction(math.floor(x.low))


def _abs(a: Value) -> Value:
    x = as_range(a)
    if x.low >= 0:
        return a
    if x.high <= 0:
        return negated(a)
    return make(Fraction(0), max(-x.low, x.high))


def _trig(tree: Node, setting: Setting) -> Value:
    argument = tree.args[0]
    degrees = setting.degrees and not (isinstance(argument, Node) and argument.op == "deg")
    value = evaluate(argument, setting)
    if isinstance(argument, Node) and argument.op == "deg":
        value = _div(_mul(evaluate(argument.args[0], setting), PI), Fraction(180))
    elif degrees:
        value = _div(_mul(value, PI), Fraction(180))
    base = {"cot": "tan", "sec": "cos", "csc": "sin"}.get(tree.op, tree.op)
    result = real(base, value)
    return _div(Fraction(1), result) if base != tree.op else result


def _log(tree: Node, setting: Setting) -> Value:
    top = real("ln", evaluate(tree.args[0], setting))
    if len(tree.args) == 2:
        bottom = real("ln", evaluate(tree.args[1], setting))
    elif setting.log_base:
        bottom = real("ln", Fraction(setting.log_base))
    else:
        return top
    return _div(top, bottom)


def _dots(tree: Node, setting: Setting) -> Value:
    """1 + 2 + ... + n and 1 * 2 * ... * n for arithmetic sequences whose first terms are written."""
    sign = tree.op[-1]
    terms = [evaluate(part, setting) for part in _unrolled(tree.args[0], sign)]
    last = evaluate(tree.args[1], setting)
    if len(terms) < 2 or not all(isinstance(term, Fraction) for term in [*terms, last]):
        raise IncalculableError("the rule of the ellipsis is unclear")
    numbers = [term for term in terms if isinstance(term, Fraction)]
    gap, end = numbers[1] - numbers[0], last
    assert isinstance(end, Fraction)
    if gap == 0 or any(b - a != gap for a, b in itertools.pairwise(numbers)):
        raise IncalculableError("the rule of the ellipsis is unclear")
    count = (end - numbers[0]) / gap + 1
    if count.denominator != 1 or not count >= 2:
        raise IncalculableError("the ellipsis does not reach its end")
    if sign == "+":
        return (numbers[0] + end) * count / 2
    if sign != "*" or count > MAX_TERMS // 4:
        raise IncalculableError("the rule of the ellipsis is unclear")
    return Fraction(math.prod(numbers[0] + gap * index for index in range(int(count))))


def _unrolled(tree: Tree, sign: str) -> list[Tree]:
    parts: list[Tree] = []
    while isinstance(tree, Node) and tree.op == sign:
        parts.append(tree.args[1])
        tree = tree.args[0]
    return [tree, *parts][:1] + parts[::-1]


def _many(function: Callable[..., int]) -> Callable[..., Value]:
    def apply(*values: Value) -> Value:
        return Fraction(function(*[_whole(value) for value in values]))

    return apply


def _extreme(pick: Callable[..., Fraction]) -> Callable[..., Value]:
    def apply(*values: Value) -> Value:
        if all(isinstance(value, Fraction) for value in values) and len(values) > 1:
            return pick(values)
        raise IncalculableError("undecided")

    return apply


OPERATIONS: dict[str, Callable[..., Value]] = {
    "+": _add,
    "-": _sub,
    "*": _mul,
    "/": _div,
    "neg": negated,
    "^": _power,
    "!": _factorial,
    "binom": _choose,
    "perm": _arrange,
    "mod": _mod,
    "floor": _floor,
    "ceil": lambda a: negated(_floor(negated(a))),
    "abs": _abs,
    "sqrt": lambda a: root(a, 2),
    "root": lambda a, n: root(a, _whole(n)),
    "deg": lambda a: a,
    "gcd": _many(math.gcd),
    "lcm": _many(math.lcm),
    "max": _extreme(max),
    "min": _extreme(min),
    "exp": lambda a: real("exp", a),
    "ln": lambda a: real("ln", a),
    "arcsin": lambda a: real("arcsin", a),
    "arccos": lambda a: real("arccos", a),
    "arctan": lambda a: real("arctan", a),
}
_SPECIAL: dict[str, Callable[[Node, Setting], Value]] = {
    **dict.fromkeys(("sin", "cos", "tan", "cot", "sec", "csc"), _trig),
    **dict.fromkeys(("log", "lg"), _log),
    "dots+": _dots,
    "dots*": _dots,
    "dots-": _dots,
}
