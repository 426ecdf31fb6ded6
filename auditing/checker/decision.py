"""The decision rule: one refutation refutes; only a grounded, wholly verified operation is verified.

The two directions are not alike. One false claim makes a segment false, whatever else it says. But that one claim in it
is true says little about the rest: so a segment passes only when nothing is left that was not verified, and when its
numbers come from somewhere.
"""

from __future__ import annotations

import functools
import re
from fractions import Fraction

from auditing.checker.findings import Decision, Finding, Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, numbers_in
from auditing.checker.registry import MAY_VERIFY
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source

_RESULT_FOLLOWS = re.compile(r"(?<![<>!])=|[≈≅≃∼~]|\\(?:approx|simeq|doteq)|\bequals\b")
# constants that every reader brings along: doubling, halving, percentages
_UNIVERSAL = frozenset(Fraction(n) for n in (0, 1, 2, 100))


class Grounds:
    """The numbers that each segment of one graph may compute with: those of the problem and of its premises."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @functools.cached_property
    def _premises(self) -> dict[str, tuple[str, ...]]:
        return self.graph.premises()

    @functools.cached_property
    def _contents(self) -> dict[str, str]:
        return {segment.id: segment.content for segment in self.graph.segments}

    @functools.cached_property
    def _given(self) -> frozenset[Fraction]:
        problem = (_numbers(segment.content) for segment in self.graph.segments if segment.source is Source.PROBLEM)
        return _UNIVERSAL.union(*problem)

    def missing(self, segment: Segment) -> list[Fraction]:
        """Operands (numbers before the first sign of equality, exact or rounded) that no premise and no given holds."""
        operands = _numbers(_RESULT_FOLLOWS.split(segment.content, maxsplit=1)[0])
        premises = (_numbers(self._contents[premise]) for premise in self._premises.get(segment.id, ()))
        return sorted(operands - self._given.union(*premises))


def decide(*, segment: Segment, findings: tuple[Finding, ...], grounds: Grounds) -> Decision:
    """What the computer tier decides about one segment.

    A refuted finding refutes it. A verified one of a checker that may verify (registry.py) verifies it when the segment
    is an operation, the verified text covers it and every operand stands in the problem or in a premise. Otherwise
    nothing is decided: the finding is evidence on the page.
    A part's verdict never verifies its parent: only findings placed at the segment itself count.

    >>> from auditing.checker.findings import Evidence
    >>> segment = Segment("s1", Level.OPERATION, "3 + 4 = 8", Source.THINKING, 0, 9)
    >>> false = Finding(Verdict.REFUTED, Evidence("arithmetic", "unequal", "3 + 4 = 8", "3 + 4 is 7, not 8."))
    >>> decide(segment=segment, findings=(false,), grounds=Grounds(Graph((segment,), ()))).reason
    '3 + 4 is 7, not 8.'
    """
    # 1. One refutation is enough, and the first one is the reason that is told.
    refuted = tuple(finding for finding in findings if finding.verdict is Verdict.REFUTED)
    if refuted:
        return Decision(Verdict.REFUTED, refuted[0].evidence.sentence, findings)
    # 2. Nothing verified by a checker that may verify: nothing to pass it on.
    verified = [
        finding
        for finding in findings
        if finding.verdict is Verdict.VERIFIED and finding.evidence.checker in MAY_VERIFY
    ]
    if not verified:
        return Decision(Verdict.NOT_APPLICABLE, "No checker could decide this segment.", findings)
    # 3. Levels above the operation claim more than a computation: that it is the right one to make.
    if segment.level is not Level.OPERATION:
        return Decision(
            Verdict.NOT_APPLICABLE, "What could be computed holds, but the segment says more than that.", findings
        )
    # 4. "3 + 4 = 7, so 2^7 = 128": all that computes must be verified, not the first half alone.
    if not _covers(segment, verified):
        return Decision(Verdict.NOT_APPLICABLE, "Only a part of the operation could be computed.", findings)
    # 5. "12 * 30 = 360" is true of any 12 and 30; whether they are the right numbers, only premises can tell.
    ungrounded = grounds.missing(segment)
    if ungrounded:
        numbers = " and ".join(number_text(value) for value in ungrounded[:3])
        verb = "stands" if len(ungrounded) == 1 else "stand"
        return Decision(
            Verdict.NOT_APPLICABLE,
            f"It computes, but {numbers} {verb} neither in the problem nor in a premise.",
            findings,
        )
    return Decision(Verdict.VERIFIED, "Every number is given or derived before, and the computation holds.", findings)


def _covers(segment: Segment, verified: list[Finding]) -> bool:
    """Whether nothing that computes stands outside the verified spans."""
    uncovered = list(segment.content)
    for finding in verified:
        for position in range(finding.evidence.start, min(finding.evidence.end, len(uncovered))):
            uncovered[position] = " "
    return not any(char.isdigit() or char in "=<>" for char in uncovered)


@functools.lru_cache(maxsize=2048)
def _numbers(text: str) -> frozenset[Fraction]:
    return numbers_in(Passage(Source.THINKING, 0, text[:MAX_PASSAGE]))
