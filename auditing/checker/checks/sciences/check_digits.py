"""Checker: numbers whose last digit guards the others: cards, books, journals, articles in shops, bank accounts.

Sources: ISO/IEC 7812-1 annex B (Luhn, cards), ISO 2108 (ISBN-10 and ISBN-13), ISO 3297 (ISSN), GS1 General
Specifications 7.9 (EAN-13), ISO 13616-1 with ISO/IEC 7064 MOD 97-10 (IBAN).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "check digits"
_DIGITS = r"(?P<number>[A-Z0-9](?:[ -]?[A-Z0-9]){6,33})"
_CLAIM = r"\s?(?:is|has)\s(?:a\s|an\s)?(?P<denied>not\s(?:a\s)?|in)?(?:valid)\b"
_LABELLED = re.compile(
    rf"\b(?P<label>ISBN(?:-1[03])?|ISSN|EAN(?:-13)?|IBAN|card number|credit card|Luhn number):?\s{_DIGITS}{_CLAIM}"
)
_DOUBT = re.compile(r"\b(?:if|whether|suppose|check|would|assume|claim\w*|not true|false)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?]\s|\n")


def luhn(number: str) -> bool:
    """Every second digit from the right is doubled, its digits added; all add up to a multiple of ten.

    >>> luhn("79927398713"), luhn("79927398710")
    (True, False)
    """
    digits = [int(digit) for digit in reversed(number)]
    return (sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])) % 10 == 0


def weighted_by_eleven(number: str) -> bool:
    """The last digit weighs one, each before it one more; all add up to a multiple of eleven, X being ten.

    >>> weighted_by_eleven("0306406152"), weighted_by_eleven("03785955")
    (True, True)
    """
    values = [10 if digit == "X" else int(digit) for digit in reversed(number)]
    return sum(weight * value for weight, value in enumerate(values, start=1)) % 11 == 0


def weighted_by_three(number: str) -> bool:
    """Digits weigh one and three in turn; all add up to a multiple of ten.

    >>> weighted_by_three("9780306406157")
    True
    """
    return sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(number)) % 10 == 0


def by_ninety_seven(number: str) -> bool:
    """The country and its two digits go behind, letters count from A = 10; the remainder by 97 is one.

    >>> by_ninety_seven("GB82WEST12345698765432")
    True
    """
    return int("".join(str(int(sign, 36)) for sign in number[4:] + number[:4])) % 97 == 1


# label -> (what such a number looks like, its rule), the first shape that fits
_SCHEMES: dict[str, tuple[tuple[str, Callable[[str], bool]], ...]] = {
    "ISBN": ((r"\d{9}[\dX]", weighted_by_eleven), (r"97[89]\d{10}", weighted_by_three)),
    "ISSN": ((r"\d{7}[\dX]", weighted_by_eleven),),
    "EAN": ((r"\d{13}", weighted_by_three),),
    "IBAN": ((r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", by_ninety_seven),),
    "": ((r"\d{11,19}", luhn),),
}


def check(script: Script) -> Iterator[Placed]:
    """Every number that is called valid or invalid behind the name of its kind."""
    for passage in script.passages:
        if "valid" in passage.text:
            for match in _LABELLED.finditer(passage.text):
                yield from _judged(passage, match)


def _judged(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number = re.sub(r"[ -]", "", match["number"])
    schemes = _SCHEMES.get(match["label"][:4].rstrip("-"), _SCHEMES[""])
    rule = next((rule for shape, rule in schemes if re.fullmatch(shape, number)), None)
    if rule is None:
        return
    is_valid = rule(number)
    holds = is_valid is (match["denied"] is None)
    head = _SENTENCE.split(passage.text[max(0, match.start() - 80) : match.start()])[-1]
    if not holds and _DOUBT.search(head):
        return
    sentence = f"The check digit of {match['number']} is {'right' if is_valid else 'wrong'}."
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        checker=NAME,
        rule="a check digit",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={"read": match.group(), "rule": "a check digit"},
        grade=Grade.LIKELY,
    )
