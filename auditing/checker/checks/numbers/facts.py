"""Checker: claims about single numbers: divisible, prime, even, square; and arithmetic said in words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "facts"
_BEFORE = r"(?<![\w.,^/*+\-\\{}()=!%])\\?[($]?\s?(\d{1,3}(?:,\d{3})+|\d{1,12})\s?\\?[)$]?"
_AFTER = r"\\?[($]?\s?(\d{1,3}(?:,\d{3})+|\d{1,12})(?![\d.,]*\d|!|\^|/|\*| ?[+\-*/×^]|\w|%)"
_IS = r"(?:,?\s+(?:which|that|and this|and it))?\s+is\s+"
_RELATED = _IS + r"(not\s+)?(?:evenly\s+)?(divisible by|a multiple of|a factor of|a divisor of)\s+"
_DIVISIBLE = re.compile(_BEFORE + _RELATED + _AFTER)
_KIND = re.compile(
    _BEFORE + _IS + r"(not\s+)?(?:an?\s+)?(prime|composite|even|odd|perfect square|perfect cube)"
    r"(?:\s+number)?\b(?!\s*(?:to|factor|with))"
)
_AMOUNT = r"((?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,9})?(?:/\d{1,9})?)"
_COMPARED = re.compile(
    rf"(?<![\w.,^/*+\-\\{{}}()=!%$])\\?[($]?\s?{_AMOUNT}\s?\\?[)$]?\s+is\s+(not\s+)?"
    rf"(greater|less|larger|smaller|bigger) than "
    rf"\\?[($]?\s?{_AMOUNT}(?![\d.,/]*\d|%|!|\^|\s?\\?[)$]?\s?[-+*/×^(]|\s?\w|\s?\\)"
)
_DOUBT = any_of("""
    if whether suppose assume since unless base modulo question false incorrect claim* wrong not_true check* let
    except
""")
_OPEN_END = re.compile(r"[+*^/\-]\s*\\?[($]?\s*$|(?:than|by|of|and|or)\s*$")
_CLAUSE = re.compile(r"[.!?;]\s|\n")


def _is_prime(n: int) -> bool:
    """Deterministic Miller-Rabin below 3.3 * 10**24."""
    if n < 2 or any(n % p == 0 for p in (2, 3, 5, 7, 11, 13) if n != p):
        return False
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17):
        x = pow(base, odd, n)
        if base % n == 0 or x in (1, n - 1) or any(pow(x, 2**k, n) == n - 1 for k in range(1, twos)):
            continue
        return False
    return True


_KINDS: dict[str, Callable[[int], bool]] = {
    "prime": _is_prime,
    "composite": lambda n: n > 3 and not _is_prime(n),
    "even": lambda n: n % 2 == 0,
    "odd": lambda n: n % 2 == 1,
    "perfect square": lambda n: math.isqrt(n) ** 2 == n,
    "perfect cube": lambda n: round(n ** (1 / 3)) ** 3 == n,
}


def check(script: Script) -> Iterator[Placed]:
    """Every claim of the two forms in every passage."""
    for passage in script.passages:
        if " is " not in passage.text:
            continue
        for match in _DIVISIBLE.finditer(passage.text):
            yield from _divisibility(passage, match)
        if " than " in passage.text:
            for match in _COMPARED.finditer(passage.text):
                yield from _comparison(passage, match)
        for match in _KIND.finditer(passage.text):
            yield from _kind(passage, match)


def _divisibility(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    one, other = _int(match[1]), _int(match[4])
    if "factor" in match[3] or "divisor" in match[3]:
        one, other = other, one
    if other == 0:
        return
    rest = one % other
    claimed = match[2] is None
    sentence = f"{one} divided by {other} leaves {rest}."
    yield from _judged(passage, match, claimed == (rest == 0), sentence, "divisibility")


def _comparison(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    """1/2 is greater than 6/2: a comparison said in words."""
    try:
        one, other = (Fraction(match[group].replace(",", "")) for group in (1, 4))
    except ZeroDivisionError:
        return
    truth = one > other if match[3] in ("greater", "larger", "bigger") else one < other
    sign = ">" if one > other else "<" if one < other else "="
    sentence = f"{match[1]} {sign} {match[4]}."
    yield from _judged(passage, match, (match[2] is None) == truth, sentence, "comparison")


def _kind(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number, kind = _int(match[1]), match[3]
    truth = _KINDS[kind](number)
    sentence = f"{number} is {'' if truth else 'not '}{kind}."
    yield from _judged(passage, match, (match[2] is None) == truth, sentence, kind)


def _judged(passage: Passage, match: re.Match[str], holds: bool, sentence: str, rule: str) -> Iterator[Placed]:
    if not holds and _is_doubtful(passage.text, match):
        return
    verdict = Verdict.VERIFIED if holds else Verdict.REFUTED
    details = {
        "normal_form": match.group().strip(),
        "rule": rule,
        "evidence_latex": rf"\text{{{match.group().strip()}}}",
    }
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        verdict=verdict,
        checker=NAME,
        rule=rule,
        sentence=sentence,
        details=details,
    )


def _is_doubtful(text: str, match: re.Match[str]) -> bool:
    head = _CLAUSE.split(text[max(0, match.start() - 160) : match.start()])[-1]
    tail = text[match.end() : match.end() + 30]
    return bool(_DOUBT.search(head)) or "?" in tail or bool(_OPEN_END.search(head))


def _int(text: str) -> int:
    return int(text.replace(",", ""))
