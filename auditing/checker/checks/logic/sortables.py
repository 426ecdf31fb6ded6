"""Items that can be sorted (words, numbers, dates), their keys, and the list that a problem gives to be sorted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache

from auditing.checker.answers.calendar import MONTHS
from auditing.checker.checks.logic.plainness import PLAIN, is_plain

Key = str | Fraction | date
MOST_ITEMS = 60
_NUMBER = re.compile(r"\$?([-−]?\d{1,15}(?:,\d{3})*(?:\.\d{1,10})?)")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_SPELLED = re.compile(rf"({'|'.join(MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)? ({'|'.join(MONTHS)}),? (\d{{4}})", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z](?:[A-Za-z'’-]{0,28}[A-Za-z])?")
_BARE_WORDS = re.compile(r"\s{0,9}[a-z][a-z']{0,29}(?:\s{1,3}[a-z][a-z']{0,29}){2,59}\s{0,9}")
# a text without all of these asks for no order
_WORDS = "sort alphabet ascending descending increasing decreasing chronologic order rank arrange".split()
_ASKS = re.compile(
    r"\b(?:sort|arrange|order|rank|put|alphabeti[sz]e|list|write|place)\b|\b(?:alphabetical|ascending|descending|"
    r"chronological|sorted) order\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:alphabeti\w+|ascending|descending|increasing|decreasing|chronologic\w+|sort|sorting|by date|"
    r"(?:smallest|lowest|least|largest|highest|greatest|biggest|earliest|oldest|newest|latest|cheapest) to)\b",
    re.IGNORECASE,
)
DOWN = re.compile(
    r"\b(?:descending|decreasing|revers\w*|(?:largest|highest|greatest|biggest|latest|newest|most recent) to|"
    r"from (?:the )?(?:largest|highest|greatest|biggest|latest|newest)|z to a|backwards?)\b",
    re.IGNORECASE,
)
UP = re.compile(
    r"\b(?:ascending|increasing|(?:smallest|lowest|least|earliest|oldest) to|"
    r"from (?:the )?(?:smallest|lowest|least|earliest|oldest)|a to z)\b",
    re.IGNORECASE,
)
# sorted by anything else than themselves
_OTHER_KEYS = re.compile(
    r"\b(?:length|number of|by (?:their )?(?:last|second|third|size|weight|age|price|frequency|suit|rank)|syllable|"
    r"vowel|topological|absolute|distance|priority|last letter|surname|last name)\w*\b",
    re.IGNORECASE,
)
# "sort these animals from smallest to largest", "sort the months": words have other orders than the alphabet
_BY_LETTERS = re.compile(
    r"\b(?:alphabet\w*|lexicograph\w*|dictionary|(?:following |these |the |of )words|a (?:to|-) z)\b", re.IGNORECASE
)
# a task in other words than these may ask for more than an order ("remove duplicates", "version numbers")
_OF_TASKS = frozenset(
    "sort arrange order rank put write list place alphabetize alphabetise sorted sorting arranged ordered following "
    "alphabetical alphabetically alphabet ascending descending increasing decreasing chronological chronologically "
    "reverse smallest largest lowest highest least greatest biggest earliest latest oldest newest cheapest expensive "
    "most recent items item names name numbers number integers decimals values value dates date events prices price "
    "amounts terms elements array sequence animals fruits animal fruit cities countries students colors colours "
    "temperatures scores years using use bubble merge insertion selection quick heap algorithm please only when they "
    "written words word list lists entries sets collection show work steps".split()
)
_CALENDAR = frozenset((*MONTHS, *"monday tuesday wednesday thursday friday saturday sunday".split()))
_BRACKETS = re.compile(r"\[([^\[\]\n]{3,2000})\]")
_AFTER_COLON = re.compile(r":\s{0,3}((?:[^:.\n]|\.(?=\d)|(?<=\d)\.(?=\s\d)){5,2000})(?:[.\n]|$)")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be sorted: items as they are written, their common kind, and the direction if it is said."""

    items: tuple[str, ...]
    category: str
    direction: str
    # whether the problem says that they are to be sorted; a bare list of words leaves it to the steps
    is_asked: bool
    # whether it asks for nothing but the order
    is_plain: bool = True

    def find(self, text: str) -> str:
        """The item that a text writes, in whatever case; empty where it is none."""
        key = key_of(text, self.category)
        return "" if key is None else next((entry for entry in self.items if key_of(entry, self.category) == key), "")


@lru_cache(maxsize=4096)
def key_of(text: str, category: str) -> Key | None:
    """What an item is compared by; None where it is no item of this kind.

    >>> key_of("$1,200", "number"), key_of("Star", "word"), key_of("June 1, 1998", "date")
    (Fraction(1200, 1), 'star', datetime.date(1998, 6, 1))
    """
    if category == "number":
        match = _NUMBER.fullmatch(text)
        return Fraction(match[1].replace(",", "").replace("−", "-")) if match else None
    if category == "word":
        return text.lower().replace("’", "'") if _WORD.fullmatch(text) else None
    iso, spelled, day_first = (pattern.fullmatch(text) for pattern in (_ISO, _SPELLED, _DAY_FIRST))
    try:
        if iso:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if day_first:
            return date(int(day_first[3]), MONTHS.index(day_first[2].lower()) + 1, int(day_first[1]))
        return date(int(spelled[3]), MONTHS.index(spelled[1].lower()) + 1, int(spelled[2])) if spelled else None
    except ValueError:
        return None


def is_before(first: str, second: str, category: str) -> bool | None:
    """Whether one item stands before another in ascending order; None where that is open or they are equal.

    Hyphens and apostrophes are sorted in several ways, and so are capitals: only letters decide.

    >>> is_before("star", "starfish", "word"), is_before("we'll", "well", "word"), is_before("9", "10", "number")
    (True, None, True)
    """
    left, right = key_of(first, category), key_of(second, category)
    if left is None or right is None or left == right:
        return None
    if not (isinstance(left, str) and isinstance(right, str)):
        return bool(left < right)  # type: ignore[operator]
    pair = next(((a, b) for a, b in zip(left, right, strict=False) if a != b), None)
    if pair is None:
        return len(left) < len(right) if (left + right).isalpha() else None
    is_plain = "".join(pair).isalpha() and first[:1].isupper() == second[:1].isupper()
    return pair[0] < pair[1] if is_plain else None


def pieces_of(text: str) -> list[str]:
    """The members of a list, by semicolons, commas, lines or blanks, without quotes, bullets and numbers."""
    separator = r";" if ";" in text else r",(?!\d{3}(?!\d))|\n" if "," in text or "\n" in text else r"\s+"
    if "," in text and _SPELLED.search(text) and ";" not in text:
        separator = r"(?<=\d{4}),"
    pieces = [
        re.sub(r"^(?:and|then)\s+", "", piece.strip(), flags=re.IGNORECASE) for piece in re.split(separator, text)
    ]
    # "8.5, 19 and 42"
    pieces = [member for piece in pieces for member in re.split(r"\s(?:and|then)\s", piece)]
    cleaned = [
        re.sub(r"^(?:\d{1,2}[.)]|[-*•])\s+|\s+\([a-z]\)$", "", piece).strip(" \t*_\"'“”‘’`$.!") for piece in pieces
    ]
    money = [
        "$" + piece if "$" in original and piece[:1].isdigit() else piece
        for piece, original in zip(cleaned, pieces, strict=True)
    ]
    return [piece for piece in money if piece]


@lru_cache(maxsize=4)
def find_task(problem: str) -> Task | None:
    """The list that a problem gives to be sorted; None where it is not plain."""
    if _BARE_WORDS.fullmatch(problem):
        return _task(problem.split(), "up", is_asked=False)
    lowered = problem.lower()
    if not (len(problem) < 6_000 and any(word in lowered for word in _WORDS)) or _OTHER_KEYS.search(problem):
        return None
    if not (_ASKS.search(problem) and _ORDER.search(problem)):
        return None
    is_down, is_up = bool(DOWN.search(problem)), bool(UP.search(problem))
    direction = "down" if is_down and not is_up else "" if is_down else "up"
    listed = _BRACKETS.findall(problem) or [
        match for match in _AFTER_COLON.findall(problem) if len(pieces_of(match)) > 2
    ]
    task = _task(pieces_of(listed[-1]), direction, is_asked=True) if len(listed) == 1 else None
    if task is not None:
        task = replace(task, is_plain=is_plain(problem.replace(listed[-1], " "), PLAIN | _OF_TASKS))
    if task is not None and task.category == "word" and not _is_by_letters(problem, task.items):
        return replace(task, direction="")
    return task


def _is_by_letters(problem: str, items: tuple[str, ...]) -> bool:
    is_said = bool(re.search("alphabet", problem, re.IGNORECASE))
    names_of_days = _CALENDAR.intersection(map(str.lower, items))
    return is_said or bool(_BY_LETTERS.search(problem) and not names_of_days and not DOWN.search(problem))


def _task(pieces: list[str], direction: str, *, is_asked: bool) -> Task | None:
    if not 3 <= len(pieces) <= MOST_ITEMS:
        return None
    for category in ("number", "date", "word"):
        if all(key_of(piece, category) is not None for piece in pieces):
            return Task(tuple(pieces), category, direction, is_asked)
    return None
