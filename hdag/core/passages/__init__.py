"""Passages: what one person or one model judges in one reading, as a grouping beside the fine graph.

A passage is a run of neighbouring steps that belong together; plan seats ask about the whole (goal, strategy, answer).
`plan_passages` groups, `coarsen` gives the grouping as a graph of its own, which obeys the same invariants as the fine
one.
"""

from hdag.core.passages.coarse import coarsen
from hdag.core.passages.planning import plan_passages
from hdag.core.passages.seats import digest_text
from hdag.core.passages.taking import taken_steps
from hdag.core.passages.values import (
    Passage,
    PassageLimits,
    PassagePlan,
    PlanKind,
    PlanSeat,
    Unit,
    Why,
)

__all__ = [
    "Passage",
    "PassageLimits",
    "PassagePlan",
    "PlanKind",
    "PlanSeat",
    "Unit",
    "Why",
    "coarsen",
    "digest_text",
    "plan_passages",
    "taken_steps",
]
