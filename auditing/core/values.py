"""Choices, votes and outcomes: the values that every stage of an audit passes on."""

from dataclasses import dataclass
from enum import StrEnum

from auditing.checker.findings import Finding
from hdag.core.levels import Complexity, Level, Tier

__all__ = ["Choice", "Complexity", "Level", "Outcome", "Tier", "Vote"]


class Choice(StrEnum):
    """What an auditor votes about a segment."""

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
    HUNG = "hung"  # a round without a decision: the next tier, or an adjudicator, is asked
    UNDECIDED = "undecided"  # final: nobody could decide


@dataclass(frozen=True, slots=True)
class Vote:
    """One auditor's vote on one segment."""

    choice: Choice
    auditor: str = ""
    tier: Tier = Tier.HUMAN
    confidence: float | None = None  # probability that this vote is right, .5 to 1, as the auditor states it
    reason: str = ""
    evidence: tuple[Finding, ...] = ()
