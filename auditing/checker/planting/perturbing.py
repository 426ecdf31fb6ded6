"""Planting errors: one equation that the computer proved is changed, so that the passage is wrong for certain.

Five changes in two grades. Obvious: the result is far off. Subtle: the result is off by one in its last place, a sign
is turned, a number is copied wrongly from the problem, a unit is another one. Where a change keeps the arithmetic true
(a turned sign, a copied number), the result is computed anew: then what is wrong is what was computed, not how. Errors
of a domain are planted by editors, never here.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_EQUATION = re.compile(
    rf"(?P<left>{NUMBER})(?P<gap>\s*)(?P<sign>[-+*/×÷−·]|\\times|\\cdot|\\div)(?P<space>\s*)(?P<right>{NUMBER})(?P<equals>\s*=\s*)"
    rf"(?P<currency>[$€£]?)(?P<result>{NUMBER})(?![\d.,]*\d)"
)
_PLAIN = re.compile(NUMBER)
_SIGNS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right if right else Fraction(-1),
}
_PLAIN_SIGN = {"×": "*", "·": "*", "÷": "/", "−": "-", "\\times": "*", "\\cdot": "*", "\\div": "/"}
_TURNED = {"+": "-", "-": "+", "−": "+"}
_OTHER_UNIT = {
    "dollars": "cents",
    "cents": "dollars",
    "hours": "minutes",
    "minutes": "hours",
    "seconds": "minutes",
    "days": "weeks",
    "weeks": "days",
    "months": "weeks",
    "years": "months",
    "metres": "centimetres",
    "meters": "centimeters",
    "kilometers": "meters",
    "kilometres": "metres",
    "miles": "feet",
    "feet": "inches",
    "inches": "feet",
    "kilograms": "grams",
    "grams": "kilograms",
    "pounds": "ounces",
    "ounces": "pounds",
    "liters": "milliliters",
    "gallons": "quarts",
}
_UNIT = re.compile(rf"\W{{0,3}}(?P<unit>{'|'.join(_OTHER_UNIT)})\b")
OBVIOUS_SHARE = 0.25  # of planted errors: enough to tell who does not read from who reads badly
MOST_PLACES = 4  # decimals of a result that is computed anew


class Origin(StrEnum):
    """Where the truth of a gold passage comes from."""

    COMPUTED = "computed"  # every computation in it is proved
    PERTURBED = "perturbed"  # an error was planted in a proved computation
    ADJUDICATED = "adjudicated"  # an adjudicator's verdict stood to the end of the appeal window
    IMPORTED = "imported"  # of a set that an admin handed in
    DRAFTED = "drafted"  # about a whole: an editor said the same of it
    REPEATED = "repeated"  # no truth: the passage comes again to whoever judged it


class Grade(StrEnum):
    """How hard an error is to see."""

    OBVIOUS = "obvious"
    SUBTLE = "subtle"
    DOMAIN = "domain"


class Change(StrEnum):
    """What was done to an equation, or to the text of a whole."""

    FAR_OFF = "far_off"
    OFF_BY_ONE = "off_by_one"
    SIGN = "sign"
    COPIED_NUMBER = "copied_number"
    UNIT = "unit"
    QUESTION = "question"  # of the problem, where a plan is asked about

    @property
    def grade(self) -> Grade:
        """How hard it is to see."""
        return Grade.OBVIOUS if self is Change.FAR_OFF else Grade.SUBTLE


@dataclass(frozen=True, slots=True)
class Perturbed:
    """Characters [start, end) of the text, what takes their place, and what was done."""

    change: Change
    start: int
    end: int
    old: str
    new: str

    def applied(self, *, text: str) -> str:
        """The text with the error in it."""
        return text[: self.start] + self.new + text[self.end :]


def perturb(*, text: str, equations: Sequence[tuple[int, int]], problem: str, rng: random.Random) -> Perturbed | None:
    """One error in one of the proved equations, spans [start, end) of `text`; None where none of them can be changed.

    An obvious error with probability OBVIOUS_SHARE, where both grades can be had.

    >>> planted = perturb(text="12 * 5 = 60", equations=[(0, 11)], problem="12 hens", rng=random.Random(2))
    >>> planted is not None and planted.applied(text="12 * 5 = 60")
    '12 * 5 = 61'
    """
    matches = [match for match in _EQUATION.finditer(text) if _is_inside(match, equations) and _holds(match)]
    return choose(options=[option for match in matches for option in _options(match, text, problem)], rng=rng)


def choose(*, options: Sequence[Perturbed], rng: random.Random) -> Perturbed | None:
    """One of several errors, obvious with probability OBVIOUS_SHARE, where both grades can be had; None of none."""
    if not options:
        return None
    wants_obvious = rng.random() < OBVIOUS_SHARE
    # Changes first, then places: a text of many equations must not make its commonest change the rule.
    fitting = sorted({option.change for option in options if (option.change.grade is Grade.OBVIOUS) is wants_obvious})
    change = rng.choice(fitting or sorted({option.change for option in options}))
    return rng.choice([option for option in options if option.change is change])


def changes_in(*, text: str, problem: str) -> list[Perturbed]:
    """Every change that can be made to an equation of the text that holds, whether or not a checker proved it."""
    matches = [match for match in _EQUATION.finditer(text) if _holds(match)]
    return [option for match in matches for option in _options(match, text, problem)]


def _is_inside(match: re.Match[str], equations: Sequence[tuple[int, int]]) -> bool:
    return any(start <= match.start() and match.end() <= end for start, end in equations)


def _holds(match: re.Match[str]) -> bool:
    """Whether the four numbers are an equation by themselves, and not the end of a longer chain."""
    sign = _PLAIN_SIGN.get(match["sign"], match["sign"])
    return _SIGNS[sign](value_of(match["left"]), value_of(match["right"])) == value_of(match["result"])


def _options(match: re.Match[str], text: str, problem: str) -> Iterator[Perturbed]:
    """Everything that can be done to one equation."""
    result, value = match["result"], value_of(match["result"])
    places = len(result.partition(".")[2])
    step = Fraction(1, 10**places)
    for neighbour in (value + step, value - step) if value > step else (value + step,):
        yield _replaced(match, "result", written(neighbour, like=result), Change.OFF_BY_ONE)
    if value:
        yield _replaced(match, "result", written(value * 10, like=result), Change.FAR_OFF)
    yield from _signs(match)
    yield from _copies(match, problem)
    yield from _units(match, text, problem)


def _signs(match: re.Match[str]) -> Iterator[Perturbed]:
    sign = _TURNED.get(match["sign"])
    left, right = value_of(match["left"]), value_of(match["right"])
    if sign is None or not right:
        return
    value = _SIGNS[sign](left, right)
    if value >= 0:
        yield _rewritten(match, {"sign": sign, "result": written(value, like=match["result"])}, Change.SIGN)


def _copies(match: re.Match[str], problem: str) -> Iterator[Perturbed]:
    """Another number of the problem in the place of one operand, and the result that follows from it."""
    stated = dict.fromkeys(_PLAIN.findall(problem))
    sign = _PLAIN_SIGN.get(match["sign"], match["sign"])
    operands = {"left": value_of(match["left"]), "right": value_of(match["right"])}
    for side in operands:
        for number in stated:
            if value_of(number) in operands.values() or not value_of(number):
                continue
            value = _SIGNS[sign](*{**operands, side: value_of(number)}.values())
            if value > 0 and value != value_of(match["result"]) and _is_short(value):
                words = {side: number, "result": written(value, like=match["result"])}
                yield _rewritten(match, words, Change.COPIED_NUMBER)


def _units(match: re.Match[str], text: str, problem: str) -> Iterator[Perturbed]:
    unit = other_unit(text=text, at=match.end(), problem=problem)
    if unit is not None:
        yield unit


def other_unit(*, text: str, at: int, problem: str) -> Perturbed | None:
    """Another unit behind the number that ends at `at`, where the problem speaks of its unit too."""
    unit = _UNIT.match(text, at)
    if unit is None or unit["unit"] not in problem:
        return None
    return Perturbed(Change.UNIT, *unit.span("unit"), unit["unit"], _OTHER_UNIT[unit["unit"]])


def _replaced(match: re.Match[str], group: str, new: str, change: Change) -> Perturbed:
    return _rewritten(match, {group: new}, change)


def _rewritten(match: re.Match[str], words: dict[str, str], change: Change) -> Perturbed:
    """The whole equation with some of its words replaced."""
    groups = ("left", "gap", "sign", "space", "right", "equals", "currency", "result")
    new = "".join(words.get(group, match[group]) for group in groups)
    return Perturbed(change, match.start(), match.end(), match[0], new)


def value_of(number: str) -> Fraction:
    """The value of a number as it is written, thousands set apart or not."""
    return Fraction(number.replace(",", ""))


def _is_short(value: Fraction) -> bool:
    return bool((value * 10**MOST_PLACES).denominator == 1)


def written(value: Fraction, *, like: str) -> str:
    """A number as its author would have written it: thousands and decimals as in `like`, more decimals where needed."""
    places = next(
        (n for n in range(len(like.partition(".")[2]), MOST_PLACES + 1) if (value * 10**n).denominator == 1), 4
    )
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{decimal:,.{places}f}" if "," in like else f"{decimal:.{places}f}"
