"""The operations of the engine on exact values and intervals: what each sign and function of the tree computes.

Fractions in, fractions out, wherever that is possible; an interval where a value is irrational. What has no value, or
would take too long, raises IncalculableError.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError, Range, Value, as_range, make, negated, real, root
from auditing.checker.mathematics.exactly.arithmetic import ONE, added, bits, divided, ends, multiplied, raised, whole

# caps on the length of numbers, so that 9^9^9 costs nothing: each is checked before the power is computed
MAX_BITS = 20_000
MAX_EXPONENT = 5_000
MAX_FACTORIAL = 400


def _add(a: Value, b: Value) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return added(a, b)
    x, y = as_range(a), as_range(b)
    return make(added(x.low, y.low), added(x.high, y.high))


def _sub(a: Value, b: Value) -> Value:
    return _add(a, negated(b))


def multiply(a: Value, b: Value) -> Value:
    """a * b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return multiplied(a, b)
    # the extremes of a product of two intervals lie at its corners; signs decide at which
    x, y = as_range(a), as_range(b)
    if x.low.numerator >= 0 and y.low.numerator >= 0:
        return make(multiplied(x.low, y.low), multiplied(x.high, y.high))
    corners = [multiplied(x, y) for x in _corners(a) for y in _corners(b)]
    return make(*ends(corners))


def _corners(value: Value) -> tuple[Fraction, ...]:
    return value if isinstance(value, Range) else (value,)


def divide(a: Value, b: Value) -> Value:
    """a / b. Raises IncalculableError when b is or may be zero."""
    if isinstance(b, Fraction):
        if not b:
            raise IncalculableError("division by zero")
        return divided(a, b) if isinstance(a, Fraction) else multiply(a, divided(ONE, b))
    # 1/b has no bound when b may be zero
    if b.low <= 0 <= b.high:
        raise IncalculableError("division by an interval around zero")
    return multiply(a, Range(1 / b.high, 1 / b.low))


def _whole(a: Value, reason: str = "a whole number is needed") -> int:
    if isinstance(a, Fraction) and a.denominator == 1:
        return int(a)
    raise IncalculableError(reason)


def _power(a: Value, b: Value) -> Value:
    if not isinstance(b, Fraction):
        # a^b = exp(b ln a) for an irrational exponent
        return real("exp", multiply(b, real("ln", a)))
    if b.denominator != 1:
        return _fractional_power(a, b)
    exponent = int(b)
    if abs(exponent) > MAX_EXPONENT:
        raise IncalculableError("the exponent is too large")
    if exponent < 0:
        return divide(ONE, _power(a, whole(-exponent)))
    if isinstance(a, Fraction):
        # the length of a power is known before it is computed
        if bits(a) * exponent > MAX_BITS * 2:
            raise IncalculableError("the power is too long")
        return raised(a, exponent)
    return _range_power(a, exponent)


def _range_power(a: Range, exponent: int) -> Value:
    if exponent > 200:
        raise IncalculableError("the exponent is too large")
    result: Value = ONE
    for _ in range(exponent):
        result = multiply(result, a)
    return result


def _fractional_power(a: Value, b: Fraction) -> Value:
    if b.denominator > 60:
        return real("exp", multiply(b, real("ln", a)))
    # 8^(2/3) = (cube root of 8)^2, exact where the root is
    return _power(root(a, b.denominator), whole(b.numerator))


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


def _numeral(digits: Value, base: Value) -> Value:
    """What the written digits are worth in a base: 253 in base 8 is 171."""
    worth, rest, ground, place = 0, _whole(digits), _whole(base), 1
    while rest:
        worth, rest, place = worth + rest % 10 * place, rest // 10, place * ground
    return Fraction(worth)


def _floor(a: Value) -> Value:
    x = as_range(a)
    # the interval straddles a whole number: either rounding may be right
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
    "*": multiply,
    "/": divide,
    "neg": negated,
    "^": _power,
    "!": _factorial,
    "binom": _choose,
    "perm": _arrange,
    "mod": _mod,
    "numeral": _numeral,
    "floor": _floor,
    "ceil": lambda a: negated(_floor(negated(a))),
    "abs": _abs,
    "sqrt": lambda a: root(a, 2),
    "root": lambda a, n: root(a, _whole(n)),
    "deg": lambda a: a,
    "gcd": _many(math.gcd),
    "lcm": _many(math.lcm),
    # 0.1(6): the period once, again a thousandth of it, and so on: a geometric series
    "repeat": lambda written, period, turn: _add(written, divide(multiply(period, turn), _sub(turn, Fraction(1)))),
    "max": _extreme(max),
    "min": _extreme(min),
    "exp": lambda a: real("exp", a),
    "ln": lambda a: real("ln", a),
}
