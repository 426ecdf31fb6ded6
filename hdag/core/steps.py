"""The step-level projection: operations folded into their step, containers left out, the answer as sink.

Source: DAG-MATH (docs/formulas.md section 3); TRUST levels.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from hdag.core.levels import Level
from hdag.core.values import Graph, Segment, Source


@dataclass(frozen=True, slots=True)
class StepGraph:
    """Step-level nodes in reading order, the parents of each, and the sink ("" for no node)."""

    nodes: tuple[str, ...]
    parents: Mapping[str, tuple[str, ...]]
    sink: str

    def ancestors(self) -> frozenset[str]:
        """The sink and everything that it rests on, directly or not."""
        seen = {self.sink} if self.sink else set()
        todo = deque(seen)
        while todo:
            fresh = set(self.parents[todo.popleft()]) - seen
            seen |= fresh
            todo.extend(sorted(fresh))
        return frozenset(seen)


def project_steps(*, graph: Graph) -> StepGraph:
    """The premise graph between steps.

    A step-level node is a STEP, or an OPERATION with no STEP above it (a one-line sum). Premises of an operation
    count for its step; premises of or on containers (GOAL, STRATEGY, TACTIC) are left out.
    """
    owner = _owners(graph)
    nodes = tuple(segment.id for segment in graph.segments if owner.get(segment.id) == segment.id)
    found: dict[str, dict[str, None]] = {node: {} for node in nodes}
    for key, premises in graph.premises().items():
        for premise in premises:
            step, base = owner.get(key), owner.get(premise)
            if step and base and step != base:
                found[step][base] = None
    order = {node: position for position, node in enumerate(nodes)}
    parents = {node: tuple(sorted(bases, key=order.__getitem__)) for node, bases in found.items()}
    by_id = {segment.id: segment for segment in graph.segments}
    return StepGraph(nodes, parents, find_sink(steps=[by_id[node] for node in nodes]))


def find_sink(*, steps: list[Segment]) -> str:
    """The last step of the answer, without an answer the last of the thinking; "" without steps."""
    for source in (Source.ANSWER, Source.THINKING, Source.TOOL_CALL, Source.PROBLEM):
        last = [step.id for step in steps if step.source is source][-1:]
        if last:
            return last[0]
    return ""


def _owners(graph: Graph) -> dict[str, str]:
    """The step-level node that each STEP and OPERATION counts for."""
    level = {segment.id: segment.level for segment in graph.segments}
    owner = {key: key for key, rank in level.items() if rank in (Level.STEP, Level.OPERATION)}
    for parent, parts in graph.children().items():
        if level[parent] is Level.STEP:
            owner.update({part: parent for part in parts if level[part] is Level.OPERATION})
    return owner
