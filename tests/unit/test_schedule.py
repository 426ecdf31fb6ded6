"""When beat starts what runs nightly."""

from datetime import UTC, datetime, timedelta

import pytest
from celery.schedules import maybe_schedule

from trustweb.schedule import periodic_tasks

STARTED = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize("name", ["books", "measures", "ledger"])
def test_a_beat_that_remembers_nothing_comes_to_its_night_within_the_night(name):
    schedule = maybe_schedule(periodic_tasks(is_anchoring=False, has_demo=False)[name]["schedule"])
    schedule.nowfun = lambda: STARTED
    assert schedule.remaining_estimate(STARTED) < timedelta(hours=8)
