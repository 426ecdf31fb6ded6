"""The order of verification: where to begin, what the answer hangs on, what can run side by side.

Source: TRUST, section 3.1, step 5 ("Verification Flow").
"""

from dataclasses import dataclass

import networkx as nx

from hdag.core.levels import Complexity
from hdag.core.steps import project_steps
from hdag.core.values import Graph

# Relative effort of an audit: each grade of complexity costs twice the one below.
COST = {Complexity.LOW: 1, Complexity.MEDIUM: 2, Complexity.HIGH: 4}


@dataclass(frozen=True, slots=True)
class Flow:
    """Verification flow over step-level segments, all ids in reading order within their group.

    entries rest on no other step; critical_path is the costliest chain of premises that ends in the answer;
    tracks are the groups that stay connected without that path; exits are steps that nothing rests on;
    waves[i] may be examined once waves[:i] are.
    """

    entries: tuple[str, ...]
    critical_path: tuple[str, ...]
    tracks: tuple[tuple[str, ...], ...]
    exits: tuple[str, ...]
    waves: tuple[tuple[str, ...], ...]


def verification_flow(*, graph: Graph) -> Flow:
    """The flow of `graph`. Cost of a segment: 1, 2, 4 for low, medium, high complexity. Linear after sorting.

    Raises networkx.NetworkXUnfeasible when the premises run in a circle (check the invariants first).
    """
    steps = project_steps(graph=graph)
    order = {node: position for position, node in enumerate(steps.nodes)}
    cost = {segment.id: COST[segment.complexity] for segment in graph.segments}
    premises: nx.DiGraph[str] = nx.DiGraph()
    premises.add_nodes_from(steps.nodes)
    premises.add_edges_from((base, node) for node, bases in steps.parents.items() for base in bases)
    waves = tuple(_sorted(wave, order) for wave in nx.topological_generations(premises))
    path = _critical_path(premises, steps.sink, cost, order)
    # Tracks: what hangs together once the critical path is taken out can be audited side by side with it.
    remaining = premises.copy()
    remaining.remove_nodes_from(path)
    tracks = sorted((_sorted(track, order) for track in _components(remaining)), key=lambda t: order[t[0]])
    return Flow(
        entries=tuple(node for node in steps.nodes if not premises.in_degree(node)),
        critical_path=path,
        tracks=tuple(tracks),
        exits=tuple(node for node in steps.nodes if not premises.out_degree(node)),
        waves=waves,
    )


def _components(graph: "nx.DiGraph[str]") -> list[set[str]]:
    return [set(component) for component in nx.connected_components(graph.to_undirected(as_view=True))]


def _sorted(nodes: set[str] | list[str], order: dict[str, int]) -> tuple[str, ...]:
    return tuple(sorted(nodes, key=order.__getitem__))


def _critical_path(
    premises: "nx.DiGraph[str]", sink: str, cost: dict[str, int], order: dict[str, int]
) -> tuple[str, ...]:
    """The chain with the greatest total cost that ends in `sink`; ties go to the later premise.

    best[v] = cost(v) + max over premises u of best[u]: dynamic programming in topological order.
    """
    best: dict[str, tuple[int, str]] = {}
    for node in nx.topological_sort(premises):
        bases = sorted(premises.predecessors(node), key=order.__getitem__)
        base = max(bases, key=lambda key: (best[key][0], order[key]), default="")
        best[node] = (cost[node] + (best[base][0] if base else 0), base)
    # Backwards from the sink along the premise that gave each node its greatest sum.
    path = []
    while sink:
        path.append(sink)
        sink = best[sink][1]
    return tuple(reversed(path))
