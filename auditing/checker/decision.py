"""The decision rule: one refutation refutes; only a grounded, wholly verified operation is verified."""

from __future__ import annotations

import functools
import re
from fractions import Fraction

from auditing.checker.findings import Decision, Finding, Verdict
from auditing.checker.mathematics.tree import number_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, numbers_in
from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source

_RESULT_FOLLOWS = re.compile(r"(?<![<>!])=|[≈≅≃∼~]|\\(?:approx|simeq|doteq)|\bequals\b")
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
        return {item.id: item.content for item in self.graph.segments}

    @functools.cached_property
    def _given(self) -> frozenset[Fraction]:
        problem = (_numbers(item.content) for item in self.graph.segments if item.source is Source.PROBLEM)
        return _UNIVERSAL.union(*problem)

    def missing(self, segment: Segment) -> list[Fraction]:
        """Operands (numbers before the first sign of equality, exact or rounded) that no premise and no given holds."""
        operands = _numbers(_RESULT_FOLLOWS.split(segment.content, maxsplit=1)[0])
        premises = (_numbers(self._contents[name]) for name in self._premises.get(segment.id, ()))
        return sorted(operands - self._given.union(*premises))


def decide(*, segment: Segment, findings: tuple[Finding, ...], grounds: Grounds) -> Decision:
    """What the computer tier decides about one segment.

    A refuted finding refutes it. A verified one verifies it when the segment is an operation, the verified text
    covers it and every operand stands in the problem or in a premise. Otherwise nothing is decided: the finding is
    evidence on the page.
    A part's verdict never verifies its parent: only findings placed at the segment itself count.
    """
    refuted = tuple(item for item in findings if item.verdict is Verdict.REFUTED)
    if refuted:
        return Decision(Verdict.REFUTED, refuted[0].evidence.sentence, findings)
    verified = [item for item in findings if item.verdict is Verdict.VERIFIED and item.evidence.checker == "arithmetic"]
    if not verified:
        return Decision(Verdict.NOT_APPLICABLE, "No checker could decide this segment.", findings)
    if segment.level is not Level.OPERATION:
        return Decision(
            Verdict.NOT_APPLICABLE, "What could be computed holds, but the segment says more than that.", findings
        )
    if not _covers(segment, verified):
        return Decision(Verdict.NOT_APPLICABLE, "Only a part of the operation could be computed.", findings)
    loose = grounds.missing(segment)
    if loose:
        names = " and ".join(number_text(value) for value in loose[:3])
        verb = "stands" if len(loose) == 1 else "stand"
        return Decision(
            Verdict.NOT_APPLICABLE,
            f"It computes, but {names} {verb} neither in the problem nor in a premise.",
            findings,
        )
    return Decision(Verdict.VERIFIED, "Every number is given or derived before, and the computation holds.", findings)


def _covers(segment: Segment, verified: list[Finding]) -> bool:
    """Whether nothing that computes stands outside the verified spans."""
    rest = list(segment.content)
    for item in verified:
        for position in range(item.evidence.start, min(item.evidence.end, len(rest))):
            rest[position] = " "
    return not any(char.isdigit() or char in "=<>" for char in rest)


@functools.lru_cache(maxsize=2048)
def _numbers(text: str) -> frozenset[Fraction]:
    return numbers_in(Passage(Source.THINKING, 0, text[:MAX_PASSAGE]))
