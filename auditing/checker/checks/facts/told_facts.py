"""Facts told in passing: digits, degrees, prime factors that are named, how many stand before the seventh."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from auditing.checker.checks.facts.fact_pieces import CLOSE, FREE, STOP, WHOLE, Answer, numeral
from auditing.checker.checks.facts.plain_forms import PlainForm, items_of, plain_form
from auditing.checker.checks.facts.share_facts import holds_or_silent
from auditing.checker.checks.facts.value_facts import number_of
from auditing.checker.checks.facts.whole_facts import whole
from auditing.checker.checks.numbers.elementary import is_prime
from auditing.checker.checks.numbers.remarks import read_whole
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import number_text

_LIST = rf"(?P<items>{WHOLE}(?:,\s(?:and\s)?{WHOLE}|\sand\s{WHOLE}){{1,40}})"
_PLACES: dict[str, Fraction | int] = {
    "hundreds": 100, "tens": 10, "ones": 1, "units": 1, "tenths": Fraction(1, 10), "hundredths": Fraction(1, 100),
    "thousandths": Fraction(1, 1000),
}  # fmt: skip
MOST_LISTED, MOST_FACTORS = 5_000, 12


def _distinct_primes(match: re.Match[str]) -> Answer:
    members = [int(value) for value in items_of(match["items"])]
    stranger = next((member for member in members if not is_prime(member)), None)
    if stranger is not None:
        return False, f"{stranger} is not prime."
    return len(members) == whole(match["r"]), f"{len(members)} are listed."


def _in_range(match: re.Match[str]) -> Answer:
    """10 digits (0-9)."""
    count = whole(match["b"]) - whole(match["a"]) + 1
    return holds_or_silent(whole(match["r"]) == count, f"they are {count}.")


def _below(match: re.Match[str]) -> Answer:
    """The possible even integers less than 15 are 2, 4, ..., 14."""
    high, members = whole(match["n"]), [int(value) for value in items_of(match["items"])]
    if high > MOST_LISTED:
        return None
    start = 2 if match["kind"].lower() == "even" else 1
    truth = list(range(start, high, 2))
    # zero is even, and often left out
    return members in (truth, [0, *truth]), f"they are {', '.join(map(str, truth[:30]))}."


def _before_the_last(match: re.Match[str]) -> Answer:
    truth = whole(match["n"]) - 1
    return whole(match["r"]) == truth, f"{truth} stand before the {match['n']}th."


def _roots(match: re.Match[str]) -> Answer:
    kinds = {match[name].lower() for name in ("k", "k2", "k3")}
    if len(kinds) > 1:
        return None
    product = number_of(match["b"]) * number_of(match["c"])
    return number_of(match["a"]) == product, f"under one root they are {number_text(product)}."


def _factorized(match: re.Match[str]) -> Answer:
    """54's prime factorization is 2*3^3."""
    pairs = re.findall(r"(\d{1,6})(?:\^\{?(\d{1,2})\}?)?", match["product"])
    if any(int(exponent or 1) > 40 for _, exponent in pairs):
        return None
    stranger = next((base for base, _ in pairs if not is_prime(int(base))), None)
    product = math.prod(int(base) ** int(exponent or 1) for base, exponent in pairs[:MOST_FACTORS])
    if stranger:
        return False, f"{stranger} is not prime."
    return product == whole(match["n"]), f"the product is {product}."


def _degree(match: re.Match[str]) -> Answer:
    """The degree of (ax^6 + bx^8)(x^5 + 1) is 13, the largest exponent of x in each factor added up."""
    factors = re.findall(r"\(([^()]{1,80})\)", match["product"])
    degrees = [
        max((int(power or 1) for power in re.findall(r"x(?:\^\{?(\d{1,3})\}?)?", factor)), default=0)
        for factor in factors
    ]
    return sum(degrees) == whole(match["r"]), f"it is {sum(degrees)}."


def _digit(match: re.Match[str]) -> Answer:
    digits = number_of(match["n"])
    truth = int(digits / _PLACES[match["place"].lower()]) % 10
    return int(match["r"]) == truth, f"it is {truth}."


def _greater_by(match: re.Match[str]) -> Answer:
    """31^2 is 600 greater than 19^2."""
    values = [value_of(tree) if (tree := read_whole(match[name])) is not None else None for name in ("a", "b")]
    if values[0] is None or values[1] is None:
        return None
    gap = (values[0] - values[1]) * (1 if match["way"].lower() in ("greater", "more", "larger") else -1)
    return number_of(match["r"]) == gap, f"they differ by {number_text(gap)}."


def _sum_among(match: re.Match[str]) -> Answer:
    bound = number_of(match["a"])
    chosen = [value for value in items_of(match["items"]) if value >= bound]
    truth = sum(chosen, Fraction(0))
    return number_of(match["r"]) == truth, f"it is {number_text(truth)}."


_RAISED = r"\d{1,6}\^\{?\d{1,2}\}?"
_POWERS = r"\d{1,6}(?:\^\{?\d{1,2}\}?)?"
TOLD_FACTS: tuple[PlainForm, ...] = (
    plain_form(
        "prime factors that are named",
        "prime factors",
        rf"\bhas {numeral('r', WHOLE)} (?:different|distinct|unique) prime factors \({_LIST}\)",
        _distinct_primes,
    ),
    plain_form(
        "a count of a range",
        "(",
        rf"{FREE}(?P<r>{WHOLE}) (?:possible )?(?:digits|integers|numbers|values|choices|options|outcomes|letters) "
        rf"\((?:from )?(?P<a>\d{{1,4}})(?:-|–| to | through )(?P<b>\d{{1,4}})\)",
        _in_range,
    ),
    plain_form(
        "a list of numbers below",
        " less than ",
        r"\b(?:possible|positive) (?P<kind>even|odd) (?:positive )?(?:integers|numbers|whole numbers) less than"
        rf" {numeral('n', WHOLE)} "
        rf"are:? {_LIST}{STOP}",
        _below,
    ),
    plain_form(
        "so many before it",
        "from the ",
        r"\b(?P<n>\d{1,4})(?:st|nd|rd|th) (?:seat )?from the (?:left|right|front|back|top|bottom),? (?:which"
        r" means|so|meaning) "
        rf"(?:that )?there are {numeral('r', WHOLE)} (?:[a-z]+ ){{1,2}}(?:to the (?:left|right) of|in front"
        r" of|behind|before|above|below)",
        _before_the_last,
    ),
    plain_form(
        "a root of a product",
        " root of ",
        rf"\b(?P<k>square|cube|fourth) root of {numeral('a')} is (?:the same as|equal to) the "
        r"(?P<k2>square|cube|fourth) root of "
        rf"{numeral('b')} times the (?P<k3>square|cube|fourth) root of {numeral('c')}{STOP}",
        _roots,
    ),
    plain_form(
        "factors of a number",
        "prime factorization",
        rf"{FREE}(?:\\\(|\$)?(?P<n>{WHOLE})(?:\\\)|\$)?['’]s prime factorization is (?:\\\(|\$)?"
        rf"(?P<product>{_POWERS}(?:\s?(?:\*|×|·|\\cdot|\\times)\s?{_POWERS}){{0,11}}){STOP}",
        _factorized,
    ),
    plain_form(
        "a degree",
        "degree of",
        r"\bdegree of (?:the )?(?:(?:first|second|third|fourth) )?(?:polynomial )?(?:\\\(|\$)?\s?(?P<product>"
        r"(?:\([a-z\d^{}+ -]{1,80}\)){1,6})"
        rf"{CLOSE} is {numeral('r', WHOLE)}{STOP}",
        _degree,
    ),
    plain_form(
        "a digit",
        "digit in the",
        rf"\bnumber {numeral('n')},? the digit in the (?P<place>{'|'.join(_PLACES)}) place is "
        rf"{numeral('r', '[0-9]')}{STOP}",
        _digit,
    ),
    plain_form(
        "so much more",
        "greater than|more than|less than|larger than|smaller than",
        rf"{FREE}{numeral('a', _RAISED)} is {numeral('r')} "
        r"(?P<way>greater|more|larger|less|smaller) than "
        rf"{numeral('b', _POWERS)}(?![\d.,]*\d|\s?[-+*/^])",
        _greater_by,
    ),
    plain_form(
        "a sum of some",
        " among ",
        rf"\bsum of (?:all )?(?:the )?numbers greater than or equal to {numeral('a')} among "
        r"(?P<items>[\d./]{1,9}(?:,\s(?:and\s)?[\d./]{1,9}|\sand\s[\d./]{1,9}){1,20}) "
        rf"is {numeral('r')}{STOP}",
        _sum_among,
    ),
)
