"""The rounds of one audit are drawn together: as if one by one, in few statements, and nothing waits behind them."""

import json
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from celery import current_app
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Profile
from auditing import tasks
from auditing.core.policy import FAST, Policy
from auditing.models import Audit, Leaf, Roster, Round, Seat
from auditing.research.campaigns.services.campaigns import set_state
from auditing.selectors.clock import database_now
from auditing.selectors.seating.rosters import eligible_lines
from auditing.services import corridor
from auditing.services.seating import windows
from hdag.core.values import Trace
from tests.factories.worlds import ONE_SEAT, World, make_user, make_world, waiting_world

pytestmark = pytest.mark.django_db
BUDGET = replace(FAST, human=replace(FAST.human, k=2), short_trace_characters=0, disclosure_share=Decimal("0.4"))
MOST_STATEMENTS = 50  # one round took as many before
NEIGHBOURS = replace(BUDGET, neighbours=True, disclosure_share=Decimal("0.9"))


def long_trace(cases: int, tag: str = "") -> Trace:
    thinking = "\n\n".join(
        f"Then consider case {number}{tag}, where each bird is counted once." for number in range(cases)
    )
    return Trace(problem="How many birds?", thinking=thinking, answer="78", domain="school maths", title="Birds")


def waiting_for_the_draw(policy: Policy, cases: int = 8) -> tuple[World, Audit]:
    """An audit whose people's rounds all wait, its list covered by a checkpoint."""
    world = make_world(reviewers=6, policy=policy)
    audit = world.submit(trace=long_trace(cases))
    while world.walk():
        pass
    world.sequence()
    Round.objects.filter(audit=audit, stage="seated").update(due_at=None)
    return world, audit


def test_the_list_says_how_many_seats_everybody_has_open() -> None:
    world = make_world(reviewers=6, policy=BUDGET)
    world.submit(trace=long_trace(8))
    world.settle_machines()
    open_seats = Seat.objects.filter(auditor__tier="human", stage__in=("offered", "held"))
    held = sorted(Counter(open_seats.values_list("auditor", flat=True)).values())
    audit = world.submit(trace=long_trace(2, " again"))
    world.settle_machines()
    loads = sorted(line.load for line in eligible_lines(audit=audit) if line.kind == "human" and line.load)
    assert loads == held
    assert max(loads) > 1


def drawn(audit: Audit) -> tuple[list[dict[str, Any]], list[tuple[Any, ...]], list[Any]]:
    """Leaves (but for the digests that hide seat ids), seats, and who comes next in each round."""
    leaves = [json.loads(bytes(body)) for body in Leaf.objects.order_by("id").values_list("body", flat=True)]
    seats = Seat.objects.filter(round__audit=audit, auditor__tier="human").order_by("round", "auditor")
    columns = ("round", "auditor", "place", "draw", "stage", "declined_because", "pseudonym", "wanted_by", "shown")
    rows = [
        (*(bytes(value) if isinstance(value, memoryview) else value for value in row),)
        for row in seats.values_list(*columns)
    ]
    rounds = Round.objects.filter(audit=audit).order_by("pk").values_list("pk", "stage", "due_at", "drawn", "pool")
    return [{**leaf, "digest": ""} for leaf in leaves], rows, list(rounds)


def drawn_and_undone(audit: Audit, draw: Any) -> tuple[Any, ...]:
    with transaction.atomic():
        draw()
        outcome = drawn(audit)
        transaction.set_rollback(True)
    return outcome


def draw_one_by_one(audit: Audit, now: datetime) -> None:
    for round in Round.objects.filter(audit=audit, stage="seated").order_by("due_at", "pk"):
        windows.seat(round=round, now=now)


@pytest.mark.parametrize("policy", [ONE_SEAT, BUDGET, NEIGHBOURS])
@pytest.mark.parametrize("capacity", [None, 3])
def test_rounds_drawn_together_are_those_drawn_one_by_one(policy: Policy, capacity: int | None) -> None:
    world, audit = waiting_for_the_draw(policy)
    for user in world.reviewers[:4] if capacity else ():
        Profile.objects.update_or_create(user=user, defaults={"weekly_capacity": capacity})
    now = database_now()
    alone = drawn_and_undone(audit, lambda: draw_one_by_one(audit, now))
    together = drawn_and_undone(audit, lambda: windows.seat_audit(audit_id=audit.pk, now=now))
    assert together == alone
    assert len(together[1]) > 5


@pytest.mark.parametrize("policy", [ONE_SEAT, BUDGET])
def test_a_draw_asks_the_database_as_often_however_many_rounds_it_draws(policy: Policy) -> None:
    world, few = waiting_for_the_draw(policy, 6)
    many = world.submit(trace=long_trace(24, tag=" again"))
    with transaction.atomic():
        statements = [statements_of_a_draw(few)]
        transaction.set_rollback(True)
    while world.walk():
        pass
    world.sequence()
    statements.append(statements_of_a_draw(many))
    assert statements[1] <= statements[0] <= MOST_STATEMENTS


def statements_of_a_draw(audit: Audit) -> int:
    rounds = audit.rounds.filter(stage="seated").count()
    with CaptureQueriesContext(connection) as asked:
        drawn = windows.seat_audit(audit_id=audit.pk, now=database_now() + timedelta(minutes=1))
    assert drawn > rounds / 2
    return len(asked)


def test_one_sweep_closes_a_window_though_more_audits_wait_for_their_draw_than_it_takes() -> None:
    world = waiting_world(policy=ONE_SEAT)
    due = Round.objects.filter(tier="human", stage="committing").order_by("pk")[0]
    for number in range(corridor.MOST_DRAWN + 2):
        world.submit(trace=long_trace(2, tag=f" of {number}"))
    while world.walk():
        pass
    world.sequence()
    Round.objects.filter(stage="seated").update(due_at=None)
    Round.objects.filter(pk=due.pk).update(due_at=database_now() - timedelta(seconds=1))
    world.walk()
    due.refresh_from_db()
    waiting = Round.objects.filter(stage="seated").values("audit").distinct().count()
    assert (due.stage != "committing", waiting) == (True, 2)


def test_what_fails_in_a_sweep_does_not_hold_up_the_rest(caplog: pytest.LogCaptureFixture) -> None:
    moved: list[str] = []

    def fail() -> int:
        raise ValueError("a poisoned row")

    def move() -> int:
        moved.append("the next")
        return 1

    with pytest.raises(ValueError, match="poisoned"):
        corridor.carry_out(claims=[fail, move])
    assert moved == ["the next"]
    assert "a claim of the sweep failed" in caplog.text


def messages(queue: str) -> int:
    """How many messages waited in a queue; none waits any more."""
    with current_app.connection_for_write() as broker:
        return int(broker.default_channel.queue_purge(queue))


def test_a_full_sweep_is_followed_by_another_at_once(django_capture_on_commit_callbacks: Any) -> None:
    waiting_for_the_draw(ONE_SEAT, corridor.BATCH)
    messages("sweep")
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.advance_due.run() >= corridor.BATCH
    assert messages("sweep") == 1
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.advance_due.run() == 0
    assert messages("sweep") == 0


def test_a_round_for_which_the_list_is_too_short_is_drawn_once_people_have_joined() -> None:
    world = make_world(reviewers=2, policy=FAST)  # two are on the committed list, three seats are to be filled
    audit = world.submit()
    world.settle_machines()
    of_people = Round.objects.filter(audit=audit, tier="human")
    assert set(of_people.values_list("stage", flat=True)) == {"seated"}
    make_user("late@example.org", "reviewer")
    world.settle_machines()
    world.settle_machines()
    assert set(of_people.values_list("stage", flat=True)) == {"committing"}
    assert Roster.objects.filter(audit=audit).count() == 2, "one extension for all rounds of the trace"


def test_what_waited_for_its_draw_through_a_pause_is_drawn_as_soon_as_the_campaign_goes_on() -> None:
    world, audit = waiting_for_the_draw(ONE_SEAT)
    now = database_now()
    set_state(campaign=world.campaign, state="paused", actor=world.campaign.owner, now=now)
    much_later = now + timedelta(days=30)
    corridor.advance_due(now=much_later)  # looks, as it does every half minute, and draws nothing
    assert Round.objects.filter(audit=audit, stage="seated").exists()
    set_state(campaign=world.campaign, state="open", actor=world.campaign.owner, now=much_later)
    corridor.advance_due(now=much_later)
    assert not Round.objects.filter(audit=audit, stage="seated").exists()
