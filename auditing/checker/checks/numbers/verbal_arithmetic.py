"""Checker: arithmetic and number theory said in words: half of 50 is 20, the remainder, the digits, the average."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.counting import IN_ONE, STEPS, divided, divisors, in_one, median, nearest, power, rest
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "sayings"
_OPEN, _CLOSE = r"(?:\\\(|\$)?\s?", r"\s?(?:\\\)|\$(?!\d))?"
_VALUE = r"-?(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,15})(?:\.\d{1,12})?"
_N = _OPEN + rf"(?<![\w.,/^*+×÷=-])(?<![*+×÷^=/-]\s)({_VALUE}(?:/\d{{1,9}})?\s?\\?%?)" + _CLOSE
_INTEGER = _OPEN + r"(\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,15})(?![\d.,]*\d)" + _CLOSE
_POWER = _OPEN + r"(\d{1,9}(?:\s?\^\s?\{?\d{1,6}\}?)?)" + _CLOSE
_LIST = _OPEN + rf"({_VALUE}(?:(?:,\s?(?:and\s)?|\sand\s){_VALUE}){{1,30}})" + _CLOSE
_SAID = (
    r"\s+(?:is|are|equals|makes|gives|is equal to|would be|will be|comes to|leaves)\s+(?:exactly\s+|simply\s+|also\s+)?"
)
_IS = r",?\s+(?:is|equals|is equal to|would be|will be)\s+(?:simply\s+|also\s+)?"
# what may not follow the claimed number: it would be another number
_END = (
    r"(?![\d.,]*\d|\s?[-+*/×÷^:%]|\s?x\b|\s?\\(?:times|cdot|frac|%|div)|\s?\\?\)?\s?(?:more|less|times|percent|of|fewer|greater|or|to|dozen|"
    r"hundred|thousand|million|billion|older|younger|higher|lower|larger|smaller|squared|cubed|plus|minus|and a|mod)\b|"
    r"\s?\\?[)$]?\s?[-+*/×÷^=<>]|[a-z]|!)"
)
_R = _OPEN + rf"(\$?{_VALUE}(?:/\d{{1,9}})?\s?\\?%?)" + _END
_DOUBT = any_of("""
    if suppose assume whether would not claim* wrong incorrect about approximat* roughly nearly almost around let say
    says check* test* modulo mod base
""")
_BEFORE = re.compile(
    r"(?:\b(?:of|than|plus|minus|times|by|to|from|and|or|another|point|over)|[-+*/×÷^=(])\s*[\\($]*$", re.I
)
_CLAUSE = re.compile(r"[.!?;:]\s|\n|,\s")


def _value(text: str) -> Fraction:
    """The number that stands in a match: 1,200 or 3/4 or 25% or $5."""
    text = text.replace(",", "").replace("$", "").replace("\\", "").replace(" ", "")
    share = 100 if text.endswith("%") else 1
    return Fraction(text.rstrip("%")) / share


def _values(text: str) -> list[Fraction]:
    return [Fraction(item.replace(",", "")) for item in re.findall(_VALUE, re.sub(r",(?=\s)|\band\b", " ", text))]


@dataclass(frozen=True, slots=True)
class Saying:
    """One form of words: its pattern, whose last group is the number claimed, and what it comes to."""

    rule: str
    words: tuple[str, ...]  # one of them must stand in the text
    pattern: re.Pattern[str]
    compute: Callable[..., Fraction | None]
    listed: bool = False


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
_DIGITS = {"units": 0, "ones": 0, "last": 0, "unit": 0, "tens": 1, "hundreds": 2}
_PARTS = "|".join(sorted({part for part, _ in IN_ONE}))
_WHOLES = "|".join(sorted({whole for _, whole in IN_ONE}))
_SHARE_NAMES = "|".join(sorted(_SHARES, key=len, reverse=True))


def _saying(
    rule: str, words: str, pattern: str, compute: Callable[..., Fraction | None], *, listed: bool = False
) -> Saying:
    return Saying(rule, tuple(words.split("|")), re.compile(pattern, re.IGNORECASE), compute, listed)


_SAYINGS = (
    _saying(
        "a share",
        "half of|third of|quarter of|fourth of|fifth of|tenth of",
        rf"\b({_SHARE_NAMES}) of {_N}{_SAID}{_R}",
        lambda s, n: _value(n) / _SHARES[s.lower()],
    ),
    _saying(
        "a multiple",
        "twice |double |triple |thrice ",
        rf"\b({'|'.join(_TIMES)}) (?:of )?{_N}{_SAID}{_R}",
        lambda s, n: _value(n) * _TIMES[s.lower()],
    ),
    _saying(
        "a product",
        " times | multiplied by",
        rf"{_N}\s+(?:times|multiplied by)\s+{_N}{_SAID}{_R}",
        lambda a, b: _value(a) * _value(b),
    ),
    _saying("a sum", " plus ", rf"{_N}\s+plus\s+{_N}{_SAID}{_R}", lambda a, b: _value(a) + _value(b)),
    _saying("a difference", " minus ", rf"{_N}\s+minus\s+{_N}{_SAID}{_R}", lambda a, b: _value(a) - _value(b)),
    _saying(
        "a quotient",
        " divided by",
        rf"{_N}\s+divided by\s+{_N}{_SAID}(?!a remainder){_R}",
        lambda a, b: divided(_value(a), _value(b)),
    ),
    _saying(
        "a percentage",
        "% of|percent of",
        rf"{_N}(?:\s+percent)?\s+of\s+{_N}{_SAID}{_R}",
        lambda a, b: _value(a) * _value(b) if "%" in a or "/" in a else None,
    ),
    _saying("a product", "product of", rf"\bproduct of {_N}\s+and\s+{_N}{_IS}{_R}", lambda a, b: _value(a) * _value(b)),
    _saying(
        "a difference",
        "difference ",
        rf"\bdifference (?:of|between) {_N}\s+and\s+{_N}{_IS}{_R}",
        lambda a, b: abs(_value(a) - _value(b)),
    ),
    _saying("more than", " more than", rf"{_N}\s+more than {_N}{_IS}{_R}", lambda a, b: _value(a) + _value(b)),
    _saying(
        "less than",
        " less than| fewer than",
        rf"{_N}\s+(?:less|fewer) than {_N}{_IS}{_R}",
        lambda a, b: _value(b) - _value(a),
    ),
    _saying("a square", "square of", rf"\bsquare of {_N}{_IS}{_R}", lambda a: _value(a) ** 2),
    _saying("a cube", "cube of", rf"\bcube of {_N}{_IS}{_R}", lambda a: _value(a) ** 3),
    _saying("a sum", "sum of", rf"\bsum of {_LIST}{_IS}{_R}", lambda *v: Fraction(sum(v)), listed=True),
    _saying(
        "an average",
        "average of|mean of",
        rf"\b(?:average|mean) of {_LIST}{_IS}{_R}",
        lambda *v: Fraction(sum(v)) / len(v),
        listed=True,
    ),
    _saying("a median", "median of", rf"\bmedian of {_LIST}{_IS}{_R}", lambda *v: median(list(v)), listed=True),
    _saying(
        "a common divisor",
        "gcd|greatest common",
        rf"\b(?:gcd|greatest common (?:divisor|factor))(?: \(\w+\))? of {_LIST}{_IS}{_R}",
        lambda *v: Fraction(math.gcd(*map(int, v))),
        listed=True,
    ),
    _saying(
        "a common multiple",
        "lcm|least common",
        rf"\b(?:lcm|least common multiple)(?: \(\w+\))? of {_LIST}{_IS}{_R}",
        lambda *v: Fraction(math.lcm(*map(int, v))),
        listed=True,
    ),
    _saying(
        "a remainder",
        "remainder",
        rf"\bremainder (?:when|of|if) {_POWER}\s+(?:is\s+)?divided by\s+{_INTEGER}{_IS}{_R}",
        lambda a, b: power(a, int(_value(b))) if _value(b) else None,
    ),
    _saying(
        "a remainder",
        "remainder",
        rf"{_N}\s+divided by\s+{_INTEGER}\s+(?:leaves|gives|has) (?:a |the )?remainder (?:of )?{_R}",
        lambda a, b: rest(_value(a), _value(b)),
    ),
    _saying(
        "a digit",
        " digit ",
        rf"\b({'|'.join(_DIGITS)}) digit (?:of|in) {_POWER}{_IS}{_R}",
        lambda s, n: power(n, 10 ** (_DIGITS[s.lower()] + 1)) // 10 ** _DIGITS[s.lower()],
    ),
    _saying(
        "a digit sum",
        "digits ",
        rf"\bsum of (?:the |its )?digits (?:of|in) {_INTEGER}{_IS}{_R}",
        lambda n: Fraction(sum(int(d) for d in n if d.isdigit())),
    ),
    _saying(
        "a number of divisors",
        "divisors|factors",
        r"\bnumber of (?:(?:positive|distinct|whole-number|integer|total) ){0,3}(?:divisors|factors) of "
        rf"{_INTEGER}{_IS}{_R}",
        lambda n: Fraction(divisors(int(_value(n)))) if 0 < _value(n) < 10**6 else None,
    ),
    _saying(
        "a rounded value",
        "nearest |closest ",
        rf"\b(?:integer|whole number) (?:that is )?(?:nearest|closest) to {_N}{_IS}{_R}",
        lambda a: nearest(_value(a), Fraction(1)),
    ),
    _saying(
        "a rounded value",
        "nearest ",
        rf"{_N}\s+(?:is |when )?rounded to the nearest (integer|whole number|ten|hundred|tenth|hundredth)"
        rf",?\s+(?:is|gives|equals|becomes)\s+(?:approximately )?{_R}",
        lambda a, step: nearest(_value(a), STEPS[step.lower()]),
    ),
    _saying(
        "a unit",
        "there are ",
        r"\bthere are (?!(?:5|five) days in)"
        rf"(?={_VALUE} ({_PARTS}) in (?:a|an|one|each) ({_WHOLES})\b){_N}\w+ in \w+ \w+",
        lambda part, whole: in_one(part.lower(), whole.lower()),
    ),
)


def check(script: Script) -> Iterator[Placed]:
    """Every form of the table in every passage."""
    for passage in script.passages:
        for saying in _SAYINGS:
            if any(word in passage.lower for word in saying.words):
                for match in saying.pattern.finditer(passage.text):
                    yield from _judged(passage, match, saying)


def _judged(passage: Passage, match: re.Match[str], saying: Saying) -> Iterator[Placed]:
    *given, said = match.groups()
    try:
        true = saying.compute(*(_values(given[0]) if saying.listed else given))
        claimed = _value(said)
    except (ValueError, ZeroDivisionError, OverflowError):
        return
    if true is None:
        return
    holds = _same(true, claimed, said, "%" in match.group())
    if not holds and _is_doubtful(passage.text, match):
        return
    shown = number_text(true)
    sentence = f"{' '.join(match.group().split())}: it is {shown}, {'as said' if holds else 'not ' + said.strip()}."
    details = {
        "read": match.group(),
        "left": shown,
        "right": said.strip(),
        "rule": saying.rule,
        "evidence_latex": rf"\text{{{saying.rule}: }} {shown}",
    }
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule=saying.rule,
        sentence=sentence,
        details=details,
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
    )


def _same(true: Fraction, claimed: Fraction, said: str, percent: bool) -> bool:
    """Equal, or equal once rounded or cut off at the last written digit; a percent sign may be left out."""
    decimals = len(said.partition(".")[2].rstrip("% \\"))
    unit = Fraction(1, 10**decimals)
    for value in (true, true * 100, true / 100) if percent else (true,):
        if value == claimed or (abs(value - claimed) < unit and (decimals or value.denominator > 1)):
            return True
    return False


def _is_doubtful(text: str, match: re.Match[str]) -> bool:
    head = text[max(0, match.start() - 80) : match.start()]
    clause = _CLAUSE.split(head)[-1]
    tail = text[match.end() : match.end() + 24]
    return bool(_BEFORE.search(head) or _DOUBT.search(clause) or _DOUBT.search(match.group()) or "?" in tail)
