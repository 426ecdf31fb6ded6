"""Check the proofs of the computer tier's findings, trusting nobody: python verify_proofs.py AUDITED.jsonl [--json]

AUDITED.jsonl is what `manage.py audit` writes, or the file of a computer vote: its rationale is then held against the
digest in that file, which --audit AUDIT looks for among the opened votes of an audit (`openings.rationale`; check that
file with verify_audit.py), and its findings are checked like any. Each finding with a proof is computed again from its
formulas, and the formulas are held against the text that they were read from. Needs Python 3.11 and nothing else; it is
apart from the system on purpose. Exit code 0: every proof holds; 2: a proof is refused, each with one sentence that
says why.

What is believed: that the formula means what the text says (numbers are compared, signs are not), and which decimals
may be rounded. What is checked: that the text stands where the finding says, that every number of the formula stands in
it, and that the verdict follows from the formula. Values are exact fractions, or intervals that hold them.
"""

import argparse
import datetime
import functools
import hashlib
import itertools
import json
import math
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

VERSION = 1
Interval = tuple[Fraction, Fraction]
Formula = Any
SCALE = 10**45
ROOM = Fraction(1, 10**25)  # an interval this narrow tells two written numbers apart
MAX_BITS, MAX_TERMS = 50_000, 3_000
NUMBER = re.compile(r"-?\d")
WRITTEN = re.compile(r"\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+")
EXPONENT = re.compile(r"[eE][-+]?0*(\d+)$")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
# numbers that words and signs stand for: "squared", a root, a common logarithm
SILENT = frozenset(map(Fraction, (1, 2, 3, 10)))
SPOKEN = {"quarter": 4, "fourth": 4, "fifth": 5, "dozen": 12, "monthly": 12, "weekly": 52, "daily": 365}
SPOKEN |= {"million": 6, "billion": 9, "trillion": 12, "complement": 90, "supplement": 180}  # powers of ten; angles
NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
).split()
MULTIPLES = {"twice": "2", "double": "2", "thrice": "3", "triple": "3", "quadruple": "4"}
HALF = Fraction(1, 2)


class RefusedError(Exception):
    """A proof that does not hold, with the reason."""


def need(condition: object, reason: str) -> None:
    """Raise RefusedError with the reason unless the condition holds."""
    if not condition:
        raise RefusedError(reason)


# -- numbers as they are written ---------------------------------------------------------------------------------------


def is_short(text: str) -> bool:
    """Whether a number can be computed with: 1e999999999 would take the reader's memory."""
    exponent = EXPONENT.search(text)
    return len(text) < 400 and (exponent is None or len(exponent[1]) < 4)


def number_of(text: str) -> Fraction:
    """The value of a number as it is written."""
    need(is_short(text), "a number is too long")
    return Fraction(text)


def literal(text: str) -> tuple[Fraction, Fraction, bool]:
    """Value, unit of the last written digit, and whether digits were cut off: "25%" is (1/4, 1/100, False)."""
    percent, text = text.endswith("%"), text.rstrip("%")
    cut, text = text.endswith("..."), text.removesuffix("...")
    value = number_of(text)
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    return (value / 100, unit / 100, cut) if percent else (value, unit, cut)


def leaves(tree: Formula) -> Iterator[str]:
    """Every number and symbol of a formula."""
    if isinstance(tree, str):
        yield tree
    else:
        for operand in tree[1:]:
            yield from leaves(operand)


@functools.lru_cache(maxsize=16)
def written(text: str) -> set[Fraction]:
    """The values of all numbers that a text writes; \\frac12 and \\frac 12 write 1 and 2."""
    text = re.sub(r"(?<=\d)(?:\{,\}|,\\!|\\,|\\!)(?=\d)", "", text)
    text = re.sub("([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r" \1", text).translate(SUPERSCRIPTS)
    text = re.sub("[½⅓⅔¼¾⅕-⅞]", lambda sign: f" {unicodedata.normalize('NFKC', sign[0])} ", text)
    matches = set(WRITTEN.findall(text))
    values = {Fraction(match.replace(",", "")) for match in matches if is_short(match)}
    runs = {run for match in matches for run in re.split(r"[,.]", match)}
    values |= {Fraction(int(run)) for run in runs if run.isdigit() and is_short(run)}
    return values | {
        Fraction(digit) for digit in re.findall(r"(?<=[a-z])\d|(?<=[a-z]\d)\d|(?<=frac )\d|(?<=frac \d)\d", text)
    }


@functools.lru_cache(maxsize=16)
def spoken(text: str) -> set[Fraction]:
    """Whole numbers in words: each word alone, and what words behind each other come to (twenty-three)."""
    values = {name: at if at < 20 else 10 * at - 180 for at, name in enumerate(NAMES)}
    text = text.lower()
    numbers, total = {number for word, number in SPOKEN.items() if word in text}, 0
    for word in re.findall(r"[a-z]+|[^a-z\s-]", text):
        if word == "hundred":
            total = max(total, 1) * 100
        elif word in values:
            total += values[word]
        elif word != "and":
            total = 0
        numbers |= {total, values.get(word, total)}
    return set(map(Fraction, numbers))


def check_reading(trees: list[Formula], text: str) -> None:
    """Every number of the formulas stands in the text; powers that are integrated rise by one."""
    numbers = written(text) | SILENT | spoken(text)
    numbers |= {number + 1 for number in numbers if "∫" in text or "\\int" in text}
    for leaf in (leaf for tree in trees for leaf in leaves(tree) if NUMBER.match(leaf)):
        value = abs(number_of(leaf.rstrip("%").removesuffix("...")))
        is_told = value in numbers or {Fraction(value.numerator), Fraction(value.denominator)} <= numbers
        need(is_told, f"{leaf} stands in the formula and not in the text")


# -- values ------------------------------------------------------------------------------------------------------------


def value_of(tree: Formula, setting: Mapping[str, Any]) -> Interval:
    """The interval that holds the value of a formula; a point where it is exact."""
    if isinstance(tree, str):
        return leaf_value(tree, setting)
    sign, *parts = tree
    if sign in ("sin", "cos", "tan", "cot", "sec", "csc"):
        return angle(sign, parts[0], setting)
    if sign in ("arcsin", "arccos", "arctan"):
        return inverse(sign, value_of(parts[0], setting), setting)
    if sign in ("dots+", "dots*"):
        return series(sign[-1], parts, setting)
    if sign in ("sum", "prod", "integral", "limit"):
        return exactly(bound(sign, parts, setting))
    values = [value_of(operand, setting) for operand in parts]
    need(sign in OPERATIONS or sign in ("log", "lg"), f"no rule for {sign}")
    if sign in ("log", "lg"):
        base = values[1] if len(values) == 2 else setting["base"]
        return divide(real("ln", values[0]), real("ln", base)) if base else real("ln", values[0])
    low, high = OPERATIONS[sign](*values)
    need(max(low.numerator.bit_length(), low.denominator.bit_length()) < MAX_BITS, "a number is too long")
    return low, high


def leaf_value(text: str, setting: Mapping[str, Any]) -> Interval:
    if not NUMBER.match(text):
        if text == "pi":
            return PI
        need(text in setting["point"], f"{text} has no value")
        return setting["point"][text], setting["point"][text]
    value, unit, cut = literal(text)
    slack = unit if cut else unit / 2 if setting["loose"] and text in setting["loose"] else Fraction(0)
    return value - slack, value + slack


def narrow(low: Fraction, high: Fraction) -> Interval:
    if low == high or max(low.denominator, high.denominator) <= SCALE:
        return low, high
    return Fraction(math.floor(low * SCALE), SCALE), Fraction(math.ceil(high * SCALE), SCALE)


def plus(a: Interval, b: Interval) -> Interval:
    return narrow(a[0] + b[0], a[1] + b[1])


def minus(a: Interval) -> Interval:
    return -a[1], -a[0]


def times(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in a for y in b]
    return narrow(min(corners), max(corners))


def divide(a: Interval, b: Interval) -> Interval:
    need(b[0] > 0 or b[1] < 0, "a division by zero")
    return times(a, (1 / b[1], 1 / b[0]))


def root(a: Interval, degree: int) -> Interval:
    need(0 < degree < 100 and (a[0] >= 0 or degree % 2 == 1), "no such root")
    return narrow(_root(a[0], degree)[0], _root(a[1], degree)[1])


def _root(x: Fraction, degree: int) -> Interval:
    if x < 0:
        return minus(_root(-x, degree))
    for top, bottom in [(whole_root(x.numerator, degree), whole_root(x.denominator, degree))]:
        if top**degree == x.numerator and bottom**degree == x.denominator:
            return Fraction(top, bottom), Fraction(top, bottom)
    scaled = whole_root(x.numerator * SCALE**degree // x.denominator, degree)
    return Fraction(scaled, SCALE), Fraction(scaled + 1, SCALE)


def whole_root(n: int, degree: int) -> int:
    """floor(n ** (1 / degree)) by bisection."""
    if degree == 2:
        return math.isqrt(n)
    low, high = 0, 1 << (n.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= n else (low, middle - 1)
    return low


def power(a: Interval, b: Interval) -> Interval:
    if b[0] != b[1] or b[0].denominator > 60:
        return real("exp", times(b, real("ln", a)))
    exponent = b[0]
    if exponent < 0:
        return divide((Fraction(1), Fraction(1)), power(a, (-exponent, -exponent)))
    base = root(a, exponent.denominator) if exponent.denominator > 1 else a
    n = exponent.numerator
    need(n * max(base[0].numerator.bit_length(), base[0].denominator.bit_length()) < MAX_BITS, "a power is too long")
    if base[0] == base[1]:
        return base[0] ** n, base[0] ** n
    need(n < 300, "a power is too long")
    result = (Fraction(1), Fraction(1))
    for _ in range(n):
        result = times(result, base)
    return result


def real(name: str, a: Interval) -> Interval:
    """exp and ln to forty digits by the decimal module, whose results are correctly rounded."""
    need(name == "exp" or a[0] > 0, "the logarithm of a number that is not positive")
    need(max(abs(a[0]), abs(a[1])) < 10**6, "an argument is too large")
    with localcontext() as context:
        context.prec = 70
        ends = [getattr(Decimal(x.numerator) / Decimal(x.denominator), name)() for x in a]
        low, high = (Fraction(*end.as_integer_ratio()) for end in ends)
    pad = max(abs(low), abs(high), Fraction(1)) / 10**40
    return narrow(low - pad, high + pad)


def arctan(x: Fraction) -> Fraction:
    """The series of a small argument, cut off below 10^-55."""
    total, term, n = Fraction(0), x, 1
    while abs(term) > Fraction(1, 10**55):
        total += term / n
        term, n = -term * x * x, n + 2
    return total


_PI = 16 * arctan(Fraction(1, 5)) - 4 * arctan(Fraction(1, 239))  # Machin's formula
PI = narrow(_PI - Fraction(1, 10**45), _PI + Fraction(1, 10**45))


def angle(name: str, argument: Formula, setting: Mapping[str, Any]) -> Interval:
    """A trigonometric function by its series around zero, after turns by 2 pi; degrees where the setting says so."""
    in_degrees = setting["degrees"] or (isinstance(argument, list) and argument[0] == "deg")
    x = value_of(argument, setting)
    x = divide(times(x, PI), (Fraction(180), Fraction(180))) if in_degrees else x
    turns = round(x[0] / (2 * _PI))
    middle = (x[0] + x[1]) / 2 - turns * 2 * _PI
    need(x[1] - x[0] < Fraction(1, 1000) and abs(turns) < 10**6, "an angle is too wide")
    middle = Fraction(round(middle * SCALE), SCALE)
    sine, cosine = wave(middle, 1), wave(middle, 0)
    pad = (x[1] - x[0]) + abs(turns) * Fraction(1, 10**43) + Fraction(1, 10**35)
    sin, cos = (sine - pad, sine + pad), (cosine - pad, cosine + pad)
    pairs = {"sin": (sin, None), "cos": (cos, None), "tan": (sin, cos), "cot": (cos, sin)}
    if name in pairs:
        top, below = pairs[name]
        return divide(top, below) if below else top
    return divide((Fraction(1), Fraction(1)), cos if name == "sec" else sin)


def inverse(name: str, a: Interval, setting: Mapping[str, Any]) -> Interval:
    """arcsin, arccos, arctan: the one that grows is taken at both ends, and what falls from pi / 2."""
    need(name == "arctan" or (a[0] >= -1 and a[1] <= 1), "no such angle")
    ends = [angle_of(x, Fraction(1) if name == "arctan" else square_root(1 - x * x)) for x in a]
    pad = Fraction(1, 10**38)
    low, high = ends[0] - pad, ends[1] + pad
    if name == "arccos":
        low, high = _PI / 2 - high, _PI / 2 - low
    return divide(times((low, high), (Fraction(180), Fraction(180))), PI) if setting["degrees"] else (low, high)


def square_root(x: Fraction) -> Fraction:
    """A square root to forty-five digits."""
    return _root(x, 2)[0]


def angle_of(x: Fraction, along: Fraction) -> Fraction:
    """The angle whose tangent is x / along, by halving it until the series is short."""
    if not x:
        return Fraction(0)
    if along == 0 or abs(x) > abs(along):
        return (_PI / 2 if x > 0 else -_PI / 2) - angle_of(along, x)
    tangent = Fraction(round(x / along * SCALE), SCALE)
    for _ in range(3):
        tangent = Fraction(round(tangent / (1 + square_root(1 + tangent * tangent)) * SCALE), SCALE)
    return 8 * arctan(tangent)


def wave(x: Fraction, first: int) -> Fraction:
    """x - x^3/3! + ... (first = 1), 1 - x^2/2! + ... (first = 0)."""
    # in whole numbers of 10^-60, for x has forty-five digits
    square, term, total, n = x * x, int(x**first * 10**60), 0, first
    while n < 6 or abs(term) > 10**10:
        total += term
        term = round(-term * square / ((n + 1) * (n + 2)))
        n += 2
    return Fraction(total, 10**60)


def whole(a: Interval) -> int:
    need(a[0] == a[1] and a[0].denominator == 1, "a whole number is needed")
    return int(a[0])


def of_whole(function: Any, most: int = 5_000) -> Any:
    """A function of whole numbers as an operation on intervals."""

    def apply(*values: Interval) -> Interval:
        numbers = [whole(value) for value in values]
        need(all(0 <= abs(n) <= most for n in numbers) or function in (math.gcd, math.lcm), "a number is too large")
        result = Fraction(function(*numbers))
        return result, result

    return apply


def of_wholes(function: Any, most: int = 10**15) -> Any:
    """A function of whole numbers that are not negative, none above the most."""

    def apply(*values: Interval) -> Interval:
        numbers = [whole(value) for value in values]
        need(all(0 <= number <= most for number in numbers), "a number is too large")
        return exactly(Fraction(function(*numbers)))

    return apply


def digit(place: int, base: int, exponent: int) -> int:
    """The digit of a power at a place, the units being place 0."""
    unit = int(10**place)
    return pow(base, exponent, 10 * unit) // unit


def in_base(number: int, base: int) -> int:
    """The digits of a number in a base of ten at most, read as a number."""
    need(2 <= base <= 10, "a base beyond the digits")
    return number if number < base else 10 * in_base(number // base, base) + number % base


def rounded(step: Fraction, a: Interval) -> Interval:
    """The nearest multiple of a step, halves up."""
    return times((step, step), floor(plus(divide(a, (step, step)), (HALF, HALF))))


# how many of a smaller unit are in a larger one, as everybody counts them
IN_ONE = {
    "days in week": 7, "hours in day": 24, "minutes in hour": 60, "seconds in minute": 60, "months in year": 12,
    "weeks in year": 52, "inches in foot": 12, "feet in yard": 3, "ounces in pound": 16, "cents in dollar": 100,
    "feet in mile": 5280, "degrees in circle": 360, "eggs in dozen": 12, "grams in kilogram": 1000,
    "centimeters in meter": 100, "meters in kilometer": 1000, "years in decade": 10, "years in century": 100,
    "nickels in dollar": 20, "dimes in dollar": 10, "quarters in dollar": 4,
}  # fmt: skip


def constant(count: int) -> Interval:
    return Fraction(count), Fraction(count)


def median(values: tuple[Interval, ...]) -> Interval:
    need(all(low == high for low, high in values), "a median of numbers that are not exact")
    row = sorted(low for low, _ in values)
    middle = (row[(len(row) - 1) // 2] + row[len(row) // 2]) / 2
    return middle, middle


def floor(a: Interval) -> Interval:
    need(math.floor(a[0]) == math.floor(a[1]), "a rounding is undecided")
    return Fraction(math.floor(a[0])), Fraction(math.floor(a[0]))


def modulo(a: Interval, b: Interval) -> Interval:
    need(a[0] == a[1] and b[0] == b[1] and b[0] > 0, "no remainder")
    return a[0] % b[0], a[0] % b[0]


def absolute(a: Interval) -> Interval:
    return (max(Fraction(0), a[0], -a[1]), max(abs(a[0]), abs(a[1])))


OPERATIONS: dict[str, Any] = {
    "+": plus,
    "-": lambda a, b: plus(a, minus(b)),
    "*": times,
    "/": divide,
    "^": power,
    "neg": minus,
    "mod": modulo,
    "abs": absolute,
    "floor": floor,
    "ceil": lambda a: minus(floor(minus(a))),
    "sqrt": lambda a: root(a, 2),
    "root": lambda a, n: root(a, whole(n)),
    "deg": lambda a: a,
    "!": of_whole(math.factorial, 400),
    "binom": of_whole(math.comb),
    "perm": of_whole(math.perm, 400),
    "gcd": of_whole(math.gcd),
    "lcm": of_whole(math.lcm),
    "max": lambda *values: max(values),
    "min": lambda *values: min(values),
    "median": lambda *values: median(values),
    "power mod": of_wholes(lambda base, exponent, modulus: pow(base, exponent, modulus)),
    **{f"digit{at}": of_wholes(functools.partial(digit, at)) for at in range(3)},
    "digit sum": of_wholes(lambda number: sum(map(int, str(number)))),
    "length": of_wholes(lambda number: len(str(number))),
    "numeral": of_wholes(lambda digits, base: sum(int(n) * base**at for at, n in enumerate(reversed(str(digits))))),
    "in base": of_wholes(lambda number, base: in_base(number, base)),
    "prime divisors": of_wholes(
        lambda number: sum(number % n == 0 and is_prime(n) for n in range(number + 1)[2:]), 10**6
    ),
    "divisors": of_wholes(lambda number: sum(number % n == 0 for n in range(1, number + 1)), 10**6),
    **{f"round{step}": functools.partial(rounded, Fraction(step)) for step in ("1", "10", "100", "0.1", "0.01")},
    **{name: functools.partial(constant, count) for name, count in IN_ONE.items()},
    "mean": lambda *values: divide(functools.reduce(plus, values), (Fraction(len(values)), Fraction(len(values)))),
    "exp": lambda a: real("exp", a),
    "ln": lambda a: real("ln", a),
}


def series(sign: str, parts: list[Formula], setting: Mapping[str, Any]) -> Interval:
    """1 + 2 + ... + n: the terms before the dots have one difference, and the last is reached by whole steps."""
    terms: list[Formula] = []
    head = parts[0]
    while isinstance(head, list) and head[0] == sign:
        terms, head = [head[2], *terms], head[1]
    numbers = [value_of(term, setting)[0] for term in [head, *terms]]
    last, step = value_of(parts[1], setting)[0], numbers[1] - numbers[0]
    need(step != 0 and all(b - a == step for a, b in itertools.pairwise(numbers)), "the dots are unclear")
    count = (last - numbers[0]) / step + 1
    need(count.denominator == 1 and 2 <= count < 600 + 10**9 * (sign == "+"), "the dots do not reach their end")
    total = (numbers[0] + last) * count / 2
    if sign == "*":
        total = Fraction(math.prod(numbers[0] + step * n for n in range(int(count))))
    return total, total


def exactly(value: Fraction) -> Interval:
    return value, value


def exact(tree: Formula, setting: Mapping[str, Any]) -> Fraction:
    low, high = value_of(tree, setting)
    need(low == high, "an exact value is needed")
    return low


def bound(sign: str, parts: list[Formula], setting: Mapping[str, Any]) -> Fraction:
    """A sum or product term by term, the integral of a polynomial, the limit of a quotient of polynomials."""
    symbol, *bounds, body = parts
    need(not {"sum", "prod"} & set(signs_of(body)), "a sum of sums takes too long")
    if sign == "limit":
        above, below = (row_in(polynomial, symbol) for polynomial in expanded(body))
        return limit(above, below, bounds[0] if bounds[0] in ("up", "down") else exact(bounds[0], setting))
    low, high = (exact(end, setting) for end in bounds)
    if sign == "integral":
        above, below = (row_in(polynomial, symbol) for polynomial in expanded(body))
        need(len(below) == 1, "no polynomial is integrated")
        return sum((c * (high ** (n + 1) - low ** (n + 1)) / (n + 1) / below[0] for n, c in enumerate(above)), 0 * low)
    need(low.denominator == high.denominator == 1 and 0 <= high - low < 1_000, "too many terms")
    points = ({**setting["point"], symbol: Fraction(at)} for at in range(int(low), int(high) + 1))
    terms = (exact(body, {**setting, "point": point}) for point in points)
    return math.prod(terms, start=Fraction(1)) if sign == "prod" else sum(terms, Fraction(0))


def row_in(polynomial: "Polynomial", symbol: str) -> list[Fraction]:
    need(all(name == symbol for monomial in polynomial for name, _ in monomial), "another symbol stands in it")
    return row_of(polynomial)


def limit(above: list[Fraction], below: list[Fraction], place: Any) -> Fraction:
    """At a place, x - a is divided out of both as long as both vanish there; far away the leading terms decide."""
    if isinstance(place, str):
        need(len(above) <= len(below), "there is no finite limit")
        return above[-1] / below[-1] if len(above) == len(below) else Fraction(0)

    def at(row: list[Fraction]) -> Fraction:
        return sum((c * place**n for n, c in enumerate(row)), Fraction(0))

    while above and not at(above) and not at(below):
        above, below = (divided(row, place) for row in (above, below))
    need(bool(at(below)), "there is no finite limit")
    return at(above) / at(below)


def divided(row: list[Fraction], root: Fraction) -> list[Fraction]:
    quotient = [Fraction(0)]
    for coefficient in row[:0:-1]:
        quotient.append(coefficient + quotient[-1] * root)
    return quotient[:0:-1]


# -- relations between numbers -----------------------------------------------------------------------------------------


def settings(trees: list[Formula], rounded: list[str]) -> Iterator[dict[str, Any]]:
    """The ways to read angles and logarithms without a base; a refutation must hold under all of them."""
    signs = {sign for tree in trees for sign in signs_of(tree)}
    has_pi = any(leaf == "pi" for tree in trees for leaf in leaves(tree))
    angles = signs & {"sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan"}
    for degrees in (False, True) if angles and not has_pi else (False,):
        for base in (10, 0, 2) if signs & {"log", "lg"} else (10,):
            ground = (Fraction(base), Fraction(base)) if base else None
            yield {"degrees": degrees, "base": ground, "point": {}, "loose": frozenset(rounded)}


def signs_of(tree: Formula) -> Iterator[str]:
    if not isinstance(tree, str):
        yield tree[0]
        for operand in tree[1:]:
            yield from signs_of(operand)


def written_number(tree: Formula) -> tuple[Fraction, Fraction, bool] | None:
    """Value, unit and cut of a number alone, also -2.5 and 1.5 * 10^6; None for any other formula."""
    if isinstance(tree, str):
        return literal(tree) if NUMBER.match(tree) else None
    if tree[0] == "neg" and isinstance(tree[1], str) and NUMBER.match(tree[1]):
        value, unit, cut = literal(tree[1])
        return -value, unit, cut
    if tree[0] == "*" and isinstance(tree[2], list) and tree[2][:2] == ["^", "10"]:
        mantissa, exponent = written_number(tree[1]), written_number(tree[2][2])
        if mantissa and exponent and exponent[0].denominator == 1 and abs(exponent[0]) < 400:
            scale = Fraction(10) ** int(exponent[0])
            return mantissa[0] * scale, mantissa[1] * scale, mantissa[2]
    return None


def relation_holds(left: Formula, right: Formula, relation: str, setting: dict[str, Any]) -> bool | None:
    """True: it holds as it is written; False: it is false by more than any rounding; None: neither is certain."""
    exact = {**setting, "loose": frozenset()}
    a, b = value_of(left, exact), value_of(right, exact)
    if relation not in ("=", "≈"):
        return ordered(a, b, relation)
    if a[0] == a[1] == b[0] == b[1]:
        return True
    for number, value in ((written_number(right), a), (written_number(left), b)):
        close = None if number is None else rounds_to(number, value, (a, b))
        if close is not None:
            return True if close else None
    has_decimals = any("." in leaf for tree in (left, right) for leaf in leaves(tree))
    if meet(a, b):
        return True if not has_decimals and max(a[1] - a[0], b[1] - b[0]) < ROOM else None
    if meet(value_of(left, setting), value_of(right, setting)):
        return None
    return None if relation == "≈" and is_near(left, right, a, b) else False


def meet(a: Interval, b: Interval) -> bool:
    return a[0] <= b[1] and b[0] <= a[1]


def ordered(a: Interval, b: Interval, relation: str) -> bool | None:
    if relation == "!=":
        return True if not meet(a, b) else False if a == b and a[0] == a[1] else None
    need(relation in ("<", ">", "<=", ">="), f"no rule for {relation}")
    x, y = (a, b) if relation[0] == "<" else (b, a)
    strict = len(relation) == 1
    if x[1] < y[0] or (not strict and x[1] <= y[0]):
        return True
    return False if x[0] > y[1] or (strict and x[0] >= y[1]) else None


def rounds_to(
    number: tuple[Fraction, Fraction, bool], value: Interval, sides: tuple[Interval, Interval]
) -> bool | None:
    """Whether a written number is the value rounded; False where it may be it cut off, None where it is not near."""
    literal_value, unit, cut = number
    near = literal_value - unit <= value[0] and value[1] <= literal_value + unit
    exact = value[0] == value[1]
    if not exact and unit == 1:
        return True if value[0] <= literal_value <= value[1] and value[1] - value[0] < ROOM else None
    step = max(abs(sides[0][1]), abs(sides[1][1]), Fraction(1)) / 2**46 * (abs(literal_value) >= 10**13 * unit)
    if unit <= Fraction(1, 10**12) and value[0] - step <= literal_value <= value[1] + step:
        return True
    # 4.20 + 9.45 + 1.35 = 14.99: 15.00 needs no rounding to stand in as many digits
    if exact and not cut and (value[0] / unit).denominator == 1 and value[0] != literal_value:
        return None
    if near and (cut or (literal_value - unit / 2 <= value[0] and value[1] <= literal_value + unit / 2)):
        return True
    # digits that are cut off lead towards zero, but for the last of many
    is_cut = near and (unit <= Fraction(1, 10**5) or max(abs(value[0]), abs(value[1])) >= abs(literal_value))
    return False if is_cut and (unit < 1 or value[0].denominator > 1) else None


def is_near(left: Formula, right: Formula, a: Interval, b: Interval) -> bool:
    """Off by at most a tenth, with two decimals a thirtieth or fifty units; four digits of wholes by five."""
    value, unit, cut = written_number(right) or written_number(left) or (Fraction(0), Fraction(0), False)
    gap, size = max(abs(a[0] - b[1]), abs(a[1] - b[0])), max(abs(a[1]), abs(b[1]))
    is_fine = 0 < unit <= Fraction(1, 100) and abs(value) >= 1000 * unit and not (cut or re.search("[.%]", str(left)))
    share = (500 if value.denominator > 1 and gap > 50 * unit else 30) if 0 < unit < Fraction(1, 10) else 10
    return gap <= (5 * unit if is_fine else max(unit, size / share))


def check_numbers(proof: dict[str, Any], verdict: str) -> None:
    pairs = [(left, right) for left in proof["left"] for right in proof["right"]]
    need(bool(pairs), "there is no reading")
    answers = []
    for left, right in pairs:
        for setting in settings([left, right], proof["rounded"]):
            try:
                answers.append(relation_holds(left, right, proof["relation"], setting))
            except RefusedError:
                # 5/0 = 3: an expression without a value is no number
                answers.append(False if has_no_value(left, setting) and written_number(right) else None)
    if verdict == "verified":
        need(True in answers, "the sides are not equal as they are written")
    else:
        need(set(answers) == {False}, "the relation may hold under one of its readings")


def has_no_value(tree: Formula, setting: dict[str, Any]) -> bool:
    try:
        value_of(tree, setting)
    except RefusedError as reason:
        return str(reason) in ("a division by zero", "no such root", "the logarithm of a number that is not positive")
    return False


# -- expressions with symbols ------------------------------------------------------------------------------------------

Polynomial = dict[tuple[tuple[str, int], ...], Fraction]
ONE: Polynomial = {(): Fraction(1)}


def add(a: Polynomial, b: Polynomial, factor: Fraction = Fraction(1)) -> Polynomial:
    total = dict(a)
    for monomial, coefficient in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    need(len(a) * len(b) <= MAX_TERMS * 10, "the expansion is too long")
    product: Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            powers: dict[str, int] = dict(left)
            for name, exponent in right:
                powers[name] = powers.get(name, 0) + exponent
            monomial = tuple(sorted(powers.items()))
            product[monomial] = product.get(monomial, Fraction(0)) + x * y
    return {monomial: coefficient for monomial, coefficient in product.items() if coefficient}


def expanded(tree: Formula) -> tuple[Polynomial, Polynomial]:
    """A formula as a quotient of polynomials; what is no polynomial enters as a symbol of its own."""
    if isinstance(tree, str):
        if NUMBER.match(tree):
            value, _, cut = literal(tree)
            need(not cut, "a number was cut off")
            return ({(): value} if value else {}), ONE
        return {((tree, 1),): Fraction(1)}, ONE
    sign, *parts = tree
    if sign in ("+", "-", "*", "/") and len(parts) == 2:
        return combined(sign, expanded(parts[0]), expanded(parts[1]))
    if sign == "neg":
        above, below = expanded(parts[0])
        return add({}, above, Fraction(-1)), below
    exponent = written_number(parts[1]) if sign == "^" else None
    if exponent and exponent[0].denominator == 1 and abs(exponent[0]) <= 40:
        return raised(expanded(parts[0]), int(exponent[0]))
    if not any(not NUMBER.match(leaf) for leaf in leaves(tree)):
        low, high = value_of(tree, {"degrees": False, "base": None, "point": {}, "loose": frozenset()})
        if low == high:
            return ({(): low} if low else {}), ONE
    return {((json.dumps(tree), 1),): Fraction(1)}, ONE


Quotient = tuple[Polynomial, Polynomial]


def combined(sign: str, a: Quotient, b: Quotient) -> Quotient:
    if sign == "*":
        return multiply(a[0], b[0]), multiply(a[1], b[1])
    if sign == "/":
        need(bool(b[0]), "a division by zero")
        return multiply(a[0], b[1]), multiply(a[1], b[0])
    factor = Fraction(1 if sign == "+" else -1)
    if a[1] == b[1]:
        return add(a[0], b[0], factor), a[1]
    return add(multiply(a[0], b[1]), multiply(b[0], a[1]), factor), multiply(a[1], b[1])


def raised(base: Quotient, exponent: int) -> Quotient:
    if exponent < 0:
        need(bool(base[0]), "a division by zero")
        base = base[1], base[0]
    above, below = ONE, ONE
    for _ in range(abs(exponent)):
        above, below = multiply(above, base[0]), multiply(below, base[1])
    return above, below


def difference(left: Formula, right: Formula) -> Quotient:
    return combined("-", expanded(left), expanded(right))


def check_identity(proof: dict[str, Any], verdict: str) -> None:
    need(verdict == "verified", "an identity refutes nothing")
    need(not difference(proof["left"], proof["right"])[0], "the expansions differ")


def check_counterexample(proof: dict[str, Any], verdict: str) -> None:
    need(verdict == "refuted", "a counterexample verifies nothing")
    point = {name: number_of(value) for name, value in proof["point"].items()}
    setting = {"degrees": False, "base": (Fraction(10), Fraction(10)), "point": point, "loose": frozenset()}
    need(not meet(value_of(proof["left"], setting), value_of(proof["right"], setting)), "the sides agree at this point")


def check_gap(proof: dict[str, Any], verdict: str) -> None:
    need(verdict == "refuted", "a gap verifies nothing")
    left, right = proof["left"], proof["right"]
    if isinstance(left, list) and isinstance(right, list) and left[0] == right[0] == "sqrt":
        left, right = left[1], right[1]
    above, below = difference(left, right)
    factor = next(iter(above.values()), Fraction(0)) / below[next(iter(above))] if set(above) <= set(below) else 0
    need(bool(factor) and not add(above, below, -Fraction(factor)), "the sides do not differ by a number")


def check_congruence(proof: dict[str, Any], verdict: str) -> None:
    setting: dict[str, Any] = {"degrees": False, "base": None, "point": {}, "loose": frozenset()}
    left, right = (whole(value_of(proof[side], setting)) for side in ("left", "right"))
    need(isinstance(proof["modulus"], int) and proof["modulus"] > 1, "there is no modulus")
    need(((left - right) % proof["modulus"] == 0) is (verdict == "verified"), "the remainders say otherwise")


def check_contradiction(proof: dict[str, Any], verdict: str) -> None:
    """Each step adds the equations up by its weights: to a multiple of x - c, and last to a number that is not zero."""
    need(verdict == "refuted", "a contradiction verifies nothing")
    polynomials = [difference(left, right)[0] for _, left, right in proof["equations"]]
    *values, final = proof["steps"]
    for step in values:
        total = weighted(polynomials, step["weights"])
        name, value = step["symbol"], number_of(step["value"])
        scale = total.get(((name, 1),), Fraction(0))
        need(bool(scale) and total == add({((name, 1),): scale}, {(): -scale * value}), f"{name} is not forced")
        polynomials = [put_in(polynomial, name, value) for polynomial in polynomials]
    total = weighted(polynomials, final["weights"])
    need(set(total) == {()}, "the equations do not contradict each other")


PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
TURNED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}


def check_farkas(proof: dict[str, Any], verdict: str) -> None:
    """Lines added up by their weights say that a number above zero is at most zero; to verify, the last is denied."""
    relations, weights = list(proof["relations"]), [number_of(weight) for weight in proof["weights"]]
    need(len(relations) == len(weights) == len(proof["equations"]) > 1, "a line or a weight is missing")
    need(relations[-1] in TURNED, "the last line is no inequality")
    relations[-1] = TURNED[relations[-1]] if verdict == "verified" else relations[-1]
    total: Polynomial = {}
    is_strict = False
    for (_, left, right), relation, weight in zip(proof["equations"], relations, weights, strict=True):
        above, below = difference(left, right)
        need(relation in (*TURNED, "=") and set(below) == {()}, "a line is no linear relation")
        need(relation == "=" or weight >= 0, "an inequality was turned around")
        total = add(total, above, weight / below[()] * (-1 if relation[0] == ">" else 1))
        is_strict = is_strict or (relation in ("<", ">") and weight > 0)
    constant = total.get((), Fraction(0))
    need(weights[-1] > 0 and set(total) <= {()}, "the symbols do not fall out")
    need(constant > 0 or (is_strict and constant == 0), "the lines do not contradict each other")


def check_order(proof: dict[str, Any], verdict: str) -> None:
    """A place, as older versions proved it: objects, rules, and who is said to stand there."""
    check_models(proof | {"claim": ["at", proof["name"], proof["place"]]}, verdict)


def check_models(proof: dict[str, Any], verdict: str) -> None:
    """Every order of the objects is tried: of those that keep all rules none keeps the claim, or each does."""
    objects, rules = proof["objects"], proof["rules"]
    need(1 < len(objects) < 8 and len(set(objects)) == len(objects) and bool(rules), "too few objects, or too many")
    fitting = [order for order in itertools.permutations(objects) if all(keeps(order, rule) for rule in rules)]
    need(bool(fitting), "no order fits")
    if proof["claim"][0] == "open":
        need(verdict == "refuted" and len({order[proof["claim"][1]] for order in fitting}) == 1, "the place is open")
        return
    need({keeps(order, proof["claim"]) for order in fitting} == {verdict == "verified"}, "the orders say otherwise")


def keeps(order: tuple[str, ...], rule: list[Any], depth: int = 0) -> bool:
    """Whether an order keeps a rule; a place beyond its ends is nobody's."""
    category, parts = rule[0], rule[1:]
    if category in ("not", "all", "any"):
        need(depth < 4 and bool(parts) and (category != "not" or len(parts) == 1), "there is no such rule")
        answers = [keeps(order, element, depth + 1) for element in parts]
        return not answers[0] if category == "not" else all(answers) if category == "all" else any(answers)
    if category == "at":
        return bool(0 <= parts[1] < len(order) and order[parts[1]] == parts[0])
    need(category in ("before", "right before", "next", "between"), "there is no such rule")
    places = [order.index(name) for name in parts]
    need(len(places) == (3 if category == "between" else 2), "a rule orders too few or too many")
    if category == "between":
        return min(places[1:]) < places[0] < max(places[1:])
    apart = places[1] - places[0]
    return apart > 0 if category == "before" else apart == 1 if category == "right before" else abs(apart) == 1


def ordered_by(rule: list[Any]) -> set[str]:
    """The objects that a rule names."""
    parts = [element for element in rule[1:] if type(element) is not int]
    return {name for element in parts for name in (ordered_by(element) if isinstance(element, list) else [element])}


def check_exchange(proof: dict[str, Any], verdict: str) -> None:
    """The swaps are carried out one by one: the claimed holdings hold at none of the times, or at one of them."""
    state, swaps, claims = dict(proof["start"]), proof["swaps"], proof["claims"]
    need(len(state) == len(proof["start"]) > 1, "a holder is named twice")
    need(bool(claims) and bool(proof["states"]), "nothing is claimed")
    states = [state]
    for first, second in swaps:
        states.append({**states[-1], first: states[-1][second], second: states[-1][first]})
    need(all(type(time) is int and 0 <= time < len(states) for time in proof["states"]), "there is no such time")
    holds = any(all(states[time][holder] == thing for holder, thing in claims) for time in proof["states"])
    need(holds == (verdict == "verified"), "the swaps say otherwise")


MONTHS = "january february march april may june july august september october november december".split()


def sort_key(text: str, category: str) -> Any:
    """What a word, a number or a date is sorted by."""
    if category == "word":
        return text.lower().replace("’", "'")
    if category == "number":
        return Fraction(text.lstrip("$").replace(",", "").replace("−", "-"))
    need(category == "date", "there is no such kind")
    text = re.sub(r"^(\d{1,2}(?:st|nd|rd|th)?) ([A-Za-z]+)", r"\2 \1", text)
    spelled = re.fullmatch(r"([A-Za-z]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", text)
    parts = (spelled[3], MONTHS.index(spelled[1].lower()) + 1, spelled[2]) if spelled else text.split("-")
    return datetime.date(*map(int, parts))


def stands_before(first: str, second: str, category: str) -> bool:
    """Whether an entry is sorted before another in every custom: letters alone decide between words."""
    a, b = sort_key(first, category), sort_key(second, category)
    if category != "word":
        return bool(a < b)
    ends = next(((x, y) for x, y in zip(a, b, strict=False) if x != y), None)
    if ends is None:
        return len(a) < len(b) and (a + b).isalpha()
    return "".join(ends).isalpha() and ends[0] < ends[1] and first[:1].isupper() == second[:1].isupper()


def check_sorting(proof: dict[str, Any], verdict: str) -> None:
    """What is said of sorted items is false: an order, a letter or its place, the n-th; the rest is in check_sorted."""
    fault, category, among, items = proof["fault"], proof["sort"], proof["among"], proof["items"]
    need(verdict == "refuted", "only faults are proved so")
    if fault == "order":
        # said: the first before the second
        is_same = items[0].lower() == items[-1].lower()
        need(len(items) == 2 and (is_same or stands_before(items[1], items[0], category)), "they stand in order")
    elif fault == "letter":
        word, number, letter = items
        need(
            1 <= int(number) <= 40 and word.lower()[int(number) - 1 : int(number)] != letter.lower(),
            "it is that letter",
        )
    elif fault == "place":
        letter, number = items
        need(len(letter) == 1 and "a" <= letter <= "z" and ord(letter) - ord("a") + 1 != int(number), "it stands there")
    elif fault == "group":
        letter, *words = items
        places = range(max(map(len, words)))
        need(
            len(letter) == 1 and not any(all(word[at : at + 1] == letter for word in words) for at in places),
            "they share it",
        )
    elif fault == "nth":
        entry, number = items
        # behind or before so many of the others that it is not the n-th
        before = sum(stands_before(rival, entry, category) for rival in among)
        behind = sum(stands_before(entry, rival, category) for rival in among)
        need(before >= int(number) or behind > len(among) - int(number), "it may be that one")
    else:
        key = sort_key(items[0], category)
        need(fault in ("lost", "doubled", "stranger"), "there is no such fault")
        need((key in [sort_key(entry, category) for entry in among]) is not (fault == "stranger"), "it belongs there")


def check_sorted(proof: dict[str, Any], read: str, texts: str) -> None:
    """The items stand where they were read and in the problem; a lost one does not, a doubled one does so often."""
    fault, among, items = proof["fault"], proof["among"], proof["items"]
    need(all(flat(entry).lower() in texts.lower() for entry in among), "an entry stands nowhere")
    if fault in ("lost", "doubled", "stranger"):
        written_there = sum(count_in(entry, read) > 0 for entry in among)
        need(written_there >= min(2, len(among)), "another list is read")
        times, most = count_in(items[0], read), max(1, sum(entry.lower() == items[0].lower() for entry in among))
        need(
            times < most if fault == "lost" else times > (most if fault == "doubled" else 0), "it stands there rightly"
        )
        return
    words = items[1:] if fault == "group" else items[:1] if fault in ("nth", "letter") else items
    # the number of a letter may be told by a word, and by a heading before
    need(all(count_in(word, read) for word in words), "an entry was not read there")


def count_in(entry: str, read: str) -> int:
    """How often an entry stands in a text, and not within a longer word or number."""
    around = (r"(?<![\w'’-])", r"(?![\w'’-])") if entry[:1].isalpha() else (r"(?<![\w$.-])", r"(?![\w]|[.,-]\d)")
    return len(re.findall(around[0] + re.escape(entry) + around[1], read, re.IGNORECASE))


def weighted(polynomials: list[Polynomial], weights: list[str]) -> Polynomial:
    need(len(weights) == len(polynomials), "a weight is missing")
    total: Polynomial = {}
    for polynomial, weight in zip(polynomials, weights, strict=True):
        total = add(total, polynomial, number_of(weight))
    return total


def put_in(polynomial: Polynomial, name: str, value: Fraction) -> Polynomial:
    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        exponent = dict(monomial).get(name, 0)
        others = tuple(pair for pair in monomial if pair[0] != name)
        total = add(total, {others: coefficient * value**exponent})
    return total


def check_term(proof: dict[str, Any], verdict: str) -> None:
    """Equal for zero alone: the difference is one term, and more than the last written digit of the right side."""
    need(verdict == "refuted", "a term verifies nothing")
    above, below = difference(proof["left"], proof["right"])
    need(set(below) == {()} and len(above) == 1 and () not in above, "the sides do not differ in one term")
    decimals = [leaf for leaf in leaves(proof["right"]) if NUMBER.match(leaf) and "." in leaf]
    slack = max((literal(leaf)[1] for leaf in decimals), default=Fraction(0))
    need(abs(next(iter(above.values())) / below[()]) > slack, "a rounding joins the sides")


def check_lost_root(proof: dict[str, Any], verdict: str) -> None:
    """A value that solves an equation or inequality, which the step leaves out: whether it lists all, the words say."""
    need(verdict == "refuted", "a lost root verifies nothing")
    point = {name: number_of(value) for name, value in proof["point"].items()}
    setting: dict[str, Any] = {"degrees": False, "base": None, "point": point, "loose": frozenset()}
    a, b = value_of(proof["left"], setting), value_of(proof["right"], setting)
    need(ordered(a, b, proof["relation"]) if "relation" in proof else a == b and a[0] == a[1], "it solves nothing")


def check_complex(proof: dict[str, Any], verdict: str) -> None:
    """Both sides multiplied out with i^2 = -1; the powers of i are folded into 1, i, -1 and -i."""
    above = difference(proof["left"], proof["right"])[0]
    parts = [Fraction(0), Fraction(0)]
    for monomial, coefficient in above.items():
        need(all(name == "i" for name, _ in monomial), "another symbol than i")
        exponent = sum(power for _, power in monomial)
        parts[exponent % 2] += coefficient * (-1) ** (exponent % 4 // 2)
    need(any(parts) is (verdict == "refuted"), "the sides say otherwise")


def check_solution(proof: dict[str, Any], verdict: str) -> None:
    """One of two equations holds at the point, and the other does not: so one is not the other rewritten."""
    need(verdict == "refuted" and len(proof["equations"]) == 2, "two equations are needed, and a refutation")
    point = {name: number_of(value) for name, value in proof["point"].items()}
    setting = {"degrees": False, "base": (Fraction(10), Fraction(10)), "point": point, "loose": frozenset()}
    pairs = [(value_of(left, setting), value_of(right, setting)) for _, left, right in proof["equations"]]
    need(sum(a == b and a[0] == a[1] for a, b in pairs) == 1, "the point does not solve just one of them")
    need(sum(not meet(a, b) for a, b in pairs) == 1, "the point solves both of them")


def check_apart(proof: dict[str, Any], verdict: str) -> None:
    """Two equations in one symbol that no value solves together: Euclid's algorithm ends with a number."""
    need(verdict == "refuted" and len(proof["equations"]) == 2, "two equations are needed, and a refutation")
    polynomials = [difference(left, right)[0] for _, left, right in proof["equations"]]
    names = {name for polynomial in polynomials for monomial in polynomial for name, _ in monomial}
    need(len(names) == 1, "there is not one symbol")
    a, b = (row_of(polynomial) for polynomial in polynomials)
    need(len(a) < 60 and len(b) < 60 and len(a) > 1 and len(b) > 1, "they are no equations")
    while len(b) > 1:
        a, b = b, remainder_of(a, b)
    need(bool(b), "a value solves both of them")


def check_unrelated(proof: dict[str, Any], verdict: str) -> None:
    """Two equations in several symbols: neither is the other multiplied by something, so neither is it rewritten."""
    need(verdict == "refuted" and len(proof["equations"]) == 2, "two equations are needed, and a refutation")
    a, b = (difference(left, right)[0] for _, left, right in proof["equations"])
    need(not is_multiple(a, b) and not is_multiple(b, a), "one is a multiple of the other")


def is_multiple(top: Polynomial, bottom: Polynomial) -> bool:
    """Whether a division leaves nothing: the leading terms, in the order of the symbols, are cancelled one by one."""
    need(bool(bottom), "there is no equation")
    names = sorted({name for polynomial in (top, bottom) for monomial in polynomial for name, _ in monomial})

    def order(monomial: tuple[tuple[str, int], ...]) -> list[int]:
        return [dict(monomial).get(name, 0) for name in names]

    lead = max(bottom, key=order)
    remainder = dict(top)
    for _ in range(MAX_TERMS):
        if not remainder:
            return True
        highest = max(remainder, key=order)
        step = [a - b for a, b in zip(order(highest), order(lead), strict=True)]
        if any(power < 0 for power in step):
            return False
        monomial = tuple((name, power) for name, power in zip(names, step, strict=True) if power)
        remainder = add(remainder, multiply(bottom, {monomial: remainder[highest] / bottom[lead]}), Fraction(-1))
    raise RefusedError("the division is too long")


def row_of(polynomial: Polynomial) -> list[Fraction]:
    """The coefficients of a polynomial in one symbol, the constant first."""
    powers = {sum(power for _, power in monomial): coefficient for monomial, coefficient in polynomial.items()}
    need(all(0 <= power < 60 for power in powers), "a power is too large")
    return [powers.get(power, Fraction(0)) for power in range(max(powers, default=-1) + 1)]


def remainder_of(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    a = list(a)
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        for at, value in enumerate(b):
            a[len(a) - len(b) + at] -= factor * value
        while a and not a[-1]:
            a.pop()
    return a


# dimension -> unit and how many of the base it is; a second factor where a unit has two sizes
UNITS = {
    "length": "mm .001 cm .01 m 1 meter 1 metre 1 km 1000 kilometer 1000 kilometre 1000 centimeter .01 millimeter .001 "
    "in 0.0254 inch 0.0254 inches 0.0254 ft .3048 foot .3048 feet .3048 yd .9144 yard .9144 mi 1609.344 mile 1609.344",
    "time": "s 1 sec 1 second 1 min 60 minute 60 h 3600 hr 3600 hour 3600 day 86400 week 604800",
    "years": "month 1 year 12 yr 12 decade 120 century 1200 centuries 1200",
    "mass": "mcg 1e-6 µg 1e-6 mg 0.001 milligram 0.001 g 1 gram 1 kg 1000 kilogram 1000 oz 28.349523125 "
    "ounce 28.349523125 lb 453.59237 pound 453.59237",
    "volume": "ml 0.001 mL 0.001 milliliter 0.001 millilitre 0.001 dl 0.1 dL 0.1 cl 0.01 l 1 L 1 liter 1 litre 1",
    "kitchen": "cup 1 pint 2 quart 4 gallon 16 tsp 1/48 teaspoon 1/48 tbsp 1/16 tablespoon 1/16",
    "money": "$ 1 dollar 1 cent 0.01 ¢ 0.01 dime 0.1 nickel 0.05",
    "data": "bit 1 byte 8 kB 8e3,8192 KB 8e3,8192 MB 8e6,8388608 GB 8e9,8589934592 Kb 1e3 kb 1e3 Mb 1e6 Gb 1e9",
}
OTHER_SYSTEM = frozenset("in inch inches ft foot feet yd yard mi mile oz ounce lb pound".split())


def sizes_of(name: str) -> tuple[str, list[Fraction]]:
    """Dimension and factors of a unit as it is written, in the singular or the plural."""
    for dimension, table in UNITS.items():
        row = dict(zip(table.split()[::2], table.split()[1::2], strict=True))
        for known in (name, name.removesuffix("s"), name.lower(), name.lower().removesuffix("s")):
            if known in row:
                return dimension, [Fraction(factor) for factor in row[known].split(",")]
    raise RefusedError("a unit is not known")


def units_in(*trees: Formula) -> dict[str, tuple[str, list[Fraction]]]:
    return {leaf: sizes_of(leaf) for tree in trees for leaf in leaves(tree) if not NUMBER.match(leaf)}


def at_point(tree: Formula, point: dict[str, Fraction], loose: frozenset[str] = frozenset()) -> Interval:
    return value_of(tree, {"degrees": False, "base": None, "point": point, "loose": loose})


def check_measures(proof: dict[str, Any], verdict: str) -> None:
    """Two sides with units: they measure the same, and are apart by more than the last written digit."""
    left, right = proof["left"], proof["right"]
    sizes, answers = units_in(left, right), set()
    systems = {name.rstrip("s") in OTHER_SYSTEM for name, (kind, _) in sizes.items() if kind in ("length", "mass")}
    primes = dict(zip(UNITS, (2, 3, 5, 7, 11, 13, 17, 19), strict=True))
    for at in (0, -1):
        point = {name: factors[at] for name, (_, factors) in sizes.items()}
        # every length twice as long, every time three times: what measures the same stays the same
        larger = {name: size * primes[sizes[name][0]] for name, size in point.items()}
        (a, _), (b, _), (c, _), (d, _) = (at_point(tree, to) for to in (point, larger) for tree in (left, right))
        need(a * d == b * c != 0, "the sides measure different things")
        answers.add(measures_hold(proof, (a, b), point, is_loose=len(systems) > 1))
    need(answers == {verdict == "verified"}, "the units say otherwise")


def measures_hold(
    proof: dict[str, Any], sides: tuple[Fraction, Fraction], point: dict[str, Fraction], *, is_loose: bool
) -> bool | None:
    """True, false by more than a rounding, or neither: the right side is a number of one unit, or a sum of such."""
    last, (left, right) = proof["right"], sides
    while last[0] == "+":
        last = last[2]
    number: Formula = last
    while isinstance(number, list):
        number = number[1]
    digit = literal(number)[1] * at_point(last, point)[0] / literal(number)[0]
    low, high = at_point(proof["left"], point, frozenset(proof["rounded"]))
    is_exact = low == high and (left / digit).denominator == 1
    if left == right or (abs(left - right) <= digit / 2 and "." in number and not is_exact):
        return True
    slack = max(Fraction(0) if is_exact else digit, abs(left) / 50 if is_loose else Fraction(0))
    gap = max(low - right, right - high)
    return False if gap > slack or (gap > abs(left) / 20 and low == high) else None  # a twentieth: likely at most


def slope(tree: Formula, name: str, setting: Mapping[str, Any]) -> Interval:
    """The derivative at the point of the setting, by the rules of sum, product, quotient, power and chain."""
    if name not in leaves(tree):
        return constant(0)
    if isinstance(tree, str):
        return constant(1)
    sign, *parts = tree
    inner = [slope(part, name, setting) for part in parts]
    if sign in ("+", "-"):
        return OPERATIONS[sign](*inner)  # type: ignore[no-any-return]
    if sign == "*":
        return plus(times(inner[0], value_of(parts[1], setting)), times(inner[1], value_of(parts[0], setting)))
    if sign == "/":
        above = plus(times(inner[0], value_of(parts[1], setting)), minus(times(inner[1], value_of(parts[0], setting))))
        return divide(above, value_of(["^", parts[1], "2"], setting))
    if sign == "^":
        # u^v is exp(v ln u)
        growth = ["/", ["*", parts[1], tree], parts[0]]
        outer = times(value_of(growth, setting), inner[0])
        return (
            plus(outer, times(value_of(["*", tree, ["ln", parts[0]]], setting), inner[1])) if any(inner[1]) else outer
        )
    u = parts[0]
    outside: dict[str, Formula] = {
        "neg": ["neg", "1"], "sin": ["cos", u], "cos": ["neg", ["sin", u]], "tan": ["/", "1", ["^", ["cos", u], "2"]],
        "exp": tree, "ln": ["/", "1", u], "sqrt": ["/", "1", ["*", "2", tree]],
        "arctan": ["/", "1", ["+", "1", ["^", u, "2"]]], "arcsin": ["/", "1", ["sqrt", ["-", "1", ["^", u, "2"]]]],
    }  # fmt: skip
    need(sign in outside, f"no derivative of {sign}")
    return times(value_of(outside[sign], setting), inner[0])


def check_derivative(proof: dict[str, Any], verdict: str) -> None:
    need(verdict == "refuted", "a point verifies no derivative")
    point = {name: number_of(value) for name, value in proof["point"].items()}
    setting = {"degrees": False, "base": (Fraction(10), Fraction(10)), "point": point, "loose": frozenset()}
    derived = slope(proof["left"], proof["symbol"], setting)
    need(not meet(derived, value_of(proof["right"], setting)), "the derivative agrees at this point")


def ray_of(left: Formula, right: Formula, relation: str) -> tuple[str, bool, Fraction]:
    """A linear inequality as its symbol, whether its solutions lie below the bound, and the bound."""
    need(relation in ("<", ">", "<=", ">="), "there is no inequality")
    above, below = difference(left, right)
    need(set(below) == {()}, "a symbol stands below")
    symbols = [monomial for monomial in above if monomial]
    need(len(symbols) == 1 and len(symbols[0]) == 1 and symbols[0][0][1] == 1, "the inequality is not linear")
    step = above[symbols[0]] / below[()]
    return symbols[0][0][0], (relation[0] == "<") is (step > 0), -above.get((), Fraction(0)) / below[()] / step


def check_rays(proof: dict[str, Any], verdict: str) -> None:
    """Two inequalities of which one follows from the other have solutions in common; these have none, or an end."""
    need(verdict == "refuted" and len(proof["equations"]) == len(proof["relations"]) == 2, "two are needed")
    pairs = zip(proof["equations"], proof["relations"], strict=True)
    a, b = (ray_of(left, right, relation) for (_, left, right), relation in pairs)
    need(a[0] == b[0] and a[1] is not b[1], "they do not point apart")
    need((a[2] <= b[2]) if a[1] else (b[2] <= a[2]), "they meet")


def check_calendar(proof: dict[str, Any], verdict: str) -> None:
    """A weekday, a date so many days later, or a leap year, by the Gregorian calendar."""
    if proof["kind"] == "leap year":
        year = proof["year"]
        holds = (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)) is not proof["denied"]
    else:
        dates = [datetime.date.fromisoformat(date) for date in proof["dates"]]
        if proof["kind"] == "weekday":
            holds = dates[0].strftime("%A") == proof["day"]
        else:
            holds = dates[0] + datetime.timedelta(days=proof["days"]) == dates[1]
    need(holds is (verdict == "verified"), "the calendar says otherwise")


def check_no_day(proof: dict[str, Any], verdict: str) -> None:
    """A day that its month does not have."""
    year, day = proof["numbers"]
    month = next(n for n in range(1, 13) if datetime.date(2000, n, 1).strftime("%B") == proof["month"])
    last = datetime.date(year + month // 12, month % 12 + 1, 1) - datetime.timedelta(days=1)
    need(verdict == "refuted" and not 1 <= day <= last.day, "there is such a day")


def check_dated(proof: dict[str, Any], read: str) -> None:
    """The dates of a calendar's proof stand in the text, in figures or with the month's name, and so does the day."""
    for date in [datetime.date.fromisoformat(date) for date in proof.get("dates", [])]:
        named = date.strftime("%B") in read and {Fraction(date.day), Fraction(date.year)} <= written(read)
        need(named or date.isoformat() in read, "a date stands nowhere")
    numbers = {Fraction(abs(proof[name])) for name in ("year", "days") if name in proof}
    need(numbers <= written(read) and proof.get("day", "") in read, "a number or a day stands nowhere")
    need(proof.get("denied", False) is (" not " in read), "the text says otherwise")


def check_clock(proof: dict[str, Any], verdict: str) -> None:
    """A time of day and an amount of time reach another one, twelve hours being nothing; or minutes and seconds."""
    start, end = (Fraction(int(h) * 60 + int(m)) for h, m in (time.split(":") for time in proof["times"]))
    sizes = units_in(proof["amount"]).items()
    need(all(dimension == "time" for _, (dimension, _) in sizes), "an amount of something else than time")
    point = {name: factors[0] for name, (_, factors) in sizes}
    amount = at_point(proof["amount"], point)[0] / 60 * (-1 if proof["sign"] == "-" else 1)
    holds = (start + amount - end) % 720 == 0
    need(holds if verdict == "verified" else not holds and (start - end) / 60 + amount != 0, "the clock says otherwise")


def is_prime(number: int) -> bool:
    need(number < 10**13, "a number is too large")
    return number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


# what words claim of whole numbers: the words of which one has to stand in the text, and the claim itself
CLAIMS: dict[str, tuple[str, Any]] = {
    "divisible": ("divisible|multiple|factor|divisor", lambda a, b: b > 0 and a % b == 0),
    "prime": ("prime", is_prime),
    "composite": ("composite", lambda n: n > 3 and not is_prime(n)),
    "even": ("even", lambda n: n % 2 == 0),
    "odd": ("odd", lambda n: n % 2 == 1),
    "perfect square": ("perfect square", lambda n: math.isqrt(n) ** 2 == n),
    "perfect cube": ("perfect cube", lambda n: whole_root(n, 3) ** 3 == n),
}


# kinds of numbers that are listed in a range, and the claim that each of them fulfils
RANGES = {
    "odd numbers": "odd", "odd integers": "odd", "even numbers": "even", "even integers": "even",
    "prime numbers": "prime", "primes": "prime", "perfect squares": "perfect square", "perfect cubes": "perfect cube",
}  # fmt: skip


def check_claim(proof: dict[str, Any], verdict: str) -> None:
    need(type(proof["denied"]) is bool and proof["claim"] in CLAIMS, "there is no such claim")
    holds = CLAIMS[proof["claim"]][1](*proof["numbers"]) is not proof["denied"]
    need(holds is (verdict == "verified"), "the numbers say otherwise")


def check_member(proof: dict[str, Any], verdict: str) -> None:
    """A number that stands wrongly in a list of factors or multiples, or that is missing in it."""
    need(verdict == "refuted" and bool(proof["numbers"]), "a member verifies nothing")
    member, numbers = proof["member"], proof["numbers"]
    need(member > 0 and all(number > 0 for number in numbers), "there is no such number")
    of_multiples = proof["list"] == "multiples"
    if proof["list"] in RANGES:
        low, high = numbers
        belongs = low <= member < high and CLAIMS[RANGES[proof["list"]]][1](member)
        need(belongs is (proof["what"] == "missing"), "it stands there rightly, or is rightly left out")
        need((member in proof["members"]) is not belongs, "the list says otherwise")
        return
    belongs = all((member % number if of_multiples else number % member) == 0 for number in numbers)
    if proof["what"] == "missing":
        need(belongs and not of_multiples and member not in proof["members"], "it is not missing")
    else:
        need(member in proof["members"], "it is not listed")
        need(not is_prime(member) if proof["what"] == "not prime" else not belongs, "it stands there rightly")


# sorts of whole numbers: the words of which one names each test, and the test
SORTS: dict[str, tuple[str, Any]] = {
    "multiple": ("multiple|divisible|even", lambda n, of: n % of == 0),
    "no multiple": ("multiple|divisible|odd|even", lambda n, of: n % of > 0),
    "multiple of one": ("multiple|divisible", lambda n, *of: any(n % divisor == 0 for divisor in of)),
    "multiple of none": ("multiple|divisible", lambda n, *of: all(n % divisor for divisor in of)),
    "factor": ("factor|divisor", lambda n, of: n > 0 and of % n == 0),
    "coprime": ("prime", lambda n, to: math.gcd(n, to) == 1),
    "prime": ("prime", is_prime),
    "no prime": ("prime", lambda n: not is_prime(n)),
    "composite": ("composite", lambda n: n > 3 and not is_prime(n)),
    "square": ("square", lambda n: n >= 0 and math.isqrt(n) ** 2 == n),
    "no square": ("square", lambda n: n >= 0 and math.isqrt(n) ** 2 != n),
    "cube": ("cube", lambda n: n >= 0 and whole_root(n, 3) ** 3 == n),
    "no cube": ("cube", lambda n: n >= 0 and whole_root(n, 3) ** 3 != n),
    "power": ("power", lambda n, base: n > 0 and base > 1 and base ** (len(in_digits(n, base)) - 1) == n),
}
ASKED: dict[str, tuple[str, Any]] = {
    "count": ("number|there|many", len), "sum": ("sum|total", sum), "product": ("product", math.prod),
    "mean": ("mean|average", lambda members: Fraction(sum(members), len(members))),
    "largest": ("largest|greatest|biggest|highest", max), "smallest": ("smallest|least|lowest", min),
    "gap": ("difference", lambda members: max(members) - min(members)), "list": ("are", None),
}  # fmt: skip


def in_digits(number: int, base: int) -> list[int]:
    return [number % base, *(in_digits(number // base, base) if number >= base else [])]


def members_of(low: int, high: int, tests: list[list[Any]], first: int) -> list[int]:
    step = math.lcm(*(numbers[0] for name, *numbers in tests if name == "multiple"))
    near = range(-(-low // step) * step, high + 1, step)
    whole = next((numbers[0] for name, *numbers in tests if name == "factor"), 0)
    if whole:
        need(0 < whole <= 10**12, "a number is too large")
        small = [n for n in range(1, math.isqrt(whole) + 1) if whole % n == 0]
        near = sorted(n for n in {*small, *(whole // n for n in small)} if low <= n <= high)  # type: ignore[assignment]
    need(first or len(near) <= 100_000, "too many numbers")
    passing = (
        n for n in itertools.islice(near, 100_000) if all(SORTS[name][1](n, *operands) for name, *operands in tests)
    )
    return list(itertools.islice(passing, first or None))


def check_number_sort(proof: dict[str, Any], verdict: str) -> None:
    """What is asked of a sort of whole numbers, in each of its readings."""
    sorts = [members_of(*reading) for reading in proof["readings"]]
    need(sorts and (proof["asks"] == "count" or all(sorts)), "there are none of this sort")
    need(
        all(len(f) == reading[3] for f, reading in zip(sorts, proof["readings"], strict=True) if reading[3]), "too few"
    )
    terms, holds = sorted(map(number_of, proof["claimed"])), False
    if proof["asks"] == "list":
        holds = terms in sorts
    else:
        # the value may be rounded to the last digit that is claimed
        unit = Fraction(1, 10 ** max(len(term.partition(".")[2]) for term in proof["claimed"]))
        holds = any(abs(sum(terms) - ASKED[proof["asks"]][1](members)) * 2 <= unit for members in sorts)
    need(holds is (verdict == "verified"), "the numbers say otherwise")


def check_sort(proof: dict[str, Any], read: str, texts: str) -> None:
    """The numbers of a sort and its words stand where it was read; an end may be one less or more, or of k digits."""
    lowered = " ".join([read, *proof.get("texts", [])]).lower()
    numbers = written(lowered) | spoken(lowered)
    need({number_of(term) for term in proof["claimed"]} <= numbers, "what is claimed stands nowhere")
    need(any(word in lowered for word in ASKED[proof["asks"]][0].split("|")), "nothing of it is asked")
    for low, high, tests, first in proof["readings"]:
        for name, *operands in tests:
            need(any(word in lowered for word in SORTS[name][0].split("|")), "a test stands nowhere")
            is_told = {Fraction(n) for n in operands} <= numbers | {Fraction(2)}
            need(is_told or name == "factor", "a number stands nowhere")
        of = {n for name, *operands in tests for n in operands if name == "factor"}
        bases = {base for name, *operands in tests for base in operands if name == "power"}
        ends = {0, 1, 2, 10**7, *bases, math.gcd(*of)}
        ends |= {int(n) for n in numbers} | ({10**k for k in range(12)} if "digit" in lowered else set())
        need(all({n - 1, n, n + 1} & ends for n in (low, high)), "an end stands nowhere")
        need({Fraction(n) for n in of} <= numbers and (not first or first in numbers), "a number stands nowhere")


def check_words(proof: dict[str, Any], read: str, texts: str) -> None:
    """The numbers of a claim stand where it was read, and so does its word."""
    numbers, near = written(read), written(texts)
    members = [*proof.get("members", []), *([] if proof["kind"] == "member" else proof["numbers"])]
    need(all(type(number) is int and Fraction(number) in numbers for number in members), "a number stands nowhere")
    # the numbers whose factors are listed may stand in the sentence before
    # a range may begin at 1 without a word, and its end may be one less or more than the number that is written
    is_range = proof.get("list") in RANGES
    nearby = near | {number + step for number in near for step in (-1, 1)} | {Fraction(1)} if is_range else near
    need(all(type(number) is int and Fraction(number) in nearby for number in proof["numbers"]), "a number is nowhere")
    words = CLAIMS.get(proof.get("claim", ""), (proof.get("list", ""), None))[0]
    need(bool(words) and any(word in read.lower() for word in words.split("|")), "the claim stands nowhere")


def check_names(proof: dict[str, Any], read: str, texts: str) -> None:
    """Each rule stands in the problem with the names it orders, and the object and its place where it was read."""
    lowered = texts.lower()
    need(all(name in lowered for name in proof["objects"]), "an object stands nowhere")
    need(len(proof["texts"]) == len(proof["rules"]), "a rule was read nowhere")
    for (kind, first, second), text in zip(proof["rules"], proof["texts"], strict=True):
        names = (first, second) if kind == "before" else (first,)
        need(all(name in text.lower() for name in names), "a rule orders what its text does not name")
    need(proof["name"] in read.lower() and proof["ordinal"] in read.lower(), "the place stands nowhere")
    # an order may be read from either end
    at = PLACES.index(proof["ordinal"])
    need(proof["place"] in (at, len(proof["objects"]) - 1 - at), "another place is named")


def check_ordered(proof: dict[str, Any], read: str, texts: str) -> None:
    """Each rule stands in its sentence with the names that it orders; the claim's where it was read or chosen."""
    sentences = [text.lower() for text in proof["texts"]]
    need(all(name in texts.lower() for name in proof["objects"]), "an object stands nowhere")
    need(len(sentences) in (len(proof["rules"]), len(proof["rules"]) + 1), "a rule was read nowhere")
    for rule, text in zip(proof["rules"], sentences, strict=False):
        need(all(name in text for name in ordered_by(rule)), "a rule orders what its text does not name")
    # the answer (C) is what stands behind (C) in the problem
    chosen = sentences[len(proof["rules"]) :]
    need(not chosen or any(f"({letter}) {chosen[0]}" in texts.lower() for letter in "abcdefgh"), "no such option")
    need(all(name in (chosen or [read.lower()])[0] for name in ordered_by(proof["claim"])), "the claim names others")


def check_exchanged(proof: dict[str, Any], read: str, texts: str) -> None:
    """Each holder with its thing, each pair that swaps, and what is claimed stand in sentences that were read."""
    sentences = " ".join(flat(text) for text in proof["texts"])
    pairs = [*proof["start"], *proof["swaps"]]
    need(all(name in sentences for pair in pairs for name in pair), "a name stands nowhere")
    lowered, holders = read.lower(), [holder for holder, _ in proof["start"]]
    # "the answer is (C)": the option holds the thing, and what is asked the holder
    is_choice = re.search(r"\b(?:answer|option|choice)\b.*\b[a-h]\b", lowered) is not None
    for holder, thing in proof["claims"]:
        near = texts.lower() if is_choice else lowered
        initial = holder[0].lower() if len({name[0] for name in holders}) == len(holders) else holder.lower()
        is_named = holder.lower() in near or re.search(rf"\b{re.escape(initial)}\b", near)
        need(is_named and thing.lower() in near, "the claim names others")


OPENERS = {")": "(", "]": "[", "}": "{", ">": "<"}
CLOSERS = {opener: closer for closer, opener in OPENERS.items()}


def brackets_in(text: str) -> str:
    return "".join(char for char in text if char in "()[]{}<>")


def check_brackets(proof: dict[str, Any], verdict: str) -> None:
    """A stack that one bracket moved, that is popped or closed, or which bracket comes next ("" for the end)."""
    move, before, said, come = proof["move"], proof["before"], proof["said"], proof["before"]
    if move == "moved" and before[-1] in OPENERS:
        pushed = before[:-1]
        come = pushed[:-1] if pushed.endswith(OPENERS[before[-1]]) else "nothing to close"
    elif move == "turned":
        come = before[::-1]
    elif move in ("closed", "matched"):
        come = "".join(CLOSERS.get(char, char) for char in (before if move == "matched" else before[::-1]))
    elif move == "next":
        for text in proof["texts"][1:]:
            read, first, come = brackets_in(text)[:1], come[:1], come[1:]
            # who read another bracket is judged on by that one, with as many to come
            come = come if read == first else (read + come)[: len(come)]
        come = come[:1]
    need((come == said) is (verdict == "verified"), "the brackets say otherwise")


def check_bracketed(proof: dict[str, Any], read: str, texts: str) -> None:
    """The stack stands in the text that told it, and what is claimed where it was read."""
    before = proof["before"][: -1 if proof["move"] == "moved" else None]
    need(before in brackets_in(proof["texts"][0]) and proof["said"] in brackets_in(read), "a bracket stands nowhere")
    need(proof["move"] != "moved" or brackets_in(read)[:1] == proof["before"][-1], "another bracket was read")


def words_of(text: str) -> list[str]:
    words = re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?|[^\W\d_]+(?:['’][^\W\d_]+)?", text.lower())
    return [word.replace(",", "") for word in words]


def numbered(text: str) -> list[str]:
    """The words of a text with each number as digits; "three times" is one, as "thrice" is."""
    values = {name: str(at) for at, name in enumerate(NAMES[:13]) if at > 1} | MULTIPLES
    text = re.sub(r"[a-z]+", lambda word: values.get(word[0], word[0]), text.lower().replace("’", "'"))
    return words_of(re.sub(r"(?<=\d) times\b", "", text))


def check_quotation(proof: dict[str, Any], verdict: str) -> None:
    """The same words stand where it was quoted from: with its numbers, or each time with others."""
    quote, *places = (numbered(text) for text in (proof["quote"], *proof["texts"]))
    shapes = {tuple("#" if word[0].isdigit() else word for word in words) for words in (quote, *places)}
    need(bool(places) and len(shapes) == 1 and len(quote) > 4, "other words stand there")
    need((quote in places) is (verdict == "verified"), "the numbers say otherwise")


def check_quoted(proof: dict[str, Any], read: str, texts: str) -> None:
    need(flat(proof["quote"])[:400] in read, "the quotation stands nowhere")


WRONGLY = "(?:incorrectly|mistakenly|erroneously|wrongly|falsely|by (?:mistake|error))"
DEEDS = """add apply assert assume calculate cancel carry change claim combine compute conclude consider continue
    convert count declare deduce derive differentiate distribute divide drop equate estimate evaluate exclude expand
    factor find get identify ignore include infer integrate interpret list multiply obtain omit replace round say
    simplify solve square state substitute subtract sum swap switch take treat use write""".split()
CONFESSED = re.compile(r"\b(?:{0} (?:{1})|(?:{1}) {0})$".format(WRONGLY, "|".join(DEEDS)), re.IGNORECASE)
OF_OTHERS = re.compile(r"\b(?:if|when|would|could|might|should|not|never|avoid|students?|people|who|he|she)\b|n['’]t\b")


def check_confession(proof: dict[str, Any], verdict: str) -> None:
    """A sentence up to its deed, in the present tense, beside a word that calls it wrong; no condition, no denial."""
    quote = flat(proof["quote"])
    need(verdict == "refuted" and CONFESSED.search(quote), "it calls no deed wrong")
    need(not OF_OTHERS.search(quote.lower()), "the deed is another's, or none")


def check_confessed(proof: dict[str, Any], read: str, texts: str) -> None:
    quote = flat(proof["quote"])
    begins = re.match("[A-HJ-Z]|I[a-z]", quote) or not re.search("[a-z,] *$", texts.partition(quote)[0])
    need(quote[:400] in read and begins, "the sentence stands nowhere, or begins earlier")


# -- records -----------------------------------------------------------------------------------------------------------

CHECKS = {
    "numbers": check_numbers,
    "identity": check_identity,
    "counterexample": check_counterexample,
    "gap": check_gap,
    "congruence": check_congruence,
    "contradiction": check_contradiction,
    "farkas": check_farkas,
    "order": check_order,
    "models": check_models,
    "exchange": check_exchange,
    "sorting": check_sorting,
    "term": check_term,
    "complex": check_complex,
    "lost root": check_lost_root,
    "solution": check_solution,
    "apart": check_apart,
    "unrelated": check_unrelated,
    "claim": check_claim,
    "member": check_member,
    "number sort": check_number_sort,
    "measures": check_measures,
    "clock": check_clock,
    "derivative": check_derivative,
    "rays": check_rays,
    "no day": check_no_day,
    "brackets": check_brackets,
    "quotation": check_quotation,
    "confession": check_confession,
    **dict.fromkeys(("leap year", "weekday", "days"), check_calendar),
}


# what has to stand where it was read, for kinds without formulas
STANDING = {
    **dict.fromkeys(("claim", "member"), check_words),
    "number sort": check_sort,
    "order": check_names,
    "models": check_ordered,
    "exchange": check_exchanged,
    "sorting": check_sorted,
    "brackets": check_bracketed,
    "quotation": check_quoted,
    "confession": check_confessed,
}


def check_finding(finding: dict[str, Any], content: str, texts: str) -> None:
    """One finding of one segment: where it stands, what was read there, and that the verdict follows."""
    proof, texts = finding["proof"], flat(texts)
    need(proof.get("version") == VERSION and proof.get("kind") in CHECKS, "a proof of another kind")
    line = finding["details"].get("line")
    read = flat(line if line is not None else finding["read"])
    span = flat(content[finding["start"] : finding["end"]])
    # a finding may reach over the end of its segment: then the segment holds the beginning of what was read
    stands_there = read in texts if line is not None else bool(span) and read.startswith(span[:500])
    need(stands_there, "it was not read there")
    others = [flat(text) for text in [*(text for text, _, _ in proof.get("equations", [])), *proof.get("texts", [])]]
    need(all(text in texts for text in others), "a line that it leans on stands nowhere")
    trees = [tree for side in ("left", "right", "amount") if side in proof for tree in as_readings(proof, proof[side])]
    if "equations" in proof:
        need(others[-1].startswith(read[:200]) or read.startswith(others[-1][:200]), "another equation is refuted")
        for text, left, right in proof["equations"]:
            check_reading([left, right], text)
    check_reading(trees, " ".join([read, *others]))
    if proof["kind"] in STANDING:
        STANDING[proof["kind"]](proof, read, texts)
    if proof["kind"] == "no day":
        need(proof["month"] in read and set(map(Fraction, proof["numbers"])) <= written(read), "a date stands nowhere")
    if CHECKS[proof["kind"]] is check_calendar:
        check_dated(proof, read)
    need(all(time in read for time in proof.get("times", [])), "a time stands nowhere")
    if proof["kind"] in ("measures", "clock"):
        # mph and kph name their units by one letter
        need(all(name in read or f"{name[0]}ph" in read or "mph" in read for name in units_in(*trees)), "no such unit")
    need("modulus" not in proof or number_of(str(proof["modulus"])) in written(texts), "the modulus stands nowhere")
    exact = [abs(number_of(text.rstrip("%"))) for text in proof.get("given", [])]
    need(all(value in written(texts) for value in exact), "a given number stands nowhere")
    CHECKS[proof["kind"]](proof, finding["verdict"])


def flat(text: str) -> str:
    """A text in one line: where a line break was lost, the reader puts it back in place of a blank."""
    return text.replace("\n", " ")


def as_readings(proof: dict[str, Any], side: Formula) -> list[Formula]:
    return side if proof["kind"] == "numbers" else [side]


def check_record(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(segment and rule, reason) of each finding with a proof; the reason is empty where the proof holds."""
    segments = record.get("segments", [])
    texts = "\n".join(segment["content"] for segment in segments)
    for segment in segments:
        for finding in segment["evidence"]:
            if "proof" in finding:
                reason = ""
                try:
                    check_finding(finding, segment["content"], texts)
                except RefusedError as refusal:
                    reason = str(refusal)
                # whatever a malformed value breaks, this proof is refused; the others go on
                except Exception as error:
                    reason = f"it cannot be read ({type(error).__name__})"
                yield plain(f"{record.get('id')} {segment['id']} {finding['checker']}"), plain(reason)


def opened(record: dict[str, Any], votes: dict[str, int] | None = None) -> dict[str, Any]:
    """The file of a computer vote as a record: the evidence of its rationale at its segment, once the digest fits.

    votes: those opened in its audit, by digest, where somebody gave that file.
    """
    vote = record["vote"]
    text, nonce, digest = vote["rationale"], bytes.fromhex(vote["rnonce"]), bytes.fromhex(vote["digest"])
    label = b"TRUST/rationale/v1".ljust(32, b"\0")
    sealed = hashlib.sha256(label + nonce + unicodedata.normalize("NFC", text).encode()).digest()
    need(len(nonce) == 32 and sealed == digest, "the rationale is not the one that was sealed")
    evidence = [
        {**finding, "grade": finding.get("grade", "certain")}
        | ({"proof": json.loads(finding["proof"])} if "proof" in finding else {})
        for finding in read_line(text).get("evidence", [])
    ]
    segments = [{**segment, "evidence": []} for segment in record["segments"]]
    judged = [segment for segment in segments if segment["id"] == record["segment"]]
    need(len(judged) == 1, "the segment that was voted on is not there once")
    judged[0]["evidence"] = evidence
    if votes is not None:
        check_vote(votes.get(vote["digest"]), evidence)
    return {**record, "segments": segments}


def opened_votes(path: str) -> dict[str, int]:
    """Digest of its rationale -> vote (0 fail, 1 pass, 2 abstain), of all votes opened in the file of an audit."""
    with open(path, encoding="utf-8") as file:
        leaves = [read_line(proved["entry"]) for proved in read_line(file.read())["leaves"]]
    openings = [opening for leaf in leaves if leaf["t"] == "vote.reveal" for opening in leaf["openings"]]
    return {opening["rationale"]: opening["vote"] for opening in openings}


def check_vote(vote: int | None, evidence: list[dict[str, Any]]) -> None:
    """The ledger holds the digest of this rationale, and its vote does not contradict what is certain in it."""
    need(vote is not None, "no vote that was opened in this audit has this rationale")
    refuted = any(is_certain(finding) and finding["verdict"] == "refuted" for finding in evidence)
    need(vote != 0 or refuted, "the vote fails what nothing in its rationale refutes for certain")
    need(vote != 1 or not refuted, "the vote passes what its rationale refutes for certain")


def plain(text: str) -> str:
    """Text of a file as one line that every terminal can print, and that moves no cursor."""
    return "".join(letter if letter.isascii() and letter.isprintable() else f"<{ord(letter):x}>" for letter in text)


def read_line(line: str) -> dict[str, Any]:
    """One record: a key that stands twice would be read otherwise by another program."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key stands twice")
        return dict(pairs)

    record = json.loads(line, object_pairs_hook=members)
    need(isinstance(record, dict), "a line is no record")
    return dict(record)


def read_record(line: str) -> dict[str, Any]:
    """A record of the computer tier, or of its vote; any other object would end as if something had been checked."""
    record = read_line(line)
    known = {"error", "vote"} & record.keys() or {"id", "segments"} <= record.keys()
    need(known, "it is no output of manage.py audit, and no file of a computer vote")
    return record


def in_words(error: Exception) -> str:
    """What broke while a file was read, in words of this program: those of Python say nothing to a stranger."""
    if isinstance(error, RefusedError):
        return str(error)
    if isinstance(error, OSError):
        return f"it cannot be read: {error.strerror}"
    if isinstance(error, json.JSONDecodeError) and error.doc.startswith("<"):
        return "it is a web page, saved perhaps while signed out"
    if isinstance(error, json.JSONDecodeError | UnicodeError):
        return "it cannot be read: a line is no whole JSON object in UTF-8"
    nested = isinstance(error, RecursionError)
    return f"it cannot be read: {'it is nested too deeply' if nested else 'a value is missing or malformed'}"


def is_certain(finding: dict[str, Any]) -> bool:
    """Whether a finding decides: verified or refuted, and certain."""
    return (finding["verdict"], finding["grade"]) in (("verified", "certain"), ("refuted", "certain"))


def main(arguments: list[str]) -> int:
    """Prints what is refused and how much holds; 0 or 2."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("audited", help="the output of manage.py audit, or the file of a computer vote")
    parser.add_argument("--audit", help="the file of the audit in which the votes of these files were opened")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    options = parser.parse_args(arguments)
    held, refused, decided, without, votes, records = 0, [], 0, 0, 0, 0
    where = options.audit or options.audited
    try:
        sealed = opened_votes(options.audit) if options.audit else None
        where = options.audited
        with open(options.audited, encoding="utf-8") as lines:
            for record in map(read_record, filter(str.strip, lines)):
                records, votes = records + 1, votes + ("vote" in record)
                record = opened(record, sealed) if "vote" in record else record
                findings = [finding for segment in record.get("segments", []) for finding in segment["evidence"]]
                strong = [finding for finding in findings if is_certain(finding)]
                decided += len(strong)
                without += sum("proof" not in finding for finding in strong)
                for name, reason in check_record(record):
                    held += not reason
                    refused += [[name, reason]] if reason else []
        what = "vote" if records else "record"
        need(records and (sealed is None or votes), f"it holds no {what}, so nothing was checked")
    except Exception as error:  # whatever a file holds, it is read or it is refused
        refused.append([plain(where), plain(in_words(error))])
    if options.json:
        print(json.dumps({"hold": held, "refused": refused, "decided": decided, "without_proof": without}))
    else:
        for name, reason in refused:
            print(f"refused: {name}: {reason}")
        if votes and sealed is None:
            print(f"not checked: that the ledger holds the rationale of {votes} votes (--audit FILE)")
        print(f"{held} proofs hold, {len(refused)} refused; {without} of {decided} certain findings carry no proof")
    return 2 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
