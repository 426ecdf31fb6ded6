"""The report of an audit of passages: fine steps, where it fails, why something is not asked, and the offline check."""

import json
from dataclasses import replace

import pytest
from django.utils.html import strip_tags

from auditing.core.values import Choice
from auditing.models import Audit
from auditing.research.reports.selectors.report import report_of
from auditing.selectors.ledger.published import bundle_of
from auditing.verifier import verify_audit
from hdag.core.values import ToolCall
from tests.factories.passages import PLANNED, REFUTED, passage_world

pytestmark = pytest.mark.django_db


def recorded(trace, choice=Choice.PASS):
    world = passage_world()
    audit = world.submit(trace)
    world.everybody_votes(audit, choice)
    return Audit.objects.get(pk=audit.pk)


def test_an_audit_of_passages_is_recorded_and_passes():
    audit = recorded(PLANNED)
    assert (audit.stage, audit.outcome) == ("recorded", "pass")


def test_the_report_speaks_of_passages():
    report = report_of(audit=recorded(PLANNED))
    assert report.noun == "passage"
    assert "audited passages passed" in report.sentence


def test_a_refuted_step_fails_its_passage_and_is_named():
    report = report_of(audit=recorded(REFUTED))
    failing = report.first_failing
    step = failing.unit.failing_step
    assert "60 * 4 = 250" in step.text
    assert step.state == "refuted"
    assert failing.where == f"{failing.value.id}, step {step.number} ({', '.join(step.labels)})"
    assert failing.unit.localisation.share == 1
    assert report.outcome.outcome == "fail"


def test_a_doubt_refutes_no_step_and_names_none():
    thinking = "The area of a circle with radius 3 is 6π.\n\nSo 12 + 5 = 18 pens."
    unit = report_of(audit=recorded(replace(REFUTED, thinking=thinking))).first_failing.unit
    assert "12 + 5 = 18" in unit.failing_step.text
    assert [step.state for step in unit.steps][:2] == ["", "refuted"]


def test_the_page_tells_a_doubt_behind_the_refutation_and_not_as_one(client):
    thinking = "The area of a circle with radius 3 is 6π.\n\nSo 12 + 5 = 18 pens."
    audit = recorded(replace(REFUTED, thinking=thinking))
    client.force_login(audit.campaign.owner, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(f"/audits/{audit.pk}").content.decode()
    votes = page[page.index("<h4>Votes</h4>") :]
    told = strip_tags(votes[: votes.index("What was computed")])
    assert told.index("refuted") < told.index("It may be false")
    assert told.count("refuted") == 1


def test_every_unasked_passage_says_why():
    report = report_of(audit=recorded(replace(PLANNED, tool_calls=(ToolCall("calculator", "12 * 5", "60"),))))
    unasked = [line for line in report.lines if line.state == "unasked"]
    assert unasked
    assert all(line.unit.why_unasked for line in unasked)


def test_the_fine_steps_stand_in_the_json():
    data = report_of(audit=recorded(PLANNED)).as_json()
    steps = [step for line in data["segments"] for step in line.get("unit", {}).get("steps", ())]
    assert any("12 * 5 = 60" in step["text"] for step in steps)


@pytest.mark.parametrize("trace", [PLANNED, REFUTED], ids=["right", "refuted"])
def test_a_stranger_verifies_an_audit_of_passages(trace):
    audit = recorded(trace)
    report = verify_audit.verify(json.dumps(bundle_of(audit=audit)).encode())
    assert report.ok, report.text()
