"""In the middle of a wave: seats that nobody opened are withdrawn; a wave that nobody can be drawn for ends."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Profile
from auditing.core.values import Choice
from auditing.models import Audit, Notice, Round, Seat, Transfer, Vote
from auditing.selectors.clock import database_now
from auditing.selectors.seating.rosters import segment_lines
from auditing.services import corridor
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user, make_world
from tests.rooms.consensus.test_waves import EIGHT, ROUND, SEAT, WAVES, failures, judge, waves_world

pytestmark = pytest.mark.django_db


def resting(audit: Audit) -> Any:
    """A passage that the answer rests on and people are asked about."""
    asked = set(Round.objects.filter(audit=audit, tier="human").values_list("segment", flat=True))
    return next(line.segment for line in segment_lines(audit=audit) if line.basis and line.segment in asked)


def decided_in_mid_wave() -> tuple[World, Audit, Seat]:
    """Four fails on one passage decide the trace; of the other seats one is opened, the rest are not."""
    world, audit = waves_world(replace(WAVES, first_seats=4))
    failing = Round.objects.get(audit=audit, tier="human", segment=resting(audit))
    opened = None
    for auditor in (auditor_of(user=user) for user in world.reviewers):
        seat = assignment.claim_next(auditor=auditor, now=database_now())
        if seat is not None and seat.round_id != failing.pk:
            opened = seat
            break
    assert opened is not None
    for seat in Seat.objects.filter(round=failing).select_related(*SEAT):
        world.seal(seat, seat.auditor, Choice.FAIL)
    world.settle_machines()
    return world, audit, opened


def test_a_seat_that_nobody_opened_when_the_trace_is_decided_is_withdrawn_and_an_opened_one_is_counted() -> None:
    world, audit, opened = decided_in_mid_wave()
    seats = Seat.objects.filter(round__audit=audit, round__tier="human")
    assert not seats.filter(stage="offered").exists()
    withdrawn = seats.filter(stage="lapsed", declined_because="withdrawn")
    assert withdrawn.count() == seats.count() - 5
    audit.refresh_from_db()
    assert audit.stage == "auditing"
    world.seal(Seat.objects.select_related(*SEAT).get(pk=opened.pk), opened.auditor, Choice.PASS)
    world.settle_machines()
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert Vote.objects.filter(seat=opened).exists()
    assert failures(audit) == []
    paid = set(Transfer.objects.filter(seat__round__audit=audit).values_list("seat", flat=True))
    assert opened.pk in paid
    assert not paid & set(withdrawn.values_list("pk", flat=True))


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_lease_that_ends_after_the_decision_offers_its_seat_to_nobody(is_alone: bool) -> None:
    world, audit, opened = decided_in_mid_wave()
    if is_alone:  # nobody is left of the draw: the seat would be offered to its holder once more
        Round.objects.filter(pk=opened.round_id).update(drawn=[])
    late = database_now() + timedelta(hours=1)
    assert assignment.lapse(seat=opened, now=late)
    world.settle_machines()
    seats = Seat.objects.filter(round__audit=audit, round__tier="human")
    assert not seats.filter(stage__in=("offered", "held")).exists()
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert failures(audit) == []


def test_a_lease_that_ends_while_the_trace_is_open_goes_to_the_next_of_the_draw() -> None:
    world, _ = waves_world(replace(WAVES, first_seats=1), reviewers=4)
    opened = next(
        seat
        for user in world.reviewers
        if (seat := assignment.claim_next(auditor=auditor_of(user=user), now=database_now())) is not None
    )
    assert assignment.lapse(seat=opened, now=database_now() + timedelta(hours=1))
    world.settle_machines()
    assert Seat.objects.filter(round=opened.round_id, stage="offered").exclude(auditor=opened.auditor_id).exists()


def test_a_round_that_nobody_was_drawn_for_does_not_hold_a_decided_trace() -> None:
    world = make_world(reviewers=4, policy=replace(WAVES, first_seats=4))
    # One seat a week each: one passage is filled, and the others wait for people.
    for user in world.reviewers:
        Profile.objects.update_or_create(user=user, defaults={"weekly_capacity": 1})
    audit = world.submit(EIGHT)  # whichever passage chance fills, the answer rests on it
    world.settle_machines()
    rounds = Round.objects.filter(audit=audit, tier="human")
    failing = rounds.get(stage="committing")
    assert rounds.filter(stage="seated").exists()
    assert next(line.basis for line in segment_lines(audit=audit) if line.segment == failing.segment_id)
    for seat in Seat.objects.filter(round=failing).select_related(*SEAT):
        world.seal(seat, seat.auditor, Choice.FAIL)
    world.settle_machines()
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert failures(audit) == []


def test_a_stranger_refuses_seats_that_were_withdrawn_before_the_trace_was_decided() -> None:
    world, audit = waves_world(replace(WAVES, first_seats=3))
    asleep = Round.objects.filter(audit=audit, tier="human").order_by("pk")[0]
    assignment.withdraw(round=asleep, now=database_now())
    world.settle_machines()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    assert any("withdrawn" in str(line) for line in failures(audit))


def test_a_first_wave_that_nobody_can_be_drawn_for_ends_at_the_adjudicator_and_is_told() -> None:
    make_user("judge@example.org", "adjudicator")
    admin = make_user("head@example.org", "admin")
    world, audit = waves_world(reviewers=0)
    waiting = Round.objects.filter(audit=audit, tier="human", stage="seated", adjudicates=False)
    first = waiting.select_related(*ROUND).order_by("pk")[0]
    assert first.audit.batched_at is not None
    wait = timedelta(seconds=WAVES.adjudication_seconds)
    assert not corridor.advance_round(round=first, now=database_now() + wait - timedelta(seconds=60))
    while waiting.exists():
        for round in waiting.select_related(*ROUND):
            assert corridor.advance_round(round=round, now=database_now() + wait + timedelta(seconds=60))
        world.settle_machines()
    told = Notice.objects.filter(key=f"deserted:{audit.pk}")
    assert {world.provider.pk, admin.pk} <= set(told.values_list("user", flat=True))
    assert told.filter(user__in=[user.pk for user in world.reviewers]).count() == 0
    while judge(audit, world, Choice.PASS):
        pass
    assert (audit.stage, audit.outcome) == ("recorded", "pass")
    assert failures(audit) == []


def test_the_sweep_ends_such_a_wave_once_it_has_waited_and_no_earlier() -> None:
    _, audit = waves_world(reviewers=0)
    waiting = Round.objects.filter(audit=audit, tier="human", stage="seated", adjudicates=False)
    before, end = waiting.count(), database_now() + timedelta(seconds=WAVES.adjudication_seconds)
    assert before
    corridor.advance_due(now=end - timedelta(seconds=60))
    assert waiting.count() == before
    corridor.advance_due(now=end + timedelta(seconds=60))
    assert not waiting.exists()


def test_a_trace_that_still_waits_for_others_to_be_mixed_with_looks_for_nobody() -> None:
    mixing = replace(WAVES, batch_size=5, batch_providers=2, batch_minutes=99_999)
    _, audit = waves_world(mixing, reviewers=0)
    round = Round.objects.filter(audit=audit, tier="human").select_related(*ROUND)[0]
    assert not corridor.advance_round(round=round, now=database_now() + timedelta(days=9))
