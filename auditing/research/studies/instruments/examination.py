"""One trace before the computer tier, in memory: its graph, and which input steps are refuted."""

from dataclasses import dataclass

from auditing.core.routing.computer_tier import votes_on
from auditing.core.values import Choice, Vote
from hdag.core.values import Graph, Trace
from hdag.decomposers.rules import RulesDecomposer


@dataclass(frozen=True, slots=True)
class Examined:
    """The graph by rules and the computer tier's vote on every segment."""

    graph: Graph
    votes: dict[str, Vote]

    @property
    def failed_steps(self) -> frozenset[int]:
        """Indexes of input steps that hold a refuted segment."""
        return frozenset(
            segment.step
            for segment in self.graph.segments
            if segment.step is not None and self.votes[segment.id].choice is Choice.FAIL
        )

    @property
    def first_failed(self) -> int | None:
        """The first refuted input step, None when nothing is refuted."""
        return min(self.failed_steps, default=None)


def examine(*, trace: Trace) -> Examined:
    """Decompose by rules and examine."""
    graph = RulesDecomposer().decompose(trace)
    return Examined(graph, votes_on(trace=trace, graph=graph))
