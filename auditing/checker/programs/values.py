"""What programs compute with, and what each operation costs: whatever grows is paid for before it is made."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sized
from typing import Any

# of one trace: steps and elements of everything that is made
BUDGET = 100_000
MAX_BITS, MAX_SIZE = 4_000, 10_000
PLAIN = (bool, int, float, str, list, tuple, dict, type(None))


class UnsupportedError(ValueError):
    """The program does what this interpreter does not: nothing is said of it."""


class Budget:
    """Steps that a trace has left."""

    def __init__(self, steps: int = BUDGET) -> None:
        self.steps = steps

    def spend(self, steps: int) -> None:
        """Raises UnsupportedError when nothing is left."""
        self.steps -= steps
        if self.steps < 0:
            raise UnsupportedError("too many steps")


def _power(a: Any, b: Any) -> Any:
    is_long = isinstance(a, int) and isinstance(b, int) and abs(b) * max(1, a.bit_length()) > MAX_BITS
    if is_long or (isinstance(a, float) and abs(b) > MAX_BITS):
        raise UnsupportedError("a power too large")
    result = a**b
    if isinstance(result, complex):
        raise UnsupportedError("a complex number")
    return result


def _times(a: Any, b: Any) -> Any:
    for row, count in ((a, b), (b, a)):
        if isinstance(row, (str, list, tuple)) and isinstance(count, int) and len(row) * count > MAX_SIZE:
            raise UnsupportedError("a sequence too long")
    return a * b


def _shifted(a: Any, b: Any) -> Any:
    if not 0 <= b <= MAX_BITS:
        raise UnsupportedError("a shift too far")
    return a << b


def _modulo(a: Any, b: Any) -> Any:
    if isinstance(a, str):
        raise UnsupportedError("a format")
    return a % b


BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _times,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: _modulo,
    ast.Pow: _power,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: _shifted,
    ast.RShift: operator.rshift,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: a is b if b is None or a is None else a == b,
    ast.IsNot: lambda a, b: a is not b if b is None or a is None else a != b,
}


def _range(*ends: int) -> list[int]:
    numbers = range(*ends)
    if len(numbers) > MAX_SIZE:
        raise UnsupportedError("a range too long")
    return list(numbers)


def _factorial(n: int) -> int:
    if n > 500:
        raise UnsupportedError("a factorial too large")
    return math.factorial(n)


def _chosen(n: int, k: int) -> int:
    if n > 1_000:
        raise UnsupportedError("a choice too large")
    return math.comb(n, k)


def _raised(a: Any, b: Any, modulus: int | None = None) -> Any:
    if modulus is None:
        return _power(a, b)
    if max(a.bit_length(), b.bit_length(), modulus.bit_length()) > 500:
        raise UnsupportedError("a power too large")
    return pow(a, b, modulus)


def _rounded(value: Any, digits: int | None = None) -> Any:
    if digits is not None and abs(digits) > 50:
        raise UnsupportedError("digits too many")
    return round(value, digits)


def _as_whole(value: Any, base: int = 10) -> int:
    return int(value, base) if isinstance(value, str) else int(value)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "all": lambda values: all(list(values)),
    "any": lambda values: any(list(values)),
    "bool": bool,
    "chr": chr,
    "divmod": divmod,
    "enumerate": lambda values, start=0: list(enumerate(values, start)),
    "float": float,
    "int": _as_whole,
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "ord": ord,
    "pow": _raised,
    "range": _range,
    "reversed": lambda values: list(reversed(values)),
    "round": _rounded,
    "sorted": lambda values, reverse=False: sorted(values, reverse=reverse),
    "str": str,
    "sum": lambda values: sum(list(values)),
    "tuple": tuple,
    "zip": lambda *rows: [tuple(row) for row in zip(*rows, strict=False)],
    "math.ceil": math.ceil,
    "math.comb": _chosen,
    "math.factorial": _factorial,
    "math.floor": math.floor,
    "math.gcd": math.gcd,
    "math.isqrt": math.isqrt,
    "math.sqrt": math.sqrt,
}


def _replaced(text: str, old: str, new: str) -> str:
    if len(text) * max(1, len(new)) > MAX_SIZE:
        raise UnsupportedError("a text too long")
    return text.replace(old, new)


def _joined(text: str, parts: Any) -> str:
    pieces = list(parts)
    if sum(map(len, pieces)) + len(text) * len(pieces) > MAX_SIZE:
        raise UnsupportedError("a text too long")
    return text.join(pieces)


def _appended(values: list[Any], value: Any) -> None:
    values.append(value)


# (type, name) -> what it does; nothing else of a value can be reached
METHODS: dict[tuple[type, str], Callable[..., Any]] = {
    (str, "upper"): str.upper,
    (str, "lower"): str.lower,
    (str, "strip"): str.strip,
    (str, "split"): str.split,
    (str, "join"): _joined,
    (str, "replace"): _replaced,
    (str, "count"): str.count,
    (str, "find"): str.find,
    (str, "startswith"): str.startswith,
    (str, "endswith"): str.endswith,
    (str, "isdigit"): str.isdigit,
    (str, "isalpha"): str.isalpha,
    (str, "title"): str.title,
    (str, "capitalize"): str.capitalize,
    (list, "append"): _appended,
    (list, "count"): list.count,
    (list, "index"): list.index,
    (list, "pop"): list.pop,
    (list, "sort"): lambda values: values.sort(),
    (list, "reverse"): list.reverse,
    (dict, "get"): dict.get,
    (dict, "items"): lambda pairs: [tuple(pair) for pair in pairs.items()],
    (dict, "keys"): lambda pairs: list(pairs.keys()),
    (dict, "values"): lambda pairs: list(pairs.values()),
}
# what these take one by one
ITERATED = (str, list, tuple, dict)


def size_of(value: Any) -> int:
    """Elements at every depth, and words of long numbers; raises UnsupportedError above MAX_SIZE.

    What stands in a list twice counts twice: a list of itself twice, thirty times over, fills a memory.
    """
    size, stack = 0, [value]
    while stack:
        element = stack.pop()
        size += 1
        if isinstance(element, int):
            size += element.bit_length() // 100
        elif isinstance(element, str):
            size += len(element) // 10
        elif isinstance(element, (list, tuple)):
            stack.extend(element)
        elif isinstance(element, dict):
            stack.extend((*element.keys(), *element.values()))
        if size + len(stack) > MAX_SIZE:
            raise UnsupportedError("a value too large")
    return size


def checked(value: Any) -> Any:
    """A value that may go on; raises UnsupportedError for other types and sizes."""
    if not isinstance(value, PLAIN):
        raise UnsupportedError("a value of another kind")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise UnsupportedError("a number too long")
    if isinstance(value, Sized) and len(value) > MAX_SIZE:
        raise UnsupportedError("a value too large")
    return value
