"""A phrase as it is read: its words, how far they are read, and what is known of the sort so far."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditing.checker.answers.notation import UP_TO_TWELVE
from auditing.checker.checks.number_sorts.sorts import Test

MOST_WORDS, MOST_DIGITS = 30, 12
_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+|[a-z]+(?:-[a-z]+)*|\S")
_MARKS = re.compile(r"\\[()\[\]]|\$|\\,")
KINDS: dict[str, Test] = {
    "even": ("multiple", 2),
    "odd": ("no multiple", 2),
    "prime": ("prime",),
    "composite": ("composite",),
}
DENIED = {
    "multiple": "no multiple",
    "no multiple": "multiple",
    "prime": "no prime",
    "square": "no square",
    "cube": "no cube",
}
# words that change nothing
SKIPPED = frozenset(("the", "all", "different", "distinct", "unique", "exactly"))


class UnknownWordError(LookupError):
    """A word that is not read here."""


@dataclass(slots=True)
class Words:
    """The words of a phrase and how far they are read."""

    texts: Sequence[str]
    at: int = 0

    @property
    def next(self) -> str:
        """The word that comes next; nothing behind the last one."""
        return self.ahead(0)

    def ahead(self, steps: int) -> str:
        """The word some steps further on."""
        return self.texts[self.at + steps] if self.at + steps < len(self.texts) else ""

    def take(self, *phrases: str) -> bool:
        """Whether one of these phrases comes next; it is read then."""
        for phrase in phrases:
            words = phrase.split()
            if list(self.texts[self.at : self.at + len(words)]) == words:
                self.at += len(words)
                return True
        return False

    def is_number(self) -> bool:
        """Whether a whole number comes next."""
        return self.next.replace(",", "").isdigit()

    def number(self) -> int:
        """The whole number that comes next."""
        digits = self.next.replace(",", "")
        if not digits.isdigit() or len(digits) > MOST_DIGITS:
            raise UnknownWordError
        self.at += 1
        return int(digits)

    def numbers(self, *joints: str) -> tuple[int, ...]:
        """2, or 2 and 3, or 2, 3 and by 5."""
        numbers = [self.number()]
        while self.next in (*joints, ","):
            mark = self.at
            self.take(",")
            self.take(*joints)
            self.take("by", "of")
            if not self.is_number():
                self.at = mark
                break
            numbers.append(self.number())
        return tuple(numbers)


@dataclass(slots=True)
class Described:
    """What is known of a sort: several lower and upper ends where the words leave them open."""

    lows: set[int] = field(default_factory=set)
    highs: set[int] = field(default_factory=set)
    tests: list[Test] = field(default_factory=list)
    is_positive: bool = False
    may_have_zero: bool = True
    is_common: bool = False
    is_proper: bool = False
    is_bare: bool = True  # "numbers" alone may be negative, or no whole numbers
    first: int = 0

    def without_negatives(self, *, zero: bool) -> None:
        """Positive numbers; with the zero where one may think of it."""
        self.is_positive, self.is_bare = True, False
        self.may_have_zero &= zero

    def below(self, end: int) -> None:
        """No number above this one."""
        self.highs = {min(end, high) for high in self.highs} or {end}

    def above(self, end: int) -> None:
        """No number below this one."""
        self.lows = {max(end, low) for low in self.lows} or {end}
        self.is_bare = False


def words_of(phrase: str) -> Words | None:
    """The words of a phrase, marks of formulas left out; None where there are none or too many."""
    texts = _WORD.findall(_MARKS.sub(" ", phrase.lower()))
    return Words(texts) if 0 < len(texts) <= MOST_WORDS else None


def count_in(word: str) -> int:
    """A small number in digits or in a word; 0 where it is none.

    >>> count_in("eight"), count_in("20"), count_in("many")
    (8, 20, 0)
    """
    if word.isdigit() and len(word) <= 4:
        return int(word)
    return UP_TO_TWELVE.index(word) if word in UP_TO_TWELVE else 0
