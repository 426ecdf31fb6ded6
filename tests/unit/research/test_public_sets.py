"""`manage.py data`: what studies want, what is here and whole, what may be added."""

import hashlib
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from auditing.research.rado.policy_sampling import read_problems
from auditing.research.rado.public_problems import PUBLIC_SETS
from auditing.research.studies.instruments.labelled import SOURCES
from auditing.research.studies.instruments.own_file import labelled_of
from auditing.research.studies.instruments.runner import find_studies
from auditing.research.studies.sets.catalogue import SETS
from auditing.research.studies.steps.reasons import reference_of

RECORD = {"problem": "p", "steps": ["a"], "label": -1}


def data(folder, *words):
    out = io.StringIO()
    call_command("data", "--data", str(folder), *map(str, words), stdout=out)
    return out.getvalue()


def test_every_set_of_the_studies_is_listed_with_readers_that_exist():
    assert {source.folder for source in SOURCES.values()} <= set(SETS)
    assert {name for entry in SETS.values() for name in entry.studies} <= {*find_studies(), "rado groups"}


def test_every_set_of_rado_is_listed_with_the_fields_that_its_reader_tells_it_by():
    listed = {entry.fields for entry in SETS.values() if "rado groups" in entry.studies}
    told_by = {name: fields for name, (fields, _) in PUBLIC_SETS.items()}
    del told_by["PubMedQA"]  # the same set with lower-case keys, as others publish it
    assert listed == set(told_by.values())


def test_an_object_of_records_by_their_ids_becomes_lines(tmp_path):
    record = {"QUESTION": "Does it help?", "CONTEXTS": ["Aim."], "final_decision": "no"}
    (tmp_path / "ori_pqal.json").write_text(json.dumps({"21645374": record, "16418930": record}, indent=1))
    assert (
        data(tmp_path / "sets", "add", "pubmedqa", tmp_path / "ori_pqal.json") == "pubmedqa/ori_pqal.jsonl: 2 records\n"
    )
    lines = (tmp_path / "sets" / "pubmedqa" / "ori_pqal.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["21645374", "16418930"]
    assert [problem.gold for problem in read_problems(records=map(json.loads, lines))] == ["no"]


def test_labels_of_mr_gsm8k_count_from_one_and_right_solutions_have_none():
    record = {"question": "q", "model_output_steps": ["a", "b"], "model_output_solution_first_error_step": 2}
    wrong = record | {"model_output_solution_correctness": "wrong"}
    right = record | {
        "model_output_solution_correctness": "correct",
        "model_output_solution_first_error_step": "N/A",
    }
    assert [labelled_of(entry).first_error for entry in (wrong, right)] == [1, None]
    assert reference_of(wrong | {"model_output_solution_first_error_reason": "It adds."}) == "It adds."


def test_the_list_says_where_a_missing_set_comes_from(tmp_path):
    printed = data(tmp_path, "list")
    assert "processbench: missing" in printed
    assert "from     huggingface.co/datasets/Qwen/ProcessBench" in printed


def test_added_files_are_checked_and_a_changed_one_is_noticed(tmp_path):
    (tmp_path / "gsm8k.json").write_text(json.dumps([RECORD, RECORD]))
    home = tmp_path / "sets"
    assert data(home, "add", "processbench", tmp_path / "gsm8k.json") == "processbench/gsm8k.jsonl: 2 records\n"
    assert "processbench: 2 records, whole" in data(home, "check")
    file = home / "processbench" / "gsm8k.jsonl"
    file.write_text(json.dumps(RECORD) + "\n")
    with pytest.raises(CommandError, match="1 faults"):
        data(home, "check", "processbench")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("gsm8k.jsonl", "{", "line 1: is no JSON"),
        ("gsm8k.jsonl", '{"problem": "p", "steps": []}', "line 1: label is missing"),
        ("gsm8k.txt", "[3]", "line 1: is no object"),
    ],
)
def test_a_file_that_is_not_of_the_set_is_not_added(tmp_path, name, text, reason):
    (tmp_path / name).write_text(text)
    with pytest.raises(CommandError, match=reason):
        data(tmp_path / "sets", "add", "processbench", tmp_path / name)
    assert not (tmp_path / "sets").exists()


def test_a_missing_file_of_a_set_is_a_fault(tmp_path):
    with pytest.raises(CommandError, match="2 faults"):
        data(tmp_path, "check", "gsm8k")
    with pytest.raises(CommandError, match="there is no set x"):
        data(tmp_path, "check", "x")


def test_one_object_a_table_and_parquet_become_lines(tmp_path):
    graph = {"steps": {"0": "START"}, "edges": [], "topo_order": [0], "step_mapped_ingredients": [None]}
    (tmp_path / "tea.json").write_text(json.dumps(graph, indent=2))
    assert data(tmp_path / "sets", "add", "captaincook", tmp_path / "tea.json") == "captaincook/tea.jsonl: 1 records\n"
    (tmp_path / "gsm8k.csv").write_text('problem,steps,label\n"a, b",[],-1\n')
    pq.write_table(pa.Table.from_pylist([RECORD, RECORD]), tmp_path / "math.parquet")
    printed = data(tmp_path / "sets", "add", "processbench", tmp_path / "gsm8k.csv", tmp_path / "math.parquet")
    assert printed == "processbench/gsm8k.jsonl: 1 records\nprocessbench/math.jsonl: 2 records\n"
    line = (tmp_path / "sets" / "processbench" / "math.jsonl").read_text().splitlines()[0]
    assert json.loads(line) == RECORD


def test_the_list_names_the_checksum_of_what_is_here(tmp_path):
    (tmp_path / "gsm8k.jsonl").write_text(json.dumps(RECORD) + "\n")
    data(tmp_path / "sets", "add", "processbench", tmp_path / "gsm8k.jsonl")
    checksum = hashlib.sha256((tmp_path / "sets" / "processbench" / "gsm8k.jsonl").read_bytes()).hexdigest()
    assert f"sha256   {checksum}  gsm8k.jsonl" in data(tmp_path / "sets", "list")


def test_files_that_are_no_parquet_are_not_added(tmp_path):
    (tmp_path / "math.parquet").write_text("no")
    with pytest.raises(CommandError, match="nothing was added"):
        data(tmp_path / "sets", "add", "processbench", tmp_path / "math.parquet")
