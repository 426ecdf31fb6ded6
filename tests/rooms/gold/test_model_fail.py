"""Gold that models fail on: made where most qualified models were wrong, at its own share, and asked of people."""

import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from auditing.core.routing.table import reason_for_reviewers
from auditing.core.values import Choice
from auditing.models import Audit, AuditEvent, GoldSegment, Round, Route, Seat
from auditing.selectors.gold.decoys import seats_placed
from auditing.selectors.gold.misled import on_gold, words_of_models
from auditing.services.gold.decoys import plant
from auditing.services.gold.sources import find_draft
from hdag.models import Endpoint
from tests.doubles.chat_server import RunningServer, run_server
from tests.factories.models import make_endpoint
from tests.factories.worlds import World, make_world
from tests.rooms.gold.test_decoys import MUCH_GOLD, decoy_audits, sweep
from tests.rooms.gold.test_gold import FIELD, load

pytestmark = pytest.mark.django_db
SHARED = replace(MUCH_GOLD, model_fail_share=Decimal("0.2"))


def line(name: str, votes: str, truth: str = "fail") -> str:
    text = f"If every {name} has wings and a bat has wings, then a bat is a {name}."
    fields = f'"name": "{name}", "domain": "{FIELD}", "text": "{text}", "truth": "{truth}", "purpose": "honeypot"'
    return f'{{{fields}, "model_votes": {votes}}}'


def gold_world(*lines: str) -> World:
    world = make_world(reviewers=3, policy=SHARED)
    world.everybody_votes(world.submit())
    load(*lines)
    return world


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with run_server() as running:
        yield running


def test_it_is_planted_up_to_its_own_share_and_kept_apart() -> None:
    fooled = [line(f"owl{number}", '["pass", "pass", "fail"]') for number in range(9)]
    world = gold_world(*fooled, *(line(f"bird{number}", '["pass"]', "pass") for number in range(9)))
    sweep(world, times=30)
    placed = seats_placed(campaign=world.campaign)
    misleading = {audit.trace.decoy.gold.name for audit in decoy_audits() if audit.trace.decoy.misleads_models}
    assert misleading
    assert all(name.startswith("owl") for name in misleading)
    assert 0 < placed.misleading_share <= 0.2 < placed.share <= 0.4
    out = StringIO()
    call_command("gold", "show", stdout=out)
    assert f"{placed.misleading} of them on gold that models fail on" in out.getvalue()
    assert any(event["due_misleading"] for event in events())


def events() -> list[Any]:
    return list(AuditEvent.objects.filter(kind="gold.placed").values_list("body", flat=True))


def test_a_policy_without_a_share_plants_it_as_any_other_gold() -> None:
    world = make_world(reviewers=3, policy=MUCH_GOLD)
    world.everybody_votes(world.submit())
    load(*(line(f"bird{number}", '["fail"]') for number in range(9)))
    assert sweep(world)
    assert not any(event["due_misleading"] for event in events())


def test_only_qualified_models_count_and_only_when_most_of_them_are_wrong() -> None:
    world = gold_world(line("owl", "[]"))
    gold = GoldSegment.objects.get()
    votes = {"gold": {"votes": {f"gold {gold.pk}": ["pass", 0.9, False]}}}
    for name, stored in (("first", votes), ("refused", {**votes, "refused": "no better than a coin"}), ("none", None)):
        make_endpoint("http://127.0.0.1:9/v1", name, qualification=stored)
    words = words_of_models()
    assert on_gold(words=words, gold=gold.pk) == ["pass"]
    found = find_draft(campaign=world.campaign, policy=SHARED, truth=Choice.FAIL, rng=random.Random(1), misleading=True)
    assert found is not None
    assert found.gold == gold
    Endpoint.objects.filter(name="none").update(
        qualification={"gold": {"votes": {f"gold {gold.pk}": ["fail", 0.9, True]}}}
    )
    assert not any(
        find_draft(campaign=world.campaign, policy=SHARED, truth=truth, rng=random.Random(1), misleading=True)
        for truth in (Choice.PASS, Choice.FAIL)
    )


def test_people_are_asked_about_it_where_models_would_decide_and_read_the_usual_reason(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = gold_world(line("owl", '["pass"]'))
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    make_endpoint(server.url("oracle"))
    draft = find_draft(campaign=world.campaign, policy=SHARED, truth=Choice.FAIL, rng=random.Random(1), misleading=True)
    assert draft is not None
    audit = plant(draft=draft, campaign=world.campaign, rng=random.Random(1))
    ordinary = world.submit(replace(draft.trace, title="Owls"))
    world.settle_machines()
    reasons = []
    for each in (audit, ordinary):
        gold = Round.objects.filter(audit=each).exclude(tier="computer").latest("number").segment_id
        route = Route.objects.get(audit=each, segment=gold)
        reasons.append(reason_for_reviewers(tiers=route.tiers, why=route.why))
    assert reasons[0] == reasons[1]
    assert "language model looks at this first" in reasons[0]
    assert Seat.objects.filter(round__audit=audit, round__tier="human", stage="offered").exists()
    assert not Round.objects.filter(audit=audit, tier="llm").exists()
    assert Audit.objects.get(pk=ordinary.pk).rounds.filter(tier="llm").exists()


@pytest.mark.parametrize("votes", ['"pass"', '["maybe"]', "[1]", '{"a": "pass"}'])
def test_recorded_votes_that_are_none_are_named(votes: str) -> None:
    from auditing.services.gold import BadGoldError

    with pytest.raises(BadGoldError, match="line 1: model_votes"):
        load(line("owl", votes))
