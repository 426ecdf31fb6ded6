"""The database takes exactly the seats that the queue says are open."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from auditing.models import Audit, Campaign, Round, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.seating.sitting import open_seats
from auditing.services.seating.assignment import claim
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World, make_user

pytestmark = pytest.mark.django_db

# What happens to the only open seat of a reviewer.
CHANGES: dict[str, Callable[[Seat], object]] = {
    "nothing": lambda seat: None,
    "held": lambda seat: Seat.objects.filter(pk=seat.pk).update(stage="held", lease_until=database_now()),
    "committed": lambda seat: Seat.objects.filter(pk=seat.pk).update(stage="committed"),
    "declined": lambda seat: Seat.objects.filter(pk=seat.pk).update(stage="declined"),
    "another's": lambda seat: Seat.objects.filter(pk=seat.pk).update(
        auditor=auditor_of(user=make_user("other@example.org", "reviewer"))
    ),
    "round revealing": lambda seat: Round.objects.filter(pk=seat.round_id).update(stage="revealing"),
    "round drawing": lambda seat: Round.objects.filter(pk=seat.round_id).update(stage="seated"),
    "window closed": lambda seat: Round.objects.filter(pk=seat.round_id).update(due_at=database_now()),
    "no deadline": lambda seat: Round.objects.filter(pk=seat.round_id).update(due_at=None),
    "audit paused": lambda seat: Audit.objects.update(paused_at=database_now()),
    "audit withdrawn": lambda seat: Audit.objects.update(stage="withdrawn"),
    "campaign paused": lambda seat: Campaign.objects.update(state="paused"),
    "campaign closed": lambda seat: Campaign.objects.update(state="closed"),
}


def only_seat(world: World) -> Seat:
    """The one open seat that the first reviewer is left with."""
    mine = Seat.objects.filter(auditor__user=world.reviewers[0], stage="offered").order_by("pk")
    seat = mine.select_related("round", "auditor").first()
    assert seat is not None
    mine.exclude(pk=seat.pk).delete()
    return seat


@pytest.mark.parametrize("change", CHANGES)
def test_a_claim_takes_a_seat_exactly_where_the_queue_says_that_one_is_open(waiting_hens: World, change: str) -> None:
    seat = only_seat(waiting_hens)
    CHANGES[change](seat)
    now = database_now()
    is_open = open_seats(auditor=seat.auditor, now=now).exists()
    taken = claim(person=waiting_hens.reviewers[0].pk, now=now)
    assert is_open == (change in ("nothing", "held", "campaign closed"))
    assert (taken is not None) == is_open


def test_who_is_no_auditor_yet_claims_nothing(waiting_hens: World) -> None:
    assert claim(person=make_user("new@example.org", "reviewer").pk) is None


def test_a_claim_renews_the_lease_and_says_when_it_ends(waiting_hens: World) -> None:
    person, now = waiting_hens.reviewers[0].pk, database_now()
    first = claim(person=person, now=now)
    again = claim(person=person, now=now + timedelta(minutes=9))
    assert first is not None
    assert again is not None
    assert again.seat.pk == first.seat.pk
    stored = Seat.objects.get(pk=first.seat.pk)
    assert stored.lease_until == again.seat.lease_until == now + timedelta(minutes=39)
    assert stored.taken_at == first.seat.taken_at == now
