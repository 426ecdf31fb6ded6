"""One number with its unit: reading it, and comparing two of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.answers.measures import is_unit, measure
from auditing.checker.mathematics.enclosure import PI, IncalculableError, Range, Value, as_range
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.grammar import UnreadableError, parse_slice
from auditing.checker.mathematics.tokens import tokenize
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, bare_number, free_symbols, substitute, walk

_MULTIPLES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12, "hundred": 100}
_UNIT_WORD = r"(?!and\b|or\b)[^\W\d_]*"
_UNIT_TEXT = re.compile(rf"{_UNIT_WORD}(?:(?: ?/ ?| ){_UNIT_WORD[:-1]}+)*(?: ?\^ ?(?:\{{ )?[23](?: \}})?)?\.?")
_NUMBER_UNIT = re.compile(r"((?:[^A-Za-z]|\\times|\\cdot)*\d[^A-Za-z]*?)\s*([A-Za-z]+(?:\s?/\s?[A-Za-z]+)?)\.?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its literal (when it is one number) and its unit words."""

    tree: Tree
    value: Value
    unit: str = ""

    @property
    def literal(self) -> Num | None:
        """The number as written, or None for an expression."""
        return bare_number(self.tree)


def read_tree(text: str) -> tuple[Tree, str]:
    """The expression that the whole text is, and the unit words after it. Raises Unreadable."""
    tokens = tokenize(text)
    while tokens and tokens[-1].kind in ("nl", "math"):
        tokens.pop()
    while tokens and tokens[0].kind in ("nl", "math"):
        tokens.pop(0)
    if not tokens:
        raise UnreadableError("nothing is written")
    tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    remaining = tokens[after:]
    unit = " ".join(token.text for token in remaining)
    # "5 apples" is a quantity, "5 is too many" a sentence that begins with one.
    if not _UNIT_TEXT.fullmatch(unit):
        raise UnreadableError("the text goes on")
    return tree, unit


def read_quantity(text: str) -> Quantity | None:
    """The number that `text` states, or None."""
    # 1. Two amounts that make one: 2 hours 30 minutes.
    joined = _joined(text)
    if joined is not None:
        return joined
    text = _braced_power(text)
    # 2. A number with a unit that the tables know. First, because "5 m" would otherwise be a product.
    measured = _NUMBER_UNIT.fullmatch(text.strip())
    if measured and (is_unit(measured[2].lower()) or ("/" in measured[2] and measure(measured[2].lower()))):
        plain_number = read_quantity(measured[1])
        return Quantity(plain_number.tree, plain_number.value, measured[2].lower()) if plain_number else None
    try:
        tree, unit_text = read_tree(text)
        # in an answer that holds no other letter, e is Euler's number
        if free_symbols(tree) == {"e"}:
            tree = substitute(tree, {"e": Node("exp", (Num(Fraction(1)),))})
        if free_symbols(tree):
            return None
        value = evaluate(tree)
    except (UnreadableError, IncalculableError):
        return None
    number = bare_number(tree)
    unit = " ".join(word for word in ((number.unit if number else ""), unit_text) if word).lower()
    first = unit.split()[:1]
    # 3 million is a number, not 3 of the unit million
    if first and first[0] in _MULTIPLES and isinstance(value, Fraction):
        value, tree = value * _MULTIPLES[first[0]], Num(value * _MULTIPLES[first[0]])
        unit = " ".join(unit.split()[1:])
    money = number is not None and number.money
    return Quantity(tree, value, "dollar" if money and not unit else unit)


_AMOUNT = r"(\d+(?:\.\d+)?)\s*"
_JOINED = re.compile(rf"{_AMOUNT}([a-z]+)\.?(?:,?\s+and\s+|,\s*|\s+){_AMOUNT}([a-z]+)\.?", re.IGNORECASE)
_FEET = re.compile(r"(\d{1,3})\s?['’]\s?(\d{1,2}(?:\.\d+)?)\s?(?:\"|”|'')")


def _joined(text: str) -> Quantity | None:
    """2 hours and 30 minutes, 5'10\": two amounts of one dimension, in the first unit."""
    feet = _FEET.fullmatch(text.strip())
    amounts: tuple[str, ...] = (feet[1], "feet", feet[2], "inch") if feet else ()
    match = _JOINED.fullmatch(text.strip())
    amounts = match.groups() if match else amounts
    if not amounts:
        return None
    larger, smaller = measure(amounts[1].lower()), measure(amounts[3].lower())
    # 5 feet 10 inches: one dimension, the larger unit first
    if larger is None or smaller is None or larger[0] != smaller[0] or larger[1] <= smaller[1]:
        return None
    value = Fraction(amounts[0]) + Fraction(amounts[2]) * smaller[1] / larger[1]
    return Quantity(Num(value), value, amounts[1].lower())


def _braced_power(text: str) -> str:
    return re.sub(r"(\d)[eE]([-+]?\d{1,4})\b", r"\1 \\times 10^{\2}", text)


def same_quantity(a: Quantity, b: Quantity) -> bool | None:
    """Whether two quantities are the same; None when their units cannot be compared."""
    angle = _in_radians(a, b)
    if angle is not None:
        return angle
    x, y = measure(a.unit), measure(b.unit)
    # one dimension: converted; two dimensions: different. Words that are no known units are passed over.
    if x and y and x[0] == y[0]:
        factor = x[1] / y[1]
        # a factor other than 1: both were in units of one dimension
        if factor != 1:
            return _same_value(a, b, factor)
    elif x and y:
        return False
    if _same_value(a, b, Fraction(1)):
        return True
    first, second = a.literal, b.literal
    # 25% and 25: a percent sign may be left out where the question asks for a percentage
    if first and second and first.percent != second.percent:
        plain, share = (second, first) if first.percent else (first, second)
        return plain.value == share.value * 100
    return False


def _in_radians(a: Quantity, b: Quantity) -> bool | None:
    """90 degrees and pi/2: an angle in degrees beside one that is written with pi."""
    for angle, multiple in ((a, b), (b, a)):
        degrees = angle.unit.split()[:1] in (["degrees"], ["degree"], ["°"]) or _is_degrees(angle.tree)
        if degrees and not _has_pi(angle.tree) and _has_pi(multiple.tree) and not _is_degrees(multiple.tree):
            x, y = as_range(angle.value), as_range(multiple.value)
            turn = as_range(PI)
            # pi/2 = 1.57... beside 90: converted as intervals, for pi is one
            low, high = y.low * 180 / turn.high, y.high * 180 / turn.low
            return min(low, high) <= x.high and x.low <= max(low, high)
    return None


def _is_degrees(tree: Tree) -> bool:
    return isinstance(tree, Node) and tree.op == "deg"


def _has_pi(tree: Tree) -> bool:
    return any(subtree == Sym("pi") for subtree in walk(tree))


def _same_value(a: Quantity, b: Quantity, factor: Fraction) -> bool:
    x, y = as_range(a.value), as_range(b.value)
    x = Range(x.low * factor, x.high * factor)
    if x.low <= y.high and y.low <= x.high:
        return True
    if factor != 1:
        return False
    return _rounds(a.literal, b) or _rounds(b.literal, a)


def _rounds(literal: Num | None, quantity: Quantity) -> bool:
    """Whether a decimal is the other value rounded to its own last digit, with digits enough to mean it."""
    if literal is None or literal.decimals < (1 if literal.percent or _is_three_digits(literal, quantity) else 2):
        return False
    its_literal = quantity.literal
    # 14.0 and 14.3: two decimals of one length are two statements; only the longer one may have been rounded
    if its_literal is not None and its_literal.decimals and its_literal.decimals <= literal.decimals:
        return False
    if its_literal is not None and not its_literal.decimals:
        return False
    half = half_unit(literal)
    x = as_range(quantity.value)
    return literal.value - half <= x.low and x.high <= literal.value + half


def _is_three_digits(literal: Num, quantity: Quantity) -> bool:
    """37.7 is 12 pi: three digits mean a rounded value, beside an exact one."""
    return abs(literal.value) >= 10 and quantity.literal is None
