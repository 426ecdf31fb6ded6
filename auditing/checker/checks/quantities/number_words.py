"""Whole numbers in words below a thousand: "seventeen", "twenty-three", "one hundred and five"."""

from __future__ import annotations

from auditing.checker.answers.notation import SMALL, TENS

_VALUES = {name: value for value, name in enumerate(SMALL)} | {
    name: 10 * (value + 2) for value, name in enumerate(TENS)
}
_DIGIT = "|".join(SMALL[1:10])
_BELOW_HUNDRED = rf"(?:{'|'.join(TENS)})(?:[- ](?:{_DIGIT}))?|{'|'.join(sorted(SMALL, key=len, reverse=True))}"
NUMBER_WORDS = rf"\b(?:(?:{_DIGIT}|a)\shundred(?:\s(?:and\s)?(?:{_BELOW_HUNDRED}))?|{_BELOW_HUNDRED})\b"


def word_value(text: str) -> int:
    """The number that words say; raises KeyError for a word that is none.

    >>> word_value("twenty-three"), word_value("one hundred and five")
    (23, 105)
    """
    total = 0
    for word in text.lower().replace("-", " ").split():
        if word == "hundred":
            total = max(total, 1) * 100
        elif word not in ("and", "a"):
            total += _VALUES[word]
    return total
