"""An admin at the cockpit of a campaign: people are ticked, reminded once a day, given more time; terms are copied."""

from datetime import timedelta

import pytest
from django.test import Client

from auditing.models import AuditEvent, Campaign, Notice
from auditing.selectors.clock import database_now
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(waiting_hens: World) -> Client:
    return signed_in(waiting_hens.campaign.owner)


def address(world: World, verb: str = "") -> str:
    return f"/campaigns/{world.campaign.pk}{verb}"


def test_people_are_ticked_and_nobody_ticked_is_everybody(admin: Client, waiting_hens: World) -> None:
    page = admin.get(address(waiting_hens, "/people")).content.decode()
    assert all(f'value="{person.email}"' in page for person in (*waiting_hens.reviewers, waiting_hens.provider))
    two = [person.email for person in waiting_hens.reviewers[:2]]
    admin.post(address(waiting_hens, "/edit"), {"reviewers": ["", *two]})
    campaign = Campaign.objects.get()
    assert (campaign.open_to_all, sorted(campaign.reviewers.values_list("email", flat=True))) == (False, sorted(two))
    admin.post(address(waiting_hens, "/edit"), {"reviewers": ""})
    assert Campaign.objects.get().open_to_all


def test_those_whose_seats_wait_are_reminded_once_a_day(admin: Client, waiting_hens: World) -> None:
    for _ in range(2):
        assert admin.post(address(waiting_hens, "/steer")).status_code == 302
    reminders = Notice.objects.filter(kind="reminder")
    assert sorted(reminders.values_list("user", flat=True)) == sorted(person.pk for person in waiting_hens.reviewers)
    assert AuditEvent.objects.filter(kind="campaign.reminded").count() == 2


def test_the_deadline_moves_from_where_it_is_or_from_now(admin: Client, waiting_hens: World) -> None:
    week, now = timedelta(days=7), database_now()
    admin.post(address(waiting_hens, "/steer"), {"days": "7"})
    first = Campaign.objects.get().deadline
    assert first is not None
    assert first >= now + week
    admin.post(address(waiting_hens, "/steer"), {"days": "7"})
    assert Campaign.objects.get().deadline == first + week
    Campaign.objects.update(deadline=now - timedelta(days=99))
    admin.post(address(waiting_hens, "/steer"), {"days": "7"})
    assert Campaign.objects.get().deadline >= now + week


def test_a_copy_starts_from_the_terms_of_another(admin: Client, waiting_hens: World) -> None:
    form = admin.get("/campaigns/new", {"copy": str(waiting_hens.campaign.pk)}).context["form"]
    assert form.initial["title"] == "Copy of Hens"
    assert form.initial["guidelines"] == "Be fair."
    assert form.initial["policy"] == waiting_hens.campaign.policy
    assert admin.get("/campaigns/new", {"copy": "x"}).context["form"].initial == {}


def test_nobody_else_steers(waiting_hens: World) -> None:
    for person in (waiting_hens.provider, waiting_hens.reviewers[0]):
        assert signed_in(person).post(address(waiting_hens, "/steer"), {"days": "7"}).status_code == 403
    assert Campaign.objects.get().deadline is None
