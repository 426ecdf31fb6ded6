"""The panes of an own vote, as they were shown when it was written."""

import pytest

from auditing.core.values import Choice
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


def test_the_panes_stand_there_as_they_were_shown(waiting_hens: World) -> None:
    person, other = waiting_hens.reviewers[:2]
    client = signed_in(person)
    desk = client.get("/desk").context
    seat = desk["seat"]
    address = f"/record/votes/{seat.pk}/panes"
    assert client.get(address).status_code == 404  # before the vote is sealed the desk shows them
    waiting_hens.seal(seat, auditor_of(user=person), Choice.PASS)
    panes = client.get(address).context["panes"]
    assert panes.problem == desk["desk"].problem
    assert [one.text for one in panes.dependencies] == [one.text for one in desk["desk"].dependencies]
    assert [one.text for one in panes.implications] == [one.text for one in desk["desk"].implications]
    assert signed_in(other).get(address).status_code == 404
    assert address in client.get(f"/record/votes/{seat.pk}").content.decode()


def test_panes_that_were_never_opened_are_not_shown_afterwards(waiting_hens: World) -> None:
    sealed = waiting_hens.vote(waiting_hens.reviewers[0])
    assert sealed is not None
    assert sealed.seat.shown == {}
    assert signed_in(waiting_hens.reviewers[0]).get(f"/record/votes/{sealed.seat_id}/panes").status_code == 404
