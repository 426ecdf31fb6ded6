"""The decomposer by model against the loopback server, well and ill."""

import itertools
from dataclasses import replace

import pytest

from hdag.chat.errors import NoAnswerError
from hdag.core.invariants import find_violations
from hdag.core.levels import Level, Tier
from hdag.core.spans import Span
from hdag.core.values import Source, StepSpan, ToolCall, Trace
from hdag.decomposers.llm import ModelDecomposer, RememberedSteps
from hdag.decomposers.llm.windows import locate, windows_of

THINKING = """First, find the total.
Let me add the bread and the cakes.
The bread brings 40 * 2 = 80 dollars.
The cakes bring 6 * 12 = 72 dollars.
Together that is 80 + 72 = 152 dollars."""
TRACE = Trace("How much does Marie earn?", THINKING, "152 dollars")


def decompose(client_of, behaviour, trace=TRACE, **changes):
    model = ModelDecomposer(client_of(behaviour), "job:1", **changes)
    return model.decompose(trace), model


def test_a_trace_becomes_a_graph_of_all_levels_that_keeps_every_invariant(client_of):
    graph, model = decompose(client_of, "oracle")
    assert graph.decomposer == "llm"
    assert {segment.level for segment in graph.segments} == set(Level)
    assert find_violations(trace=TRACE, graph=graph) == ()
    assert model.spent.calls == 5  # two windows of two questions, relations
    assert {s.primary for s in graph.segments if s.level is Level.OPERATION} == {Tier.COMPUTER}


@pytest.mark.parametrize(
    "behaviour", ["decompose-invented", "decompose-empty", "decompose-strangers", "cut", "429", "500"]
)
def test_a_failing_model_falls_back_to_rules_and_says_why(client_of, behaviour):
    graph, model = decompose(client_of, behaviour)
    assert graph.decomposer == "rules"
    assert "by rules, because" in graph.report[0]
    assert model.spent.calls >= 2
    assert not any("cheese" in segment.content for segment in graph.segments)
    assert find_violations(trace=TRACE, graph=graph) == ()


def test_without_fall_back_the_failure_is_raised_with_its_violation(client_of):
    with pytest.raises(NoAnswerError, match="does not occur in the source"):
        decompose(client_of, "decompose-invented", fall_back=False)


def test_circles_are_broken_at_their_weakest_edge_and_reported(client_of):
    graph, _ = decompose(client_of, "decompose-cycle")
    assert graph.decomposer == "llm"
    assert find_violations(trace=TRACE, graph=graph) == ()
    assert any("weakest of a circle" in line for line in graph.report)
    assert all(edge.confidence > 0.1 for edge in graph.edges)


def test_missing_levels_leave_a_graph_that_hangs_on_the_goal_and_loses_no_text(client_of):
    graph, _ = decompose(client_of, "decompose-flat")
    levels = {segment.level for segment in graph.segments}
    assert graph.decomposer == "llm"
    assert Level.GOAL in levels
    assert not {Level.STRATEGY, Level.TACTIC} & levels
    assert find_violations(trace=TRACE, graph=graph) == ()


def test_a_job_that_died_goes_on_where_it_stopped(client_of, server):
    done = RememberedSteps()
    decompose(client_of, "resumed", done=done)
    before = server.stats("resumed")["calls"]
    del done["relations 0"]
    graph, _model = decompose(client_of, "resumed", done=done)
    assert server.stats("resumed")["calls"] == before + 1
    assert graph.decomposer == "llm"


def test_windows_are_asked_about_side_by_side_as_far_as_the_endpoint_allows(client_of, server):
    long = Trace("How much does Marie earn?", "\n\n".join([THINKING] * 6), "152 dollars")
    graph, model = decompose(client_of, "slow-80-w", trace=long, window=400, overlap=40)
    assert graph.decomposer == "llm"
    assert model.spent.calls > 8
    assert server.stats("slow-80-w")["most at once"] == model.client.endpoint.max_concurrency == 4


def test_progress_names_each_step(client_of):
    seen = []
    decompose(client_of, "oracle", progress=lambda step, n, of: seen.append(step))
    assert list(dict.fromkeys(seen)) == ["levels", "segments", "relations"]


def test_the_papers_five_questions_are_asked_where_they_are_wanted(client_of):
    seen = []
    graph, model = decompose(client_of, "oracle", paper=True, progress=lambda step, n, of: seen.append(step))
    assert list(dict.fromkeys(seen)) == ["levels", "segments", "relations", "tiers", "refine"]
    assert model.spent.calls == 7
    assert find_violations(trace=TRACE, graph=graph) == ()


@pytest.mark.parametrize(
    "trace",
    [
        Trace("Long.", "\n".join(f"Step {i} has {i} + 1 = {i + 1} so far." for i in range(120)), "121"),
        Trace("", THINKING),
        Trace("p", "", "a"),
        replace(TRACE, tool_calls=(ToolCall("add", "40, 2", "42"),)),
        Trace("p", "one line " * 400),
    ],
)
def test_long_and_odd_traces_keep_every_invariant(client_of, trace):
    graph, _ = decompose(client_of, "oracle", trace, window=900, overlap=100)
    assert graph.decomposer == "llm"
    assert find_violations(trace=trace, graph=graph) == ()


def test_steps_given_by_the_input_stay_boundaries(client_of):
    lines = THINKING.splitlines(keepends=True)
    joined = "".join(line.rstrip("\n") + " " for line in lines)
    at, steps = 0, []
    for n, line in enumerate(lines):
        steps.append(StepSpan(n, at, at + len(line)))
        at += len(line.rstrip("\n")) + 1
    trace = Trace("p", joined[2:] + " ", steps=tuple(StepSpan(s.index, max(0, s.start - 2), s.end - 2) for s in steps))
    graph, _ = decompose(client_of, "oracle", trace)
    low = [s for s in graph.segments if s.level.depth >= 3 and s.source is Source.THINKING]
    assert len({s.step for s in low}) == len(lines)
    assert None not in {s.step for s in low}


def test_windows_overlap_and_lose_nothing():
    trace = Trace("p", "word " * 3000)
    windows = windows_of(trace=trace, size=1000, overlap=100)
    assert all(a.span.end - b.span.start == 100 for a, b in itertools.pairwise(windows))
    assert (windows[0].span.start, windows[-1].span.end) == (0, len(trace.thinking))
    assert max(len(window.text) for window in windows) <= 1000


def test_words_are_found_at_their_next_place():
    assert locate(text="ab ab", words="ab", after=1) == Span(3, 5)
    assert locate(text="ab ab", words="ab", after=4) == Span(0, 2)
    assert locate(text="x", words="  ") is None
