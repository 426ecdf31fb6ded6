"""Quantities with their units in a text: "6 ft 2 in", "15 mg/kg × 70 kg", "$5/week for 4 weeks", as trees.

A unit is a symbol of the tree and has a number for its value, so that 72 km/h is 72 * km / h. Two sides measure the
same where their ratio stays when every base unit is made larger: then no power of a length or a time is left over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.mathematics.exactly.arithmetic import written
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, substitute
from hdag.core.text.beginnings import by_first_letter
from hdag.core.text.cues import Cue

# dimension -> unit and how many of the dimension's base it is; "inexact" ones are defined by another system of units
_TABLES = {
    "length": "mm 1/1000 cm 1/100 m 1 meter 1 metre 1 km 1000 kilometer 1000 kilometre 1000 centimeter 1/100 "
    "millimeter 1/1000 in 0.0254 inch 0.0254 inches 0.0254 ft 0.3048 foot 0.3048 feet 0.3048 "
    "yd 0.9144 yard 0.9144 "
    "mi 1609.344 mile 1609.344",
    "time": "s 1 sec 1 second 1 min 60 minute 60 h 3600 hr 3600 hour 3600 day 86400 week 604800",
    "years": "month 1 year 12 yr 12 decade 120 century 1200 centuries 1200",
    "mass": "mcg 1/1000000 µg 1/1000000 mg 1/1000 milligram 1/1000 g 1 gram 1 kg 1000 kilogram 1000 oz 28.349523125 "
    "ounce 28.349523125 lb 453.59237 pound 453.59237",
    "volume": "ml 1/1000 mL 1/1000 dL 1/10 L 1 milliliter 1/1000 millilitre 1/1000 dl 1/10 cl 1/100 l 1 "
    "liter 1 litre 1",
    "kitchen": "cup 1 pint 2 quart 4 gallon 16 tsp 1/48 teaspoon 1/48 tbsp 1/16 tablespoon 1/16",
    "money": "$ 1 dollar 1 cent 1/100 ¢ 1/100 dime 1/10 nickel 1/20",
    "data": "bit 1 byte 8 kB 8e3 KB 8e3 MB 8e6 GB 8e9 Kb 1e3 kb 1e3 Mb 1e6 Gb 1e9",
}
_MARKS = {"′": "ft", "″": "in"}
_SHORT = {"′": ("ft", ""), "″": ("in", ""), "mph": ("mile", "hour"), "kph": ("km", "hour"), "kmh": ("km", "hour")}
_IMPERIAL = frozenset("in inch inches ft foot feet yd yard mi mile oz ounce lb pound".split())
_CALENDAR = frozenset(("day", "week"))
# in which each dimension may be measured instead of its base unit, to see whether two sides are of one dimension
_BASES = {name: Fraction(prime) for name, prime in zip(_TABLES, (2, 3, 5, 7, 11, 13, 17, 19), strict=True)}
_BINARY = {"KB": 1024, "kB": 1024, "MB": 1024**2, "GB": 1024**3}
UNITS: dict[str, tuple[str, Fraction]] = {}
for _dimension, _table in _TABLES.items():
    _parts = _table.split()
    UNITS |= {name: (_dimension, Fraction(factor)) for name, factor in zip(_parts[::2], _parts[1::2], strict=True)}
_NAMES = "|".join(sorted(map(re.escape, [*UNITS, *_SHORT]), key=len, reverse=True)).replace(r"\$|", "")
UNIT = rf"(?:{by_first_letter(_NAMES)})(?:s\b|\b|(?<=[¢′″]))(?:\.(?=\s?[\d=+×*/-]))?"
_NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,12})(?:\.\d{1,9})?"
_GAP = r"\s{0,12}"
_RATE = rf"(?:{_GAP}/{_GAP}|{_GAP}\bper\s|\s(?:a|an|each|every)\s)(?P<below>{UNIT})"
_ONE = re.compile(
    rf"(?P<money>\$\s?)?(?P<number>{_NUMBER})(?:(?P<unit>{_GAP}{UNIT})(?P<power>\^?[23](?!\d)|[²³])?(?:\s?"
    rf"\([A-Za-z]{{1,4}}\))?)?"
    rf"(?:{_RATE})?"
)
_PARTS_JOIN = re.compile(rf"{_GAP}(?P<comma>,)?{_GAP}(?:and\s)?(?=\d)")
_EQUATION_NEXT = re.compile(rf"{_GAP}(?:=|\b(?:is|equals|makes)\b)")
_SIGN = re.compile(rf"{_GAP}(?P<sign>[-+*/×·÷−]|\b(?:for|plus|minus|times)\b){_GAP}(?=[\d$])")
_SAME = {"×": "*", "·": "*", "for": "*", "times": "*", "plus": "+", "minus": "-", "÷": "/", "−": "-"}
# LaTeX around units and signs, blanked out so that every place in the text stays
_LATEX = re.compile(
    r"\\(?:text|mathrm|textrm)\s?\{([^{}]{0,24})\}|\\(times|cdot|div)\b|\\[,;: ]|\\[()]|(?<=\d)~|\\(\$)"
)
# two dollars with LaTeX between them open and close a formula, and are no money
_FORMULA = re.compile(
    r"(?<![\\\w])\$(?P<inside>[^$\n]{0,300}\\(?:text|mathrm|textrm|times|cdot|div|,)[^$\n]{0,300})\$(?!\d)"
)
# 5' is a length; 12°15' is an angle, x2' a name, '5' a text, 3'' a second derivative
_FEET = Cue(r"(?<![\w.,°'\"′(])(\d{1,5}(?:\.\d{1,4})?)['’′](?![A-Za-z'’′])")
_INCHES = re.compile(r"(?<=\d)[\"”″](?![A-Za-z\"])")
_MAX_FACTORS = 8
# a factor between units is rounded so far: 2.2 pounds a kilogram, 30 days a month
_ROUND_FACTOR = Fraction(3, 100)


@dataclass(frozen=True, slots=True)
class Amount:
    """One side: its tree, where it stands, the units in it as written, and whether it is nothing but one quantity."""

    tree: Tree
    start: int
    end: int
    units: tuple[str, ...]
    is_plain: bool
    # the last written number and its unit: what the side is rounded to
    last: tuple[Num, str]
    # numbers without a unit: one of them may be what converts
    bare: tuple[Fraction, ...]


def without_latex(text: str) -> str:
    r"""The text with \text{ km} as km, as long as before.

    >>> without_latex(r"5\,km")
    '5  km'
    """
    if "\\" not in text:
        return text
    text = _FORMULA.sub(lambda match: f" {match['inside']} ", text)
    signs = {"times": "×", "cdot": "·", "div": "÷"}
    return _LATEX.sub(lambda match: (match[1] or signs.get(match[2], "") or match[3] or "").rjust(len(match[0])), text)


def with_primes(text: str) -> str:
    """The text with the marks of feet and inches as signs of their own, as long as before.

    >>> with_primes("5' + 2' = 7'")
    '5′ + 2′ = 7′'
    """
    if not _FEET.search(text):
        return text
    return _INCHES.sub("″", _FEET.sub(r"\1′", text))


def known(unit: str) -> tuple[str, Fraction] | None:
    """(dimension, factor) of a unit as it is written, in the singular or the plural."""
    unit = _MARKS.get(unit, unit)
    for name in (unit, unit.removesuffix("s"), unit.lower(), unit.lower().removesuffix("s")):
        if name in UNITS:
            return UNITS[name]
    return None


def read_amount(text: str, at: int) -> Amount | None:
    """The longest side that starts at `at`; None where no unit stands in it."""
    units: list[str] = []
    first = _quantity(text, at, units)
    if first is None:
        return None
    tree, end, last = first
    bare = [tree.value] if isinstance(tree, Num) else []
    # products bind more tightly than sums: terms holds what was added so far, tree the product that is open
    terms: Tree | None = None
    adds = "+"
    is_plain = True
    for _ in range(_MAX_FACTORS):
        sign = _SIGN.match(text, end)
        factor = _quantity(text, sign.end(), units) if sign else None
        if sign is None or factor is None:
            break
        bare += [factor[0].value] if isinstance(factor[0], Num) else []
        operation = _SAME.get(sign["sign"], sign["sign"])
        if operation in "*/":
            tree = Node(operation, (tree, factor[0]))
        else:
            terms, tree = (tree if terms is None else Node(adds, (terms, tree))), factor[0]
            adds = operation
        end, last, is_plain = factor[1], factor[2], False
    whole = tree if terms is None else Node(adds, (terms, tree))
    return Amount(whole, at, end, tuple(units), is_plain, last, tuple(bare)) if units else None


def _quantity(text: str, at: int, units: list[str]) -> tuple[Tree, int, tuple[Num, str]] | None:
    """6 ft 2 in: parts of one dimension, each smaller than the one before."""
    part = _ONE.match(text, at)
    if part is None:
        return None
    tree, unit = _part(part, units)
    end, last = part.end(), (_number(part["number"]), _behind_number(part))
    while part["unit"] and not part["below"] and not part["power"] and (joint := _PARTS_JOIN.match(text, end)):
        part = _ONE.match(text, joint.end())
        if part is None or not part["unit"] or part["money"] or not _is_smaller(part["unit"].strip(), unit):
            break
        # "2 cups = 1 pint, 6 cups = 3 pints": behind the comma begins another equation
        if joint["comma"] and _EQUATION_NEXT.match(text, part.end()):
            break
        smaller, unit = _part(part, units)
        tree, end, last = Node("+", (tree, smaller)), part.end(), (_number(part["number"]), _behind_number(part))
    return tree, end, last


def _behind_number(part: re.Match[str]) -> str:
    return " ".join(part[0][part.end("number") - part.start() :].split())


def _is_smaller(part: str, whole: str) -> bool:
    a, b = known(part.rstrip(".")), known(whole)
    return a is not None and b is not None and a[0] == b[0] and a[1] < b[1]


def _part(match: re.Match[str], units: list[str]) -> tuple[Tree, str]:
    tree: Tree = _number(match["number"])
    unit = ""
    if match["money"]:
        unit = "$"
        tree = Node("*", (tree, Sym("$")))
        units.append("$")
    if match["unit"]:
        unit = match["unit"].strip().rstrip(".")
        above, below = _SHORT.get(unit, (unit, ""))
        measured: Tree = Sym(above)
        if match["power"]:
            measured = Node("^", (measured, Num(Fraction(2 if match["power"][-1] in "2²" else 3))))
        tree = Node("*", (tree, measured))
        units += [above, below] if below else [above]
        tree = Node("/", (tree, Sym(below))) if below else tree
    if match["below"]:
        name = match["below"].rstrip(".")
        tree = Node("/", (tree, Sym(name)))
        units.append(name)
    return tree, unit


def _number(text: str) -> Num:
    digits = text.replace(",", "")
    return Num(written(digits), len(digits.partition(".")[2]))


def has_two_sizes(units: frozenset[str]) -> bool:
    """Whether one of the units is told in tens or in twos: a gigabyte has 1,000 or 1,024 megabytes."""
    return not _BINARY.keys().isdisjoint(units)


def one_of(tree: Tree) -> Tree:
    """The unit in which a plain quantity ends: of 1 hour * 1 + 25 * minute it is 1 * minute."""
    while isinstance(tree, Node) and tree.op == "+":
        tree = tree.args[1]
    if isinstance(tree, Node):
        return Node(tree.op, (one_of(tree.args[0]), *tree.args[1:]))
    return Num(Fraction(1)) if isinstance(tree, Num) else tree


def in_base_units(tree: Tree, *, scaled: bool = False, binary: bool = False) -> Tree:
    """The tree with a number for each unit; `scaled` makes each dimension's base larger by a number of its own."""
    values: dict[str, Tree] = {}
    for unit in free_symbols(tree):
        dimension, factor = known(unit) or ("", Fraction(1))
        factor = Fraction(8 * _BINARY[unit]) if binary and unit in _BINARY else factor
        values[unit] = Num(factor * (_BASES.get(dimension, Fraction(1)) if scaled else 1))
    return substitute(tree, values)


def converts_by_a_number(units: frozenset[str], bare: tuple[Fraction, ...]) -> bool:
    """154 lb / 2.2 = 70 kg, 100 km/h / 3.6 = 27.8 m/s: a number without a unit converts one unit into another."""
    sizes: dict[str, set[Fraction]] = {}
    for unit in units:
        dimension, factor = known(unit) or ("", Fraction(1))
        sizes.setdefault(dimension, set()).add(factor)
    ratios = {a / b for factors in sizes.values() for a in factors for b in factors if a > b}
    # of a rate above and below: 3600 s in an hour, 1000 m in a kilometre
    ratios |= {a / b for a in ratios for b in ratios if a > b}
    return any(abs(number - ratio) <= ratio * _ROUND_FACTOR for number in bare for ratio in ratios)


def is_between_systems(units: frozenset[str]) -> bool:
    """Whether inches meet centimetres: such factors are rounded in everyday use."""
    names = {unit.lower().removesuffix("s") for unit in units}
    lengths_and_masses = {name for name in names if (known(name) or ("",))[0] in ("length", "mass")}
    return bool(lengths_and_masses & _IMPERIAL) and bool(lengths_and_masses - _IMPERIAL)


def counts_days(units: frozenset[str]) -> bool:
    """Whether days or weeks meet another unit of time: a day of work has eight hours, a week of it five days."""
    times = {unit.lower().removesuffix("s") for unit in units if (known(unit) or ("",))[0] == "time"}
    return bool(times & _CALENDAR) and len(times) > 1
