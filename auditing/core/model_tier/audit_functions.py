"""The six functions that an auditing model may call, carried out in exact fractions, and checks of recorded results.

add, subtract, multiply, divide, correlation, linear_regression. Source: RADO, appendix C; docs/formulas.md section 4.
"""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

Result: TypeAlias = float | tuple[float, float]
LONGEST_CALL = 4000
LARGEST = Fraction(10) ** 300  # beyond it a double would overflow soon


class ToolRefusedError(ValueError):
    """This function call cannot be carried out."""


def _divide(a: Fraction, b: Fraction) -> Fraction:
    if b == 0:
        raise ToolRefusedError("division by zero")
    return a / b


def _moments(x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[Fraction, Fraction, Fraction, Fraction, Fraction]:
    if len(x) != len(y) or not x:
        raise ToolRefusedError(f"two lists of one length are needed, got {len(x)} and {len(y)} numbers")
    mean_x, mean_y = sum(x, Fraction(0)) / len(x), sum(y, Fraction(0)) / len(y)
    pairs = list(zip(x, y, strict=True))
    covariance = sum(((a - mean_x) * (b - mean_y) for a, b in pairs), Fraction(0))
    spread_x = sum(((a - mean_x) ** 2 for a in x), Fraction(0))
    spread_y = sum(((b - mean_y) ** 2 for b in y), Fraction(0))
    return mean_x, mean_y, covariance, spread_x, spread_y


def _correlation(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    _, _, covariance, spread_x, spread_y = _moments(x, y)
    if spread_x * spread_y == 0:
        raise ToolRefusedError("a list without spread has no correlation")
    # r = cov / sqrt(spread_x spread_y): the square is exact, its root is taken as an integer root at 18 digits.
    square = covariance**2 / (spread_x * spread_y)
    scale = 10**36
    root = Fraction(isqrt(square.numerator * scale // square.denominator), isqrt(scale))
    return root if covariance >= 0 else -root


def _linear_regression(x: Sequence[Fraction], y: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    mean_x, mean_y, covariance, spread_x, _ = _moments(x, y)
    if spread_x == 0:
        raise ToolRefusedError("all x are equal, so there is no slope")
    slope = covariance / spread_x
    return slope, mean_y - slope * mean_x


_NUMBERS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": _divide,
}
_LISTS: dict[str, Callable[[Sequence[Fraction], Sequence[Fraction]], Any]] = {
    "correlation": _correlation,
    "linear_regression": _linear_regression,
}


def _number(value: Any) -> Fraction:
    if not isinstance(value, Fraction):
        raise ToolRefusedError("an argument is not a number")
    return value


def _exact(text: str) -> Fraction:
    _, _, exponent = text.lower().partition("e")
    if len(exponent.lstrip("+-")) > 3:  # 1e999999999 would be written out digit by digit
        raise ToolRefusedError("a number is too large")
    value = Fraction(text)
    if abs(value) > LARGEST:
        raise ToolRefusedError("a number is too large")
    return value


def _arguments(text: str) -> list[Any]:
    # JSON is the whole grammar: numbers and lists, no names, no calls; numbers are never floats on the way.
    try:
        return list(json.loads(f"[{text}]", parse_int=_exact, parse_float=_exact))
    except ToolRefusedError:
        raise
    except (ValueError, RecursionError):
        raise ToolRefusedError("the arguments are neither numbers nor lists of numbers") from None


def _evaluate(name: str, arguments: list[Any]) -> Any:
    if name in _NUMBERS:
        return _NUMBERS[name](_number(arguments[0]), _number(arguments[1]))
    if not all(isinstance(argument, list) for argument in arguments):
        raise ToolRefusedError(f"{name} takes two lists of numbers")
    x, y = ([_number(value) for value in argument] for argument in arguments)
    return _LISTS[name](x, y)


def call_tool(call: str) -> Result:
    """Carry out a call such as `divide(137, 965)`. Never evaluates code.

    Raises ToolRefusedError for an unknown function, wrong arguments, division by zero and numbers beyond 10 ** 300.

    >>> call_tool("divide(137, 965)")
    0.14196891191709846
    >>> call_tool("linear_regression([1, 2, 3], [3, 5, 7])")
    (2.0, 1.0)
    """
    text = call.strip()
    name, bracket, tail = text.partition("(")
    if len(text) > LONGEST_CALL or not bracket or not tail.endswith(")"):
        raise ToolRefusedError("a call looks like add(1, 2)")
    if name.strip() not in (*_NUMBERS, *_LISTS):
        raise ToolRefusedError(f"there is no function {name.strip()[:40]!r}")
    arguments = _arguments(tail[:-1])
    if len(arguments) != 2:
        raise ToolRefusedError(f"{name.strip()} takes two arguments, got {len(arguments)}")
    result = _evaluate(name.strip(), arguments)
    return (_double(result[0]), _double(result[1])) if isinstance(result, tuple) else _double(result)


def _double(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        raise ToolRefusedError("the result is too large") from None


def result_agrees(*, call: str, result: str) -> bool:
    """Whether a recorded result equals the call carried out again, to half a unit of the last printed place.

    >>> result_agrees(call="divide(137, 965)", result="0.142"), result_agrees(call="divide(137, 965)", result="0.1423")
    (True, False)
    """
    computed = call_tool(call)
    values = computed if isinstance(computed, tuple) else (computed,)
    printed = [piece.strip() for piece in result.strip().strip("()[]").split(",")]
    if len(printed) != len(values):
        return False
    return all(_close(value, text) for value, text in zip(values, printed, strict=True))


def _close(value: float, text: str) -> bool:
    """Whether `text` is `value` rounded to the digits it is printed with: half a unit of the last, and an ulp or so."""
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    try:
        unit = 10.0 ** (int(exponent or 0) - decimals)
        printed = float(text)
    except (ValueError, OverflowError):
        return False
    return abs(value - printed) <= unit / 2 + 1e-12 * abs(value)
