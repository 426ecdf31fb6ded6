"""The values of the corridor: choices, verdicts, votes, outcomes."""

from dataclasses import dataclass, field
from enum import StrEnum

from hdag.core.levels import Complexity, Level, Tier

__all__ = ["Choice", "Complexity", "Evidence", "Finding", "Level", "Outcome", "Tier", "Verdict", "Vote"]


class Choice(StrEnum):
    """What a vote says."""

    FAIL = "fail"
    PASS = "pass"
    ABSTAIN = "abstain"

    @property
    def code(self) -> int:
        """Byte of the sealed vote: 0 fail, 1 pass, 2 abstain (docs/protocol.md section 2.2)."""
        return _CODE[self]


_CODE = {Choice.FAIL: 0, Choice.PASS: 1, Choice.ABSTAIN: 2}


class Outcome(StrEnum):
    """What consensus found for a round, a segment or a trace."""

    PASS = "pass"
    FAIL = "fail"
    HUNG = "hung"
    UNDECIDED = "undecided"


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
    details: dict[str, str] = field(default_factory=dict)
    start: int = 0  # span within the segment's content, code points, half open
    end: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict with its evidence."""

    verdict: Verdict
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Vote:
    """What one auditor says about one segment. confidence = probability that this vote is right, .5 to 1."""

    choice: Choice
    auditor: str = ""
    tier: Tier = Tier.HUMAN
    confidence: float | None = None
    reason: str = ""
    evidence: tuple[Finding, ...] = ()
