"""`manage.py qualify`: an endpoint judges labelled steps; one that is no better than a coin is drawn for no seat."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from auditing.research.qualification.core.qualification import DomainCounts, reason_to_refuse
from auditing.selectors.model_tier.endpoints import endpoints_for
from hdag.models import Endpoint
from tests.doubles.chat_server import run_server
from tests.factories.worlds import make_user, make_world

pytestmark = pytest.mark.django_db(transaction=True)
TRACES = 30  # below thirty wrong steps nothing is claimed


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def endpoint_of(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)

    def make(behaviour):
        money = {"audit_cap": 100, "daily_cap": 100, "retries": 0, "may_see": "whole traces"}
        return Endpoint.objects.create(name="ours", base_url=server.url(behaviour), model="m-1", family="f", **money)

    return make


@pytest.fixture
def labelled(tmp_path):
    """Every second trace ends in a wrong sum, which the double notices as a good judge would."""
    path = tmp_path / "steps.jsonl"
    records = [
        {
            "problem": f"Anna has {n} pens and buys 3 more.",
            "steps": [f"She has {n} pens, and {n} + 1 = {n + 1}.", f"So {n} + 3 = {n + 3 + n % 2} pens."],
            "label": 1 if n % 2 else -1,
        }
        for n in range(2 * TRACES)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def qualify(labelled, tmp_path):
    """(what was printed, exit code)"""
    out = io.StringIO()
    try:
        call_command("qualify", "ours", file=labelled, limit=100, out=tmp_path / "out", stdout=out)
    except CommandError as error:
        out.write(str(error))
        return out.getvalue(), error.returncode
    return out.getvalue(), 0


def test_a_good_judge_may_sit_and_its_rates_are_kept(endpoint_of, labelled, tmp_path):
    endpoint_of("oracle")
    printed, code = qualify(labelled, tmp_path)
    assert (code, printed.splitlines()[-1]) == (0, "it may sit"), printed
    assert printed.startswith("complete: ours: asked ")
    kept = Endpoint.objects.get().qualification
    assert kept["domains"]["steps"] == {
        "right": 3 * TRACES,
        "passed": 3 * TRACES,
        "wrong": TRACES,
        "failed": TRACES,
        "abstained": 0,
    }
    assert (kept["refused"], kept["data"]) == ("", "steps.jsonl")


def test_a_stamp_is_refused_its_seat_with_the_reason(endpoint_of, labelled, tmp_path):
    row = endpoint_of("stamp")
    world = make_world()
    audit = world.submit()
    assert row in endpoints_for(audit=audit)
    printed, code = qualify(labelled, tmp_path)
    assert code == 1, printed
    assert (
        "no seats: it is not shown to be better than a coin: "
        f"passes 100 % of {3 * TRACES} right steps, fails 0 % of {TRACES}" in printed
    )
    assert row not in endpoints_for(audit=audit)
    client = Client()
    admin = make_user("chief@example.org", "admin")
    client.force_login(admin, backend="django.contrib.auth.backends.ModelBackend")
    page = " ".join(client.get("/endpoints").content.decode().split())
    assert "no seats: it is not shown to be better than a coin" in page
    assert "qualified on steps.jsonl" in page


def test_holes_keep_nothing(endpoint_of, labelled, tmp_path):
    endpoint_of("flaky-5-400")
    printed, code = qualify(labelled, tmp_path)
    assert (code, printed.split(":")[0]) == (3, "partial"), printed
    assert Endpoint.objects.get().qualification is None


def test_too_few_steps_claim_nothing():
    assert reason_to_refuse(domains={"a": DomainCounts(29, 0, 500, 0)}) == ""
    assert reason_to_refuse(domains={"a": DomainCounts(15, 15, 15, 0), "b": DomainCounts(15, 15, 15, 0)})
