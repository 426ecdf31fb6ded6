"""Windows of people have a floor: nobody is fined for a vote that there was no time to give."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from auditing.core.policy import DEFAULT, to_json
from auditing.models import Campaign, PolicyVersion
from auditing.research.policy_lab.views.forms import PolicyForm
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(idle_hens: World) -> Client:
    client = Client()
    client.force_login(idle_hens.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


def filled(**changed: str) -> dict[str, Any]:
    """What a browser would send for the default policy."""
    form = PolicyForm(base=DEFAULT)
    sent = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in sent.items() if value is not False and value is not None} | changed


def test_a_domain_gives_people_no_shorter_windows_either(admin: Client, idle_hens: World) -> None:
    answer = admin.post("/policies/new", filled(publish="1", domains="law: human.commit_seconds = 3599"))
    told = answer.context["form"].errors["domains"]
    assert told[0].startswith("law.human.commit_seconds must be at least 3600 seconds (an hour), not 3599")


def test_machines_may_have_as_little_time_as_they_need(admin: Client, idle_hens: World) -> None:
    sent = filled(publish="1", **{"llm.commit_seconds": "1", "computer.reveal_seconds": "1"})
    assert admin.post("/policies/new", sent).status_code == 302


@pytest.fixture
def second_long(idle_hens: World) -> PolicyVersion:
    """A version from before the floor: people have one second."""
    policy = replace(DEFAULT, human=replace(DEFAULT.human, commit_seconds=1))
    return PolicyVersion.objects.create(number=7, name="old", body=to_json(policy=policy), digest=b"o" * 32)


def test_an_older_version_with_short_windows_is_read_and_not_published_again(
    admin: Client, second_long: PolicyVersion
) -> None:
    answer = admin.post("/policies/7/roll-back", follow=True)
    assert answer.status_code == 200
    assert "Nothing was published. human.commit_seconds must be at least 3600" in answer.content.decode()
    assert PolicyVersion.objects.latest("number") == second_long


def test_no_new_campaign_begins_under_windows_too_short_for_a_person(admin: Client, second_long: PolicyVersion) -> None:
    answer = admin.post("/campaigns/new", {"title": "Quick", "policy": second_long.pk})
    assert "Of policy 7, human.commit_seconds must be at least 3600 seconds" in answer.content.decode()
    assert not Campaign.objects.filter(title="Quick").exists()
