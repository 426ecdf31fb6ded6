"""The plan of a trace: its passages, what of them is asked, its plan seats, and the graph that they make."""

import pytest

from benchmarks.public_traces import DATA, records
from hdag.core.invariants import find_violations
from hdag.core.levels import Level
from hdag.core.passages import PassageLimits, PassagePlan, PlanKind, Why, coarsen, plan_passages
from hdag.core.passages.asking import Proofs, find_reasons
from hdag.core.passages.atoms import Atom
from hdag.core.relations import Relation, Strength
from hdag.core.values import Edge, Graph, Segment, Source, Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

SENTENCE = "The shop sells {0} loaves on day {0}, so the till holds {1} dollars more than it did. "
LONG = "\n\n".join("".join(SENTENCE.format(n, 3 * n) for n in range(k, k + 4)) for k in range(3, 30, 4))


def plan_of(trace: Trace, **limits: int) -> tuple[Graph, PassagePlan]:
    graph = RulesDecomposer().decompose(trace)
    return graph, plan_passages(trace=trace, graph=graph, limits=PassageLimits(**limits))


def test_a_short_trace_is_one_unit_without_plan_seats():
    _, plan = plan_of(Trace("How much?", "It sells 3 loaves. Each is 2 dollars. So it earns 6.", "6 dollars"))
    assert plan.is_one_unit
    assert [passage.why for passage in plan.passages] == [Why.ASKED, Why.ONE_UNIT]
    assert plan.passages[0].carries == ("P2",)
    assert plan.plan_seats == ()


def test_a_longer_trace_has_passages_of_the_stated_size_and_three_plan_seats():
    _, plan = plan_of(Trace("How much?", LONG, "The till holds 90 dollars more."))
    sizes = [len(passage.text) for passage in plan.asked]
    assert all(200 <= size <= 900 for size in sizes[:-1])
    assert [seat.kind for seat in plan.plan_seats] == list(PlanKind)
    assert plan.passages[-1].id == "A1"


def test_a_passage_has_at_most_eight_steps_and_names_each():
    _, plan = plan_of(Trace("How much?", "It is 9 and 8 here. " * 200))
    assert max(len(passage.segments) for passage in plan.passages) <= 8
    assert all(passage.marks == tuple((label,) for label in passage.segments) for passage in plan.asked)


def test_a_short_trace_of_many_steps_has_eight_marks_that_hold_all_of_them():
    steps = [f"Step {n}: the till holds {n} dollars." for n in range(20)]
    trace = read_record({"problem": "How much?", "steps": steps}, where="r")
    _, plan = plan_of(trace)
    assert len(plan.passages[0].marks) == 8
    assert sum(len(mark) for mark in plan.passages[0].marks) == 20


def test_what_the_computer_proved_is_not_asked():
    trace = Trace("2 + 3?", "2 + 3 = 5")
    graph = RulesDecomposer().decompose(trace)
    plan = plan_passages(trace=trace, graph=graph, verified={"O1"})
    assert [passage.why for passage in plan.passages] == [Why.PROVED]


def test_every_reason_has_its_sentence():
    assert all(bool(why.sentence) == (why is not Why.ASKED) for why in Why)


def test_the_passage_graph_is_sound_and_its_premises_are_those_of_the_steps():
    trace = Trace("How much are 7 days?", LONG + "\n\nStep 9: By the sum, 7 * 90 = 630.", "So it is 630 dollars.")
    graph, plan = plan_of(trace)
    coarse = coarsen(trace=trace, graph=graph, plan=plan)
    assert find_violations(trace=trace, graph=coarse) == ()
    assert [s.id for s in coarse.segments if s.level is not Level.STEP] == ["G1", "S1"]
    owner = {label: passage.id for passage in plan.passages for label in passage.segments}
    fine = {(owner.get(key), owner.get(base)) for key, bases in graph.premises().items() for base in bases}
    ours = {(key, base) for key, bases in coarse.premises().items() for base in bases}
    assert {(key, base) for key, base in fine if key and base and key != base} <= ours


def test_the_first_traces_of_every_public_set_make_sound_passage_graphs():
    if not DATA.exists():
        pytest.skip("the public data are not beside the repository")
    for name, record in records(per_file=3):
        trace = read_record(record, where=name)
        graph, plan = plan_of(trace)
        assert find_violations(trace=trace, graph=coarsen(trace=trace, graph=graph, plan=plan)) == ()
        labels = [label for passage in plan.passages for label in passage.segments]
        steps = {s.id for s in graph.segments if s.level is Level.STEP}
        assert steps <= set(labels)


def test_every_segment_of_the_passage_graph_that_is_judged_has_its_unit():
    trace = Trace("How much?", LONG, "The till holds 90 dollars more.")
    graph, plan = plan_of(trace)
    units = plan.units()
    assert set(units) == {segment.id for segment in coarsen(trace=trace, graph=graph, plan=plan).segments}
    assert all(units[passage.id].text == passage.text for passage in plan.passages)
    assert [units[key].kind for key in ("G1", "S1", "A1")] == ["goal", "strategy", "answer"]


SAYS = ["".join(SENTENCE.format(n, 3 * n) for n in range(k, k + 4)) for k in range(3, 30, 4)]
CODE = "```python\nprint('no fence closes this block')\n\nprint('and so it would swallow the others')"


@pytest.mark.parametrize("opening", [CODE, f"Coder:\n{CODE}", f"Coder: {CODE}"])
def test_a_fence_that_a_speaker_forgot_does_not_join_the_turns_of_the_others(opening: str) -> None:
    _, plan = plan_of(read_record({"problem": "How much?", "steps": [opening, *SAYS]}, where="r"))
    assert max(len(passage.text) for passage in plan.asked) <= 900
    closed = [opening, f"{SAYS[0]}\n```", *SAYS[1:]]
    _, plan = plan_of(read_record({"problem": "How much?", "steps": closed}, where="r"))
    assert next(p for p in plan.passages if "print('no" in p.text).text.count("```") == 2


def test_the_goal_seat_reads_one_long_opening_or_two_short_ones() -> None:
    short = "\n\n".join(SENTENCE.format(n, 3 * n) * 3 for n in range(3, 20))
    long = ["".join(SENTENCE.format(n, 3 * n) for n in range(3, 18)), *short.split("\n\n")]
    _, one = plan_of(read_record({"problem": "How much?", "steps": long}, where="r"))
    _, two = plan_of(Trace("How much?", short))
    assert [len(plan.plan_seats[0].segments) for plan in (one, two)] == [1, 2]


def with_tactics(graph: Graph, text: str, border: int) -> Graph:
    """The graph with its steps under two tactics handed in, of which the second begins at character `border`."""
    steps = [segment for segment in graph.segments if segment.level is Level.STEP]
    spans = (("T1", 0, border), ("T2", border, len(text)))
    tactics = [Segment(key, Level.TACTIC, text[a:b], Source.THINKING, a, b) for key, a, b in spans]
    parts = [
        Edge("T1" if step.start < border else "T2", step.id, Relation.DECOMPOSES_TO, Strength.STRONG, 1.0, "")
        for step in steps
    ]
    goal = [segment for segment in graph.segments if segment.level is Level.GOAL]
    return Graph((*goal, *tactics, *steps), tuple(parts))


@pytest.mark.parametrize("after", range(4, 9))
def test_tactics_handed_in_are_the_preferred_borders_of_passages(after: int):
    text = "".join(SENTENCE.format(n, 3 * n) for n in range(30, 42)).strip()
    trace = Trace("How much?", text)
    graph = RulesDecomposer().decompose(trace)
    border = [segment.start for segment in graph.segments if segment.level is Level.STEP][after]
    limits = PassageLimits(one_unit_below=100)
    plan = plan_passages(trace=trace, graph=with_tactics(graph, text, border), limits=limits)
    assert border in {passage.start for passage in plan.passages}


def test_a_problem_said_again_in_nearly_its_words_is_asked_of_nobody_unless_a_step_says_it():
    text = "A bakery sells 40 loaves a day at $2 each, and so how much does it earn in a week of 7 days?"
    problem = "A bakery sells 40 loaves a day at $2 each. How much does it earn in a week of 7 days?"
    nothing = Proofs(frozenset(), frozenset(), {})
    reasons = [
        find_reasons(atoms=[Atom("ST1", 0, len(text), text, True, step)], problem=problem, proofs=nothing)
        for step in (None, 0)
    ]
    assert reasons == [[Why.RESTATED_PROBLEM], [Why.ASKED]]
