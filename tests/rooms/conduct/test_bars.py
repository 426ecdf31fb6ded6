"""What a decision about a reviewer does to draws: no seats, or decoys alone; seats in hand go to the next; it ends."""

from datetime import timedelta
from typing import Any

import pytest

from auditing.models import Audit, ConductCase, Round, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.seating.eligible import Eligible
from auditing.selectors.voting.waiting import why_empty
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import ONE_SEAT, make_user, make_world, waiting_world
from tests.rooms.conduct.test_cases import drawn_for
from tests.rooms.gold.test_decoys import decoy_audits, gold_world, sweep

pytestmark = pytest.mark.django_db


def test_gold_only_leaves_decoys_and_nothing_else() -> None:
    boss = make_user("boss@example.org", "admin")
    world = gold_world()
    assert sweep(world)
    world.settle_machines()
    decoys = decoy_audits()
    ordinary = list(Audit.objects.exclude(pk__in=[audit.pk for audit in decoys]))
    person = auditor_of(user=make_user("late@example.org", "reviewer"))
    before = drawn_for(decoys, person), drawn_for(ordinary, person)
    assert all(before[0])
    assert any(before[1])
    until = database_now() + timedelta(days=1)
    ConductCase.objects.create(auditor=person, decision="gold-only", evidence={}, votes=12, until=until, by=boss)
    assert drawn_for(decoys, person) == before[0]
    assert not any(drawn_for(ordinary, person))


def bar(user: Any, by: Any, step: str = "suspended") -> ConductCase:
    until = database_now() + timedelta(days=1)
    return ConductCase.objects.create(
        auditor=auditor_of(user=user), decision=step, evidence={}, votes=12, until=until, by=by
    )


@pytest.mark.parametrize("step", ["suspended", "gold-only"])
def test_who_is_barred_gets_no_seat_and_reads_why(step: str) -> None:
    world = make_world(reviewers=4, policy=ONE_SEAT)
    person, boss = world.reviewers[0], make_user("boss@example.org", "admin")
    case = bar(person, boss, step)
    world.submit()
    world.settle_machines()
    seated = set(Seat.objects.filter(auditor__tier="human").values_list("auditor__user", flat=True))
    assert seated
    assert person.pk not in seated
    waiting = why_empty(auditor=auditor_of(user=person), now=database_now())
    assert (waiting.reason, waiting.frees_at) == ("suspended", case.until)
    assert "appeal" in waiting.text


@pytest.mark.parametrize("change", [{"until": "past"}, {"ruling": "lifted"}])
def test_a_bar_that_ended_or_was_lifted_bars_nobody(change: dict[str, str]) -> None:
    world = waiting_world(reviewers=4, policy=ONE_SEAT)
    round = Round.objects.filter(tier="human").first()
    assert round is not None
    person = next(
        user for user in world.reviewers if auditor_of(user=user) in Eligible(audit=round.audit).auditors(round=round)
    )
    auditor, now = auditor_of(user=person), database_now()
    case = bar(person, make_user("boss@example.org", "admin"))
    assert auditor not in Eligible(audit=round.audit).auditors(round=round)
    second = make_user("second@example.org", "admin")
    if "ruling" in change:
        ConductCase.objects.filter(pk=case.pk).update(ruling="lifted", ruled_by=second, ruled_at=now, appealed_at=now)
    else:
        ConductCase.objects.filter(pk=case.pk).update(until=now - timedelta(seconds=1))
    assert auditor in Eligible(audit=round.audit).auditors(round=round)


def test_seats_in_hand_go_to_the_next_of_the_draw() -> None:
    world = waiting_world(reviewers=4, policy=ONE_SEAT)
    seat = Seat.objects.filter(auditor__tier="human", stage="offered").first()
    assert seat is not None
    bar(seat.auditor.user, make_user("boss@example.org", "admin"))
    assert assignment.pass_on(auditor=seat.auditor, because="suspended", only_ordinary=True) > 0
    left = Seat.objects.filter(auditor=seat.auditor)
    assert set(left.values_list("stage", "declined_because")) == {("declined", "suspended")}
    [successor] = Seat.objects.filter(round=seat.round, stage="offered")
    assert successor.auditor.user in world.reviewers
    assert successor.auditor != seat.auditor
