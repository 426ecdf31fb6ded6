"""Routing by the table, by a model's suggestion, and by a suggestion within the table's bounds."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from auditing.core.policy import DEFAULT, PAPER, PRESETS, Policy, RoutedBy
from auditing.core.routing.table import Load, Route, reason_for_reviewers, route
from auditing.core.values import Complexity, Level, Tier
from auditing.verifier import verify_audit
from auditing.verifier.verify_audit import CheckFailedError
from hdag.core.passages import coarsen, plan_passages
from hdag.core.values import Graph, Segment, Source, Trace
from hdag.decomposers.rules import RulesDecomposer

C, L, H = Tier.COMPUTER, Tier.LLM, Tier.HUMAN
BY = {way: replace(DEFAULT, routed_by=way) for way in RoutedBy}


def suggested(level: str, *tiers: Tier, complexity: str = "low", **features: float) -> Segment:
    return Segment(
        "X1",
        Level(level),
        "x",
        Source.THINKING,
        0,
        1,
        complexity=Complexity(complexity),
        features=features,
        primary=tiers[0],
        secondaries=tiers[1:],
        by_model=True,
    )


def tiers_under(policy: Policy, segment: Segment, **world: Any) -> tuple[Tier, ...]:
    return route(segment=segment, policy=policy, **world).tiers


@pytest.mark.parametrize(
    ("segment", "model", "within"),
    [
        (suggested("step", H, L), (H, L), (H, L)),
        (suggested("step", H), (H,), (H, L)),  # within the rules nobody of the row is left out
        (suggested("step", L), (L,), (L, H)),
        (suggested("step", C, H), (C, H), (L, H)),  # the row has no computer: the table's order stands
        (suggested("operation", L), (L,), (L, C, H)),
        (suggested("operation", C), (C, H), (C, L, H)),  # a checker abstains on most: somebody looks after it
        (suggested("goal", L), (L,), (H, L)),  # for people by its nature
        (suggested("step", L, ethics=1.0), (L,), (H, L)),
        (suggested("step", L, complexity="high"), (L,), (H, L)),  # harder than people leave to models
        (suggested("tactic", H, L), (H, L), (H, L)),
    ],
)
def test_a_model_orders_the_tiers_as_far_as_the_policy_lets_it(
    segment: Segment, model: tuple[Tier, ...], within: tuple[Tier, ...]
) -> None:
    rules = tiers_under(BY[RoutedBy.RULES], replace(segment, by_model=False))
    assert tiers_under(BY[RoutedBy.RULES], segment) == rules
    assert tiers_under(BY[RoutedBy.MODEL], segment) == model
    assert tiers_under(BY[RoutedBy.WITHIN_RULES], segment) == within
    assert set(within) == set(rules)


@pytest.mark.parametrize("policy", BY.values(), ids=BY)
def test_what_rules_suggested_is_no_models_word(policy: Policy) -> None:
    by_rules = replace(suggested("step", C), by_model=False)
    assert route(segment=by_rules, policy=policy) == route(segment=by_rules, policy=DEFAULT)


def test_a_missing_or_crowded_tier_changes_a_models_order_like_the_tables() -> None:
    policy, step = BY[RoutedBy.MODEL], suggested("operation", L, H)
    assert tiers_under(policy, step, available={C, H}) == (H,)
    busy = Load({L: 10_000}, {L: 1, H: 1})
    moved = route(segment=step, policy=policy, load=busy)
    assert (moved.tiers, moved.balanced, moved.by_model) == ((H, L), True, True)


def test_the_reason_names_the_suggestion_and_reviewers_do_not_read_it() -> None:
    moved: Route = route(segment=suggested("step", H, L), policy=BY[RoutedBy.WITHIN_RULES])
    assert moved.why.endswith("; a model suggested the human tier, then the llm tier")
    same = route(segment=suggested("step", H, L), policy=BY[RoutedBy.RULES])
    # A decoy has no such suggestion: what a reviewer reads must not tell it apart.
    assert "suggested" not in reason_for_reviewers(tiers=moved.tiers, why=moved.why)
    assert "suggested" not in same.why


def test_the_papers_policy_follows_the_model_and_no_other_preset_does() -> None:
    assert {name for name, policy in PRESETS.items() if policy.routed_by is not RoutedBy.RULES} == {PAPER.name}


def passages_of(graph: Graph, trace: Trace) -> list[Segment]:
    coarse = coarsen(trace=trace, graph=graph, plan=plan_passages(trace=trace, graph=graph, verified=()))
    return [segment for segment in coarse.segments if segment.level is Level.STEP]


def test_a_passage_goes_to_people_where_a_suggestion_for_one_of_its_steps_does() -> None:
    trace = Trace("What is known of it?", "It rains in May. So the river rises. Then the mill can grind.", "It grinds.")
    graph = RulesDecomposer().decompose(trace)
    to_people = {segment.id for segment in graph.segments if "river" in segment.content}
    told = [
        replace(segment, by_model=True, primary=H if segment.id in to_people else L, secondaries=())
        for segment in graph.segments
    ]
    passages = passages_of(replace(graph, segments=tuple(told)), trace)
    assert {passage.by_model for passage in passages} == {True}
    assert [passage.primary for passage in passages if "river" in passage.content] == [H]
    assert not any(passage.by_model for passage in passages_of(graph, trace))


def lines(by: str | None, **params: Any) -> Any:
    line = {"tier": "llm", "k": 3} | ({} if by is None else {"by": by})
    return SimpleNamespace(segments=[line], params={"llm": {"k": 3}} | params, revision=3, report=verify_audit.Report())


@pytest.mark.parametrize(
    ("by", "params"),
    [
        (None, {}),
        (None, {"routed_by": "model"}),
        ("model", {"routed_by": "model"}),
        ("model", {"routed_by": "model_within_rules"}),
    ],
)
def test_a_stranger_accepts_a_models_word_where_the_policy_gives_it_one(by: str | None, params: dict[str, Any]) -> None:
    verify_audit.check_seats_of_routes(lines(by, **params))


@pytest.mark.parametrize(
    ("by", "params", "why"),
    [
        ("model", {}, "routes by rules"),
        ("model", {"routed_by": "rules"}, "routes by rules"),
        ("model", {"routed_by": "whim"}, "routes by rules"),
        ("friend", {"routed_by": "model"}, "suggested by friend"),
    ],
)
def test_a_stranger_refuses_it_elsewhere(by: str, params: dict[str, Any], why: str) -> None:
    with pytest.raises(CheckFailedError, match=why):
        verify_audit.check_seats_of_routes(lines(by, **params))
