"""The tiers that a decomposing model suggests: asked for where the policy follows them, used, sealed, and verified."""

from dataclasses import replace
from typing import Any

import pytest

from auditing.core.policy import FAST, Grain, RoutedBy
from auditing.models import Audit, Roster, Route
from auditing.research.reports.selectors.report import report_of
from auditing.verifier import verify_audit
from hdag.models import ChatCall, Decomposition, Segment
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves, make_endpoint
from tests.factories.worlds import make_world
from tests.rooms.ledger.test_ledger import bundled, failures

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(monkeypatch):
    with run_server() as running:
        monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", running.origin)
        yield running


def recorded(server: Any, routed_by: RoutedBy, grain: Grain = Grain.SEGMENT, decomposer: str = "llm") -> Audit:
    """An audit of a graph by a model, at its end: the model suggests itself, then people, for all but operations."""
    make_endpoint(server.url("oracle"), may_see="whole traces", max_concurrency=1)
    world = make_world(policy=replace(FAST, routed_by=routed_by), grain=grain)
    audit = world.submit(whole_to_models=True)
    Decomposition.objects.filter(pk=audit.job.pk).update(decomposer=decomposer)
    everything_moves(world)
    audit.refresh_from_db()
    assert (audit.stage, audit.fine_job.decomposer) == ("recorded", "llm"), audit.failure
    return audit


def strategy_of(audit: Audit) -> Route:
    return Route.objects.get(audit=audit, segment__level="strategy")


def lines_by_model(audit: Audit) -> list[str]:
    return [line["by"] for line in Roster.objects.get(audit=audit, number=0).segments if "by" in line]


def asked_for_tiers(audit: Audit) -> bool:
    return ChatCall.objects.filter(account=f"audit:{audit.pk}", purpose="tiers").exists()


@pytest.mark.parametrize("routed_by", [RoutedBy.MODEL, RoutedBy.WITHIN_RULES])
def test_a_suggestion_is_asked_for_used_and_bound_by_the_leaf(server, routed_by):
    audit = recorded(server, routed_by)
    routes = Route.objects.filter(audit=audit)
    assert asked_for_tiers(audit)
    assert set(routes.values_list("by_model", flat=True)) == {True}
    assert lines_by_model(audit) == ["model"] * routes.count()
    file = bundled(audit)
    assert failures(file) == ""
    report = verify_audit.verify(file)
    assert any(f"{routes.count()} as a model suggested" in told for told in report.believed["text"])


def test_under_the_rules_nobody_is_asked_and_the_table_routes(server):
    audit = recorded(server, RoutedBy.RULES)
    assert not asked_for_tiers(audit)
    assert not Route.objects.filter(audit=audit, by_model=True).exists()
    assert lines_by_model(audit) == []


def test_the_papers_questions_are_asked_and_the_table_routes_all_the_same_where_the_policy_says_rules(server):
    audit = recorded(server, RoutedBy.RULES, decomposer="llm-paper")
    assert asked_for_tiers(audit)
    assert Segment.objects.filter(decomposition=audit.job, by_model=True).exists()
    assert not Route.objects.filter(audit=audit, by_model=True).exists()


def test_passages_go_where_the_suggestions_for_their_steps_say(server):
    audit = recorded(server, RoutedBy.MODEL, Grain.PASSAGE)
    routes = Route.objects.filter(audit=audit, segment__unit="passage")
    assert {(route.primary, tuple(route.secondaries), route.by_model) for route in routes} == {
        ("llm", ("human",), True)
    }
    assert failures(bundled(audit)) == ""


def test_the_report_says_whose_word_it_was(server):
    audit = recorded(server, RoutedBy.MODEL)
    assert {line["tiers_by"] for line in report_of(audit=audit).as_json()["segments"] if line["why_tier"]} == {"model"}
