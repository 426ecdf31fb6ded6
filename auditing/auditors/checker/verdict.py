"""The verdict rule: REFUTED fails; VERIFIED passes only a grounded operation; everything else abstains."""

from __future__ import annotations

import functools
import re
from fractions import Fraction

from auditing.auditors.checker.passages import MAX_PASSAGE, Passage, numbers_in
from auditing.core.mathematics.tree import number_text
from auditing.core.values import Choice, Finding, Level, Tier, Verdict, Vote
from hdag.core.values import Graph, Segment, Source

AUDITOR = "computer"
_RESULT_FOLLOWS = re.compile(r"(?<![<>!])=|[≈≅≃∼~]|\\(?:approx|simeq|doteq)|\bequals\b")
_UNIVERSAL = frozenset(Fraction(n) for n in (0, 1, 2, 100))


def decide(*, segment: Segment, findings: tuple[Finding, ...], graph: Graph) -> Vote:
    """The computer tier's vote on one segment.

    REFUTED -> fail. VERIFIED -> pass when the segment is an operation, the verified text covers it and every
    operand stands in the problem or in a premise. Otherwise abstain: the finding is evidence on the page.
    A part's pass never passes its parent: only findings placed at the segment itself count.
    """
    refuted = tuple(item for item in findings if item.verdict is Verdict.REFUTED)
    if refuted:
        return _vote(Choice.FAIL, refuted[0].evidence.sentence, findings)
    verified = [item for item in findings if item.verdict is Verdict.VERIFIED and item.evidence.checker == "arithmetic"]
    if not verified:
        return _vote(Choice.ABSTAIN, "No checker could decide this segment.", findings)
    if segment.level is not Level.OPERATION:
        return _vote(Choice.ABSTAIN, "What could be computed holds, but the segment says more than that.", findings)
    if not _covers(segment, verified):
        return _vote(Choice.ABSTAIN, "Only a part of the operation could be computed.", findings)
    loose = _ungrounded(segment, graph)
    if loose:
        names = " and ".join(number_text(value) for value in loose[:3])
        verb = "stands" if len(loose) == 1 else "stand"
        return _vote(
            Choice.ABSTAIN, f"It computes, but {names} {verb} neither in the problem nor in a premise.", findings
        )
    return _vote(Choice.PASS, "Every number is given or derived before, and the computation holds.", findings)


def _vote(choice: Choice, reason: str, findings: tuple[Finding, ...]) -> Vote:
    confidence = None if choice is Choice.ABSTAIN else 1.0
    return Vote(
        choice=choice, auditor=AUDITOR, tier=Tier.COMPUTER, confidence=confidence, reason=reason, evidence=findings
    )


def _covers(segment: Segment, verified: list[Finding]) -> bool:
    """Whether nothing that computes stands outside the verified spans."""
    rest = list(segment.content)
    for item in verified:
        for position in range(item.evidence.start, min(item.evidence.end, len(rest))):
            rest[position] = " "
    return not any(char.isdigit() or char in "=<>" for char in rest)


def _ungrounded(segment: Segment, graph: Graph) -> list[Fraction]:
    """Operands (numbers before the first sign of equality, exact or rounded) that no premise and no given holds."""
    before = _RESULT_FOLLOWS.split(segment.content, maxsplit=1)[0]
    operands = _numbers(before)
    premises = set(graph.premises().get(segment.id, ()))
    known = set(_UNIVERSAL)
    for item in graph.segments:
        if item.source is Source.PROBLEM or item.id in premises:
            known |= _numbers(item.content)
    return sorted(operands - known)


@functools.lru_cache(maxsize=2048)
def _numbers(text: str) -> frozenset[Fraction]:
    return numbers_in(Passage(Source.THINKING, 0, text[:MAX_PASSAGE]))
