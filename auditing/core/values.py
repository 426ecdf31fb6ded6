"""The values of the corridor: choices, votes, outcomes."""

from dataclasses import dataclass
from enum import StrEnum

from auditing.checker.findings import Finding
from hdag.core.levels import Complexity, Level, Tier

__all__ = ["Choice", "Complexity", "Level", "Outcome", "Tier", "Vote"]


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


@dataclass(frozen=True, slots=True)
class Vote:
    """What one auditor says about one segment. confidence = probability that this vote is right, .5 to 1."""

    choice: Choice
    auditor: str = ""
    tier: Tier = Tier.HUMAN
    confidence: float | None = None
    reason: str = ""
    evidence: tuple[Finding, ...] = ()
