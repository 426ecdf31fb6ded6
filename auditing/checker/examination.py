"""Examination: every checker reads a whole trace; its findings are put at segments, and decisions follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from auditing.checker.decision import Grounds, decide
from auditing.checker.demotion import measured_grade
from auditing.checker.findings import Decision, Evidence, Finding, Grade, Verdict, lower_of
from auditing.checker.problem_terms import is_of_the_problem
from auditing.checker.proofs.rechecking import rechecked
from auditing.checker.reading.around.trials import breaks_off, is_denied_behind, is_put_up_before, is_set_up_before
from auditing.checker.reading.blocks import carried
from auditing.checker.reading.passages import Placed, Script, numbers_in, script_of
from auditing.checker.reading.suppressions import is_taken_back
from auditing.checker.registry import CHECKERS, Checker
from auditing.checker.thinking_aloud import thinks_aloud
from auditing.checker.told_once import told_once
from hdag.core.values import Graph, Segment, Source, Trace

# characters: a segment stands in every block that it reaches into, a finding is looked for in one
_BLOCK = 256

# rules that read a relation between two numbers where it stands
_OF_NUMBERS = frozenset(("unequal", "congruence"))
_IDENTITY = "not an identity"
_NUMBER = re.compile(r"[=≈] -?[\d.]+$")

# what a check may raise on a text that nobody foresaw; every error of our own in this package is one of them
BREAKS = (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, RecursionError, AssertionError)

# what these checks read stands in fences
_READ_PROGRAMS = frozenset(("tools", "assertions"))

__all__ = ["decide_all", "examine_graph", "examine_script", "numbers_in"]


def examine_graph(*, trace: Trace, graph: Graph) -> dict[str, tuple[Finding, ...]]:
    """What every checker found, by segment id; each finding stands at the smallest segment that holds its span.

    The whole trace at once, because values flow between segments. Never raises on trace text: a checker that
    breaks costs its own findings, which become one NOT APPLICABLE finding at the first segment.
    """
    placed, failures = examine_script(script=script_of(trace))
    by_segment = _distribute(placed, graph.segments)
    if failures and graph.segments:
        by_segment.setdefault(graph.segments[0].id, []).extend(failures)
    texts = " ".join(segment.content.replace("\n", " ") for segment in graph.segments)
    # at most segments nothing stands
    return {
        segment.id: rechecked(by_segment[segment.id], segment, texts) if segment.id in by_segment else ()
        for segment in graph.segments
    }


def examine_script(*, script: Script) -> tuple[list[Placed], list[Finding]]:
    """What every check finds in a script, each finding no surer than its check may be; and the checks that broke."""
    placed: list[Placed] = []
    failures: list[Finding] = []
    for checker in CHECKERS:
        try:
            for candidate in checker.check(script):
                placed.append(_graded(candidate, checker, script))
        except BREAKS as error:
            failures.append(_broken(checker.name, error))
    placed = told_once(placed=placed)
    # after all others, for a heading fails by what was found in the lines below it
    placed.extend(_lowered(candidate, _measured_grade(candidate)) for candidate in carried(script, tuple(placed)))
    return placed, failures


def _graded(placed: Placed, checker: Checker, script: Script) -> Placed:
    finding = placed.finding
    # what a stranger cannot compute again is no accusation
    is_unproved = finding.accuses and not finding.proof
    # "若" and "falls" are no "if" to a check that reads English
    is_unread = checker.needs_words and finding.accuses and script.is_in_another_language
    is_of_an_attempt = finding.accuses and checker.compares_lines and thinks_aloud(script.trace.thinking)
    is_open = is_unproved or is_unread or is_of_an_attempt or (finding.accuses and _is_open(placed, script.trace))
    grades = (checker.grade, _measured_grade(placed), Grade.LIKELY if is_open else Grade.CERTAIN)
    return _lowered(placed, lower_of(grades=grades))


def _measured_grade(placed: Placed) -> Grade:
    """What the table of alarms allows a refutation; what holds accuses nobody and is not measured by it."""
    evidence = placed.finding.evidence
    if placed.finding.verdict is not Verdict.REFUTED:
        return Grade.CERTAIN
    return measured_grade(checker=evidence.checker, rule=evidence.rule)


def _lowered(placed: Placed, surest: Grade) -> Placed:
    # nearly all checks and rules may be as sure as they are
    if surest is Grade.CERTAIN:
        return placed
    finding = placed.finding
    grade = lower_of(grades=(finding.grade, surest))
    if grade is finding.grade:
        return placed
    lowered = Finding(finding.verdict, finding.evidence, grade, finding.proof)
    return Placed(lowered, placed.source, placed.source_index, placed.start, placed.end)


def _is_open(placed: Placed, trace: Trace) -> bool:
    """Whether its author takes the accused text back or only put it up, takes it from the problem, or programs."""
    text = {Source.THINKING: trace.thinking, Source.ANSWER: trace.answer}.get(placed.source, "")
    # blank lines part a fenced program into passages of which most have no fence
    is_program = placed.finding.evidence.checker not in _READ_PROGRAMS and text.count("```", 0, placed.start) % 2 == 1
    return is_program or is_taken_back(text, placed.end) or is_of_the_problem(placed, trace) or _is_put_up(placed, text)


def _is_put_up(placed: Placed, text: str) -> bool:
    """Whether a relation of numbers is tried or denied in the lines around it, or breaks off."""
    evidence = placed.finding.evidence
    if evidence.rule not in _OF_NUMBERS:
        return evidence.rule == _IDENTITY and is_set_up_before(text, placed.start)
    values = evidence.details.get("left", ""), evidence.details.get("right", "")
    # what is computed to a number tries nothing
    is_computed = _NUMBER.search(evidence.details.get("normal_form", "")) is not None
    is_put_up = not is_computed and is_put_up_before(text, placed.start)
    return is_put_up or is_denied_behind(text, placed.end, values) or breaks_off(text, placed.end)


def decide_all(*, trace: Trace, graph: Graph) -> dict[str, Decision]:
    """Examines a whole trace: the decision about every segment, by id; its findings are the evidence."""
    findings, grounds = examine_graph(trace=trace, graph=graph), Grounds(graph)
    return {
        segment.id: decide(segment=segment, findings=findings[segment.id], grounds=grounds)
        for segment in graph.segments
    }


def _broken(name: str, error: Exception) -> Finding:
    sentence = f"The {name} checker could not read this trace ({type(error).__name__})."
    return Finding(Verdict.NOT_APPLICABLE, Evidence(name, "cannot check", "", sentence, {"error": str(error)[:200]}))


def _distribute(placed: Iterable[Placed], segments: tuple[Segment, ...]) -> dict[str, list[Finding]]:
    """Puts every finding at the smallest segment around it, or else around its start; what is said twice, once."""
    seen: set[tuple[str, int, int, Verdict, str]] = set()
    homes = _Homes(segments)
    by_segment: dict[str, list[Finding]] = {}
    for placed_finding in placed:
        home = homes.find(placed_finding)
        if home is not None:
            finding = _within(placed_finding, home)
            evidence = finding.evidence
            # two checkers may read one equation; a reader sees what they say once
            identity = home.id, evidence.start, evidence.end, finding.verdict, evidence.sentence
            if identity not in seen:
                seen.add(identity)
                by_segment.setdefault(home.id, []).append(finding)
    return by_segment


class _Homes:
    """The segments of a graph by the stretches of text that they cover."""

    def __init__(self, segments: tuple[Segment, ...]) -> None:
        by_source: dict[tuple[Source, int], list[Segment]] = {}
        for segment in segments:
            by_source.setdefault((segment.source, segment.source_index), []).append(segment)
        self._by_block: dict[tuple[Source, int, int], list[Segment]] = {}
        for source, inside in by_source.items():
            for segment in inside:
                for block in range(segment.start // _BLOCK, segment.end // _BLOCK + 1):
                    self._by_block.setdefault((*source, block), []).append(segment)

    def find(self, placed: Placed) -> Segment | None:
        """The smallest segment around a finding, the first of equal ones."""
        # what covers a place covers its block; looking through all segments took time by the square of a long trace
        near = self._by_block.get((placed.source, placed.source_index, placed.start // _BLOCK), [])
        # A finding may reach over the end of a segment (a chain across two lines): then the segment where it starts
        # counts.
        around = [s for s in near if s.start <= placed.start and placed.end <= s.end]
        if not around:
            around = [s for s in near if s.start <= placed.start < s.end]
        return min(around, key=lambda s: s.end - s.start, default=None)


def _within(placed: Placed, home: Segment) -> Finding:
    finding, original = placed.finding, placed.finding.evidence
    evidence = Evidence(
        original.checker,
        original.rule,
        original.read,
        original.sentence,
        original.details,
        placed.start - home.start,
        min(placed.end, home.end) - home.start,
    )
    return Finding(finding.verdict, evidence, finding.grade, finding.proof)
