"""A campaign's prior moves seats within the queues of their holders, once, and touches nothing else."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from auditing.core.stages import SeatStage
from auditing.models import Audit, Seat
from auditing.research.models import PriorOrder, PriorPlace
from auditing.research.prior import services
from auditing.research.prior.training import BadPriorError, as_bytes, read_labelled, trained
from auditing.services.seating.sortition import CONTESTED_DAYS
from hdag.core.values import Trace
from hdag.readers.records import read_record
from tests.factories.worlds import World, make_world
from tests.unit.research.test_prior import line

pytestmark = pytest.mark.django_db
# the second step is one of those that the prior has learnt to be wrong
STEPS = ["We have 10 boxes.", "Let there be 7 * 3 of these.", "That is the answer."]
PROBLEM = "Problem 7: there are 10 boxes and 7 shelves."


@pytest.fixture(scope="module")
def prior() -> str:
    return as_bytes(trained(data=read_labelled(lines=[line(number) for number in range(240)]), seed=3)).decode()


def trace() -> Trace:
    record = read_record({"id": "t", "problem": PROBLEM, "steps": STEPS}, where="test")
    return replace(record, domain="school maths", title="Boxes")


def asked(world: World) -> Audit:
    audit = world.submit(trace())
    world.settle_machines()
    return audit


def places(audit: Audit) -> dict[int, timedelta]:
    """How much sooner than by the draw alone each step's seats are wanted."""
    seats = Seat.objects.filter(round__audit=audit, round__tier="human").select_related("round__segment")
    drawn = {seat.pk: seat.round.due_at - timedelta(days=CONTESTED_DAYS * seat.round.number) for seat in seats}
    return {seat.round.segment.step: drawn[seat.pk] - seat.wanted_by for seat in seats}


def test_what_is_likelier_to_be_wrong_is_asked_about_sooner(prior: str) -> None:
    world = make_world()
    services.set_prior(campaign=world.campaign, text=prior)
    audit = asked(world)
    seats = Seat.objects.filter(round__audit=audit, round__tier="human", stage=SeatStage.OFFERED).count()
    assert services.order_queues() == seats > 0
    order = places(audit)
    assert max(order, key=lambda step: order[step]) == 1
    assert all(timedelta(0) <= ahead < timedelta(days=1) for ahead in order.values())
    logged = PriorOrder.objects.get(audit=audit)
    assert logged.chances[1] == max(logged.chances)
    assert PriorPlace.objects.count() == seats


def test_a_seat_is_moved_once_and_never_from_a_hand(prior: str) -> None:
    world = make_world()
    services.set_prior(campaign=world.campaign, text=prior)
    audit = asked(world)
    taken = Seat.objects.filter(round__audit=audit, round__tier="human").order_by("pk").first()
    assert taken is not None
    Seat.objects.filter(pk=taken.pk).update(stage=SeatStage.HELD)
    services.order_queues()
    moved = places(audit)
    assert Seat.objects.get(pk=taken.pk).wanted_by == taken.wanted_by
    assert services.order_queues() == 0
    assert places(audit) == moved


def test_without_a_prior_nothing_is_read_and_nothing_moves(prior: str) -> None:
    world = make_world()
    audit = asked(world)
    assert services.order_queues() == 0
    assert set(places(audit).values()) == {timedelta(0)}
    services.set_prior(campaign=world.campaign, text=prior)
    assert services.take_prior_off(campaign=world.campaign)
    assert services.order_queues() == 0
    assert not PriorOrder.objects.exists()


def test_a_file_that_is_no_prior_is_refused(prior: str, tmp_path: Path) -> None:
    world = make_world()
    with pytest.raises(BadPriorError):
        services.set_prior(campaign=world.campaign, text="{}")
    source = tmp_path / "prior.json"
    source.write_text(prior, encoding="utf-8")
    call_command("train_prior", str(source), campaign=str(world.campaign.pk))
    assert world.campaign.prior.sha256
    with pytest.raises(CommandError, match="no campaign"):
        call_command("train_prior", str(source), campaign="another")
