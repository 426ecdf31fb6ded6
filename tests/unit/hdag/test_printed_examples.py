"""The graphs printed in the TRUST paper (Marie, Alec) beside ours by rules, on the text of the printed nodes."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from hdag.core.invariants import find_violations
from hdag.core.relations import Relation
from hdag.core.values import Graph, Trace
from hdag.decomposers.rules import RulesDecomposer

SEED = Path("../shared/seeds/trust.txt")
TITLES = [
    "Marie's Cash Register Days",
    "Marie's Cash Register - Step-by-Step",
    "Alec's Class President Votes",
    "Alec's Votes",
]


def printed(title: str) -> tuple[dict, Trace]:
    """The printed graph and a trace of its goal and of the contents of its other nodes, none twice."""
    if not SEED.exists():
        pytest.skip("the paper's text is not beside the repository")
    text = SEED.read_text(encoding="utf-8")
    start = text.rindex("{", 0, text.index(f'"title": "{title}"'))
    graph, _ = json.JSONDecoder().raw_decode(text[start:])
    goal, *others = [node["content"] for node in graph["nodes"]]
    told: list[str] = []
    for content in others:
        if not any(content in earlier for earlier in told):
            told.append(content)
    return graph, Trace(problem=goal, thinking="\n\n".join(told))


def equations(graph: Graph) -> set[str]:
    """What our operations and bare equations say, digits and signs alone."""
    return {bare(segment.content) for segment in graph.segments}


def bare(text: str) -> str:
    """An equation without spaces, currency and brackets of LaTeX."""
    return re.sub(r"[\s$\\()]", "", text).rstrip(".")


@pytest.mark.parametrize("title", TITLES)
def test_a_printed_example_is_decomposed_soundly_beside_the_printed_graph(title):
    theirs, trace = printed(title)
    ours = RulesDecomposer().decompose(trace)
    assert find_violations(trace=trace, graph=ours) == ()
    levels = Counter(node["abstraction_level"].lower() for node in theirs["nodes"])
    relations = Counter(edge["relationship"] for edge in theirs["edges"])
    print(f"\n{title}")
    print("  printed", dict(levels), dict(relations))
    print(
        "  ours   ",
        dict(Counter(s.level.value for s in ours.segments)),
        dict(Counter(e.relation.value for e in ours.edges)),
    )
    assert sum(edge.relation is Relation.DECOMPOSES_TO for edge in ours.edges) == len(ours.segments) - 1


@pytest.mark.parametrize("title", TITLES[:2])
def test_the_printed_equations_of_marie_are_found_as_operations(title):
    theirs, trace = printed(title)
    wanted = {bare(n["content"]) for n in theirs["nodes"] if n["id"].startswith("O") and "=" in n["content"]}
    assert wanted <= equations(RulesDecomposer().decompose(trace))


def test_maries_double_check_validates_the_operations_that_it_repeats():
    _, trace = printed(TITLES[0])
    graph = RulesDecomposer().decompose(trace)
    content = {segment.id: segment.content for segment in graph.segments}
    pairs = [(content[e.source], content[e.target]) for e in graph.edges if e.relation is Relation.VALIDATES]
    assert ("6 * 12 = 72", "6 * 12 = $72") in pairs
    assert {segment.level.value for segment in graph.segments} == {"goal", "strategy", "tactic", "step", "operation"}
