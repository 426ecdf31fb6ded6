"""The five levels of the HDAG and the three tiers that it may suggest.

Source: TRUST, section 3.1 (levels GOAL, STRATEGY, TACTIC, STEP, OPERATION; auditors T_Auto, T_LLM, T_Human).
"""

from enum import StrEnum


class Level(StrEnum):
    """Abstraction level of a segment, from the whole question down to one computation."""

    GOAL = "goal"
    STRATEGY = "strategy"
    TACTIC = "tactic"
    STEP = "step"
    OPERATION = "operation"

    @property
    def depth(self) -> int:
        """0 for GOAL ... 4 for OPERATION."""
        return _DEPTH[self]

    @property
    def prefix(self) -> str:
        """First letters of a segment's id: G, S, T, ST, O."""
        return _PREFIX[self]


_DEPTH = {level: depth for depth, level in enumerate(Level)}
_PREFIX = dict(zip(Level, ("G", "S", "T", "ST", "O"), strict=True))


class Tier(StrEnum):
    """Who examines a segment: checkers, language models or people."""

    COMPUTER = "computer"
    LLM = "llm"
    HUMAN = "human"


class Complexity(StrEnum):
    """How hard a segment is to audit."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
