"""Routing: the paper's criteria, its printed assignments, and the preview of seats."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditing.core.policy import DEFAULT, FAST, Grain, RouteRow
from auditing.core.routing.table import Load, reason_for_reviewers, route, route_all
from auditing.core.values import Complexity, Level, Tier
from auditing.models import Route
from auditing.research.policy_lab.selectors.preview import preview_of
from auditing.selectors.routing.tiers import tier_load
from auditing.services.intake.submission import withdraw
from hdag.core.values import Segment, Source, Trace
from hdag.models import Segment as SegmentRow
from tests.factories.worlds import make_user, make_world
from tests.pages.test_corridor_pages import signed_in

SEED = Path("../shared/seeds/trust.txt")
NAMES = {"T_Auto": Tier.COMPUTER, "T_LLM": Tier.LLM, "T_Human": Tier.HUMAN}


def segment(level: str, kind: str = "", complexity: str = "low", **features: float) -> Segment:
    return Segment(
        "X1", Level(level), "x", Source.THINKING, 0, 1, kind=kind, complexity=Complexity(complexity), features=features
    )


@pytest.mark.parametrize(
    ("criterion", "one", "domain", "tier"),
    [
        ("mathematical calculations", segment("operation"), "", Tier.COMPUTER),
        ("formal, mechanical steps", segment("step", "algebraic_combination"), "", Tier.COMPUTER),
        ("syntax and format validation", segment("step", "format"), "", Tier.COMPUTER),
        ("semantic coherence", segment("step"), "", Tier.LLM),
        ("factual accuracy", segment("step", "fact", "medium"), "", Tier.LLM),
        ("strategy and approach assessment", segment("strategy"), "", Tier.LLM),
        ("ethical considerations", segment("step", ethics=1.0), "", Tier.HUMAN),
        ("ambiguous or subjective interpretation", segment("step", hedges=2.0), "", Tier.HUMAN),
        ("novel or creative reasoning", segment("tactic", novelty=1.0), "", Tier.HUMAN),
        ("high-stakes decisions", segment("step", "", "high", stakes=1.0), "law", Tier.HUMAN),
        ("domain expertise", segment("step", "", "high"), "legal", Tier.HUMAN),
        ("domain expertise by another name", segment("step", "", "high"), "law", Tier.HUMAN),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_papers_criteria_lead_to_the_papers_tiers(criterion: str, one: Segment, domain: str, tier: Tier) -> None:
    found = route(segment=one, policy=DEFAULT, domain=domain)
    assert found.primary is tier, criterion
    assert found.why


CALM, BUSY = 0, 10_000


def loads(computer: int = CALM, llm: int = CALM, human: int = CALM) -> Load:
    seats = {Tier.COMPUTER: computer, Tier.LLM: llm, Tier.HUMAN: human}
    return Load(seats, {Tier.COMPUTER: 1, Tier.LLM: 8, Tier.HUMAN: 10})


@pytest.mark.parametrize(
    ("one", "load", "tier"),
    [
        (segment("step"), loads(llm=BUSY), Tier.HUMAN),
        (segment("step"), loads(llm=BUSY, human=BUSY), Tier.LLM),  # nobody is free: the table stands
        (segment("step"), loads(human=BUSY), Tier.LLM),
        (segment("step"), loads(llm=60 * 8 - 1), Tier.LLM),
        (segment("step"), loads(llm=60 * 8), Tier.HUMAN),  # the limit is 60 open seats for each call at once
        (segment("step", "", "high"), loads(human=BUSY), Tier.HUMAN),
        (segment("step", "", "medium", ethics=1.0), loads(human=BUSY), Tier.HUMAN),
        (segment("step", "", "low", hedges=2.0), loads(human=BUSY), Tier.HUMAN),
        (segment("goal"), loads(human=BUSY), Tier.HUMAN),
        (segment("operation"), loads(computer=BUSY, llm=BUSY), Tier.COMPUTER),  # machine time is not scarce
    ],
)
def test_a_crowded_tier_passes_on_what_the_other_may_judge(one: Segment, load: Load, tier: Tier) -> None:
    found = route(segment=one, policy=DEFAULT, load=load)
    assert found.primary is tier
    assert found.balanced == ("is crowded" in found.why)


NO_MODEL = {"available": {Tier.COMPUTER, Tier.HUMAN}}
BUSY_MODELS: dict[str, Any] = {"load": loads(llm=BUSY)}
SUM, PLAN = "at this first (deterministic calculation). People are next", "strategy and approach assessment"
SAID = [
    (segment("operation"), NO_MODEL, f"The computer tier looks {SUM}: no language model is connected."),
    (segment("operation"), BUSY_MODELS, f"The computer tier looks {SUM}: the queue of the models is long."),
    (segment("operation"), {}, f"The computer tier and a language model look {SUM}."),
    (
        segment("strategy"),
        NO_MODEL,
        f"For language models ({PLAN}), but no language model is connected: people are asked.",
    ),
    (
        segment("strategy"),
        BUSY_MODELS,
        f"For language models ({PLAN}), but the queue of the models is long: people are asked.",
    ),
    (segment("strategy"), {}, f"A language model looks at this first ({PLAN}). People are next."),
    (segment("goal"), NO_MODEL, "People look at this first: reading the problem takes judgement."),
]


@pytest.mark.parametrize(("one", "world", "sentence"), SAID)
def test_a_reviewer_reads_why_people_are_asked(one: Segment, world: dict[str, Any], sentence: str) -> None:
    found = route(segment=one, policy=DEFAULT, **world)
    assert reason_for_reviewers(tiers=found.tiers, why=found.why) == sentence


def test_people_leave_to_models_what_the_policy_says() -> None:
    own = RouteRow(primary=Tier.HUMAN, secondaries=(Tier.LLM,), why="people first")
    policy = replace(DEFAULT, routes=(own,))
    crowded, hard = loads(human=BUSY), segment("step", "", "high")
    assert route(segment=segment("step", "", "medium"), policy=policy, load=crowded).tiers == (Tier.LLM, Tier.HUMAN)
    assert route(segment=hard, policy=policy, load=crowded).primary is Tier.HUMAN
    up_to_high = replace(policy, balance_up_to=Complexity.HIGH)
    assert route(segment=hard, policy=up_to_high, load=crowded).primary is Tier.LLM
    never = replace(policy, human=replace(policy.human, crowded_from=0))
    assert not route(segment=segment("step"), policy=never, load=crowded).balanced


def test_a_tier_that_is_not_available_is_no_relief() -> None:
    found = route(
        segment=segment("step"), policy=DEFAULT, available={Tier.COMPUTER, Tier.HUMAN}, load=loads(human=BUSY)
    )
    assert found.primary is Tier.HUMAN


def test_a_computation_keeps_the_checkers_first_and_changes_who_comes_after_them() -> None:
    assert route(segment=segment("operation"), policy=DEFAULT).tiers == (Tier.COMPUTER, Tier.LLM, Tier.HUMAN)
    found = route(segment=segment("operation"), policy=DEFAULT, load=loads(llm=BUSY))
    assert found.tiers == (Tier.COMPUTER, Tier.HUMAN, Tier.LLM)
    assert "60): human before it" in found.why


@pytest.mark.parametrize(("waiting", "moved"), [(0, 0), (474, 18), (480, 20), (2000, 20)])
def test_one_long_trace_spreads_over_the_tiers_and_nobody_is_lost(waiting: int, moved: int) -> None:
    load = loads(llm=waiting, human=100)
    found = list(route_all(segments=[segment("step")] * 20, policy=DEFAULT, available=set(Tier), load=load))
    assert sum(one.balanced for one in found) == moved  # each of the first two of 18 adds three seats to 474
    assert sum(load.seats.values()) == waiting + 100 + sum(one.k for one in found)
    assert {tuple(sorted(one.tiers)) for one in found} == {(Tier.HUMAN, Tier.LLM)}


@pytest.mark.django_db
def test_the_load_is_what_waits_now_beside_who_can_take_it() -> None:
    world = make_world()
    audit = world.submit()
    assert tier_load().seats == {}
    world.settle_machines()
    open_rounds = audit.rounds.filter(tier="human").exclude(stage="tallied")
    assert tier_load().seats == {Tier.HUMAN: sum(one.k for one in open_rounds)}
    assert tier_load().share(Tier.HUMAN) == sum(one.k for one in open_rounds) / len(world.reviewers)
    audit.refresh_from_db()
    assert withdraw(audit=audit, actor=world.provider)
    assert tier_load().seats == {}


def printed() -> list[dict[str, Any]]:
    """Every node of the paper that is printed with a primary auditor and a level."""
    if not SEED.exists():
        pytest.skip("the paper's text is not beside the repository")
    text, decoder, found, at = SEED.read_text(encoding="utf-8"), json.JSONDecoder(), [], 0
    while (at := text.find("{\n", at)) >= 0:
        try:
            graph, at = decoder.raw_decode(text, at)
        except ValueError:
            at += 1
            continue
        found += [node for node in graph.get("nodes", []) if node.get("primary_auditor") in NAMES]
    return found


def test_the_papers_printed_assignments_beside_ours() -> None:
    nodes = printed()
    assert len(nodes) > 30
    agreed: dict[str, list[bool]] = {}
    for node in nodes:
        level, complexity = node["abstraction_level"].lower(), node.get("complexity", "Low").lower()
        ours = route(segment=segment(level, complexity=complexity), policy=DEFAULT).primary
        agreed.setdefault(level, []).append(ours is NAMES[node["primary_auditor"]])
    print({level: f"{sum(same)} of {len(same)}" for level, same in agreed.items()})
    assert sum(agreed["operation"]) >= 0.9 * len(agreed["operation"])  # computations are the computer's in both
    assert "strategy" in agreed


@pytest.mark.django_db
def test_the_preview_of_the_policy_in_force_is_what_routing_did() -> None:
    world = make_world()
    audit = world.submit()
    world.walk()
    available = {Tier.COMPUTER, Tier.HUMAN}
    seen = preview_of(policy=FAST, available=available)
    routes = list(Route.objects.filter(audit=audit))
    assert seen.segments == len(routes) > 0
    assert seen.seats == sum(one.k for one in routes)
    assert sum(one.segments for one in seen.reasons) == seen.segments
    people = next(one for one in seen.tiers if one.tier is Tier.HUMAN)
    assert people.points == people.seats * FAST.reward
    assert people.open_seats > 0
    assert people.auditors == len(world.reviewers)


@pytest.mark.django_db
def test_the_preview_sends_each_segment_where_routing_would() -> None:
    hedged = "Perhaps 2 + 2 = 4. It might be that 3 is maybe prime, possibly. So 7 * 6 = 42."
    world = make_world()
    for domain in ("mathematics", "medicine"):
        world.submit(Trace(problem="How many?", thinking=hedged, answer="42", domain=domain), copy=True)
    world.walk()
    rows = SegmentRow.objects.filter(entirely_childrens=False, decomposition__derived_from__isnull=True)
    rows = rows.exclude(source=Source.PROBLEM).select_related("decomposition__trace")
    assert any(row.features.get("hedges", 0) >= 2 for row in rows)
    going = Counter[tuple[str, Tier]]()
    for row in rows:
        one = segment(row.level, row.kind, row.complexity, **row.features)
        sent = route(segment=one, policy=FAST, domain=row.decomposition.trace.domain, load=tier_load())
        going[sent.why, sent.primary] += 1
    assert {(one.why, one.tier): one.segments for one in preview_of(policy=FAST).reasons} == dict(going)


@pytest.mark.django_db
def test_the_preview_asks_the_same_number_of_queries_for_any_number_of_traces() -> None:
    world, counts = make_world(grain=Grain.PASSAGE), []
    for _ in range(2):
        for _ in range(3):
            world.submit(copy=True)
        world.walk()
        with CaptureQueriesContext(connection) as asked:
            preview_of(policy=FAST)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 6


@pytest.mark.django_db
def test_the_table_and_its_preview_are_shown_to_researchers() -> None:
    world = make_world()
    world.submit()
    world.walk()
    address = f"/policies/{world.campaign.policy.number}/routing"
    body = signed_in(make_user("r@example.org", "researcher")).get(address).content.decode()
    assert "deterministic calculation" in body
    assert "newest traces would fill" in body
    assert signed_in(world.provider).get(address).status_code == 403
