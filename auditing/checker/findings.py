"""Findings: what one check says of a passage, its verdict with the evidence that a reader can follow.

Three words are kept apart: a *finding* is what one check says, a *decision* is what all findings at a segment come to,
and a *vote* (the corridor's business) is made of a decision.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """One checker's answer."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    NOT_APPLICABLE = "not_applicable"


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
    """One verdict with its evidence."""

    verdict: Verdict
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Decision:
    """What all findings at one segment come to: REFUTED, VERIFIED, or NOT APPLICABLE where no check may decide."""

    verdict: Verdict
    reason: str
    findings: tuple[Finding, ...] = ()
