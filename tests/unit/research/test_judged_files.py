"""`manage.py audit --url`: a file of traces before judges of one endpoint, in memory."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from tests.doubles.chat_server import run_server

GOOD = {
    "id": "a",
    "problem": "Anna has 17 pens and some more.",
    "steps": ["She is glad about 3 of them.", "So she smiles."],
}
WRONG = {"problem": "Anna has pens.", "steps": ["She counts them one by one: 5 + 7 = 13, she says.", "So she is glad."]}


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def files(tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in (GOOD, WRONG, GOOD | {"id": "c"})))
    return source, tmp_path / "out.jsonl"


def audit(server, files, behaviour, **options):
    """(records, what was printed, exit code)"""
    out, code = io.StringIO(), 0
    usual = {"url": server.url(behaviour), "model": "m-1", "output": str(files[1]), "dialect": "vllm"}
    try:
        call_command("audit", str(files[0]), stdout=out, stderr=io.StringIO(), **{**usual, **options})
    except CommandError as error:
        code = error.returncode
    text = files[1].read_text() if files[1].exists() else ""
    return [json.loads(line) for line in text.splitlines()], out.getvalue(), code


def test_three_judges_of_one_family_judge_what_the_computer_leaves_open(server, files):
    records, printed, code = audit(server, files, "oracle")
    assert (code, [record["id"] for record in records]) == (0, ["a", "2", "c"])
    votes = [vote for judgement in records[0]["judgements"] for vote in judgement["votes"]]
    assert {vote["auditor"] for vote in votes} == {"judge 1", "judge 2", "judge 3"}
    assert {vote["vote"] for vote in votes} == {"pass"}
    assert (records[0]["outcome"], records[1]["outcome"]) == ("pass", "fail")
    assert records[1]["first_error"]["step"] == 0
    assert printed.startswith("complete: m-1: asked ")
    assert "3 records, 0 failed" in printed


def test_what_is_missing_is_said_and_a_second_run_asks_for_it_alone(server, files):
    files[0].write_text(json.dumps(GOOD) + "\n")
    records, printed, code = audit(server, files, "flaky-2-400")
    asked = server.stats("flaky-2-400")["calls"]
    assert code == 1
    assert printed.startswith("partial: ")
    assert records[0]["coverage"]["failed"] == 2
    assert all(judgement["votes"] or judgement["outcome"] == "undecided" for judgement in records[0]["judgements"])
    records, printed, code = audit(server, files, "flaky-2-400")
    assert (code, printed.split(":")[0]) == (0, "complete")
    assert server.stats("flaky-2-400")["calls"] == asked + 2


def test_a_server_that_refuses_everything_gives_no_vote_and_no_outcome(server, files):
    records, printed, code = audit(server, files, "400")
    assert code == 1
    assert "answered 0" in printed.splitlines()[0]
    assert records[0]["outcome"] == "undecided"
    assert all(judgement["posterior"] is None for judgement in records[0]["judgements"])


def test_one_bad_record_stops_none_of_the_others(server, files):
    files[0].write_text(json.dumps(GOOD) + "\n{nonsense\n\n" + json.dumps(GOOD | {"id": "z"}) + "\n")
    records, printed, code = audit(server, files, "oracle")
    assert code == 1
    assert "3 records, 1 failed" in printed
    assert ["error" in record for record in records] == [False, True, False]


def test_a_limit_of_money_is_kept(server, files):
    money = {"price_in": 1000, "price_out": 1000, "limit_money": 1}
    _, printed, code = audit(server, files, "oracle", **money)
    assert code == 1
    assert "cap_reached" in printed


def test_an_unknown_server_is_probed_first(server, files):
    records, _, code = audit(server, files, "dialect-plain", model="house-model", dialect="")
    assert (code, records[0]["outcome"]) == (0, "pass")


@pytest.mark.parametrize(
    "options", [{"model": ""}, {"judges": 0}, {"limit_money": 1}, {"url": "http://169.254.169.254@x/v1"}]
)
def test_what_cannot_be_asked_is_refused(server, files, options):
    assert audit(server, files, "oracle", **options)[2] == 2
