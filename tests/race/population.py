"""A population of simulated reviewers at work over HTTP, and what must hold afterwards."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import Count, F, Q

from accounts.services.tokens import make_token
from auditing.core.policy import FAST
from auditing.models import AuditEvent, Commitment, Round, Seat
from auditing.selectors.clock import database_now
from auditing.services import corridor
from hdag.core.values import Trace
from tests.factories.worlds import World, make_world
from tests.tools.reviewer import by_token

LONG_BUDGET = replace(FAST, short_trace_characters=10_000)
LEASE_LEFT = timedelta(seconds=2)


def populated_world(*, reviewers: int, audits: int, seats: int) -> World:
    """A world whose human rounds are seated; each audit is a short trace with a few segments for people."""
    world = make_world(reviewers=reviewers, policy=replace(LONG_BUDGET, human=replace(LONG_BUDGET.human, k=seats)))
    for number in range(audits):
        thinking = (
            f"First we look at flock {number}.\n\nThen we count it.\n\nSo the birds of flock {number} are counted."
        )
        world.submit(
            trace=Trace(problem="How many?", thinking=thinking, answer="all", domain="other", title=str(number))
        )
    world.settle_machines()
    return world


def let_them_work(*, world: World, url: str, at_once: int, but: int = 0) -> int:
    """Everybody `but` the first votes over HTTP until nothing is left; returns the votes that were accepted."""
    tokens = [make_token(user=user, name="population")[1] for user in world.reviewers[but:]]
    with ThreadPoolExecutor(at_once) as pool:
        return sum(pool.map(lambda token: _work(url, token), tokens))


def _work(url: str, token: str) -> int:
    reviewer = by_token(url=url, token=token)
    with reviewer.client:
        return reviewer.work()


def die_at_work(*, world: World, url: str, dying: int) -> dict[UUID, datetime]:
    """The first reviewers take a seat each and are never heard of again; seat -> when the lease ends."""
    ends = {}
    for user in world.reviewers[:dying]:
        reviewer = by_token(url=url, token=make_token(user=user, name="dying")[1])
        with reviewer.client:
            desk = reviewer.next_seat()
        assert desk is not None
        ends[UUID(desk["seat"])] = database_now() + LEASE_LEFT
    for seat, end in ends.items():
        Seat.objects.filter(pk=seat, stage="held").update(lease_until=end)
    return ends


def let_them_work_after_the_dead(*, world: World, url: str, at_once: int, ends: dict[UUID, datetime]) -> int:
    """The living vote until the dead's seats are back and filled; then the dead return for the seats still theirs."""
    votes, is_over = 0, False
    while not is_over:
        is_over = not Seat.objects.filter(pk__in=ends, stage="held").exists()
        votes += let_them_work(world=world, url=url, at_once=at_once, but=len(ends))
    return votes + let_them_work(world=world, url=url, at_once=at_once)


@contextmanager
def walking() -> Iterator[None]:
    """What the beat does meanwhile: look every second at what is due."""
    stop = threading.Event()

    def walk() -> None:
        try:
            while not stop.wait(1):
                corridor.advance_due(now=database_now())
        finally:
            connections.close_all()

    walker = threading.Thread(target=walk, name="walker")
    walker.start()
    try:
        yield
    finally:
        stop.set()
        walker.join()


def check_leases_came_back(*, ends: dict[UUID, datetime]) -> timedelta:
    """Every seat of the dead went to the next in the draw after its lease's end; returns the longest wait."""
    lapsed = AuditEvent.objects.filter(kind="seat.lapsed").values_list("body__seat", "at")
    back = {UUID(seat): at - ends[UUID(seat)] for seat, at in lapsed if UUID(seat) in ends}
    assert back.keys() == ends.keys()
    assert min(back.values()) >= timedelta(0), back
    return max(back.values())


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
