"""manage.py audit: files in, files out, in memory."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from auditing.core.policy import DEFAULT, Escalation
from auditing.core.values import Tier
from auditing.research.offline.batches import CHUNK, audit_lines, chunks
from auditing.research.offline.one_trace import audit_line, audit_trace
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
    done = run(source, option, link)
    assert done.returncode == 2, done.stderr
    assert "is the input" in done.stderr
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
