"""Opening the panes of a seat never spends a disclosure budget twice, and is told once."""

from dataclasses import replace

import pytest

from auditing.models import AuditEvent, Auditor, Seat
from auditing.services.seating.assignment import claim
from auditing.services.seating.disclosure import open_panes
from hdag.core.disclosure import Degree
from tests.factories.worlds import TWO_SEATS, World, waiting_world

pytestmark = pytest.mark.django_db


def opening(world: World) -> Seat:
    """The seat of the reviewer who was drawn for the first one."""
    drawn = Seat.objects.filter(auditor__user__in=world.reviewers).order_by("auditor__user").first()
    assert drawn is not None
    taken = claim(person=drawn.auditor.person.pk)
    assert taken is not None
    return taken.seat


def test_what_another_seat_spent_meanwhile_is_counted_before_this_one_is_shown() -> None:
    world = waiting_world(policy=replace(TWO_SEATS, short_trace_characters=0))
    seat = opening(world)
    Auditor.objects.filter(pk=seat.auditor_id).update(looks=7)  # another seat of the same holder spent of the budget
    open_panes(seat=seat)
    assert Seat.objects.get(pk=seat.pk).shown == seat.shown
    assert Auditor.objects.get(pk=seat.auditor_id).looks == 8


def test_two_openings_of_one_seat_show_the_same_and_are_told_once() -> None:
    world = waiting_world(policy=replace(TWO_SEATS, short_trace_characters=10**6))
    first, second = opening(world), opening(world)
    assert open_panes(seat=first) == open_panes(seat=second) == Degree.FULL
    assert second.shown == Seat.objects.get(pk=first.pk).shown
    assert AuditEvent.objects.filter(kind="seat.short_trace", body__seat=str(first.pk)).count() == 1
