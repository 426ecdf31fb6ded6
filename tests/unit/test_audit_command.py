"""manage.py audit: files in, files out, in memory."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from auditing.core.policy import DEFAULT, Escalation
from auditing.core.values import Tier
from auditing.research.offline.batches import CHUNK, audit_lines, chunks
from auditing.research.offline.one_trace import audit_line, audit_trace
from auditing.research.studies.instruments.own_file import read_own
from hdag.chat.batching.lines import read_lines
from hdag.core.metrics import measure
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record
from tests.tools.patience import PATIENCE

ROOT = Path(__file__).parents[2]
GOOD = {"id": "a", "problem": "Ann has 3 boxes of 4 eggs.", "steps": ["3 * 4 = 12 eggs.", "12 + 1 = 14 eggs."]}
TIERS = (Tier.COMPUTER,)


def lines_of(*records):
    return [(f"line {number}", json.dumps(record).encode(), 0) for number, record in enumerate(records, 1)]


def run(*arguments):
    command = [sys.executable, "manage.py", "audit", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)


def test_a_false_sum_fails_its_segment_and_the_trace():
    record = audit_line(line=json.dumps(GOOD), where="line 1")
    failed = [item for item in record["segments"] if item["vote"] == "fail"]
    assert [(item["step"], item["tier"]) for item in failed] == [(1, "computer")]
    assert record["outcome"] == "fail"


def test_a_grounded_true_operation_passes_and_its_parent_does_not():
    record = audit_line(line=json.dumps(GOOD), where="line 1")
    votes = {item["level"]: item["vote"] for item in record["segments"] if item["step"] == 0}
    assert votes["operation"] == "pass"
    assert votes["step"] == "abstain"


def test_an_ungrounded_true_operation_is_an_abstention():
    record = audit_line(line=json.dumps(GOOD | {"steps": ["77 * 4 = 308 eggs."]}), where="line 1")
    assert {item["vote"] for item in record["segments"]} == {"abstain"}


def test_every_segment_has_the_fields_of_the_contract():
    record = audit_line(line=json.dumps(GOOD), where="line 1")
    fields = "id level content source start end step complexity tier vote evidence premises".split()
    assert all(field in item for item in record["segments"] for field in fields)
    assert set(record) == {"id", "outcome", "segments", "edges", "passages", "plan_seats", "metrics"}


def test_spans_cite_the_named_source_exactly():
    record = audit_line(line=json.dumps(GOOD), where="line 1")
    thinking = "\n\n".join(GOOD["steps"])
    cited = [item for item in record["segments"] if item["source"] == "thinking"]
    assert all(thinking[item["start"] : item["end"]] == item["content"] for item in cited)


@pytest.mark.parametrize(
    "line", [b"{", b'{"id": "x"}', b"[1]", b'{"id": "x", "problem": 3, "answer": "4"}', b"\xff", b"[" * 90_000]
)
def test_a_bad_line_is_an_error_record_that_names_the_line(line):
    record = audit_line(line=line, where="line 7")
    assert set(record) == {"id", "error"}
    assert "line 7" in record["error"]


def test_the_run_goes_on_after_a_bad_record_and_says_at_its_end_how_many_were_bad(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join([json.dumps(GOOD), "{broken", json.dumps(GOOD | {"id": 5})]), encoding="utf-8")
    done = run(source, "--output", target)
    assert done.returncode == 1, done.stderr
    assert [json.loads(line)["id"] for line in target.read_text().splitlines()] == ["a", None, 5]
    assert "no ledger" in done.stderr
    assert "1 of 3 records could not be audited" in done.stderr


def test_a_record_without_an_id_takes_the_number_of_its_line(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n" + json.dumps({name: value for name, value in GOOD.items() if name != "id"}) + "\n")
    done = run(source, "--output", target)
    assert done.returncode == 0, done.stderr
    assert json.loads(target.read_text())["id"] == "2"


def test_a_file_that_cannot_be_read_ends_with_one_and_a_sentence(tmp_path):
    done = run(tmp_path / "missing.jsonl")
    assert done.returncode == 1
    assert "missing.jsonl" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--output", "--html"])
def test_the_file_of_traces_is_never_written_over(tmp_path, option):
    source, link = tmp_path / "in.jsonl", tmp_path / "link.jsonl"
    source.write_text(json.dumps(GOOD))
    link.symlink_to(source)
    with pytest.raises(CommandError, match="is the input") as refused:
        call_command("audit", str(source), option, str(link))
    assert refused.value.returncode == 2
    assert json.loads(source.read_text()) == GOOD


def test_many_lines_over_workers_keep_their_order():
    lines = lines_of(*[GOOD | {"id": str(number)} for number in range(60)])
    records = [record for record, _ in audit_lines(lines=lines, tiers=TIERS, workers=2)]
    assert [record["id"] for record in records] == [str(number) for number in range(60)]


def test_every_processor_has_work_from_the_first_lines_on_and_large_chunks_later():
    lines = lines_of(*[GOOD] * 400)
    handed_out = list(chunks(lines=lines))
    assert [line for chunk in handed_out for line in chunk] == lines
    assert [len(chunk) for chunk in handed_out[:4]] == [2, 2, 2, 2]
    assert max(map(len, handed_out)) == CHUNK


def test_a_killed_worker_loses_no_record():
    lines = lines_of(*[GOOD | {"id": str(number)} for number in range(240)])
    found = []
    for record, _ in audit_lines(lines=lines, tiers=TIERS, workers=2):
        if not found:
            kill_one_child()
        found.append(record["id"])
    assert found == [str(number) for number in range(240)]


def kill_one_child():
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    workers = [
        int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
    os.kill(workers[-1], signal.SIGKILL)


def test_the_metrics_are_those_of_the_reasoning_graph():
    trace = read_record(GOOD, where="line 1")
    measured = measure(graph=RulesDecomposer().decompose(trace))
    metrics = json.loads(json.dumps(audit_line(line=json.dumps(GOOD), where="line 1")["metrics"]))
    assert (metrics["closeness"], metrics["nodes"]) == (measured.closeness, measured.nodes)
    assert metrics["dead_branch_rate"] == measured.dead_branch_rate
    assert (metrics["segments"], metrics["edges"]) == (5, measured.edges)


def test_a_policy_that_wants_a_second_opinion_leaves_a_computers_verdict_open():
    trace = read_record(GOOD, where="line 1")
    strict = replace(DEFAULT, escalation=Escalation.CONFIRM)
    tiers = (Tier.COMPUTER, Tier.LLM, Tier.HUMAN)
    assert audit_trace(trace=trace, tiers=tiers, policy=DEFAULT)["outcome"] == "fail"
    assert audit_trace(trace=trace, tiers=tiers, policy=strict)["outcome"] == "undecided"


def test_a_passage_record_says_what_is_asked_and_what_the_computer_fails():
    unread = ["They are 77 in all.", "So that is it, then."]
    steps = (unread, [unread[0], GOOD["steps"][1]], GOOD["steps"])
    rows = [audit_line(line=json.dumps(GOOD | {"steps": given}), where="line 1")["passages"][0] for given in steps]
    assert [(row["asked"], row["why"], row["tier"]) for row in rows] == [
        (True, "", "human"),
        (True, "", "human"),  # the error may begin before the step that the computer refutes
        (False, "refuted", "computer"),
    ]
    assert [row["fails_at"] for row in rows] == [[], ["ST2"], ["ST2"]]
    assert all(field in row for row in rows for field in ("id", "segments", "text"))


TALK = {"messages": [{"role": "user", "content": "3 boxes of 4?"}, {"role": "assistant", "content": "3 * 4 = 13."}]}


def test_a_file_as_windows_saves_it_and_with_a_log_of_a_chat_in_it_is_audited(tmp_path):
    source, target, page = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "out.html"
    source.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(json.dumps(record).encode() for record in (GOOD, TALK)))
    done = run(source, "--output", target, "--html", page)
    records = [json.loads(line) for line in target.read_text().splitlines()]
    assert (done.returncode, [record["outcome"] for record in records]) == (0, ["fail", "fail"]), done.stderr
    assert "3 * 4 = 13." in page.read_text(encoding="utf-8")


def test_a_line_of_many_traces_is_refused_with_their_number():
    samples = [{"id": number, "messages": TALK["messages"]} for number in range(2)]
    record = audit_line(line=json.dumps({"id": "x", "eval": {}, "samples": samples}), where="line 1")
    assert record == {"id": "x", "error": "line 1: holds 2 traces; write each in a line of its own"}


@pytest.mark.parametrize("command", ["decompose", "soundness"])
def test_other_commands_take_a_byte_order_mark_for_no_part_of_the_text(command, tmp_path, capsys):
    source = tmp_path / "in.jsonl"
    source.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode())
    call_command(command, str(source))
    # A step of the trace, and no text that begins with the mark and a brace.
    assert "O2" in capsys.readouterr().out


def test_a_study_reads_the_first_line_of_a_file_with_a_byte_order_mark(tmp_path):
    source = tmp_path / "own.jsonl"
    source.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n")
    assert list(read_own(source)) == [(1, GOOD)]


def test_a_line_of_a_batch_may_hold_signs_that_end_lines_elsewhere():
    rows = [{"custom_id": name, "response": {"status_code": 200, "body": f"a\u2028{name}"}} for name in "ab"]
    answers = read_lines("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    assert [json.loads(answers[name].body) for name in "ab"] == ["a\u2028a", "a\u2028b"]
