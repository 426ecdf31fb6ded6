"""`manage.py rado groups`: responses of a policy, scored by a reward model, as GRPO rows; `settings` writes files."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from hdag.models import ChatCall, Endpoint
from tests.doubles.chat_server import run_server

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def endpoint_of(server, monkeypatch):
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)

    def make(name, behaviour):
        money = {"audit_cap": 100, "daily_cap": 100, "retries": 0, "may_see": "whole traces"}
        return Endpoint.objects.create(name=name, base_url=server.url(behaviour), model="m-1", **money)

    return make


@pytest.fixture
def problems(tmp_path):
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps({"problem": f"What is {n} + 5?", "gold": str(n + 5)}) + "\n" for n in (1, 2, 3)))
    return path


def groups(problems, *words):
    out = io.StringIO()
    call_command("rado", "groups", str(problems), str(problems.with_name("rows.jsonl")), *words, stdout=out)
    rows = problems.with_name("rows.jsonl").read_text().splitlines()
    return out.getvalue(), [json.loads(row) for row in rows]


def test_a_policy_is_sampled_and_its_responses_are_scored(endpoint_of, problems):
    endpoint_of("rm", "oracle")
    endpoint_of("policy", "oracle")
    printed, rows = groups(problems, "--reward", "rm", "--policy", "policy", "--group", "2", "--samples", "3")
    assert printed.startswith("complete: rm, policy: asked 24, answered 24")
    assert len(rows) == 6
    # The policy says 8 to everything, and the reward model is shown the right answers 6, 7 and 8.
    assert [row["reward"] for row in rows] == [0, 0, 0, 0, 1, 1]
    assert rows[-1]["completion"] == "<think>It is so.</think><answer>8</answer>"
    assert [rows[0]["scores"], rows[-1]["scores"]] == [[[1, 0]] * 3, [[1, 1]] * 3]
    assert ChatCall.objects.filter(account="command:rado", purpose="policy").count() == 6


def test_a_policy_that_fails_is_said_first_and_asked_again_for_the_holes_alone(endpoint_of, problems):
    endpoint_of("rm", "oracle")
    broken = endpoint_of("policy", "400")
    with pytest.raises(CommandError, match="some answers are missing") as raised:
        groups(problems, "--reward", "rm", "--policy", "policy", "--group", "2")
    assert raised.value.returncode == 3
    Endpoint.objects.filter(pk=broken.pk).update(base_url=broken.base_url.replace("/400/", "/oracle/"))
    printed, rows = groups(problems, "--reward", "rm", "--policy", "policy", "--group", "2")
    assert printed.startswith("complete: ")
    assert len(rows) == 6


def test_an_endpoint_that_is_not_there_is_a_plain_sentence(problems):
    with pytest.raises(CommandError, match="not measured: no endpoint 'rm'"):
        groups(problems, "--reward", "rm")


def test_settings_are_written_as_files(tmp_path):
    call_command("rado", "settings", str(tmp_path), stdout=io.StringIO())
    assert (tmp_path / "trl" / "grpo.yaml").exists()
    assert (tmp_path / "llamafactory" / "dataset_info.json").exists()
