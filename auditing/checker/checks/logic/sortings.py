"""Checker: lists that a step calls sorted, against the items of the problem: lost, doubled, foreign, out of order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from string import ascii_lowercase

from auditing.checker.checks.logic.axes import ORDINAL, number_of
from auditing.checker.checks.logic.listings import Sorted, known_words, sorted_lists, speaks_of_another_key
from auditing.checker.checks.logic.plainness import is_set_apart
from auditing.checker.checks.logic.sentences import Sentence, is_hedged, sentences_of
from auditing.checker.checks.logic.sortables import Key, Task, find_task, is_before, key_of, pieces_of
from auditing.checker.findings import Grade, Verdict
from auditing.checker.proofs.sortings import of_sorting
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "sortings"
_WORD = r"[\"'“‘`]?(?P<{0}>[A-Za-z][A-Za-z'’]{{0,29}}?)[\"'”’`]?"
_PAIR = re.compile(
    rf"(?<![\w'’-])(?:the word |the letter )?{_WORD.format('a')} (?:(?:comes?|goes|is|stands|is sorted|is placed) "
    r"(?P<way>before|after)|(?P<precedes>precedes|follows)) (?:the word |the letter )?"
    rf"{_WORD.format('b')}(?=[.,;:)!]|$|\s(?:because|since|as|so|and|in (?:the )?alphabet\w*)\b)(?!['’-]\w)",
)
_LETTER = re.compile(
    rf"\bthe (?P<nth>{ORDINAL}) letter (?:of|in) (?:the word )?{_WORD.format('word')} is (?:an? |the letter )?"
    r"[\"'“‘`]?(?P<letter>[A-Za-z])\b(?!['’]\w)",
    re.IGNORECASE,
)
_NTH = re.compile(
    rf"\b(?:the )?(?P<nth>{ORDINAL}|last) (?:word|name|number|item|date|price|element)s?,? "
    r"(?:in|when|after|of) [^.:\n]{0,30}?"
    r"\b(?:alphabetical(?:ly)?|sorted|ascending|chronological)\b(?: order| list)?[^.:,\n]{0,15}? is:? \W{0,3}"
    r"(?P<item>[-$\w][\w.'’-]{0,29}?)(?=\W{0,3}(?:[.,;]\s|\.?$|\n))",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[-−$]{0,2}\w[\w.,'’-]{0,29}(?<![.,])")
_BY_LETTERS = re.compile(r"letter|alphabet")
_OF_SAYINGS = frozenset(ascii_lowercase) | {"before", "after", "precedes", "follows", "stands", "placed"}
_IN_FRAME = re.compile(r"\b(?:without|among|of those|from the|order after|input|currently)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\b(?:original|given|input|initial)\b|\bin the list\b", re.IGNORECASE)
# of so many items of the problem a list holds some, or it is another list
ENOUGH = 0.6


def check(script: Script) -> Iterator[Placed]:
    """Lists that are said to be sorted, pairs of words, letters of words, the n-th of a sorted list."""
    task = find_task(script.problem.text)
    # a bare list of words is sorted by letters only where a step says so
    if task is None or not (task.is_asked or _BY_LETTERS.search(script.lower)):
        return
    is_doubtful = script.is_in_another_script or not task.is_plain
    told = script.problem.text.lower()
    parts: set[frozenset[Key | None]] = set()
    for passage in script.passages:
        text = passage.text[:8_000]
        parts_here = [(one.start + len(one.text), _named(one.text, task)) for one in sentences_of(text)]
        for listed in sorted_lists(text, task):
            grade = Grade.LIKELY if is_doubtful or not listed.is_certain else Grade.CERTAIN
            # who named these very items before sorts a part: "The negatives are -7 and -2. In order: ..."
            named = _keys(listed.items, task)
            is_part = named in parts or any(items == named for end, items in parts_here if end <= listed.start)
            whole = replace(listed, is_whole=listed.is_whole and not is_part)
            yield from _judged(passage, whole, task, told, grade)
        grade = Grade.LIKELY if is_doubtful else Grade.CERTAIN
        parts.update(items for _, items in parts_here)
        is_doubtful = is_doubtful or speaks_of_another_key(text, task) < len(text)
        if task.category == "word" or task.is_asked:
            yield from _sayings(passage, task, grade)
        told += " " + passage.lower


def _keys(items: Iterable[str], task: Task) -> frozenset[Key | None]:
    return frozenset(key_of(entry, task.category) for entry in items)


def _named(text: str, task: Task) -> frozenset[Key | None]:
    """The items of the problem that a sentence names."""
    return _keys(pieces_of(text) + _ITEM.findall(text), task) & _keys(task.items, task)


def _judged(passage: Passage, listed: Sorted, task: Task, told: str, grade: Grade) -> Iterator[Placed]:
    """The first fault of one list."""
    belonging = [entry for entry in listed.items if task.find(entry)]
    if len(belonging) < 2 or len(belonging) < ENOUGH * len(listed.items):
        return
    fault = _disorder(listed, task) or _strange(listed, task, told) or _doubled(listed, task) or _lost(listed, task)
    if fault is None:
        return
    name, items, sentence = fault
    yield _placed(passage, listed.start, listed.end, name, items, sentence, task, grade)


Fault = tuple[str, list[str], str]


def _disorder(listed: Sorted, task: Task) -> Fault | None:
    if listed.is_up is None:
        return None
    for first, second in pairwise(listed.groups):
        for a in first:
            for b in second:
                pair = (a, b) if listed.is_up else (b, a)
                if task.find(a) and task.find(b) and is_before(pair[1], pair[0], task.category):
                    return "order", [*pair], f"{a} does not stand before {b} in this order."
    return None


def _strange(listed: Sorted, task: Task, told: str) -> Fault | None:
    for entry in listed.items:
        key = key_of(entry, task.category)
        if key is not None and not task.find(entry) and entry.lower() not in told and len(listed.items) > 2:
            return "stranger", [entry], f"{entry} is not among what is sorted."
    return None


def _doubled(listed: Sorted, task: Task) -> Fault | None:
    due = Counter(key_of(entry, task.category) for entry in task.items)
    counts = Counter(key_of(entry, task.category) for entry in listed.items)
    for entry in listed.items:
        key = key_of(entry, task.category)
        if task.find(entry) and counts[key] > due[key]:
            return (
                "doubled",
                [entry],
                f"{entry} stands there {counts[key]} times, and {due[key]} times in what is sorted.",
            )
    return None


def _lost(listed: Sorted, task: Task) -> Fault | None:
    due = Counter(key_of(entry, task.category) for entry in task.items)
    counts = Counter(key_of(entry, task.category) for entry in listed.items)
    if not listed.is_whole or sum((due & counts).values()) <= ENOUGH * len(task.items):
        return None
    # a word that was copied wrongly before stands for the lost one: its copy was the fault
    strangers = [entry for entry in listed.items if not task.find(entry)]
    lost = [entry for entry in task.items if counts[key_of(entry, task.category)] < due[key_of(entry, task.category)]]
    return ("lost", lost[:1], f"{lost[0]} is missing in it.") if len(lost) > len(strangers) else None


def _sayings(passage: Passage, task: Task, due: Grade) -> Iterator[Placed]:
    # "b comes before c": letters are words here
    known = known_words(task) | _OF_SAYINGS
    for sentence in sentences_of(passage.text[:8_000]):
        text = sentence.text
        if is_hedged(text) or _ELSEWHERE.search(text):
            continue

        def grade(match: re.Match[str], sentence: Sentence = sentence) -> Grade:
            """What is given as a reason behind a saying changes nothing."""
            until = Sentence(sentence.text[: match.end()], sentence.start)
            is_apart = is_set_apart(passage.text, until, sentence.text[: match.start()], known)
            return Grade.LIKELY if is_apart or _IN_FRAME.search(until.text) else due

        for match in (
            _PAIR.finditer(text) if task.category == "word" and task.direction == "up" and task.is_asked else ()
        ):
            is_after = match["way"] == "after" or match["precedes"] == "follows"
            pair = [match["b"], match["a"]] if is_after else [match["a"], match["b"]]
            are_known = all(map(task.find, pair)) or all(len(word) == 1 and word.islower() for word in pair)
            if are_known and is_before(pair[1], pair[0], "word"):
                told = f"{pair[1]} stands before {pair[0]} in the alphabet."
                yield _said(passage, sentence.start, match, "order", pair, told, task, grade(match))
        for match in _LETTER.finditer(text):
            yield from _letter(passage, sentence.start, match, task, grade(match))
        for match in _NTH.finditer(text) if task.is_asked else ():
            yield from _nth(passage, sentence.start, match, task, grade(match))


def _letter(passage: Passage, offset: int, match: re.Match[str], task: Task, grade: Grade) -> Iterator[Placed]:
    word, number, letter = match["word"], number_of(match["nth"]), match["letter"].lower()
    if task.find(word) and (number >= len(word) or word[number].lower() != letter):
        truth = word[number].lower() if number < len(word) else "missing"
        told = f"Letter {number + 1} of {word} is {truth}, not {letter}."
        yield _said(passage, offset, match, "letter", [word, str(number + 1), match["letter"]], told, task, grade)


def _nth(passage: Passage, offset: int, match: re.Match[str], task: Task, grade: Grade) -> Iterator[Placed]:
    ordered = _ordered(task)
    number = len(ordered) - 1 if match["nth"].lower() == "last" else number_of(match["nth"])
    entry = task.find(match["item"])
    if not entry or not ordered or number >= len(ordered) or task.direction != "up":
        return
    if key_of(ordered[number], task.category) != key_of(entry, task.category):
        told = f"In order, number {number + 1} is {ordered[number]}, not {entry}."
        yield _said(passage, offset, match, "nth", [match["item"], str(number + 1)], told, task, grade)


def _ordered(task: Task) -> list[str]:
    """The items in ascending order; empty where two of them have no order."""
    if any(is_before(a, b, task.category) is None for a, b in combinations(task.items, 2)):
        return []
    # where no pair is open, an entry stands behind as many as are before it
    return sorted(
        task.items, key=lambda entry: sum(is_before(rival, entry, task.category) is True for rival in task.items)
    )


def _said(
    passage: Passage,
    offset: int,
    match: re.Match[str],
    fault: str,
    items: list[str],
    told: str,
    task: Task,
    grade: Grade,
) -> Placed:
    return _placed(passage, offset + match.start(), offset + match.end(), fault, items, told, task, grade)


def _placed(
    passage: Passage, start: int, end: int, fault: str, items: list[str], sentence: str, task: Task, grade: Grade
) -> Placed:
    line = passage.text[start:end]
    proof = of_sorting(fault=fault, category=task.category, among=task.items, items=items)
    return place(
        passage=passage,
        start=start,
        end=end,
        checker=NAME,
        rule="sorting",
        sentence=sentence,
        details={"said": " ".join(line.split())[:300], "rule": "sorting", "line": line}
        | {"evidence_latex": rf"\text{{{sentence}}}", **proof},
        verdict=Verdict.REFUTED,
        grade=grade,
    )
