"""The decision rule: one certain refutation refutes; only a grounded, wholly verified computation is verified.

The two directions are not alike. One false claim makes a segment false, whatever else it says. But that one claim in it
is true says little about the rest: so a segment passes only when nothing is left that was not verified, and when its
numbers come from somewhere.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from auditing.checker.findings import Decision, Finding, Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.mathematics.vocabulary import words
from auditing.checker.reading.passages import numbers_of
from auditing.checker.registry import MAY_VERIFY
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source

_RESULT_FOLLOWS = re.compile(r"(?<![<>!])=|[≈≅≃∼~]|\\(?:approx|simeq|doteq)|\bequals\b")
# words that join equations and claim nothing themselves
_CONNECTIVES = words("so then therefore thus hence and now next first finally we get have this that which gives is")
_WORD = re.compile(r"[^\W\d_]+")
# proved relations that a reason names, and characters of one
SHOWN, LONGEST = 3, 120
# constants that every reader brings along: doubling, halving, percentages
_UNIVERSAL = frozenset(Fraction(n) for n in (0, 1, 2, 100))
# of the many segments in which no check found anything
SILENT = Decision(Verdict.NOT_APPLICABLE, "No checker could decide this segment.", ())


class Grounds:
    """The numbers that each segment of one graph may compute with: those of the problem and of its premises."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @functools.cached_property
    def _premises(self) -> Mapping[str, tuple[str, ...]]:
        return self.graph.premises()

    @functools.cached_property
    def _contents(self) -> dict[str, str]:
        return {segment.id: segment.content for segment in self.graph.segments}

    @functools.cached_property
    def _given(self) -> frozenset[Fraction]:
        problem = (numbers_of(segment.content) for segment in self.graph.segments if segment.source is Source.PROBLEM)
        return _UNIVERSAL.union(*problem)

    def missing(self, segment: Segment, verified: Sequence[Finding] = ()) -> list[Fraction]:
        """Operands (numbers before a sign of equality, exact or rounded) that no premise and no given holds.

        The result of a verified equation is known to the equations behind it in the same segment.
        """
        premises = (numbers_of(self._contents[premise]) for premise in self._premises.get(segment.id, ()))
        values = set(self._given.union(*premises))
        strange: set[Fraction] = set()
        for text in [finding.evidence.read for finding in sorted(verified, key=_place)] or [segment.content]:
            operands, *results = _RESULT_FOLLOWS.split(text, maxsplit=1)
            strange |= numbers_of(operands) - values
            values |= set().union(*map(numbers_of, results))
        return sorted(strange)


def decide(*, segment: Segment, findings: tuple[Finding, ...], grounds: Grounds) -> Decision:
    """What the computer tier decides about one segment.

    A certain refutation refutes it; a likely one is a doubt that is told. What a checker that may verify (registry.py)
    verifies passes it when the segment is an operation, or a step of nothing but equations, the verified text covers it
    and every operand stands in the problem or in a premise. Otherwise nothing is decided, and what holds is told.
    A part's verdict never verifies its parent: only findings placed at the segment itself count.

    >>> from auditing.checker.findings import Evidence
    >>> segment = Segment("s1", Level.OPERATION, "3 + 4 = 8", Source.THINKING, 0, 9)
    >>> false = Finding(Verdict.REFUTED, Evidence("arithmetic", "unequal", "3 + 4 = 8", "3 + 4 is 7, not 8."))
    >>> decide(segment=segment, findings=(false,), grounds=Grounds(Graph((segment,), ()))).reason
    '3 + 4 is 7, not 8.'
    """
    if not findings:
        return SILENT
    # 1. One certain refutation is enough, and the first one is the reason that is told.
    refuted = tuple(finding for finding in findings if finding.accuses)
    if refuted:
        return Decision(Verdict.REFUTED, refuted[0].evidence.sentence, findings)
    verified = [
        finding
        for finding in findings
        if finding.verdict is Verdict.VERIFIED and finding.evidence.checker in MAY_VERIFY
    ]
    # 2. A doubt decides nothing, and whoever judges the segment is told first of it, then of what holds.
    proved = _proved(segment, verified)
    doubt = next((finding for finding in findings if finding.doubts), None)
    if doubt is not None:
        return _open(f"It may be false: {doubt.evidence.sentence} {proved}", findings)
    # 3. Nothing verified by a checker that may verify: nothing to pass it on.
    if not verified:
        return _open(SILENT.reason, findings)
    # 4. Levels above the operation claim more than a computation, unless they are nothing but one.
    if segment.level is not Level.OPERATION and not _is_bare(segment, verified):
        return _open(f"{proved} The segment says more than that.", findings)
    # 5. "3 + 4 = 7, so 2^7 = 128": all that computes must be verified, not the first half alone.
    if not _covers(segment, verified):
        return _open(f"{proved} Only a part of the operation could be computed.", findings)
    # 6. "12 * 30 = 360" is true of any 12 and 30; whether they are the right numbers, only premises can tell.
    ungrounded = grounds.missing(segment, verified)
    if ungrounded:
        numbers = " and ".join(number_text(value) for value in ungrounded[:3])
        verb = "stands" if len(ungrounded) == 1 else "stand"
        return _open(f"{proved} But {numbers} {verb} neither in the problem nor in a premise.", findings)
    return Decision(Verdict.VERIFIED, "Every number is given or derived before, and the computation holds.", findings)


def _open(reason: str, findings: tuple[Finding, ...]) -> Decision:
    return Decision(Verdict.NOT_APPLICABLE, reason.strip(), findings)


def _place(finding: Finding) -> tuple[int, int]:
    return finding.evidence.start, finding.evidence.end


def _proved(segment: Segment, verified: Sequence[Finding]) -> str:
    """What holds, in the author's own writing: a reviewer need not compute it again."""
    spans = dict.fromkeys(_place(finding) for finding in sorted(verified, key=_place))
    texts = [" ".join(segment.content[start:end].split()) for start, end in spans]
    listed = ", ".join(text for text in texts[:SHOWN] if 0 < len(text) <= LONGEST)
    return f"Proved: {listed}{', ...' if len(texts) > SHOWN else ''}." if listed else ""


def _uncovered(segment: Segment, verified: Sequence[Finding]) -> str:
    """The text of a segment with the verified spans blanked out."""
    text = segment.content
    for finding in verified:
        start, end = finding.evidence.start, min(finding.evidence.end, len(text))
        text = text[:start] + " " * (end - start) + text[max(start, end) :]
    return text


def _covers(segment: Segment, verified: Sequence[Finding]) -> bool:
    """Whether nothing that computes stands outside the verified spans."""
    text = _uncovered(segment, verified)
    return not ("=" in text or "<" in text or ">" in text or any(map(str.isdigit, text)))


def _is_bare(segment: Segment, verified: Sequence[Finding]) -> bool:
    """Whether a step is nothing but verified equations and words that join them: "So 3 + 4 = 7, and 7 * 2 = 14." """
    if segment.level is not Level.STEP or segment.source is not Source.THINKING:
        return False
    text = _uncovered(segment, verified)
    return _covers(segment, verified) and all(word.lower() in _CONNECTIVES for word in _WORD.findall(text))
