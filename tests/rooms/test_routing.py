"""Routing: the paper's criteria, its printed assignments, and the preview of seats."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditing.core.policy import DEFAULT, FAST
from auditing.core.routing import route
from auditing.core.values import Complexity, Level, Tier
from auditing.models import Route
from auditing.selectors.routing_preview import preview_of
from hdag.core.values import Segment, Source
from tests.factories.worlds import make_user, make_world
from tests.pages.test_corridor_pages import signed_in

SEED = Path("../shared/seeds/trust.txt")
NAMES = {"T_Auto": Tier.COMPUTER, "T_LLM": Tier.LLM, "T_Human": Tier.HUMAN}


def segment(level: str, kind: str = "", complexity: str = "low", **features: float) -> Segment:
    return Segment(
        "X1", Level(level), "x", Source.THINKING, 0, 1, kind=kind, complexity=Complexity(complexity), features=features
    )


@pytest.mark.parametrize(
    ("criterion", "given", "domain", "tier"),
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
def test_the_papers_criteria_lead_to_the_papers_tiers(criterion: str, given: Segment, domain: str, tier: Tier) -> None:
    found = route(segment=given, policy=DEFAULT, domain=domain)
    assert found.primary is tier, criterion
    assert found.why


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
    assert people.open_rounds > 0


@pytest.mark.django_db
def test_the_preview_asks_the_same_number_of_queries_for_any_number_of_traces() -> None:
    world, counts = make_world(), []
    for _ in range(2):
        for _ in range(3):
            world.submit(copy=True)
        world.walk()
        with CaptureQueriesContext(connection) as asked:
            preview_of(policy=FAST)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 5


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
