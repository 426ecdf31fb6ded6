"""Audits of evaluations with tools and without, and PROOF scores, both by endpoints that answer or refuse."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from auditing.research.models import TrainingLoop
from auditing.research.rado.services.proof_scores import take_proof_scores
from hdag.models import Endpoint
from tests.doubles.chat_server import run_server
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db(transaction=True)
PRAISE = "[1, 1] Every step holds, and the sum of both numbers is what the problem asks for."


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def judge(server, monkeypatch):
    """An endpoint that does the sums again."""
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    return Endpoint.objects.create(
        name="ours", base_url=server.url("oracle"), model="m-1", may_see="whole traces", audit_cap=100, daily_cap=100
    )


def evaluation(number):
    """A sum that is wrong for odd numbers, and always praised."""
    total = 2 * number + 3 + number % 2
    response = f"She has {number} pens. Then {number} + {number + 3} = {total} pens."
    problem = f"Anna has {number} pens and buys {number + 3} more. How many has she?"
    return {"problem": problem, "response": response, "evaluation": PRAISE, "label": 1 - number % 2}


def test_both_ways_to_audit_stand_side_by_side(judge, tmp_path):
    """The double calls a tool twice an audit, once with what the tool refuses."""
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(evaluation(number)) + "\n" for number in range(10)))
    call_command("study", "tool_audits", file=path, endpoint="ours", out=tmp_path, stdout=io.StringIO())
    tables = {table["title"]: table for table in json.loads((tmp_path / "tool_audits.json").read_text())["tables"]}
    rows = {row[0]: row[1:] for row in tables["Audits"]["rows"]}
    # The computer tier votes on the five that praise a wrong sum, and abstains on the others.
    assert (rows["computer"][:3], rows["ours, with tools"][0]) == ([10, 5, 1.0], 10)
    assert sum(count for _, count in tables["On the same evaluations"]["rows"]) == 10
    rates = dict(map(tuple, tables["With tools"]["rows"]))
    assert (rates["tool calls an audit"], rates["calls refused"]) == (2, 0.5)
    assert (tmp_path / "tool_audits.items.csv").read_text().count("\n") == 11


def files(tmp_path, *records):
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(tmp_path / "in.jsonl"), str(tmp_path / "out.jsonl")


def test_endpoints_score_reasoning_in_rows_that_a_loop_takes_in(judge, tmp_path):
    out = io.StringIO()
    paths = files(tmp_path, {"item": "a", "problem": "2 + 2?", "response": "4."})
    call_command("rado", "proof", *paths, "--judge", "ours", stdout=out)
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert {name: row[name] for name in ("item", "judge")} == {"item": "a", "judge": "ours"}
    assert (row["rc"], row["ds"], row["fa"]) == (6, 7, 5)
    assert "a: PROOF 6.00 of 1 judges" in out.getvalue()
    loop = TrainingLoop.objects.create(owner=make_user("r@example.org", "researcher"), title="t")
    assert take_proof_scores(loop=loop, records=[row]) == 1


@pytest.mark.parametrize(
    ("behaviour", "record", "code"),
    [("400", {"problem": "2 + 2?", "response": "4."}, 3), ("oracle", {"problem": "2 + 2?"}, 2)],
)
def test_scores_that_are_missing_are_said_by_the_exit_code(server, judge, tmp_path, behaviour, record, code):
    Endpoint.objects.update(base_url=server.url(behaviour))
    with pytest.raises(CommandError) as raised:
        call_command("rado", "proof", *files(tmp_path, record), "--judge", "ours", stdout=io.StringIO())
    assert raised.value.returncode == code


def test_an_mr_score_counts_a_reason_that_a_grader_finds_the_same(judge, tmp_path):
    """Ten traces, five wrong: a model names each wrong word problem, the reasons of three are those annotated.

    The wrong steps hold no sum that the computer tier could settle by itself.
    """
    Endpoint.objects.create(
        name="grader", base_url=judge.base_url, model="m-2", may_see="whole traces", audit_cap=100, daily_cap=100
    )
    lines = []
    for number in range(10):
        is_wrong = number % 2 == 1
        total = 2 * number + 3 + is_wrong
        steps = [f"She has {number} pens.", f"We see that {number} + {number + 3} = {total} pens."]
        why = "The sum is wrong." if number in (1, 3, 5) else "She has fewer pens."
        label = {"label": 1 if is_wrong else -1, "error_reason": why if is_wrong else ""}
        lines.append({"problem": f"Anna has {number} pens.", "steps": steps, **label})
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = {"file": path, "endpoint": "ours", "out": tmp_path, "option": ["grader=grader"]}
    call_command("study", "all_steps", stdout=io.StringIO(), **options)
    tables = {table["title"]: table for table in json.loads((tmp_path / "all_steps.json").read_text())["tables"]}
    table = tables["MR-Score with graded reasons"]
    row = dict(zip(table["columns"], table["rows"][0], strict=True))
    assert (row["traces"], row["wrong"], row["ungraded"]) == (10, 5, 0)
    assert row["MR-Score"] == pytest.approx(0.2 * max(0, row["MCC"]) + 0.3 * row["ACC step"] + 0.5 * row["ACC reason"])
