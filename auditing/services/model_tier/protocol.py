"""What every machine auditor is: one method from a segment in its graph to a vote."""

from typing import Protocol

from auditing.core.values import Tier, Vote
from hdag.core.values import Graph, Segment, Trace


class Auditor(Protocol):
    """A checker or a model that can hold a seat."""

    name: str
    tier: Tier

    def examine(self, *, trace: Trace, graph: Graph, segment: Segment) -> Vote:
        """The vote on `segment`, seen inside its graph. Never raises on trace text: it abstains."""
        ...
