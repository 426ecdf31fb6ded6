"""One number with its unit: reading it, and comparing two of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.core.mathematics.enclosure import Incalculable, Range, Value, as_range
from auditing.core.mathematics.evaluate import evaluate
from auditing.core.mathematics.grammar import Unreadable, parse_slice
from auditing.core.mathematics.rounding import half_unit
from auditing.core.mathematics.tokens import tokenize
from auditing.core.mathematics.tree import Num, Tree, bare_number, free_symbols

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
_WORDS = {word: Fraction(value) for value, word in enumerate(f"{_SMALL} eighteen nineteen".split())}
_WORDS |= {word: Fraction(10 * value) for value, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}  # fmt: skip
_WORDS |= {"hundred": Fraction(100), "thousand": Fraction(1000), "half": Fraction(1, 2), "dozen": Fraction(12)}
_MULTIPLES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12, "dozen": 12, "hundred": 100}
# unit -> (dimension, factor to the dimension's base)
_UNITS: dict[str, tuple[str, Fraction]] = {}
for _dimension, _table in {
    "money": "dollar 1 usd 1 buck 1 cent 0.01 penny 0.01 pennie 0.01 quarter 0.25 dime 0.1 nickel 0.05",
    "time": "second 1 sec 1 s 1 minute 60 min 60 hour 3600 hr 3600 h 3600 day 86400 week 604800",
    "length": "m 1 meter 1 metre 1 cm 0.01 centimeter 0.01 centimetre 0.01 mm 0.001 millimeter 0.001 km 1000 "
    "kilometer 1000 kilometre 1000 inch 0.0254 inche 0.0254 in 0.0254 "
    "foot 0.3048 feet 0.3048 ft 0.3048 yard 0.9144 mile 1609.344",
    "mass": "g 1 gram 1 kg 1000 kilogram 1000 mg 0.001 milligram 0.001 pound 453.59237 lb 453.59237 "
    "ounce 28.349523125 oz 28.349523125 ton 907184.74 tonne 1000000",
    "volume": "l 1 liter 1 litre 1 ml 0.001 milliliter 0.001 millilitre 0.001 gallon 3.785411784 quart 0.946352946",
    "angle": "degree 1 deg 1 ° 1",
    "year": "year 1 yr 1 decade 10 century 100 month 1/12",
}.items():
    _parts = _table.split()
    _UNITS |= {name: (_dimension, Fraction(factor)) for name, factor in zip(_parts[::2], _parts[1::2], strict=True)}


_UNIT_WORD = r"(?!and\b|or\b)[^\W\d_]*"
_UNIT_TEXT = re.compile(rf"{_UNIT_WORD}(?:(?: ?/ ?| ){_UNIT_WORD[:-1]}+)*(?: ?\^ ?(?:\{{ )?[23](?: \}})?)?\.?")
_NUMBER_UNIT = re.compile(r"([^A-Za-z]*\d[^A-Za-z]*?)\s*([A-Za-z]+)\.?")


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
        raise Unreadable("nothing is written")
    tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    rest = tokens[after:]
    unit = " ".join(token.text for token in rest)
    if not _UNIT_TEXT.fullmatch(unit):
        raise Unreadable("the text goes on")
    return tree, unit


def read_quantity(text: str) -> Quantity | None:
    """The number that `text` states, or None."""
    spoken = _spoken_number(text)
    if spoken is not None:
        return spoken
    measured = _NUMBER_UNIT.fullmatch(text.strip())
    if measured and measured[2].lower() in _UNITS:
        inner = read_quantity(measured[1])
        return Quantity(inner.tree, inner.value, measured[2].lower()) if inner else None
    try:
        tree, rest = read_tree(re.sub(r"(?<=\d)[eE](?=[-+]?\d)", r" \\times 10^", _braced_power(text)))
        if free_symbols(tree):
            return None
        value = evaluate(tree)
    except (Unreadable, Incalculable):
        return None
    number = bare_number(tree)
    unit = " ".join(part for part in ((number.unit if number else ""), rest) if part).lower()
    first = unit.split()[:1]
    if first and first[0] in _MULTIPLES and isinstance(value, Fraction):
        value, tree = value * _MULTIPLES[first[0]], Num(value * _MULTIPLES[first[0]])
        unit = " ".join(unit.split()[1:])
    money = number is not None and number.money
    return Quantity(tree, value, "dollar" if money and not unit else unit)


def _braced_power(text: str) -> str:
    return re.sub(r"(\d)[eE]([-+]?\d{1,4})\b", r"\1 \\times 10^{\2}", text)


def _spoken_number(text: str) -> Quantity | None:
    first, _, rest = text.strip().lower().partition(" ")
    tens, _, ones = first.partition("-")
    if tens in _WORDS and (not ones or ones in _WORDS):
        value = _WORDS[tens] + _WORDS.get(ones, Fraction(0))
        return Quantity(Num(value), value, rest)
    return None


def same_quantity(a: Quantity, b: Quantity) -> bool | None:
    """Whether two quantities are the same; None when their units cannot be compared."""
    x, y = measure(a.unit), measure(b.unit)
    if x and y and x[0] == y[0]:
        factor = x[1] / y[1]
        if factor != 1:
            return _same_value(a, b, factor)
    elif x and y:
        return False
    if _same_value(a, b, Fraction(1)):
        return True
    one, other = a.literal, b.literal
    if one and other and one.percent != other.percent:
        plain, share = (other, one) if one.percent else (one, other)
        return plain.value == share.value * 100
    return False


def measure(unit: str) -> tuple[str, Fraction] | None:
    """(dimension, factor to its base) of a unit's first word, or None when the table does not know it.

    >>> measure("hours")
    ('time', Fraction(3600, 1))
    """
    word = unit.split()[0].rstrip(".") if unit else ""
    return _UNITS.get(word) or _UNITS.get(word.removesuffix("s"))


def _same_value(a: Quantity, b: Quantity, factor: Fraction) -> bool:
    x, y = as_range(a.value), as_range(b.value)
    x = Range(x.low * factor, x.high * factor)
    if x.low <= y.high and y.low <= x.high:
        return True
    if factor != 1:
        return False
    return _rounds(a.literal, b) or _rounds(b.literal, a)


def _rounds(literal: Num | None, other: Quantity) -> bool:
    """Whether a decimal is the other value rounded to its own last digit, with digits enough to mean it."""
    if literal is None or literal.decimals < (1 if literal.percent else 2):
        return False
    theirs = other.literal
    if theirs is not None and theirs.decimals and theirs.decimals <= literal.decimals:
        return False
    if theirs is not None and not theirs.decimals:
        return False
    half = half_unit(literal)
    x = as_range(other.value)
    return literal.value - half <= x.low and x.high <= literal.value + half
