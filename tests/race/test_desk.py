"""Many reviewers at once, over real HTTP: nobody votes twice, no round is overfull, no lease is lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connections, transaction

from auditing.models import Auditor, Seat
from auditing.selectors.clock import database_now
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from tests.race.population import (
    check_leases_came_back,
    check_nothing_is_wrong,
    die_at_work,
    let_them_work_after_the_dead,
    populated_world,
    walking,
)
from tests.tools.patience import PATIENCE

TABS = 4


def test_a_population_votes_over_http_and_every_count_is_right(site: Any) -> None:
    world = populated_world(reviewers=6, audits=3, seats=3)
    ends = die_at_work(world=world, url=site.url, dying=1)
    with walking():
        votes = let_them_work_after_the_dead(world=world, url=site.url, at_once=3, ends=ends)
    assert votes > 20
    check_nothing_is_wrong(votes=votes)
    check_leases_came_back(ends=ends)


def claim_in_all_tabs(auditor: Auditor, claim: Callable[[Auditor, Barrier], Any]) -> set[Any]:
    barrier = Barrier(TABS)

    def one_tab(_: int) -> Any:
        try:
            return claim(auditor, barrier)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(TABS) as pool:
        return set(pool.map(one_tab, range(TABS))) - {None}


def properly(auditor: Auditor, barrier: Barrier) -> Any:
    barrier.wait(PATIENCE)
    seat = assignment.claim_next(auditor=auditor, now=database_now())
    return seat and seat.pk


def naively(auditor: Auditor, barrier: Barrier) -> Any:
    """Read, think, save: every tab finds no held seat, then takes the offer that nobody locked."""
    held = Seat.objects.filter(auditor=auditor, stage="held").first()
    barrier.wait(PATIENCE)
    if held is not None:
        return held.pk
    with transaction.atomic():
        offers = Seat.objects.filter(auditor=auditor, stage="offered").order_by("wanted_by", "pk")
        seat = offers.select_for_update(skip_locked=True).first()
        Seat.objects.filter(pk=seat.pk).update(stage="held", taken_at=database_now()) if seat else None
    return seat and seat.pk


def test_tabs_that_claim_at_once_get_one_seat_and_a_naive_claim_would_give_several(site: Any) -> None:
    world = populated_world(reviewers=1, audits=2, seats=1)
    auditor = auditor_of(user=world.reviewers[0])
    assert len(claim_in_all_tabs(auditor, properly)) == 1
    Seat.objects.filter(stage="held").update(stage="offered", lease_until=None)
    assert len(claim_in_all_tabs(auditor, naively)) > 1
