"""Worlds with language models: endpoints on the loopback chat server, and workers that take every seat they find."""

from typing import Any

from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.models import Audit, Seat
from auditing.services.model_tier import seats
from hdag.models import Endpoint
from tests.factories.consents import agree_to_all
from tests.factories.worlds import World
from tests.tools.patience import PATIENCE

OPEN = Q(round__tier="llm", round__stage="committing", stage__in=("offered", "held"))


def make_endpoint(base_url: str, name: str = "first", **changes: Any) -> Endpoint:
    """An endpoint as an admin would have made it; texts of the campaigns that there are may go to it."""
    usual = {"model": f"{name}-1", "family": name, "price_in": 1, "price_out": 1, "timeout_seconds": PATIENCE}
    row = Endpoint.objects.create(name=name, base_url=base_url, **{**usual, **changes})
    agree_to_all()
    return row


def models_vote() -> list[str]:
    """What the workers of the model queue do when a bell rings for every seat; pauses are over."""
    Seat.objects.filter(OPEN, stage="offered").update(lease_until=None)
    return [seats.ask_model(seat_id=key) for key in Seat.objects.filter(OPEN).values_list("pk", flat=True)]


def everything_moves(world: World, rounds: int = 40) -> None:
    """Machines, models and people work until nothing moves."""
    for _ in range(rounds):
        world.settle_machines()
        if not models_vote() and not any([world.vote(user) for user in world.reviewers]):
            return


def end_leases() -> None:
    """The workers that held seats are dead for long."""
    Seat.objects.filter(OPEN, stage="held").update(lease_until=Now() - (F("lease_until") - F("lease_until")))


def model_seats(audit: Audit) -> list[Seat]:
    """All seats of models in an audit."""
    return list(Seat.objects.filter(round__audit=audit, round__tier="llm").order_by("round__number", "place"))
