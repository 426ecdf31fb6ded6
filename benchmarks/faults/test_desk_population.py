"""100 reviewers, 1,000 segments, 5 seats each, over HTTP; five reviewers die with a seat in hand.

TRUST_POPULATION=reviewers,audits,seats changes the size; an audit has four segments for people.
"""

import os
from time import perf_counter
from typing import Any

from tests.conftest import _site, site  # noqa: F401  the live server
from tests.race.population import (
    check_leases_came_back,
    check_nothing_is_wrong,
    die_at_work,
    let_them_work_after_the_dead,
    populated_world,
    walking,
)

REVIEWERS, AUDITS, SEATS = (int(one) for one in os.environ.get("TRUST_POPULATION", "100,250,5").split(","))
DYING = 5
BACK_WITHIN = 60  # seconds


def test_a_large_population_votes_over_http_and_every_count_is_right(site: Any) -> None:  # noqa: F811
    begun = perf_counter()
    world = populated_world(reviewers=REVIEWERS, audits=AUDITS, seats=SEATS)
    started = perf_counter()
    ends = die_at_work(world=world, url=site.url, dying=DYING)
    with walking():
        votes = let_them_work_after_the_dead(world=world, url=site.url, at_once=8, ends=ends)
    took = perf_counter() - started
    print(
        f"{votes} votes on {4 * AUDITS} segments by {REVIEWERS} reviewers in {took:.0f} s, "
        f"{1000 * took / votes:.0f} ms a vote; seated in {started - begun:.0f} s"
    )
    check_nothing_is_wrong(votes=votes)
    wait = check_leases_came_back(ends=ends).total_seconds()
    print(f"the last lease of the dead was back {wait:.1f} s after its end")
    assert wait < BACK_WITHIN
