"""Words in quotes: their order, their letters and the places of these in the alphabet, and whether it is as said.

"kitten" < "cider"; the second letter: "kitten": "i" (9); (2) ["abbey" ? "cbs"]: words that share a second letter.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.answers.notation import ORDINALS

_LETTER = re.compile(r'"([a-z][a-z&\' ]{0,29})": "([a-z])" \((\d{1,2})\)')
_NTH = re.compile(rf"\b({'|'.join(ORDINALS[:7])}) letters?:", re.IGNORECASE)
_LESS = re.compile(r'"([a-z]{1,30})"(?:\s*\(\d{1,3}\))?\s*(<|>)\s*(?:\(\d{1,3}\)\s*)?"([a-z]{1,30})"')
_GROUP = re.compile(r'\((\d{1,2})\) (?:\[((?:"[^"\n]{1,30}"(?: \? )?){2,20})\]|"([^"\n]{1,30})")(?= <|\.| for|,|$)')
_WORD = re.compile(r'"([^"\n]{1,30})"')
_SORTED = re.compile(r'(?:"[^"\n]{1,30}"|\["[^\]\n]{1,300}\])(?: < (?:"[^"\n]{1,30}"|\["[^\]\n]{1,300}\])){2,40}')
# a pair of quoted words, or a word with its letter
FEWEST_QUOTES = 4


@dataclass(frozen=True, slots=True)
class Saying:
    """What is said of sorted items from `start` to `end`, the fault that it has, or would have if it did not hold."""

    start: int
    end: int
    fault: str
    items: list[str]
    sentence: str
    holds: bool = False


def gives_places(text: str) -> bool:
    """Whether letters are given their places: where none is, (4) "costume" is the fourth word."""
    return bool(_LETTER.search(text))


def quoted_sayings(text: str, are_places: bool) -> Iterator[Saying]:
    """Pairs in order, letters of words, groups of words with one letter, words listed twice.

    >>> [saying.sentence for saying in quoted_sayings('"pear" < "apple"', False)]
    ['pear does not stand before apple in the alphabet.']
    """
    for match in _LESS.finditer(text):
        first, second = (match[1], match[3]) if match[2] == "<" else (match[3], match[1])
        stands = "stands" if first < second else "does not stand"
        sentence = f"{first} {stands} before {second} in the alphabet."
        yield Saying(*match.span(), "order", [first, second], sentence, first < second)
    yield from _letters(text)
    for match in _GROUP.finditer(text):
        yield from _group(match, are_places)
    for match in _SORTED.finditer(text):
        words = _WORD.findall(match.group())
        again = next((word for index, word in enumerate(words) if word in words[:index]), "")
        if again:
            yield Saying(*match.span(), "doubled", [again], f"{again} is listed twice.")


def _letters(text: str) -> Iterator[Saying]:
    """The second letter of "kitten" is "i", and i is the 9th letter."""
    headings = [(match.start(), ORDINALS.index(match[1].lower())) for match in _NTH.finditer(text)]
    for match in _LETTER.finditer(text):
        word, letter, number = match[1], match[2], match[3]
        rank = str(ord(letter) - ord("a") + 1)
        # a is the first letter: "e" (5)
        if rank != number:
            yield Saying(*match.span(), "place", [letter, number], f"The place of {letter} is {rank}, not {number}.")
        # the heading that stands last before the pair says which letter of the word is meant
        before = bisect_left(headings, (match.start(), 0))
        nth = headings[before - 1][1] if before else len(word)
        if nth < len(word) and word[nth] != letter:
            sentence = f"Letter {nth + 1} of {word} is {word[nth]}, not {letter}."
            yield Saying(*match.span(), "letter", [word, str(nth + 1), letter], sentence)


def _group(match: re.Match[str], are_places: bool) -> Iterator[Saying]:
    """(2) ["being" ? "widen"]: all words of a group have the second letter of the alphabet at one place."""
    words = _WORD.findall(match[2]) if match[2] else [match[3]]
    if not 1 <= int(match[1]) <= 26 or not (match[2] or are_places):
        return
    letter = chr(ord("a") + int(match[1]) - 1)
    if not any(all(word[at : at + 1] == letter for word in words) for at in range(max(map(len, words)))):
        sentence = f"{letter} ({match[1]}) stands at no place of all of these: {', '.join(words)}."
        yield Saying(*match.span(), "group", [letter, *words], sentence)
