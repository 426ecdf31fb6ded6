"""Checker: lists that a step calls sorted, against the items of the problem: lost, doubled, foreign, out of order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, repeat
from string import ascii_lowercase

from auditing.checker.checks.logic.axes import ORDINAL, number_of
from auditing.checker.checks.logic.listings import Sorted, known_words, sorted_lists, speaks_of_another_key
from auditing.checker.checks.logic.plainness import is_set_apart
from auditing.checker.checks.logic.quoted import FEWEST_QUOTES, Saying, gives_places, quoted_sayings
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
    is_read = task is not None and (task.is_asked or bool(_BY_LETTERS.search(script.lower)))
    by_task = _by_task(script, task) if task is not None and is_read else repeat([])
    quoting = [passage for passage in script.passages if _has_quotes(passage)]
    are_places = any(gives_places(passage.text) for passage in quoting)
    # words in quotes are read in every task, but not in every language
    due = Grade.LIKELY if quoting and script.is_in_another_language else Grade.CERTAIN
    for passage, placed in zip(script.passages, by_task, strict=False):
        yield from placed
        refuted = [(fault.start, fault.end) for fault in placed if fault.finding.accuses]
        for saying in quoted_sayings(passage.text, are_places) if _has_quotes(passage) else ():
            start, end = passage.start + saying.start, passage.start + saying.end
            # a list that is refuted for certain is not refuted again by two of its words
            if saying.holds or not any(start < until and begin < end for begin, until in refuted):
                among = saying.items if saying.fault == "doubled" else []
                yield _placed(passage, saying, "word", among, due)


def _has_quotes(passage: Passage) -> bool:
    return passage.text.count('"') >= FEWEST_QUOTES


def _by_task(script: Script, task: Task) -> Iterator[list[Placed]]:
    """For each passage what is false of the order that the problem asks for."""
    is_doubtful = script.is_in_another_script or not task.is_plain
    told = script.problem.text.lower()
    parts: set[frozenset[Key | None]] = set()
    for passage in script.passages:
        placed: list[Placed] = []
        text = passage.text[:8_000]
        sentences = sentences_of(text)
        parts_here = [(sentence.start + len(sentence.text), _named(sentence.text, task)) for sentence in sentences]
        for listed in sorted_lists(text, task):
            grade = Grade.LIKELY if is_doubtful or not listed.is_certain else Grade.CERTAIN
            # who named these very items before sorts a part: "The negatives are -7 and -2. In order: ..."
            named = _keys(listed.items, task)
            is_part = named in parts or any(items == named for end, items in parts_here if end <= listed.start)
            fault = _fault(replace(listed, is_whole=listed.is_whole and not is_part), task, told)
            if fault is not None:
                placed.append(_placed(passage, fault, task.category, task.items, grade))
        grade = Grade.LIKELY if is_doubtful else Grade.CERTAIN
        parts.update(items for _, items in parts_here)
        is_doubtful = is_doubtful or speaks_of_another_key(text, task) < len(text)
        if task.category == "word" or task.is_asked:
            placed += [_placed(passage, *saying) for saying in _sayings(passage.text[:8_000], task, grade)]
        told += " " + passage.lower
        yield placed


def _keys(items: Iterable[str], task: Task) -> frozenset[Key | None]:
    return frozenset(key_of(entry, task.category) for entry in items)


def _named(text: str, task: Task) -> frozenset[Key | None]:
    """The items of the problem that a sentence names."""
    return _keys(pieces_of(text) + _ITEM.findall(text), task) & _keys(task.items, task)


def _fault(listed: Sorted, task: Task, told: str) -> Saying | None:
    """The first fault of one list."""
    belonging = [entry for entry in listed.items if task.find(entry)]
    if len(belonging) < 2 or len(belonging) < ENOUGH * len(listed.items):
        return None
    fault = _disorder(listed, task) or _strange(listed, task, told) or _doubled(listed, task) or _lost(listed, task)
    return None if fault is None else Saying(listed.start, listed.end, *fault)


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


def _sayings(text: str, task: Task, due: Grade) -> Iterator[tuple[Saying, str, tuple[str, ...], Grade]]:
    # "b comes before c": letters are words here
    vocabulary = known_words(task) | _OF_SAYINGS
    for sentence in sentences_of(text):
        if is_hedged(sentence.text) or _ELSEWHERE.search(sentence.text):
            continue
        for match, fault in _faults_said(sentence.text, task):
            # what is given as a reason behind a saying changes nothing
            until = Sentence(sentence.text[: match.end()], sentence.start)
            is_apart = is_set_apart(text, until, sentence.text[: match.start()], vocabulary)
            grade = Grade.LIKELY if is_apart or _IN_FRAME.search(until.text) else due
            saying = Saying(sentence.start + match.start(), sentence.start + match.end(), *fault)
            yield saying, task.category, task.items, grade


def _faults_said(text: str, task: Task) -> Iterator[tuple[re.Match[str], Fault]]:
    """What one sentence says falsely of two words, of a letter, of the n-th item."""
    is_of_pairs = task.category == "word" and task.direction == "up" and task.is_asked
    readers = ((_PAIR, _pair, is_of_pairs), (_LETTER, _letter, True), (_NTH, _nth, task.is_asked))
    for pattern, fault_of, is_read in readers:
        for match in pattern.finditer(text) if is_read else ():
            fault = fault_of(match, task)
            if fault is not None:
                yield match, fault


def _pair(match: re.Match[str], task: Task) -> Fault | None:
    is_after = match["way"] == "after" or match["precedes"] == "follows"
    first, second = (match["b"], match["a"]) if is_after else (match["a"], match["b"])
    are_letters = all(len(word) == 1 and word.islower() for word in (first, second))
    are_known = are_letters or all(map(task.find, (first, second)))
    if are_known and is_before(second, first, "word"):
        return "order", [first, second], f"{second} stands before {first} in the alphabet."
    return None


def _letter(match: re.Match[str], task: Task) -> Fault | None:
    word, number, letter = match["word"], number_of(match["nth"]), match["letter"].lower()
    if not task.find(word) or word[number : number + 1].lower() == letter:
        return None
    told = f"Letter {number + 1} of {word} is {word[number : number + 1].lower() or 'missing'}, not {letter}."
    return "letter", [word, str(number + 1), match["letter"]], told


def _nth(match: re.Match[str], task: Task) -> Fault | None:
    ordered = _ordered(task)
    number = len(ordered) - 1 if match["nth"].lower() == "last" else number_of(match["nth"])
    entry = task.find(match["item"])
    if not entry or not ordered or number >= len(ordered) or task.direction != "up":
        return None
    if key_of(ordered[number], task.category) == key_of(entry, task.category):
        return None
    told = f"In order, number {number + 1} is {ordered[number]}, not {entry}."
    return "nth", [match["item"], str(number + 1)], told


def _ordered(task: Task) -> list[str]:
    """The items in ascending order; empty where two of them have no order."""
    if any(is_before(a, b, task.category) is None for a, b in combinations(task.items, 2)):
        return []
    # where no pair is open, an entry stands behind as many as are before it
    return sorted(
        task.items, key=lambda entry: sum(is_before(rival, entry, task.category) is True for rival in task.items)
    )


def _placed(passage: Passage, saying: Saying, category: str, among: Sequence[str], grade: Grade) -> Placed:
    """A saying that holds has no proof: the proofs are of faults."""
    line = passage.text[saying.start : saying.end]
    proof = of_sorting(fault=saying.fault, category=category, among=among, items=saying.items)
    details = {"said": " ".join(line.split())[:300], "rule": "sorting", "line": line}
    details |= {"evidence_latex": rf"\text{{{saying.sentence}}}", **({} if saying.holds else proof)}
    return place(
        passage=passage,
        start=saying.start,
        end=saying.end,
        checker=NAME,
        rule="sorting",
        sentence=saying.sentence,
        details=details,
        verdict=Verdict.VERIFIED if saying.holds else Verdict.REFUTED,
        grade=grade,
    )
