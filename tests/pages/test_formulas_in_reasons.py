"""Whatever quotes a step draws its formulas as the desk does: reasons of votes, verdicts, second audits, appeals."""

from pathlib import Path
from typing import Any

import pytest

from auditing.core.values import Choice
from auditing.models import Audit, Commitment, SegmentOutcome
from auditing.research.reports.appeals import appeal
from auditing.selectors.clock import database_now
from tests.factories.worlds import World, make_world
from tests.rooms.consensus.test_appeals import page_for

pytestmark = pytest.mark.django_db
DRAWN = "<msqrt>"
REASON = r"From $\sqrt{q}$ it does not follow <script>alert(1)</script>."


@pytest.fixture(scope="module")
def _refused(built_once: Path) -> tuple[World, Any]:
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    while any(world.vote(user, Choice.FAIL, reason=REASON) for user in world.reviewers):
        world.settle_machines()
    appeal(audit=audit, by=world.provider, reason="misread", text=REASON, now=database_now())
    return world, audit.pk


@pytest.fixture
def refused(_refused: tuple[World, Any], db: None) -> tuple[World, Audit]:
    return _refused[0].afresh(), Audit.objects.get(pk=_refused[1])


def pages_of(world: World, audit: Audit) -> dict[str, str]:
    segment = SegmentOutcome.objects.filter(audit=audit, outcome="fail").order_by("segment__label")[0].segment.label
    seat = Commitment.objects.filter(seat__auditor__user=world.reviewers[0], seat__round__audit=audit)[0].seat_id
    return {
        "segment": page_for(world.provider, f"/audits/{audit.pk}?segment={segment}"),
        "report": page_for(world.provider, f"/audits/{audit.pk}/report"),
        "own vote": page_for(world.reviewers[0], f"/record/votes/{seat}"),
        "two audits": page_for(world.provider, f"/audits/{audit.successor.pk}/before"),
    }


def test_the_formulas_of_reasons_are_drawn_and_their_markup_is_not_believed(refused: tuple[World, Audit]) -> None:
    for name, page in pages_of(*refused).items():
        assert DRAWN in page, name
        assert r"$\sqrt{q}$ it does" not in page, name
        assert "<script>alert" not in page, name


def test_what_an_appellant_wrote_is_drawn(refused: tuple[World, Audit]) -> None:
    world, audit = refused
    page = page_for(world.provider, f"/audits/{audit.pk}")
    assert DRAWN in page[page.index('aria-label="Appeals"') :].partition("</ul>")[0]
