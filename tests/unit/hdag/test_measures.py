"""The measures equal their definitions and the printed example; flow, layout and repair keep their promises."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdag.core.flow import verification_flow
from hdag.core.invariants import find_violations
from hdag.core.layouts.flow_layout import lay_out_flow
from hdag.core.layouts.layout import lay_out
from hdag.core.metrics import (
    Sample,
    accuracy_at,
    area_under_accuracy,
    mean_perfect_reasoning,
    measure_steps,
    perfect_reasoning_rate,
)
from hdag.core.relations import Relation, Strength
from hdag.core.repair import repair
from hdag.core.steps import StepGraph, project_steps
from hdag.core.values import Edge, Graph, Trace
from hdag.decomposers.rules import RulesDecomposer

TRACE = Trace(
    problem="Ann has 3 bags of 12 apples and eats 6. How many are left?",
    thinking="Ann has 3 * 12 = 36 apples.\n\nApples are often red.\n\nAfter eating there are 36 - 6 = 30 apples.",
    answer="The answer is 30.",
)
SAMPLES = st.lists(st.builds(Sample, st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.booleans()), min_size=1)


def graph() -> Graph:
    return RulesDecomposer().decompose(TRACE)


def chain(count: int, unused: int) -> StepGraph:
    """A chain of `count` nodes, the last the sink, with `unused` nodes that nothing rests on."""
    nodes = tuple(f"n{i}" for i in range(count))
    kept = nodes[unused:]
    parents = {node: () for node in nodes} | {b: (a,) for a, b in pairwise(kept)}
    return StepGraph(nodes, parents, nodes[-1])


def test_the_heptagon_example_has_closeness_three_quarters():
    found = measure_steps(steps=chain(33, 8))
    assert (found.closeness, len(found.unclosed), found.is_closed) == (0.75, 8, False)


def test_a_dead_branch_hides_only_its_end_from_closeness():
    parents = {"a": (), "b": ("a",), "c": (), "d": ("c",)}
    found = measure_steps(steps=StepGraph(("a", "b", "c", "d"), parents, "d"))
    assert (found.unclosed, found.dead) == (("b",), ("a", "b"))


@given(SAMPLES)
def test_auc_is_the_exact_integral_of_accuracy(samples):
    steps = [0.25, 0.5, 0.75, 1.0]
    integral = sum(0.25 * accuracy_at(samples=samples, threshold=t) for t in steps)
    assert area_under_accuracy(samples=samples) == pytest.approx(integral)


@given(SAMPLES)
def test_accuracy_runs_from_pass_at_1_to_prr(samples):
    assert accuracy_at(samples=samples, threshold=0) == pytest.approx(sum(s.is_right for s in samples) / len(samples))
    assert accuracy_at(samples=samples, threshold=1) == perfect_reasoning_rate(samples=samples)
    assert mean_perfect_reasoning(problems=[samples, samples]) == pytest.approx(perfect_reasoning_rate(samples=samples))


def test_operations_are_folded_into_their_step_and_the_answer_is_the_sink():
    steps = project_steps(graph=graph())
    assert all(node.startswith("ST") for node in steps.nodes)
    assert steps.sink == steps.nodes[-1]


def test_the_critical_path_is_a_chain_of_premises_that_ends_in_the_answer():
    steps, flow = project_steps(graph=graph()), verification_flow(graph=graph())
    assert flow.critical_path[-1] == steps.sink
    assert all(base in steps.parents[node] for base, node in pairwise(flow.critical_path))


def test_every_premise_is_verified_in_an_earlier_wave():
    steps, flow = project_steps(graph=graph()), verification_flow(graph=graph())
    wave = {node: number for number, nodes in enumerate(flow.waves) for node in nodes}
    assert set(wave) == set(steps.nodes)
    assert all(wave[base] < wave[node] for node, bases in steps.parents.items() for base in bases)


def test_a_drawing_holds_every_segment_once_and_no_two_on_one_place():
    drawing = lay_out(graph=graph())
    assert [box.id for box in drawing.boxes] == [segment.id for segment in graph().segments]
    assert len({(box.x, box.y) for box in drawing.boxes}) == len(drawing.boxes)
    assert drawing == lay_out(graph=graph())
    assert all(box.x >= 0 and box.x + box.width <= drawing.width and box.y < drawing.height for box in drawing.boxes)


def test_a_whole_graph_reads_from_left_to_right():
    drawing = lay_out_flow(graph=graph())
    at = {box.id: box for box in drawing.boxes}
    assert [box.id for box in drawing.boxes] == [segment.id for segment in graph().segments]
    assert all(
        at[base].x < at[one].x for one, bases in graph().premises().items() for base in bases if base[0] == one[0]
    )
    assert len({frozenset((line.source, line.target)) for line in drawing.lines}) == len(drawing.lines)
    assert {frozenset((edge.source, edge.target)) for edge in graph().edges} == {
        frozenset((line.source, line.target)) for line in drawing.lines
    }
    assert drawing == lay_out_flow(graph=graph())


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_no_two_boxes_of_a_drawing_touch(count, random):
    """Any graph, circles and edges against the order of reading included."""
    segments = tuple(replace(graph().segments[-1], id=f"ST{number}") for number in range(count))
    ends = [random.sample(segments, 2) for _ in range(2 * count)]
    drawing = lay_out_flow(graph=Graph(segments, tuple(Edge(a.id, b.id, Relation.DEPENDS_ON) for a, b in ends)))
    for one, two in combinations(drawing.boxes, 2):
        assert abs(one.x - two.x) >= one.width or abs(one.y - two.y) >= one.height
    assert all(
        0 <= box.y <= drawing.height - box.height and box.x + box.width <= drawing.width for box in drawing.boxes
    )


def test_repair_removes_the_weakest_edge_of_a_circle_and_says_so():
    found = graph()
    strong = Edge("ST1", "ST4", Relation.DEPENDS_ON, Strength.STRONG, 0.9)
    weak = Edge("ST4", "ST1", Relation.DEPENDS_ON, Strength.WEAK, 0.1)
    mended = repair(trace=TRACE, graph=replace(found, edges=(*found.edges, strong, weak)))
    assert find_violations(trace=TRACE, graph=mended) == ()
    assert weak not in mended.edges
    assert any("ST4 depends_on ST1" in line for line in mended.report)


def test_repair_adopts_lost_text_and_drops_none():
    found = graph()
    lost = found.segments[-1].id
    cut = replace(
        found,
        segments=found.segments[:-1],
        edges=tuple(edge for edge in found.edges if lost not in (edge.source, edge.target)),
    )
    mended = repair(trace=TRACE, graph=cut)
    assert find_violations(trace=TRACE, graph=mended) == ()
    assert mended.segments[:-1] == cut.segments
    assert mended.report


def test_a_sound_graph_is_not_changed_by_repair():
    assert repair(trace=TRACE, graph=graph()) == graph()
