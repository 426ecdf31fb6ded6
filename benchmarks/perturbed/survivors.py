"""Survivors: lines that a check verifies for certain, with one number changed, and what is verified of them still.

The lines are those of traces of the read two thirds, the right lines of the tests, and sentences made here whose truth
is known. A changed line that is verified still is a falsehood unless it is true again: an order that still holds, a
rounding that hides the change, a factor beside zero. Those are counted apart by their reason (strict_truth.py).
"""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.examination import examine_script
from auditing.checker.findings import Grade, Verdict
from auditing.checker.reading.passages import Placed, script_of
from benchmarks.coverage import VECTORS
from benchmarks.labelled import DATA, labelled
from benchmarks.perturbed.changes import changed
from benchmarks.perturbed.said_lines import said_lines
from benchmarks.perturbed.strict_truth import reason_it_holds
from benchmarks.perturbed.told_lines import told_lines
from hdag.core.values import Source, Trace
from hdag.readers.records import read_record

PER_TRACE = 3
# the 4 of mm^4 belongs to a unit, and the sign behind ± says nothing
_NUMBER = re.compile(r"(?<![\w.±])(?<!± )(?<!\\pm )(?<![A-Za-z]\^)\d[\d,]*(?:\.\d+)?%?")


@dataclass(frozen=True, slots=True)
class Text:
    """A problem and its steps, and where they come from."""

    origin: str
    problem: str
    steps: list[str]

    def trace(self) -> Trace:
        """As the checkers read it."""
        return read_record({"id": "t", "problem": self.problem, "steps": self.steps}, where="benchmark")


def texts(size: int, rng: random.Random) -> Iterator[Text]:
    """The right lines of the tests, sentences whose truth is known, and traces of the read two thirds."""
    with (VECTORS / "right_lines.tsv").open(encoding="utf-8") as lines:
        for kind, line, problem in csv.reader(lines, "excel-tab", quoting=csv.QUOTE_NONE):
            yield Text(f"right lines, {kind}", problem or "A problem.", [line.replace("\\n", "\n")])
    for kind, line in said_lines(rng):
        yield Text(f"said, {kind}", "A problem.", [line])
    cases = [case for case in labelled() if not case.is_unread] if DATA.exists() else []
    rng.shuffle(cases)
    for case in cases[:size]:
        if any(step.strip() for step in case.steps[: case.right]):
            yield Text(case.source.split("-")[0].split(",")[0], case.problem, case.steps[: case.right])
    # last, so that what stands before it is changed as it was before there were such lines
    for kind, line in told_lines(rng):
        yield Text(f"told, {kind}", "A problem.", [line])


def decided(text: Text, grade: Grade) -> list[Placed]:
    """What is verified or refuted with a grade in the steps of a text."""
    placed, _ = examine_script(script=script_of(text.trace()))
    return [
        finding
        for finding in placed
        if finding.finding.grade is grade
        and finding.finding.verdict is not Verdict.NOT_APPLICABLE
        and finding.source is Source.THINKING
    ]


class Survivors:
    """Counts by check: lines changed, verified still and false, verified still and true again, refuted, silent."""

    def __init__(self, grade: Grade = Grade.CERTAIN) -> None:
        self.grade = grade
        self.counts: Counter[tuple[str, str]] = Counter()
        self.reasons: Counter[str] = Counter()
        self.falsehoods: list[str] = []

    def add(self, text: Text, rng: random.Random) -> None:
        """Changes a few numbers of one text, each by itself."""
        thinking = text.trace().thinking
        verified = [finding for finding in decided(text, self.grade) if finding.finding.verdict is Verdict.VERIFIED]
        places = [
            (finding, number.span())
            for finding in verified
            for number in _NUMBER.finditer(thinking, finding.start, finding.end)
        ]
        for finding, span in rng.sample(places, min(PER_TRACE, len(places))):
            self._change(text, finding, span, rng)

    def _change(self, text: Text, finding: Placed, span: tuple[int, int], rng: random.Random) -> None:
        thinking = text.trace().thinking
        kind, number = changed(thinking[span[0] : span[1]], rng)
        step, start = _step_of(text, span[0])
        line = text.steps[step]
        at = span[0] - start
        steps = [*text.steps]
        steps[step] = line[:at] + number + line[at + span[1] - span[0] :]
        other = Text(text.origin, text.problem, steps)
        touching = [placed for placed in decided(other, self.grade) if placed.start <= span[0] < placed.end]
        check = finding.finding.evidence.checker
        verified = [placed for placed in touching if placed.finding.verdict is Verdict.VERIFIED]
        if not verified:
            is_refuted = any(placed.finding.verdict is Verdict.REFUTED for placed in touching)
            self.counts[check, "refuted" if is_refuted else "silent"] += 1
            return
        for placed in verified[:1]:
            reason = reason_it_holds(placed.finding, "\n".join((text.problem, *steps)))
            self.counts[placed.finding.evidence.checker, "true again" if reason else "still verified"] += 1
            self.reasons[reason or "none"] += 1
            if not reason:
                before, after = finding.finding.evidence.read, placed.finding.evidence.read
                self.falsehoods.append(
                    f"{text.origin} | {placed.finding.evidence.checker} | {kind}\n  {before!r}\n  {after!r}"
                )


def _step_of(text: Text, position: int) -> tuple[int, int]:
    """The step that holds a position of the thinking, and where it starts."""
    for span in text.trace().steps:
        if span.start <= position < span.end:
            return span.index, span.start
    raise LookupError(position)
