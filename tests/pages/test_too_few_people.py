"""Passages that ask for more people than there are: the audit, the campaign and the admin's home say so plainly."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from auditing.core.policy import FAST, Policy
from auditing.models import Audit, Round
from auditing.research.reports.selectors.shortage import shortages
from auditing.selectors.clock import database_now
from auditing.services.intake.submission import withdraw
from tests.factories.worlds import World, waiting_world, wake_rounds
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
MANY = replace(FAST, human=replace(FAST.human, k=101))


def told(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def waits(policy: Policy, reviewers: int, minutes: int) -> tuple[World, Audit]:
    """A world in which the draws have looked for people for so long; the sweep has looked again."""
    world = waiting_world(reviewers, policy)
    Round.objects.filter(stage="seated").update(stage_since=database_now() - timedelta(minutes=minutes))
    wake_rounds()
    if minutes > 10:
        world.settle_machines()
    return world, Audit.objects.get()


@pytest.mark.parametrize("minutes", [1, 11], ids=["they are looked for", "those who are there were asked"])
def test_every_page_says_how_many_people_are_missing(minutes: int) -> None:
    world, audit = waits(MANY, 3, minutes)
    stage = Round.objects.exclude(stage="tallied").values_list("stage", flat=True)[0]
    assert stage == ("seated" if minutes == 1 else "committing")
    admin, provider = signed_in(world.campaign.owner), signed_in(world.provider)
    for client, address in ((admin, "audits"), (provider, "audits"), (admin, "campaigns")):
        page = told(client, f"/{address}/{audit.pk if address == 'audits' else world.campaign.pk}")
        assert "101 different people" in page, address
        assert "3 people may judge: 98 are missing. Those who are there are asked all the same" in page, address
    assert "with too few people: 101 asked for, 3 there" in told(admin, "/home")


def test_the_page_does_not_say_that_auditors_are_at_work_and_tells_an_admin_what_to_do() -> None:
    world, audit = waits(MANY, 3, 1)
    page = told(signed_in(world.campaign.owner), f"/audits/{audit.pk}")
    assert "Auditors are at work on its segments." not in page.partition("What happened")[0]
    assert "Give more people the role of a reviewer" in page
    assert "Only the admins can change that" in told(signed_in(world.provider), f"/audits/{audit.pk}")


def test_where_nobody_may_judge_the_page_says_that_it_waits() -> None:
    world, audit = waits(FAST, 0, 11)
    page = told(signed_in(world.provider), f"/audits/{audit.pk}")
    assert "and nobody there may judge: it waits until somebody may." in page


def test_where_people_are_enough_nothing_is_missing() -> None:
    world, audit = waits(FAST, 3, 0)
    assert shortages(now=database_now() + timedelta(hours=1)) == ()
    assert "Too few people" not in told(signed_in(world.provider), f"/audits/{audit.pk}")


def test_reviewers_are_not_told_how_many_sit_on_a_passage() -> None:
    world, _ = waits(MANY, 3, 11)
    assert "Too few people" not in told(signed_in(world.reviewers[0]), f"/campaigns/{world.campaign.pk}")


def test_a_withdrawn_audit_shows_how_far_it_came() -> None:
    world, audit = waits(FAST, 3, 0)
    withdraw(audit=audit, actor=world.provider)
    page = told(signed_in(world.provider), f"/audits/{audit.pk}")
    strip = page[page.index('<ol class="strip"') :].partition("</ol>")[0]
    assert (strip.count("is-done"), strip.count("is-current"), "withdrawn" in strip) == (3, 1, True)


def test_one_segment_is_one_segment() -> None:
    world, audit = waits(FAST, 0, 1)
    page = told(signed_in(world.provider), f"/audits/{audit.pk}")
    assert "of 1 segments decided" not in page
