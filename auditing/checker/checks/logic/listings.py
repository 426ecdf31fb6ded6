"""Lists of a step that are said to be sorted: "a < [b ? c] < d", "Sorted: a, b, c", "[1, 2, 3]", numbered lines."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from auditing.checker.checks.logic.plainness import PLAIN, is_denied, is_plain, words_of
from auditing.checker.checks.logic.sentences import sentences_of
from auditing.checker.checks.logic.sortables import DOWN, UP, Task, key_of, pieces_of

_SIGN = re.compile(r"\s{0,3}(<|≤|>|≥|→|->)\s{0,3}")
_RANK = re.compile(r"^\(\d{1,2}\)\s*")
_GROUP = r"\[[^\[\]\n]{1,900}\]"
_ATOM = r"(?:\"[^\"\n]{1,30}\"|“[^”\n]{1,30}”|[A-Z][a-z]{2,8} \d{1,2}, \d{4}|[-−$]{0,2}[\w$][\w.'’$-]{0,29})"
_HEAD = re.compile(rf"(?:\(\d{{1,2}}\)\s)?(?:{_GROUP}|{_ATOM})$")
_TAIL = re.compile(rf"(?:\(\d{{1,2}}\)\s)?(?:{_GROUP}|{_ATOM})")
_CUE = re.compile(
    r"\b(?:sort(?:ed|ing)\b|alphabet\w+|ascending|descending|increasing|decreasing|order\w*|chronolog\w+|"
    r"ranking|ranked|"
    r"final (?:answer|list|result|order)|the answer|"
    r"answer\s?:|(?:largest|highest|greatest|smallest|lowest|least|earliest|oldest) to\b)",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:have|sorted|final\w*|order|answer|list|get)\b", re.IGNORECASE)
# what is said of a part, of another list, of a list on its way, or of nothing yet
_PART = re.compile(
    r"\b(?:sub-?\w*|parts?|so far|first|begin\w*|start\w*|last|top|remaining|left|right|half|halves|among|within|"
    r"unique|distinct|duplicates?|group\w*|for the|pass|unsorted|original\w*|given|initial\w*|before|next|would|if|"
    r"to be|need|letters?|step|swap\w*|compare|pivot|insert\w*|merg\w*|some|not|n['’]t|instead|wrong|incorrect\w*|"
    r"without|only|excluding|should|could|can|let|we will|to sort|want|partial\w*|maybe|perhaps|suppose|options?|"
    r"other|both|each|input|list (?:is|of) (?:words|numbers))\b|\?|…|\.\.\.",
    re.IGNORECASE,
)
# "sorted by length": another order than the one that is known
_OTHER_KEY = re.compile(
    r"\bby (?:(?:their|the|its) )?(?!(?:their|the|its|alphabet\w*|first|letters?|names?|values?|dates?|"
    r"\w+ing)\b)[a-z]+|"
    r"\b(?:length|frequency|priority|absolute|as (?:strings?|text|words)|lexicograph\w*|revers\w*)\b",
    re.IGNORECASE,
)
# the words that may stand around a list in the order that the problem asks for
_OF_ORDER = frozenset(
    "sort sorted sorting alphabetize alphabetized alphabetise alphabetised alphabetical alphabetically alphabet "
    "ascending descending increasing decreasing chronological chronologically chronology ordered arranged arranging "
    "smallest largest lowest highest least greatest biggest earliest latest oldest newest cheapest most expensive "
    "numbers number numerical numerically value values list lists subpart group words word looking letter letters "
    "comparing compared names dates events prices items elements terms sequence array output final finally result all "
    "following combined together entire whole correctly properly correct normal usual overall these them below "
    "ranked arrange after i".split()
)
# "now the order is" a list on its way; "we now have: a < b" is one that stays
_ON_ITS_WAY = re.compile(
    r"\bafter (?!(?:alphabet|sort|order|arrang)\w+)|\bnow (?:is|are|the|reads)\b|\b(?:is|have) now\b|"
    r"\bnow have (?:the|an?)\b",
    re.IGNORECASE,
)
# "the four largest in order", "all but the smallest": a part of the list
_SELECTS = re.compile(
    r"\bbut (?:the|one|two)\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:of|most|(?:small|"
    r"larg|low|high|great|"
    r"bigg|earli|lat|old|new|cheap)\w*est|least)\b|\b(?:for|from) (?:these|those|the) (?!\w+ to\b|subpart)\w+",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\[([^\[\]\n<>]{5,2000})\]")
_OPENS = re.compile(r"(?::\**|\bis\b|\bare\b)\s{0,3}")
_NAMED_BEHIND = re.compile(r"^\s?(?P<list>[^.:\n]{5,900}?) is (?:the|their|in) (?:alphabetical|sorted|correct) order\b")
_FIRST_THEN = re.compile(r"^(?P<list>[^.:\n,]{1,40} comes first(?:, (?:and )?then [^.:\n,]{1,40}){2,40})")
_LINE = re.compile(r"^[^\w\n]{0,4}(\d{1,2})[.)]\s(?P<item>[^\n]{1,40})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sorted:
    """Groups of items in the order that a text gives them, whether they ascend, and whether none may be missing."""

    groups: tuple[tuple[str, ...], ...]
    is_up: bool | None
    is_whole: bool
    start: int
    end: int
    is_certain: bool = True

    @property
    def items(self) -> list[str]:
        """All items in a row."""
        return [entry for group in self.groups for entry in group]


def sorted_lists(text: str, task: Task) -> Iterator[Sorted]:
    """Every list of a passage that is said to be in order; beside other words than those of the order it is a doubt."""
    other_key = speaks_of_another_key(text, task)
    for sentence in sentences_of(text):
        lists = _chain if _SIGN.search(sentence.text) else _lists if task.is_asked or '"' not in sentence.text else None
        behind = text[sentence.start + len(sentence.text) :][:80]
        for listed in lists(sentence.text, sentence.start, task) if lists else ():
            around = text[sentence.start : listed.start] + " " + text[listed.end : sentence.start + len(sentence.text)]
            is_certain = listed.start < other_key and _is_plain(around, task) and not is_denied(behind)
            yield replace(listed, is_certain=listed.is_certain and is_certain)
    for listed in _numbered(text, task):
        is_certain = listed.start < other_key and _is_plain(text[: listed.start], task)
        yield replace(listed, is_certain=listed.is_certain and is_certain)


def speaks_of_another_key(text: str, task: Task) -> int:
    """Where a passage begins to speak of another order ("by length", "in reverse"); its length where it does not."""
    starts = (
        match.start()
        for match in _OTHER_KEY.finditer(text)
        if not (task.direction == "down" and match.group().lower().startswith("revers"))
    )
    return next(starts, len(text))


@lru_cache(maxsize=4)
def known_words(task: Task) -> frozenset[str]:
    """The words that may stand in a sentence about the order that a task asks for, with its items."""
    of_task = _OF_ORDER if task.direction != "down" else _OF_ORDER | {"reverse"}
    return of_task | PLAIN | {word for entry in task.items for word in words_of(entry)}


def _is_plain(around: str, task: Task) -> bool:
    if not is_plain(around, known_words(task)) or _ON_ITS_WAY.search(around) or _SELECTS.search(around):
        return False
    # numbers and dates have names with an alphabetical order, too
    return task.category == "word" or not re.search(r"alphabet|\bnames?\b|letter", around, re.IGNORECASE)


def _chain(text: str, offset: int, task: Task) -> Iterator[Sorted]:
    signs = list(_SIGN.finditer(text))
    kinds = {sign[1].replace("->", "→").replace("≤", "<").replace("≥", ">") for sign in signs}
    head, tail = _HEAD.search(text[: signs[0].start()]), _TAIL.match(text, signs[-1].end())
    if len(kinds) != 1 or head is None or tail is None:
        return
    middle = [text[a.end() : b.start()] for a, b in itertools.pairwise(signs)]
    groups = tuple(_group(piece) for piece in (head.group(), *middle, tail.group()))
    sign = kinds.pop()
    # of words "a > b" may be an arrow; of numbers it is none
    is_up = (sign == "<") if task.category != "word" and sign != "→" else _way(task)
    if sign == "<" and task.category == "word":
        is_up = task.direction == "up" or None
    around = text[: head.start()] + " " + text[tail.end() :]
    if _OTHER_KEY.search(around):
        is_up = None
    is_whole = bool(_WHOLE.search(around)) and not _PART.search(around)
    yield Sorted(
        groups,
        None if sign == ">" and task.category == "word" else is_up,
        is_whole,
        offset + head.start(),
        offset + tail.end(),
    )


def _way(task: Task) -> bool | None:
    return {"up": True, "down": False}.get(task.direction)


def _group(piece: str) -> tuple[str, ...]:
    bare = _RANK.sub("", piece.strip()).strip()
    if bare.startswith("["):
        return tuple(member.strip(" \"'“”") for member in re.split(r"\s\?\s|,(?!\d{3}(?!\d))", bare[1:-1]))
    return (bare.strip('"“”').rstrip(".,"),)


def _lists(text: str, offset: int, task: Task) -> Iterator[Sorted]:
    for pattern in (_NAMED_BEHIND, _FIRST_THEN):
        match = pattern.search(text)
        if match and not _PART.search(text[match.end() :]):
            listed = match["list"].replace(" comes first", "").replace(", then", ",")
            if pattern is _FIRST_THEN or not _PART.search(text):
                yield from _listed(listed, "sorted", offset + match.start("list"), offset + match.end("list"), task)
                return
    brackets = _BRACKETS.search(text)
    opens = list(_OPENS.finditer(text))
    start, end = brackets.span(1) if brackets else (opens[-1].end() if opens else 0, len(text))
    before, after = text[:start], text[end:] if brackets else ""
    if not start or not _CUE.search(before) or _PART.search(before + " " + after) or "…" in text or "..." in text:
        return
    yield from _listed(text[start:end], before, offset + start, offset + end, task)


def _listed(listed: str, before: str, start: int, end: int, task: Task) -> Iterator[Sorted]:
    pieces = pieces_of(listed)
    if len(pieces) < 3 or not all(key_of(piece, task.category) is not None for piece in pieces):
        return
    is_down, is_up = bool(DOWN.search(before)), bool(UP.search(before))
    by_letters = "alphabet" in before.lower()
    # in a task that goes down, the alphabetical order may be the other one; words have more orders than one
    is_open = (by_letters and task.direction == "down" and not is_down) or bool(_OTHER_KEY.search(before))
    is_open = is_open or (task.category == "word" and not task.direction and not by_letters)
    ascends: bool | None = None
    if not is_open and not (is_down and is_up):
        ascends = not is_down if is_down or is_up or by_letters else _way(task)
    yield Sorted(tuple((piece,) for piece in pieces), ascends, True, start, end)


def _numbered(text: str, task: Task) -> Iterator[Sorted]:
    lines = list(_LINE.finditer(text))
    pieces = [next(iter(pieces_of(line["item"])), "") for line in lines]
    is_list = len(lines) > 2 and [line[1] for line in lines] == [str(number + 1) for number in range(len(lines))]
    # numbered as the problem lists them, they are not sorted yet
    if not is_list or tuple(pieces) == task.items or not all(map(task.find, pieces)):
        return
    before = text[: lines[0].start()]
    is_called_so = bool(_CUE.search(before)) and not _PART.search(before)
    groups = tuple((piece,) for piece in pieces)
    yield Sorted(groups, _way(task), is_called_so, lines[0].start(), lines[-1].end(), is_called_so)
