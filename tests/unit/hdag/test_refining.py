"""Step 5 of the decomposition by model: segments are merged and split, spans stay exact, relations follow."""

from dataclasses import replace

import pytest

from hdag.core.invariants import find_violations
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.spans import Span
from hdag.core.values import Edge, Graph, Source, Trace
from hdag.decomposers.llm.build import LocatedPiece, segments_of, structure
from hdag.decomposers.llm.refining import find_imbalances, refine_segments

PARTS = ("First we add both numbers. ", "So 17 + 25 = 42. ", "Then half of 42 is 21. ", "That is it.")
TRACE = Trace(problem="What is half of 17 + 25?", thinking="".join(PARTS), answer="")


def graph_of(trace=TRACE):
    pieces, start = [], 0
    for part in PARTS:
        pieces.append(LocatedPiece(Level.STEP, Source.THINKING, 0, Span(start, start + len(part.rstrip()))))
        start += len(part)
    segments = segments_of(trace=trace, pieces=pieces)
    relations = [Edge(f"ST{n}", f"ST{n - 1}", Relation.DEPENDS_ON) for n in (2, 3, 4)]
    return Graph(segments, (*structure(segments=segments), *relations), "llm")


def leans(graph):
    return {(edge.source, edge.target) for edge in graph.edges if edge.relation is Relation.DEPENDS_ON}


def test_two_neighbours_become_one_and_what_leaned_on_either_leans_on_it():
    merged = refine_segments(trace=TRACE, graph=graph_of(), merges=[{"first": "ST3", "second": "ST4"}], splits=[])
    assert [segment.id for segment in merged.segments] == ["G1", "ST1", "ST2", "ST3"]
    assert merged.segments[3].content == "Then half of 42 is 21. That is it."
    assert leans(merged) == {("ST2", "ST1"), ("ST3", "ST2")}
    assert not find_violations(trace=TRACE, graph=merged)


def test_one_becomes_two_and_whoever_relied_on_it_relies_on_its_conclusion():
    split = refine_segments(trace=TRACE, graph=graph_of(), merges=[], splits=[{"id": "ST2", "text": "17 + 25"}])
    assert [segment.content for segment in split.segments[2:4]] == ["So", "17 + 25 = 42."]
    assert leans(split) == {("ST3", "ST2"), ("ST4", "ST3"), ("ST5", "ST4"), ("ST3", "ST1")}
    assert "split 1" in split.report[-1]
    assert not find_violations(trace=TRACE, graph=split)


@pytest.mark.parametrize(
    ("merges", "splits"),
    [
        ([{"first": "ST1", "second": "ST3"}], []),  # another step stands between
        ([{"first": "ST1", "second": "ST9"}], []),
        ([{"first": "G1", "second": "ST1"}], []),
        ([], [{"id": "ST2", "text": "words that are not there"}]),
        ([], [{"id": "ST2", "text": "So 17"}]),  # nothing stands before it
        ([], [{"id": "G1", "text": "half"}]),
    ],
)
def test_what_cannot_be_done_changes_nothing(merges, splits):
    graph = graph_of()
    assert refine_segments(trace=TRACE, graph=graph, merges=merges, splits=splits) == graph


def test_steps_that_are_no_statement_or_several_are_named():
    steps = list(graph_of().segments)
    assert find_imbalances(steps) == ("ST4 has 11 characters: merge it with its neighbour if it says nothing alone",)
    steps[2] = replace(steps[2], content="x" * 900)
    assert "ST2 has 900 characters" in find_imbalances(steps)[0]
