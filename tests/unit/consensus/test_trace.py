"""Traces: refutations, the answer's ancestors, the four rules, and W against beta beside them."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditing.core.consensus import SegmentOutcome, TraceOutcome, decide_trace
from auditing.core.consensus.trace import answer_basis
from auditing.core.policy import PRESETS, Policy, TraceRule
from auditing.core.values import Outcome, Tier
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source
from tests.factories.policies import ROUNDS


def graph(edges: str, steps: int = 4) -> Graph:
    """Steps ST1.. in order, the last one in the answer; edges "2<1 3<2": ST2 rests on ST1, ..."""
    segments = tuple(
        Segment(f"ST{n}", Level.STEP, "x", Source.ANSWER if n == steps else Source.THINKING, n, n + 1)
        for n in range(1, steps + 1)
    )
    pairs = [pair.split("<") for pair in edges.split()]
    return Graph(segments, tuple(Edge(f"ST{a}", f"ST{b}", Relation.DEPENDS_ON) for a, b in pairs))


def found(name: str, posterior: str = "0.99", outcome: Outcome = Outcome.PASS, **more: object) -> SegmentOutcome:
    fields = {"segment": name, "outcome": outcome, "posterior": Fraction(posterior), "tier": Tier.HUMAN}
    return SegmentOutcome(**fields | more)


def decided(*outcomes: SegmentOutcome, edges: str = "2<1 3<2 4<3", **policy: object) -> TraceOutcome:
    return decide_trace(outcomes=outcomes, graph=graph(edges), policy=replace(ROUNDS, **policy))


ALL = tuple(found(f"ST{n}") for n in range(1, 5))


def test_a_sound_trace_passes_under_both_rules() -> None:
    outcome = decided(*ALL)
    assert (outcome.outcome, outcome.paper_outcome) == (Outcome.PASS, Outcome.PASS)
    assert outcome.score == Fraction(99, 100) ** 4


FIXED = [policy for policy in PRESETS.values() if not policy.planner]  # waves leave nothing to an adjudicator


@pytest.mark.parametrize("policy", FIXED, ids=[policy.name for policy in FIXED])
def test_adjudicated_words_decide_the_trace_under_every_preset_of_rounds(policy: Policy) -> None:
    """All four segments are an adjudicator's: four passes pass the trace, one fail among them fails it."""
    policy, error = replace(policy, trace_rule=TraceRule.NOISY_AND), Fraction(policy.adjudicator_error)
    passed = [found(f"ST{n}", str(1 - error)) for n in range(1, 5)]
    failed = [*passed[:2], found("ST3", str(error), Outcome.FAIL), passed[3]]
    outcomes = [decide_trace(outcomes=one, graph=graph("2<1 3<2 4<3"), policy=policy) for one in (passed, failed)]
    assert outcomes[1].outcome is Outcome.FAIL
    assert outcomes[0].outcome is (Outcome.UNDECIDED if policy.name == "strict" else Outcome.PASS), outcomes[0].why


def test_one_wrong_step_fails_the_trace_and_the_paper_does_not_see_it() -> None:
    outcome = decided(*ALL[:2], found("ST3", "0.05", Outcome.FAIL), ALL[3])
    assert (outcome.outcome, outcome.paper_outcome) == (Outcome.FAIL, Outcome.PASS)


def test_a_refuted_check_on_the_way_to_the_answer_fails_whatever_the_weights() -> None:
    outcome = decided(found("ST1", refuted=True), *ALL[1:])
    assert outcome.outcome is Outcome.FAIL
    assert outcome.refuted == ("ST1",)
    assert outcome.why == "a computer check refuted ST1, on which the answer rests"
    assert "refuted" not in decided(*ALL).why
    assert decided(found("ST1", refuted=True), *ALL[1:], trace_rule=TraceRule.WEIGHTED).outcome is Outcome.FAIL


def test_a_refuted_side_branch_does_not_fail_the_trace() -> None:
    outcome = decided(found("ST1", refuted=True), *ALL[1:], edges="3<2 4<3")
    assert outcome.basis == ("ST2", "ST3", "ST4")
    assert outcome.outcome is Outcome.PASS


def test_without_edges_to_the_answer_it_rests_on_everything() -> None:
    assert answer_basis(graph=graph("")) == ("ST1", "ST2", "ST3", "ST4")


def test_thirty_posteriors_of_95_multiply_to_21_and_the_trace_is_still_not_lost() -> None:
    long = graph(" ".join(f"{n}<{n - 1}" for n in range(2, 31)), steps=30)
    outcome = decide_trace(outcomes=[found(f"ST{n}", "0.95") for n in range(1, 31)], graph=long, policy=ROUNDS)
    assert f"{float(outcome.score):.2f}" == "0.21"
    assert 0.85 < outcome.posterior < 0.95
    assert outcome.outcome is Outcome.UNDECIDED


def test_a_trace_is_never_surer_than_its_weakest_segment_or_its_certificate() -> None:
    assert decided(*ALL[:3], found("ST4", "0.6", Outcome.HUNG)).posterior == Fraction(6, 10)
    capped = decide_trace(outcomes=ALL, graph=graph("2<1 3<2 4<3"), policy=ROUNDS, soundness={"ST4": Fraction(1, 2)})
    assert (capped.posterior, capped.outcome) == (Fraction(1, 2), Outcome.UNDECIDED)


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        (TraceRule.NOISY_AND, "undecided"),
        (TraceRule.MINIMUM, "undecided"),
        (TraceRule.ALL_PASS, "undecided"),
        (TraceRule.FIRST_ERROR, "undecided"),
        (TraceRule.WEIGHTED, "pass"),
    ],
)
def test_a_hung_step_leaves_the_trace_undecided_except_in_the_paper(rule: TraceRule, outcome: str) -> None:
    assert decided(*ALL[:3], found("ST4", "0.63", Outcome.HUNG), trace_rule=rule).outcome == outcome


def test_the_paper_needs_w_at_least_beta_of_the_weights() -> None:
    weights = dict(zip(("ST1", "ST2", "ST3", "ST4"), (Tier.COMPUTER, Tier.LLM, Tier.HUMAN, Tier.HUMAN), strict=True))
    outcome = decided(*(found(name, tier=tier) for name, tier in weights.items()))
    assert (outcome.weight_passed, outcome.weight_needed) == (7, Fraction(49, 10))


def test_without_outcomes_nothing_is_decided() -> None:
    assert decided().outcome is Outcome.UNDECIDED
