"""Forms of arithmetic stated in words: for each a pattern, and what the numbers in it come to.

"Half of 50 is 20": the form "a share" matches, its last group is the number claimed (20), and its function makes 25 of
the groups before ("half", "50"). A form is added by a row of `FORMS`; verbal_arithmetic.py judges the matches.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.numbers.elementary import (
    IN_ONE,
    STEPS,
    count_in,
    divisor_count,
    median,
    nearest,
    of_wholes,
    power_modulo,
    ratio,
    remainder,
)
from auditing.checker.findings import Grade
from auditing.checker.mathematics.vocabulary import GOES_ON
from hdag.core.text.cues import Cue

# The pieces of the patterns. Around every number a formula may open and close: \(50\) or $50$.
_OPEN, _CLOSE = r"(?:\\\(|\$)?\s?", r"\s?(?:\\\)|\$(?!\d))?"
_VALUE = r"-?(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,15})(?:\.\d{1,12})?"
# a number that no sign or letter touches on its left: in "2 * 50" the 50 is no operand of its own
_FRACTION = r"\\[dt]?frac\{\d{1,9}\}\{\d{1,9}\}"
_N = (
    _OPEN
    + rf"(?!(?<=\d\s)\d{{1,3}}/\d)(?<![\w.,/^*+×÷=-])(?<![*+×÷^=/-]\s)((?:{_VALUE}(?:/\d{{1,9}})?|{_FRACTION})\s?\\?%?)"
    + _CLOSE
)
# digits only, as text: digit sums and remainders need no decimals
_INTEGER = _OPEN + r"(\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,15})(?![\d.,]*\d)" + _CLOSE
# 7 or 7^100
_POWER = _OPEN + r"(\d{1,9}(?:\s?\^\s?\{?\d{1,6}\}?)?)" + _CLOSE
# each number of a list may stand in a formula of its own: \(12\) and \(18\); atomic: parted in one way
_AND = r"(?>(?:\s?\\\)|\$)?(?:,(?:\\\)|\$)?\s?(?:and\s)?|\sand\s)(?:\\\(|\$)?\s?)"
_LIST = _OPEN + rf"((?>{_VALUE})(?:{_AND}(?>{_VALUE})){{1,30}})" + _CLOSE
_EQUALS = (
    r"(?:\s?=\s?|(?:,?\s+which)?\s+(?:is|are|equals|makes|gives|is equal to|would be|will be|comes to|leaves|"
    r"results in|yields)\s+(?:exactly\s+|simply\s+|also\s+)?)"
)
_IS = r"(?:\s?=\s?|,?\s+(?:is|equals|is equal to|would be|will be)\s+(?:simply\s+|also\s+)?)"
_WHICH_IS = r"(?:,\s+which)?" + _IS
# what may not follow the claimed number: it would be another number
_END = (
    r"(?![\d.,]*\d|\s?[-+*/×÷^:%]|\s?x\b|\s?\\(?:times|cdot|frac|%|div)|\s?\\?\)?\s?(?:more|less|times|percent|of|fewer|greater|or|to|dozen|"
    r"hundred|thousand|million|billion|older|younger|higher|lower|larger|smaller|squared|cubed|plus|minus|and a|mod)\b|"
    rf"\s?\\?[)$]?,?\s(?:{GOES_ON})|\(\d|"
    r"\s?\\?[)$]?\s?[-+*/×÷^=<>]|[a-z]|!)"
)
# the claimed number, always the last group
_R = _OPEN + rf"(?:\\boxed\{{)?(\$?(?:{_VALUE}(?:/\d{{1,9}})?|{_FRACTION})\s?\\?%?)" + _END
# a fraction in LaTeX as the number claimed
FRACTION = _OPEN + r"(\\[dt]?frac\{\d{1,9}\}\{\d{1,9}\})" + _END
NUMBER, INTEGER, POWER, RESULT, LIST = _N, _INTEGER, _POWER, _R, _LIST


def value_in(text: str) -> Fraction:
    """The number that stands in a match: 1,200 or 3/4 or 25% or $5."""
    text = re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", text).replace(":", "/")
    text = text.replace(",", "").replace("$", "").replace("\\", "").replace(" ", "")
    divisor = 100 if text.endswith("%") else 1
    return Fraction(text.rstrip("%")) / divisor


def values_in(text: str) -> list[Fraction]:
    """The numbers of a list in words: 3, 4, and 5."""
    return [Fraction(digits.replace(",", "")) for digits in re.findall(_VALUE, re.sub(r",(?=\s)|\band\b", " ", text))]


@dataclass(frozen=True, slots=True)
class VerbalForm:
    """One form of words: its pattern, whose last group is the number claimed, and what it comes to."""

    rule: str
    words: tuple[str, ...]  # one of them must stand in the text
    pattern: Cue
    compute: Callable[..., Fraction | None]
    # whether the first group is a list of numbers, all of which `compute` takes
    listed: bool = False
    # the surest grade that what it refutes may have
    grade: Grade = Grade.CERTAIN


_SHARES = {
    "half": 2,
    "a third": 3,
    "one third": 3,
    "one-third": 3,
    "a quarter": 4,
    "one quarter": 4,
    "a fourth": 4,
    "one fourth": 4,
    "one-fourth": 4,
    "a fifth": 5,
    "one fifth": 5,
    "one-fifth": 5,
    "a tenth": 10,
}
_TIMES = {"twice": 2, "double": 2, "triple": 3, "thrice": 3}
SHARES_AND_MULTIPLES = {"a share": ("/", _SHARES), "a multiple": ("*", _TIMES)}
# how many digits stand to the right of the digit that is named
_DIGITS = {"units": 0, "ones": 0, "last": 0, "unit": 0, "tens": 1, "hundreds": 2}
_PARTS = "|".join(sorted({part for part, _ in IN_ONE}))
_WHOLES = "|".join(sorted({whole for _, whole in IN_ONE}))
_SHARE_NAMES = "|".join(sorted(_SHARES, key=len, reverse=True))


def _form(
    rule: str, words: str, pattern: str, compute: Callable[..., Fraction | None], *, listed: bool = False
) -> VerbalForm:
    return VerbalForm(rule, tuple(words.split("|")), Cue(pattern, re.IGNORECASE), compute, listed)


FORMS = (
    _form(
        "a share",
        "half of|third of|quarter of|fourth of|fifth of|tenth of",
        rf"\b({_SHARE_NAMES}) of {_N}{_EQUALS}{_R}",
        lambda s, n: value_in(n) / _SHARES[s.lower()],
    ),
    _form(
        "a multiple",
        "twice |double |triple |thrice ",
        rf"\b({'|'.join(_TIMES)}) (?:of )?{_N}{_EQUALS}{_R}",
        lambda s, n: value_in(n) * _TIMES[s.lower()],
    ),
    _form(
        "a product",
        " times | multiplied by",
        rf"{_N}\s+(?:times|multiplied by)\s+{_N}{_EQUALS}{_R}",
        lambda a, b: value_in(a) * value_in(b),
    ),
    _form("a sum", " plus ", rf"{_N}\s+plus\s+{_N}{_EQUALS}{_R}", lambda a, b: value_in(a) + value_in(b)),
    _form("a difference", " minus ", rf"{_N}\s+minus\s+{_N}{_EQUALS}{_R}", lambda a, b: value_in(a) - value_in(b)),
    _form(
        "a quotient",
        " divided by",
        rf"{_N}\s+divided by\s+{_N}{_EQUALS}(?!a remainder){_R}",
        lambda a, b: ratio(value_in(a), value_in(b)),
    ),
    _form(
        "a percentage",
        "% of|percent of",
        rf"{_N}(?:\s+percent)?\s+of\s+{_N}{_EQUALS}{_R}",
        # "20 of 50 is 10" says no percentage and no share
        lambda a, b: value_in(a) * value_in(b) if "%" in a or "/" in a else None,
    ),
    _form(
        "a product", "product of", rf"\bproduct of {_N}\s+and\s+{_N}{_IS}{_R}", lambda a, b: value_in(a) * value_in(b)
    ),
    _form(
        "a difference",
        "difference ",
        rf"\bdifference (?:of|between) {_N}\s+and\s+{_N}{_IS}{_R}",
        lambda a, b: abs(value_in(a) - value_in(b)),
    ),
    # 20% more than 50 is a share of the 50 (quantities/compared_forms.py)
    _form(
        "more than",
        " more than",
        rf"{_N}\s+more than {_N}{_IS}{_R}",
        lambda a, b: None if "%" in a else value_in(a) + value_in(b),
    ),
    _form(
        "less than",
        " less than| fewer than",
        rf"{_N}\s+(?:less|fewer) than {_N}{_IS}{_R}",
        lambda a, b: None if "%" in a else value_in(b) - value_in(a),
    ),
    _form("a square", "square of", rf"\bsquare of {_N}{_IS}{_R}", lambda a: value_in(a) ** 2),
    _form("a cube", "cube of", rf"\bcube of {_N}{_IS}{_R}", lambda a: value_in(a) ** 3),
    _form("a sum", "sum of", rf"\bsum of {_LIST}{_IS}{_R}", lambda *v: Fraction(sum(v)), listed=True),
    _form(
        "an average",
        "average of|mean of",
        rf"\b(?:average|mean) of {_LIST}{_IS}{_R}",
        lambda *v: Fraction(sum(v)) / len(v),
        listed=True,
    ),
    _form("a median", "median of", rf"\bmedian of {_LIST}{_IS}{_R}", lambda *v: median(list(v)), listed=True),
    _form(
        "a common divisor",
        "gcd|gcf|hcf|greatest common|highest common",
        rf"\b(?:gcd|gcf|hcf|(?:greatest|highest) common (?:divisor|factor))(?: \(\w+\))? of {_LIST}(?:{_WHICH_IS}|"
        rf"\.\s[A-Za-z ,]{{0,80}}\bthe (?:gcd|greatest common (?:divisor|factor)) is\s+){_R}",
        lambda *v: of_wholes(math.gcd, v),
        listed=True,
    ),
    _form(
        "a common multiple",
        "lcm|least common",
        rf"\b(?:lcm|least common multiple)(?: \(\w+\))? of {_LIST}{_WHICH_IS}{_R}",
        lambda *v: of_wholes(math.lcm, v),
        listed=True,
    ),
    _form(
        "a remainder",
        "remainder",
        rf"\bremainder (?:when|of|if) {_POWER}\s+(?:is\s+)?divided by\s+{_INTEGER}{_WHICH_IS}{_R}",
        lambda a, b: power_modulo(a, int(value_in(b))) if value_in(b) else None,
    ),
    _form(
        "a remainder",
        "remainder",
        rf"{_N}\s+divided by\s+{_INTEGER}\s+(?:leaves|gives|has) (?:a |the )?remainder (?:of )?{_R}",
        lambda a, b: remainder(value_in(a), value_in(b)),
    ),
    _form(
        "a digit",
        " digit ",
        rf"\b({'|'.join(_DIGITS)}) digit (?:of|in) {_POWER}{_IS}{_R}",
        # the tens digit of n is (n mod 100) div 10
        lambda s, n: power_modulo(n, 10 ** (_DIGITS[s.lower()] + 1)) // 10 ** _DIGITS[s.lower()],
    ),
    _form(
        "a digit sum",
        "digits ",
        rf"\bsum of (?:the |its )?digits (?:of|in) {_INTEGER}{_IS}{_R}",
        lambda n: Fraction(sum(int(d) for d in n if d.isdigit())),
    ),
    _form(
        "a number of divisors",
        "divisors|factors",
        r"\bnumber of (?:(?:positive|distinct|whole-number|integer|total) ){0,3}(?:divisors|factors) of "
        rf"{_INTEGER}{_IS}{_R}",
        lambda n: Fraction(divisor_count(int(value_in(n)))) if 0 < value_in(n) < 10**6 else None,
    ),
    _form(
        "a rounded value",
        "nearest |closest ",
        rf"\b(?:integer|whole number) (?:that is )?(?:nearest|closest) to {_N}{_IS}{_R}",
        lambda a: nearest(value_in(a), Fraction(1)),
    ),
    _form(
        "a rounded value",
        "nearest ",
        rf"{_N}\s+(?:is |when )?rounded to the nearest (integer|whole number|ten|hundred|tenth|hundredth)"
        rf",?\s+(?:is|gives|equals|becomes)\s+(?:approximately )?{_R}",
        lambda a, step: nearest(value_in(a), STEPS[step.lower()]),
    ),
    _form(
        "a unit",
        "there are ",
        rf"\bthere are (?={_VALUE} ({_PARTS}) in (?:a|an|one|each) ({_WHOLES})\b){_N}\w+ in \w+ \w+",
        lambda part, whole: count_in(part.lower(), whole.lower()),
    ),
)
