"""Findings: what one check says of a passage, its verdict with the evidence that a reader can follow.

Three words are kept apart: a *finding* is what one check says, a *decision* is what all findings at a segment come to,
and a *vote* (the corridor's business) is made of a decision.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """One checker's answer."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    NOT_APPLICABLE = "not_applicable"


class Grade(StrEnum):
    """How sure a check is of its finding. Only a certain one becomes a vote; the others are doubts handed on.

    Certain: both sides exact, one reading, and nothing around them that leaves a doubt. Likely: false as it is read,
    but the text may mean something else. Note: a sign that is worth showing.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    NOTE = "note"


_SUREST_FIRST = tuple(Grade)


def lower_of(*, grades: Iterable[Grade]) -> Grade:
    """The least sure of several grades.

    >>> lower_of(grades=(Grade.CERTAIN, Grade.LIKELY))
    <Grade.LIKELY: 'likely'>
    """
    return max(grades, key=_SUREST_FIRST.index)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one checker read and computed, for machines (details) and for people (sentence)."""

    checker: str
    rule: str
    read: str
    sentence: str
    # normal_form, left, right, rule, evidence_latex, ...: what the page of a computer vote shows beside the sentence
    details: dict[str, str] = field(default_factory=dict)
    start: int = 0  # span within the segment's content, code points, half open
    end: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict with its evidence, and how sure the check is of it."""

    verdict: Verdict
    evidence: Evidence
    grade: Grade = Grade.CERTAIN
    # what re-checks it (proofs/), as JSON; empty where no proof is made; two findings are equal whatever proves them
    proof: str = field(default="", compare=False)

    @property
    def accuses(self) -> bool:
        """Whether it refutes for certain: the only finding that fails a segment."""
        return self.verdict is Verdict.REFUTED and self.grade is Grade.CERTAIN

    @property
    def doubts(self) -> bool:
        """Whether it refutes, but not for certain: whoever judges the segment is told."""
        return self.verdict is Verdict.REFUTED and self.grade is not Grade.CERTAIN


@dataclass(frozen=True, slots=True)
class Decision:
    """What all findings at one segment come to: REFUTED, VERIFIED, or NOT APPLICABLE where no check may decide."""

    verdict: Verdict
    reason: str
    findings: tuple[Finding, ...] = ()
