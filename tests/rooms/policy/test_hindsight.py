"""Recorded audits beside the forecast of what they would take."""

import pytest

from auditing.models import Audit, Round
from auditing.research.policy_lab.selectors.hindsight import hindsight_of
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db


def test_recorded_audits_stand_beside_their_forecast(recorded_hens: World) -> None:
    audit = Audit.objects.get()
    hindsight = hindsight_of(campaign=recorded_hens.campaign)
    figures = {figure.name: figure for figure in hindsight.figures}
    seats = sum(Round.objects.filter(audit=audit, tier="human", adjudicates=False).values_list("k", flat=True))
    assert hindsight.audits == 1
    assert figures["Seats of people"].happened == seats
    assert figures["Seats of people"].expected == pytest.approx(seats)
    assert figures["Traces passed"].happened == (audit.outcome == "pass")
    assert hindsight_of(version=audit.policy).audits == 1


def test_nothing_recorded_has_no_hindsight(recorded_hens: World) -> None:
    Audit.objects.update(stage="settled")
    assert hindsight_of(campaign=recorded_hens.campaign) is None
