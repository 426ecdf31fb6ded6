"""Each invariant is named when it breaks, and the rules never break one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hdag.core.invariants import find_violations
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Source, ToolCall, Trace
from hdag.decomposers.rules import RulesDecomposer

TRACE = Trace(problem="What is 2 + 3 + 4?", thinking="First 2 + 3 = 5. Then we have that 5 + 4 = 9.", answer="It is 9.")
PIECES = [
    "Then 2 + 3 = 5. ",
    "$$x = ",
    "\\[ y^2 \\]",
    "```\n",
    "\n\n",
    "\n",
    "- item 4\n",
    "# Head\n",
    "Wait, ",
    " ",
    "(",
    "{",
    "é",
    "𝒳 ",
    "3",
]


def broken(graph: Graph) -> set[str]:
    return {violation.invariant for violation in find_violations(trace=TRACE, graph=graph)}


def sound() -> Graph:
    return RulesDecomposer().decompose(TRACE)


def test_a_graph_by_rules_is_sound():
    assert find_violations(trace=TRACE, graph=sound()) == ()


@pytest.mark.parametrize(
    ("edge", "name"),
    [
        (Edge("ST1", "G1", Relation.DECOMPOSES_TO), "structure acyclic"),
        (Edge("ST1", "ST2", Relation.DEPENDS_ON), "premises acyclic"),
        (Edge("ST1", "X9", Relation.DEPENDS_ON), "edge ends exist"),
        (Edge("ST1", "O2", Relation.DECOMPOSES_TO), "child inside parent"),
    ],
)
def test_a_wrong_edge_is_named(edge, name):
    graph = sound()
    extra = (edge, Edge("ST2", "ST1", Relation.DEPENDS_ON))
    assert name in broken(replace(graph, edges=graph.edges + extra))


def test_a_shifted_span_a_hole_and_a_lost_segment_are_named():
    graph = sound()
    first, *rest = graph.segments
    assert "span text" in broken(replace(graph, segments=(replace(first, start=1), *rest)))
    assert "complete" in broken(replace(graph, segments=graph.segments[:-1], edges=graph.edges[:1]))
    cut = tuple(edge for edge in graph.edges if edge.target != "ST2")
    assert "connected from the goal" in broken(replace(graph, edges=cut))


def test_overlapping_siblings_and_rising_levels_are_named():
    graph = sound()
    wide = tuple(
        replace(s, end=s.end + 3, content=s.content + TRACE.thinking[s.end : s.end + 3]) if s.id == "ST1" else s
        for s in graph.segments
    )
    assert "siblings apart" in broken(replace(graph, segments=wide))
    flat = tuple(replace(s, level=Level.STEP) if s.id == "O1" else s for s in graph.segments)
    assert "levels descend" in broken(replace(graph, segments=flat))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=25), st.booleans())
def test_any_text_gives_a_sound_graph(pieces, as_steps):
    text = "".join(pieces).replace("\x00", "")
    trace = Trace(problem="Add 2 and 3.", thinking=text, answer=text[:20], tool_calls=(ToolCall("f", text, ""),))
    graph = RulesDecomposer().decompose(trace)
    assert find_violations(trace=trace, graph=graph) == ()
    assert graph == RulesDecomposer().decompose(trace)


def test_a_trace_without_problem_text_takes_its_first_text_as_goal():
    trace = Trace(problem="  ", thinking="We add. 1 + 1 = 2.")
    graph = RulesDecomposer().decompose(trace)
    assert graph.segments[0].source is Source.THINKING
    assert find_violations(trace=trace, graph=graph) == ()
