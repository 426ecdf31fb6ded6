"""A campaign in charts: what they show is what the tables hold."""

from dataclasses import replace
from datetime import timedelta

import pytest

from auditing.models import Audit, Commitment
from auditing.research.campaigns.selectors.charts import burn_up, outcomes_by_day, seconds_a_vote
from auditing.research.campaigns.selectors.figures import progress_of
from auditing.selectors.clock import database_now
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db


def test_the_burn_up_ends_at_what_is_decided_and_rises_only(recorded_hens: World) -> None:
    now = database_now()
    progress = progress_of(campaign=recorded_hens.campaign, now=now)
    chart = burn_up(campaign=recorded_hens.campaign, progress=progress, now=now)
    assert chart is not None
    decided = [row[1] for row in chart.rows if row[1] is not None]
    assert decided == sorted(decided)
    assert decided[-1] == progress.decided
    assert [row[2] for row in chart.rows if row[2] is not None][-1] == progress.segments


def test_a_forecast_leads_from_what_is_decided_to_all(recorded_hens: World) -> None:
    now = database_now()
    progress = replace(progress_of(campaign=recorded_hens.campaign, now=now), segments=100, a_day=20.0)
    progress = replace(progress, done_at=now + timedelta(days=(100 - progress.decided) / 20))
    chart = burn_up(campaign=recorded_hens.campaign, progress=progress, now=now)
    assert chart is not None
    assert chart.columns[-1] == "at the pace of the last days"
    assert chart.rows[-1][-1] == 100
    band = chart.shape["layer"][0]["data"]["values"]
    assert band[-1]["y"] < 100 <= band[-1]["high"]


def test_outcomes_and_seconds_are_counted_once(recorded_hens: World) -> None:
    now = database_now()
    chart = outcomes_by_day(progress=progress_of(campaign=recorded_hens.campaign, now=now), now=now)
    assert chart is not None
    assert sum(sum(row[1:]) for row in chart.rows) == Audit.objects.exclude(outcome="").count()  # type: ignore[arg-type]
    timed = Commitment.objects.filter(seat__round__tier="human", active_ms__gt=0).count()
    seconds = seconds_a_vote(campaign=recorded_hens.campaign)
    assert (seconds is None) == (timed < 5)
    assert seconds is None or sum(row[1] for row in seconds.rows) == timed  # type: ignore[misc]
