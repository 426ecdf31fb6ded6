"""What a machine sees of each step: its length and words, its numbers and where they come from, what checks found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from auditing.checker.examination import examine_script
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.vocabulary import STOP_WORDS, any_of
from auditing.checker.reading.passages import Passage, Placed, Script, numbers_in, script_of
from auditing.research.prior.boosting import Floats
from hdag.core.text.cues import Cue
from hdag.core.values import Source, Trace

# each is counted in a step
_COUNTED: dict[str, re.Pattern[str] | Cue] = {
    "digits": re.compile(r"\d"),
    "decimals": re.compile(r"\d\.\d"),
    "formulas": re.compile(r"\$|\\[(\[]"),
    "plus": re.compile(r"\+"),
    "minus": re.compile(r"[-−]"),
    "times": re.compile(r"[*×]|\\times|\\cdot"),
    "over": re.compile(r"[/÷]|\\d?frac"),
    "powers": re.compile(r"\^"),
    "percent": re.compile(r"%|percent"),
    "orders": re.compile(r"[<>≤≥]|\\[lg]eq?\b"),
    "sentences": re.compile(r"[.!?](?:\s|$)"),
    "lines": re.compile(r"\n"),
    "commas": re.compile(r","),
    "capitals": re.compile(r"[A-Z]"),
    "concludes": any_of("so therefore thus hence conclude* finally answer"),
    "reasons": any_of("since because as given know known means imply implies"),
    "supposes": any_of("let assum* suppose if consider case denote*"),
    "takes_back": any_of("wait actually mistake* incorrect* however but instead"),
    "roughly": any_of("approximat* about roughly estimat* nearly around"),
    "relates": any_of(
        "half twice double triple times more less fewer older younger than each every per remaining left"
    ),
    "totals": any_of("total sum altogether combined average difference"),
    "denies": any_of("not no cannot none never only all any must always"),
    "chooses": any_of("choice option* choose correct"),
    "verifies": any_of("verify check confirm test substitut* plug*"),
    "geometry": any_of("triangle circle angle area radius side perpendicular parallel volume"),
    "counting": any_of("ways arrangements probability combinations permutations outcomes"),
}
_SHAPE = ("place", "share_of_trace", "first", "last", "steps", "characters", "words", "word_length", "longest_number")
_ORIGIN = (
    "numbers", "new_numbers", "known_share", "from_problem", "from_previous", "overlap_problem", "overlap_previous",
    "problem_characters", "problem_numbers", "characters_to_mean",
)  # fmt: skip
_FOUND = (
    "relations",
    "verified",
    "refuted",
    "doubted",
    "noted",
    "unread_relations",
    "verified_before",
    "accused_before",
)
NAMES = (*_SHAPE, *_COUNTED, *_ORIGIN, *_FOUND)
_WORD = re.compile(r"[^\W\d_]+")


def features_of(trace: Trace) -> Floats:
    """Shape (input steps, features): one row of numbers for each step, in order."""
    script = script_of(trace)
    steps = [passage for passage in script.passages if passage.source is Source.THINKING]
    by_step = _by_step(steps, examine_script(script=script)[0])
    rows = list(_rows(script, steps, by_step))
    return np.array(rows, dtype=float).reshape(len(rows), len(NAMES))


def _by_step(steps: list[Passage], placed: list[Placed]) -> list[Counter[str]]:
    """How many findings of each kind begin in each step."""
    counts: list[Counter[str]] = [Counter() for _ in steps]
    for entry in placed:
        if entry.source is Source.THINKING:
            at = sum(step.start <= entry.start for step in steps) - 1
            counts[max(at, 0)][_kind(entry)] += 1
    return counts


def _kind(entry: Placed) -> str:
    finding = entry.finding
    if finding.verdict is Verdict.VERIFIED:
        return "verified"
    if finding.verdict is Verdict.REFUTED:
        return "refuted" if finding.accuses else "doubted"
    return "noted" if finding.grade is Grade.NOTE else "open"


def _rows(script: Script, steps: list[Passage], by_step: list[Counter[str]]) -> Iterator[list[float]]:
    problem = script.problem.text
    stated, problem_words = set(script.given), _content(problem)
    met, earlier_words = set(stated), set[str]()
    previous: set[Fraction] = set()
    before: Counter[str] = Counter()
    mean = sum(len(step.text) for step in steps) / max(1, len(steps))
    for index, (step, kinds) in enumerate(zip(steps, by_step, strict=True)):
        numbers, words = set(numbers_in(step)), _content(step.text)
        relations = len(step.page.chains)
        shape = _shape(index, len(steps), step.text)
        counted = [float(len(pattern.findall(step.text))) for pattern in _COUNTED.values()]
        origin = [
            len(numbers), len(numbers - met), _share(numbers, met), len(numbers & stated), len(numbers & previous),
            _share(words, problem_words), _share(words, earlier_words), len(problem), len(stated),
            len(step.text) / max(1.0, mean),
        ]  # fmt: skip
        read = kinds["verified"] + kinds["refuted"] + kinds["doubted"]
        seen = [
            relations, kinds["verified"], kinds["refuted"], kinds["doubted"], kinds["noted"], max(0, relations - read),
            before["verified"], before["refuted"] + before["doubted"],
        ]  # fmt: skip
        yield [*shape, *counted, *map(float, origin), *map(float, seen)]
        met |= numbers
        previous, earlier_words, before = numbers, words, before + kinds


def _shape(index: int, steps: int, text: str) -> list[float]:
    words = _WORD.findall(text)
    longest = max((len(run) for run in re.findall(r"\d+", text)), default=0)
    length = sum(map(len, words)) / max(1, len(words))
    return [
        index, index / max(1, steps - 1), float(index == 0), float(index == steps - 1), steps, len(text), len(words),
        length, longest,
    ]  # fmt: skip


def _content(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text) if len(word) > 2} - STOP_WORDS


def _share(some: set[Fraction] | set[str], met: set[Fraction] | set[str]) -> float:
    """Which share of the first is in the second; 1 of nothing."""
    return len(some & met) / len(some) if some else 1.0
