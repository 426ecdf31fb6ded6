"""What an audit will take, said before it starts: the submission page and the API."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Profile, RoleGrant
from auditing.core.policy import DEFAULT
from auditing.core.values import Choice, Outcome
from auditing.models import Audit, Campaign
from auditing.research.policy_lab.selectors.forecast import forecast_submission
from auditing.research.policy_lab.selectors.units import units_of_passages, units_of_trace
from auditing.research.policy_lab.services import publish_policy
from auditing.selectors.policy.versions import load_policy
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from tests.factories.worlds import ANSWER, PROBLEM, THINKING, TRACE, World

pytestmark = pytest.mark.django_db
RECORD = {"problem": PROBLEM, "thinking": THINKING, "answer": ANSWER, "domain": "school maths"}
LONG = replace(TRACE, thinking="\n\n".join(f"Consider why hen number {n} lays well in spring." for n in range(40)))


@pytest.fixture
def provider(idle_hens: World) -> Client:
    client = Client()
    client.force_login(idle_hens.provider, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_page_says_what_a_trace_will_take_and_stores_nothing(provider: Client, idle_hens: World) -> None:
    page = provider.post("/submit", {**RECORD, "campaign": idle_hens.campaign.pk, "forecast": "1"})
    text = " ".join(page.content.decode().split())
    assert page.status_code == 200
    assert "What this audit will take" in text
    assert "A right trace is not passed" in text
    assert THINKING.splitlines()[0] in text  # the form keeps what was typed
    assert not Audit.objects.exists()


def test_one_segment_is_told_of_as_one(provider: Client, idle_hens: World) -> None:
    record = {**RECORD, "thinking": "", "answer": "It is so.", "campaign": idle_hens.campaign.pk}
    page = provider.post("/submit", {**record, "forecast": "1"})
    assert re.search(r"\b1 (segment|passage) by people or models", " ".join(page.content.decode().split()))


def test_a_file_is_forecast_as_a_whole(provider: Client, idle_hens: World) -> None:
    lines = "\n".join(json.dumps({**RECORD, "title": str(number)}) for number in range(3))
    file = SimpleUploadedFile("traces.jsonl", lines.encode())
    page = provider.post("/submit", {"campaign": idle_hens.campaign.pk, "file": file, "forecast": "1"})
    assert "What these 3 audits will take" in " ".join(page.content.decode().split())
    single = SimpleUploadedFile("trace.jsonl", b'{"problem": "Is it so?", "answer": "It is so."}')
    page = provider.post("/submit", {"campaign": idle_hens.campaign.pk, "file": single, "forecast": "1"})
    assert "What this audit will take" in " ".join(page.content.decode().split())
    assert not Audit.objects.exists()


def test_the_api_says_the_same(provider: Client, idle_hens: World) -> None:
    expected = forecast_submission(trace=TRACE, campaign=idle_hens.campaign, provider=idle_hens.provider)
    answer = provider.post("/api/v1/forecast", data=json.dumps(RECORD), content_type="application/json")
    body = answer.json()
    assert answer.status_code == 200
    assert body["seats"]["mean"] == expected.forecast.people.mean
    assert body["right_not_passed"]["low"] <= body["right_not_passed"]["share"] <= body["right_not_passed"]["high"]
    assert (body["reviewers_at_hand"], body["feasible"]) == (len(idle_hens.reviewers), expected.is_feasible)
    assert not Audit.objects.exists()


@pytest.mark.parametrize("body", ["[]", "{", '{"problem": "x"}', '{"problem":"a","answer":"b","campaign":7}'])
def test_a_bad_body_is_a_clear_400(provider: Client, body: str) -> None:
    answer = provider.post("/api/v1/forecast", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_who_may_not_hand_in_gets_no_forecast(idle_hens: World) -> None:
    client = Client()
    client.force_login(idle_hens.reviewers[0], backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/api/v1/forecast", data="{}", content_type="application/json").status_code == 403


def test_too_few_reviewers_are_said_with_what_would_mend_it(idle_hens: World) -> None:
    expected = forecast_submission(trace=LONG, campaign=idle_hens.campaign)
    assert expected.needed > len(idle_hens.reviewers)
    assert not expected.is_feasible
    first = expected.problems[0]
    assert f"At least {expected.needed} reviewers of school maths are needed" in first
    assert f"{expected.needed - len(idle_hens.reviewers)} more reviewers" in first
    assert "a model endpoint" in first


def test_one_passage_one_seat_and_one_reviewer_are_told_of_as_one(idle_hens: World) -> None:
    RoleGrant.objects.filter(user__in=idle_hens.reviewers[1:], role="reviewer").delete()
    campaign = Campaign(owner=idle_hens.campaign.owner, open_to_all=True)
    record = replace(TRACE, thinking="", answer="It is so.")
    least = replace(DEFAULT, first_seats=1, wave_seats=1)
    campaign.policy = publish_policy(policy=replace(least, cap=1), author=campaign.owner)
    assert "1 passage cannot be decided under the cap of 1 seat each" in _first_problem(record, campaign)
    campaign.policy = publish_policy(policy=replace(least, adjudication_seconds=86_400), author=campaign.owner)
    assert "and 1 is at hand: a wave that nobody new can fill waits 1 day," in _first_problem(record, campaign)


def test_a_field_that_nobody_names_is_said(idle_hens: World) -> None:
    assert any("No reviewer names the field" in sentence for sentence in _problems(idle_hens, "geology"))
    _name_fields(idle_hens, ["Geology"])
    assert not any("No reviewer names the field" in sentence for sentence in _problems(idle_hens, "geology"))


def test_another_spelling_of_a_field_is_the_same_field(idle_hens: World) -> None:
    _name_fields(idle_hens, ["Mathematics"])
    expected = forecast_submission(trace=TRACE, campaign=idle_hens.campaign)
    assert (expected.people.reviewers, expected.people.naming) == (len(idle_hens.reviewers),) * 2
    _name_fields(idle_hens, ["law"])
    assert forecast_submission(trace=TRACE, campaign=idle_hens.campaign).people.reviewers == 0


def test_passages_are_fewer_units_than_segments(idle_hens: World) -> None:
    graph = RulesDecomposer().decompose(LONG)
    choices = dict.fromkeys((segment.id for segment in graph.segments), Choice.ABSTAIN)
    policy = load_policy(version=idle_hens.campaign.policy)
    passages = units_of_passages(trace=LONG, graph=graph, choices=choices, policy=policy)
    segments = units_of_trace(trace=LONG, policy=policy)
    assert 3 < len(passages) < len(segments) / 2
    assert all(unit.decided is None for unit in passages)
    step = next(segment.id for segment in graph.segments if segment.level == "step")
    refuted = units_of_passages(trace=LONG, graph=graph, choices={**choices, step: Choice.FAIL}, policy=policy)
    assert [unit.decided for unit in refuted].count(Outcome.FAIL) == 1


def _first_problem(trace: Trace, campaign: Campaign) -> str:
    expected = forecast_submission(trace=trace, campaign=campaign)
    assert expected is not None
    return expected.problems[0]


def _problems(world: World, domain: str) -> Any:
    return forecast_submission(trace=replace(TRACE, domain=domain), campaign=world.campaign).problems


def _name_fields(world: World, fields: list[str]) -> None:
    for person in world.reviewers:
        Profile.objects.update_or_create(user=person, defaults={"domains": fields})
