"""100 reviewers, 1,000 segments, 5 seats each, over HTTP; TRUST_CROWD=reviewers,audits,seats changes the size."""

import os
from time import perf_counter
from typing import Any

from tests.conftest import _site, site  # noqa: F401  the live server
from tests.race.crowd import check_nothing_is_wrong, crowded_world, let_them_work

REVIEWERS, AUDITS, SEATS = (int(one) for one in os.environ.get("TRUST_CROWD", "100,340,5").split(","))


def test_a_large_crowd_votes_over_http_and_every_count_is_right(site: Any) -> None:  # noqa: F811
    world = crowded_world(reviewers=REVIEWERS, audits=AUDITS, seats=SEATS)
    started = perf_counter()
    votes = let_them_work(world=world, url=site.url, at_once=16)
    print(f"{votes} votes by {REVIEWERS} reviewers in {perf_counter() - started:.0f} s")
    check_nothing_is_wrong(votes=votes)
