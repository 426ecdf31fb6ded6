"""Every study on ten records: without an endpoint, with one that refuses, on one's own file. None ends in a traceback.

The first line and the exit code say what was measured: 0 all of it, 2 nothing, 3 a part.
"""

import csv
import io
import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from auditing.research.studies.instruments.runner import find_studies
from hdag.models import ChatCall, Endpoint
from tests.doubles.chat_server import run_server
from tests.tools.sweeping import sampled

pytestmark = pytest.mark.django_db(transaction=True)
ALL = tuple(find_studies())
# Of a size at which each study takes a second or two.
SMALL = {"adversaries": ["seeds=2", "peer_seeds=0"], "claimtrees": ["chains=6"]}
ASKING = tuple(name for name, entry in find_studies().items() if entry.asks)
READING = tuple(name for name, entry in find_studies().items() if entry.reads)


def steps(number):
    right = 2 * number + 3
    written = right + 1 if number % 2 else right
    return {
        "problem": f"Anna has {number} pens and buys {number + 3} more. How many has she?",
        "steps": [f"She has {number} pens.", f"Then {number} + {number + 3} = {written} pens.", "So she is glad."],
        "label": 1 if number % 2 else -1,
    }


def answers(number):
    pens = number // 2
    return {
        "problem": f"Anna has {pens} pens and buys 3 more. How many has she?",
        "thinking": f"She has {pens} pens and gets 3. So {pens} + 3 = {pens + 3} pens.",
        "answer": f"{pens + 3 + number % 2}",
        "gold": str(pens + 3),
    }


def graphs(number):
    rows = [("Given.", [], "x = 2"), ("By Step 1.", [1], "x + 1 = 3"), ("By Step 2.", [2 - number % 2], "So 3")]
    names = ("edge", "direct_dependent_steps", "node")
    chain = [{"step_id": place, **dict(zip(names, row, strict=True))} for place, row in enumerate(rows, 1)]
    return {"problem": f"p{number // 5}", "steps": chain, "answer": "3", "gold": "3", "solution": "x + 1 = 3"}


def votes(number):
    return {"item": f"i{number // 3}", "auditor": f"a{number % 3}", "choice": ("pass", "fail")[number % 2]}


def logs(number):
    turns = [{"name": "A", "content": "Plan"}, {"name": "B", "content": "2 + 2 = 5"}, {"name": "A", "content": "5."}]
    return {"question": f"Sum {number}?", "history": turns, "mistake_step": 1, "mistake_agent": "B"}


def judgements(number):
    right = number % 3 != 0
    return {"judge": "a", "author": "ab"[number % 2], "segment": str(number), "passed": right, "correct": right}


def authors(number):
    return {**answers(number), "author": f"writer {number % 2}"}


def evaluations(number):
    total = 2 * number + 3 + number % 2
    response = f"She has {number} pens. Then {number} + {number + 3} = {total} pens."
    text = "[1, 1] Every step holds, and the sum of both numbers is what the problem asks for."
    return {"problem": steps(number)["problem"], "response": response, "evaluation": text, "label": 1 - number % 2}


LINES = {
    "evaluations": evaluations,
    "arms": steps,
    "authors": authors,
    "steps": steps,
    "answers": answers,
    "graphs": graphs,
    "votes": votes,
    "logs": logs,
    "judgements": judgements,
}


@pytest.fixture(scope="module")
def server():
    with run_server() as running:
        yield running


@pytest.fixture
def failing(server, monkeypatch):
    """An endpoint whose server refuses every call."""
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    money = {"audit_cap": 100, "daily_cap": 100, "retries": 0}
    return Endpoint.objects.create(
        name="ours", base_url=server.url("400"), model="m-1", may_see="whole traces", max_concurrency=2, **money
    )


@pytest.fixture
def file_of(tmp_path):
    def write(name, *more):
        path = tmp_path / "mine.jsonl"
        lines = [json.dumps(LINES[find_studies()[name].reads](number)) for number in range(10)]
        path.write_text("\n".join([*lines, *more]) + "\n")
        return path

    return write


def study(name, tmp_path, **options):
    """(first line, everything printed, exit code)"""
    out = io.StringIO()
    code = 0
    options = {"out": tmp_path / "out", "data": tmp_path / "nothing", "option": SMALL.get(name, []), **options}
    try:
        call_command("study", name, stdout=out, **options)
    except CommandError as error:
        out.write(str(error))
        code = error.returncode
    return out.getvalue().splitlines()[0], out.getvalue(), code


@pytest.mark.parametrize("name", sampled(READING, one_in=3))
def test_a_study_measures_ones_own_file_and_says_what_it_did_not_ask(name, file_of, tmp_path):
    first, printed, code = study(name, tmp_path, file=file_of(name))
    assert (code, first.split(";")[0]) == (0, "complete: 10 of 10 lines read"), printed
    assert ("not measured: the model tier" in first) == (name in ASKING)
    report = json.loads((tmp_path / "out" / f"{name}.json").read_text())
    assert (report["file"], report["lines"]["read"]) == ("mine.jsonl", 10)
    assert report["tables"][0]["rows"]
    # What a model can take part in is read item by item: its labels and predictions stand in a file of their own.
    if name in ASKING:
        with (tmp_path / "out" / f"{name}.items.csv").open(newline="") as lines:
            head, *rows = csv.reader(lines)
        assert rows
        assert {len(row) for row in rows} == {len(head)}


@pytest.mark.parametrize("name", sampled(READING, one_in=3, first=1))
def test_bad_lines_make_a_run_partial_and_are_named(name, file_of, tmp_path):
    first, printed, code = study(name, tmp_path, file=file_of(name, "{", "[]", '{"problem": 3}'))
    assert code == 3, printed
    assert first.startswith("partial: 10 of 13 lines read (line 11: is no JSON object)")


@pytest.mark.parametrize("name", READING)
def test_a_file_without_a_usable_line_is_not_measured(name, tmp_path):
    (tmp_path / "bad.jsonl").write_text("{\n")
    first, printed, code = study(name, tmp_path, file=tmp_path / "bad.jsonl")
    assert code == 2, printed
    assert first.startswith("not measured: no line of bad.jsonl can be used: line 1: is no JSON object. A line holds ")


@pytest.mark.parametrize("name", sampled(ASKING, one_in=4))
def test_an_endpoint_that_refuses_everything_is_said_first_and_by_the_exit_code(name, file_of, failing, tmp_path):
    first, printed, code = study(name, tmp_path, file=file_of(name), endpoint="ours")
    assert code in (2, 3), printed
    assert "answered 0, abstained 0, failed" in first
    assert "coverage 0.0 %" in first
    assert "rejected" in first


@pytest.mark.parametrize("name", sampled(ALL, one_in=4, first=1))
def test_no_study_ends_in_a_traceback_without_data_or_endpoint(name, tmp_path):
    first, printed, code = study(name, tmp_path)
    # 1: two seeds are too few for what the study of adversaries claims.
    assert code in (0, 1, 2), printed
    assert first.startswith("not measured: ") == (code == 2)


@pytest.mark.parametrize("name", sorted(set(ALL) - set(READING)))
def test_a_study_of_chance_refuses_a_file(name, tmp_path):
    (tmp_path / "mine.jsonl").write_text("{}\n")
    first, _, code = study(name, tmp_path, file=tmp_path / "mine.jsonl")
    assert (first, code) == (f"not measured: the study {name} reads no file", 2)


def test_an_option_that_a_study_does_not_know_is_refused(tmp_path):
    first, _, code = study("benchmark", tmp_path, option=["edpoint=x"])
    assert (code, first) == (
        2,
        "not measured: the study benchmark knows no option 'edpoint': "
        "it knows dataset, endpoint, traces, premises, critique",
    )
    assert study("bias", tmp_path, endpoint="x")[0] == "not measured: the study bias asks no model"
    assert study("benchmark", tmp_path, option=["traces=many"])[0].startswith("not measured: the option traces")


def test_the_limit_cuts_a_file_and_items_stand_in_a_csv(file_of, tmp_path):
    first, _, code = study("benchmark", tmp_path, file=file_of("benchmark"), limit=4)
    assert (code, first.split(";")[0]) == (0, "complete: 4 of 4 lines read")
    head, *rows = (tmp_path / "out" / "benchmark.items.csv").read_text().splitlines()
    assert head == "file,trace,label,computer"
    # The second step of every other trace is a wrong sum, which the computer tier finds.
    assert rows == ["mine,1,,", "mine,2,1,1", "mine,3,,", "mine,4,1,1"]


def test_figures_of_ones_own_samples_are_means_over_problems(file_of, tmp_path):
    """Two problems of five samples, all right; those with an even number use every step."""
    study("dag_math", tmp_path, file=file_of("dag_math"))
    report = json.loads((tmp_path / "out" / "dag_math.json").read_text())
    table = next(table for table in report["tables"] if table["title"] == "Over problems")
    figures = {row[0]: row[1] for row in table["rows"]}
    assert figures["PASS@1"] == figures["PASS@4"] == 1
    # Problem 0 has three even numbers of five, problem 1 two of five.
    assert figures["R, perfect reasoning rate"] == pytest.approx(0.5)
    assert figures["gap, PASS@1 - R"] == pytest.approx(0.5)


@pytest.mark.parametrize("name", sampled(ASKING, one_in=3, first=2))
def test_a_forecast_says_what_would_be_asked_and_asks_nothing(name, file_of, failing, tmp_path):
    first, printed, code = study(name, tmp_path, file=file_of(name), endpoint="ours", forecast=True)
    assert (code, len(printed.splitlines())) == (0, 1), printed
    assert first.startswith("forecast: at most ")
    assert f"calls to ours at {failing.base_url}, about" in first
    assert not ChatCall.objects.exists()
    assert not (tmp_path / "out" / f"{name}.json").exists()


def test_a_run_spends_no_more_than_its_limit(server, file_of, failing, tmp_path):
    """Each call costs at least its rules; of a limit below that nothing is asked, whatever earlier runs have spent."""
    prices = {"price_in": 100, "price_out": 100, "base_url": server.url("oracle")}
    Endpoint.objects.update(**prices)
    first, _, code = study(
        "benchmark", tmp_path, file=file_of("benchmark"), endpoint="ours", limit_money=Decimal("0.01")
    )
    assert (code, first.split(",")[1]) == (3, " answered 0")
    assert "cap" in first
    assert not ChatCall.objects.exists()
    assert study("benchmark", tmp_path, file=file_of("benchmark"), endpoint="ours", limit_money=Decimal(90))[2] == 0


def test_critiques_of_whole_traces_are_asked_so_often_and_decide_by_majority(server, file_of, failing, tmp_path):
    Endpoint.objects.update(base_url=server.url("oracle"))
    options = {"endpoint": "ours", "option": ["critique=3"]}
    _, printed, code = study("benchmark", tmp_path, file=file_of("benchmark"), **options)
    assert (code, ChatCall.objects.filter(purpose="critique").count()) == (0, 30), printed
    table = json.loads((tmp_path / "out" / "benchmark.json").read_text())["tables"][0]
    row = next(row for row in table["rows"] if row[1] == "ours, critiques maj@3")
    # The double does the sums again: every first error is named, every right trace left alone.
    assert (row[3], row[6]) == (1, 1)


def test_several_endpoints_judge_the_arms_and_votes_of_authors(server, file_of, failing, tmp_path):
    """Two judges that do the sums again: a wrong sum is found in the whole trace as well as in its passages."""
    Endpoint.objects.update(base_url=server.url("oracle"))
    Endpoint.objects.create(
        name="other", base_url=server.url("oracle"), model="m-2", may_see="whole traces", audit_cap=100, daily_cap=100
    )
    _, printed, code = study("table3", tmp_path, file=file_of("table3"), endpoint="ours,other")
    assert code == 0, printed
    report = json.loads((tmp_path / "out" / "table3.json").read_text())
    accuracy = {row[0]: row[2] for row in report["tables"][0]["rows"]}
    assert (report["simulated"], accuracy["TRUST, passages"], accuracy["whole trace, models: other"]) == ("", 1, 1)
    votes = [json.loads(line) for line in (tmp_path / "out" / "table3.votes.jsonl").read_text().splitlines()]
    assert {"computer", "ours", "other"} == {vote["auditor"] for vote in votes}
    _, printed, code = study("table2", tmp_path, file=file_of("table2"), endpoint="ours,other")
    assert code == 0, printed
    table = json.loads((tmp_path / "out" / "table2.json").read_text())["tables"][0]["rows"]
    assert [row[1] for row in table] == [10] * len(table)


def test_an_agent_writes_the_reasoning_of_a_query_and_runs_on_from_every_change(server, failing, tmp_path):
    Endpoint.objects.update(base_url=server.url("oracle"))
    path = tmp_path / "queries.jsonl"
    path.write_text("".join(json.dumps({"problem": f"What is {n} + 1?"}) + "\n" for n in range(3)))
    _, printed, code = study("faithfulness", tmp_path, file=path, endpoint="ours")
    assert code == 0, printed
    assert ChatCall.objects.filter(purpose="policy").count() == 3
    report = json.loads((tmp_path / "out" / "faithfulness.json").read_text())
    by_title = {table["title"]: table for table in report["tables"]}
    types = by_title["By type of change"]
    by_type = [dict(zip(types["columns"], row, strict=True)) for row in types["rows"]]
    trials = sum(row["trials"] for row in by_type)
    assert trials == len(report["items"]["rows"]) > 0
    clear = trials - sum(row["unclear"] for row in by_type)
    assert sum(row[2] for row in by_title["Distribution of phi"]["rows"]) == clear > 0
