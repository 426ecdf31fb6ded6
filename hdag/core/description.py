"""A graph in figures: counts, the measures of DAG-MATH and the verification flow, as one JSON-ready record."""

from collections import Counter
from typing import Any

from hdag.core.flow import verification_flow
from hdag.core.metrics import measure
from hdag.core.values import Graph, fields_of


def describe(*, graph: Graph) -> dict[str, Any]:
    """Stored with a graph and shown beside it: segments, edges, levels, relations, measures, flow.

    Raises networkx.NetworkXUnfeasible when the premises run in a circle (check the invariants first).

    >>> from hdag.core.levels import Level
    >>> from hdag.core.values import Segment, Source
    >>> described = describe(graph=Graph((Segment("ST1", Level.STEP, "x", Source.THINKING, 0, 1),), ()))
    >>> described["levels"], described["measures"]["closeness"], described["flow"]["critical_path"]
    ({'step': 1}, 1.0, ('ST1',))
    """
    return {
        "segments": len(graph.segments),
        "edges": len(graph.edges),
        "levels": dict(Counter(str(segment.level) for segment in graph.segments)),
        "relations": dict(Counter(str(edge.relation) for edge in graph.edges)),
        "measures": fields_of(measure(graph=graph)),
        "flow": fields_of(verification_flow(graph=graph)),
    }
