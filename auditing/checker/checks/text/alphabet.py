"""Checker: words in alphabetical order, their letters and the places of these in the alphabet."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from auditing.checker.checks.text.swaps import stated
from auditing.checker.proofs.sortings import of_sorting
from auditing.checker.reading.passages import Passage, Placed, Script

_LETTER = re.compile(r'"([a-z][a-z&\' ]{0,29})": "([a-z])" \((\d{1,2})\)')
_NTH = re.compile(r"\b(first|second|third|fourth|fifth|sixth|seventh) letters?:", re.IGNORECASE)
_PLACES = "first second third fourth fifth sixth seventh".split()
_LESS = re.compile(r'"([a-z]{1,30})"(?:\s*\(\d{1,3}\))?\s*(<|>)\s*(?:\(\d{1,3}\)\s*)?"([a-z]{1,30})"')
_GROUP = re.compile(r'\((\d{1,2})\) (?:\[((?:"[^"\n]{1,30}"(?: \? )?){2,20})\]|"([^"\n]{1,30})")(?= <|\.| for|,|$)')
_WORD = re.compile(r'"([^"\n]{1,30})"')
_SORTED = re.compile(r'(?:"[^"\n]{1,30}"|\["[^\]\n]{1,300}\])(?: < (?:"[^"\n]{1,30}"|\["[^\]\n]{1,300}\])){2,40}')


def check(script: Script) -> Iterator[Placed]:
    """Pairs in order, letters of words, groups of words with one letter, words listed twice."""
    # where no letter is given its place, (4) "costume" is the fourth word
    are_places = any(_LETTER.search(passage.text) for passage in script.passages)
    for passage in script.passages:
        if passage.text.count('"') < 4:
            continue
        yield from _orders(passage)
        yield from _letters(passage)
        yield from _groups(passage, are_places)
        yield from _twice(passage)


def _groups(passage: Passage, are_places: bool) -> Iterator[Placed]:
    """(2) ["being" ? "widen"]: all words of a group have the second letter of the alphabet at one place."""
    for match in _GROUP.finditer(passage.text):
        words = _WORD.findall(match[2]) if match[2] else [match[3]]
        number = int(match[1])
        if not 1 <= number <= 26 or not (match[2] or are_places):
            continue
        letter = chr(ord("a") + number - 1)
        if not any(all(word[k : k + 1] == letter for word in words) for k in range(max(map(len, words)))):
            correction = f"not {letter} in all of {', '.join(words)}"
            proof = of_sorting(fault="group", category="word", among=(), items=[letter, *words])
            yield stated(passage, match.start(), match.end(), f"({number})", correction, "group", proof=proof)


def _twice(passage: Passage) -> Iterator[Placed]:
    for match in _SORTED.finditer(passage.text):
        words = _WORD.findall(match.group())
        again = next((word for index, word in enumerate(words) if word in words[:index]), "")
        if again:
            proof = of_sorting(fault="doubled", category="word", among=[again], items=[again])
            span = match.start(), match.end()
            yield stated(passage, *span, "listed twice", "listed once", f"word {again}", proof=proof)


def _letters(passage: Passage) -> Iterator[Placed]:
    """The second letter of "kitten" is "i", and i is the 9th letter."""
    places = [(match.start(), _PLACES.index(match[1].lower())) for match in _NTH.finditer(passage.text)]
    for match in _LETTER.finditer(passage.text):
        rank = ord(match[2]) - ord("a") + 1
        # a is the first letter: "e" (5)
        if str(rank) != match[3]:
            proof = of_sorting(fault="place", category="word", among=(), items=[match[2], match[3]])
            yield stated(passage, match.start(), match.end(), match[3], str(rank), f"place of {match[2]}", proof=proof)
        # the heading that stands last before the pair says which letter of the word is meant
        before = bisect_left(places, (match.start(), 0))
        nth = places[before - 1][1] if before else len(match[1])
        if nth < len(match[1]) and match[1][nth] != match[2]:
            proof = of_sorting(fault="letter", category="word", among=(), items=[match[1], str(nth + 1), match[2]])
            rule = f"letter of {match[1]}"
            yield stated(passage, match.start(), match.end(), match[2], match[1][nth], rule, proof=proof)


def _orders(passage: Passage) -> Iterator[Placed]:
    for match in _LESS.finditer(passage.text):
        holds = (match[1] < match[3]) if match[2] == "<" else (match[1] > match[3])
        sign = "<" if match[1] < match[3] else ">" if match[1] > match[3] else "="
        yield stated(
            passage,
            match.start(),
            match.end(),
            f"{match[1]} {match[2]} {match[3]}",
            f"{match[1]} {match[2] if holds else sign} {match[3]}",
            "order",
            proof=of_sorting(
                fault="order",
                category="word",
                among=(),
                items=[match[1], match[3]] if match[2] == "<" else [match[3], match[1]],
            ),
        )
