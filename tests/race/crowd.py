"""A crowd of simulated reviewers at work over HTTP, and what must hold afterwards."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from django.db.models import Count, F, Q

from accounts.services.tokens import make_token
from auditing.core.policy import FAST
from auditing.models import Commitment, Round, Seat
from hdag.core.values import Trace
from tests.factories.worlds import World, make_world
from tests.tools.reviewer import by_token

CROWD = replace(FAST, short_trace_characters=10_000)


def crowded_world(*, reviewers: int, audits: int, seats: int) -> World:
    """A world whose human rounds are seated; each audit is a short trace with a few segments for people."""
    world = make_world(reviewers=reviewers, policy=replace(CROWD, human=replace(CROWD.human, k=seats)))
    for number in range(audits):
        thinking = (
            f"First we look at flock {number}.\n\nThen we count it.\n\nSo the birds of flock {number} are counted."
        )
        world.submit(
            trace=Trace(problem="How many?", thinking=thinking, answer="all", domain="other", title=str(number))
        )
    world.settle_machines()
    return world


def let_them_work(*, world: World, url: str, at_once: int) -> int:
    """Everybody votes over HTTP until nothing is left; returns the votes that were accepted."""
    tokens = [make_token(user=user, name="crowd")[1] for user in world.reviewers]
    with ThreadPoolExecutor(at_once) as pool:
        return sum(pool.map(lambda token: _work(url, token), tokens))


def _work(url: str, token: str) -> int:
    reviewer = by_token(url=url, token=token)
    with reviewer.client:
        return reviewer.work()


def check_nothing_is_wrong(*, votes: int) -> None:
    """0 over quorum, 0 double votes, 0 lost leases."""
    sealed = Count("seats", filter=Q(seats__commitment__isnull=False))
    rounds = Round.objects.filter(tier="human").annotate(sealed=sealed)
    assert not rounds.filter(sealed__gt=F("k")).exists()
    people = Commitment.objects.filter(seat__auditor__tier="human")
    twice: Any = people.values("seat__round", "seat__auditor").annotate(times=Count("pk")).filter(times__gt=1)
    assert not twice.exists()
    assert not Seat.objects.filter(stage="held", round__stage="committing").exists()
    assert people.count() == votes
    assert not rounds.filter(stage="committing", sealed__lt=F("k")).exists()
