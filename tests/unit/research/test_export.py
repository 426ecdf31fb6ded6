"""Every format carries the same rows, a spreadsheet runs none of them, and a broken export leaves nothing behind."""

import csv
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jsonschema
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.core.values import Outcome
from auditing.research.exports.formats import (
    DATASETS,
    ExportRefusedError,
    Format,
    Kind,
    features_of,
    hash_rows,
    read_rows,
    write_rows,
)
from auditing.research.exports.formats import write as writing
from auditing.research.exports.formats.cells import read_cell, write_cell
from auditing.research.exports.formats.columns import Column
from auditing.research.exports.formats.published import schema_page
from auditing.research.exports.formats.step_labels import (
    LabelledTrace,
    StepLabelsRefusedError,
    prm800k_record,
    processbench_record,
    read_traces,
)
from auditing.research.exports.selectors.steps import _is_right
from hdag.core.values import Trace

ROOT = Path(__file__).parents[3]
VALUES = {
    Kind.TEXT: st.text(max_size=12) | st.sampled_from(["", "'", "=1+1", "-2", "@x", "a\r\nb", '"', "\u2028"]),
    Kind.INTEGER: st.integers(-(2**63), 2**63 - 1),
    Kind.NUMBER: st.floats(allow_nan=False, allow_infinity=False),
    Kind.FLAG: st.booleans(),
    Kind.TIME: st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2200, 1, 1), timezones=st.just(UTC)),
}


def rows_of(dataset):
    return st.fixed_dictionaries(
        {c.name: (st.none() | VALUES[c.kind]) if c.optional else VALUES[c.kind] for c in dataset.columns}
    )


def vote(number: int = 1, **changes):
    filled = {Kind.TEXT: f"v{number}", Kind.INTEGER: number, Kind.NUMBER: 0.75, Kind.FLAG: False}
    moment = datetime(2026, 11, 20, tzinfo=UTC) + timedelta(seconds=number)
    return {c.name: filled.get(c.kind, moment) for c in DATASETS["votes"].columns} | changes


@given(rows=st.lists(rows_of(DATASETS["votes"]), max_size=3), format=st.sampled_from(Format))
@settings(max_examples=40, deadline=None)
def test_every_format_reads_back_equal_rows_with_the_same_hash(tmp_path_factory, rows, format):
    path, dataset = tmp_path_factory.mktemp("export") / "votes", DATASETS["votes"]
    written = write_rows(rows=rows, dataset=dataset, path=path, format=format)
    back = list(read_rows(path=path, dataset=dataset, format=format))
    assert back == rows
    assert written.content_hash == hash_rows(rows=rows, dataset=dataset)
    assert written.rows == len(rows)


def test_the_content_hash_is_the_published_one():
    row = {"audit": None, "index": 7, "kind": "ö", "leaf_hash": "ab", "created": datetime(2026, 1, 2, 3, 4, 5, 6, UTC)}
    row |= {"provider": "p-1", "external_id": None, "model": "m", "tags": "a,b"}
    lines = '["audit","index","kind","leaf_hash","created","provider","external_id","model","tags"]\n'
    lines += '[null,7,"ö","ab","2026-01-02T03:04:05.000006Z","p-1",null,"m","a,b"]\n'
    assert hash_rows(rows=[row], dataset=DATASETS["ledger"]) == hashlib.sha256(lines.encode()).hexdigest()


@given(st.text(max_size=20))
def test_a_csv_cell_never_begins_like_a_formula_and_reads_back(text):
    column = Column("reason", Kind.TEXT, "")
    cell = write_cell(text, column)
    assert cell[:1] not in ("", "=", "+", "-", "@", "\t", "\r", "\n")
    assert read_cell(cell, column) == text


def test_a_negative_amount_stays_a_number_in_csv(tmp_path):
    row = {
        c.name: {Kind.TEXT: "=x", Kind.INTEGER: -5, Kind.FLAG: True}.get(c.kind) for c in DATASETS["postings"].columns
    }
    row["created"] = datetime(2026, 1, 1, tzinfo=UTC)
    write_rows(rows=[row], dataset=DATASETS["postings"], path=tmp_path / "p.csv", format=Format.CSV)
    with (tmp_path / "p.csv").open(newline="") as file:
        line = next(csv.DictReader(file))
    assert (line["amount"], line["account"]) == ("-5", "'=x")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"round": "1"}, "row 2, column round: is str, not an integer"),
        ({"round": True}, "column round: is bool, not an integer"),
        ({"confidence": float("nan")}, "column confidence: is not finite"),
        ({"choice": None}, "column choice: may not be empty"),
        ({"reason": "\ud800"}, "surrogate"),
        ({"revealed_at": datetime(2026, 1, 1)}, "has no time zone"),
        ({"more": 1}, "missing or unknown: more"),
    ],
)
@pytest.mark.parametrize("format", Format)
def test_a_row_that_does_not_fit_is_named_and_no_file_is_left(tmp_path, changes, words, format):
    with pytest.raises(ExportRefusedError, match=re.escape(words)):
        write_rows(rows=[vote(), vote(**changes)], dataset=DATASETS["votes"], path=tmp_path / "v", format=format)
    assert list(tmp_path.iterdir()) == []


def test_a_cancelled_export_leaves_the_previous_file_alone(tmp_path):
    path, cancel = tmp_path / "v.jsonl", KeyboardInterrupt
    write_rows(rows=[vote(1)], dataset=DATASETS["votes"], path=path, format=Format.JSONL)
    before = path.read_bytes()

    def stop(done: int) -> None:
        raise cancel

    with pytest.raises(cancel):
        write_rows(rows=[vote(2)], dataset=DATASETS["votes"], path=path, format=Format.JSONL, on_progress=stop)
    assert (path.read_bytes(), len(list(tmp_path.iterdir()))) == (before, 1)


def test_rows_are_asked_for_batch_by_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "BATCH_ROWS", 10)
    asked, seen = [], []
    rows = (asked.append(n) or vote(n) for n in range(35))
    write_rows(
        rows=rows,
        dataset=DATASETS["votes"],
        path=tmp_path / "v.parquet",
        format=Format.PARQUET,
        on_progress=lambda done: seen.append((done, len(asked))),
    )
    assert seen == [(10, 10), (20, 20), (30, 30), (35, 35)]


def test_a_hugging_face_folder_has_shards_and_a_card_that_names_them(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "BATCH_ROWS", 10)
    monkeypatch.setattr(writing, "SHARD_ROWS", 20)
    dataset = DATASETS["votes"]
    written = write_rows(
        rows=map(vote, range(45)),
        dataset=dataset,
        path=tmp_path / "votes",
        format=Format.HUGGING_FACE,
        about="Filter: all",
    )
    shards = sorted(file.name for file in (tmp_path / "votes/data").iterdir())
    assert shards == [f"train-0000{n}-of-00003.parquet" for n in range(3)]
    assert pq.read_table(tmp_path / "votes/data").num_rows == 45
    head, body = (tmp_path / "votes/README.md").read_text().split("---\n", 2)[1:]
    card = yaml.safe_load(head)
    assert [feature["name"] for feature in card["dataset_info"][0]["features"]] == list(dataset.names)
    # A split without its bytes is malformed to `datasets`, which says so and reads none.
    assert "splits" not in card["dataset_info"][0]
    assert written.content_hash in body
    assert "Filter: all" in body


def test_jsonl_lines_satisfy_the_published_json_schema_and_the_page_is_current(tmp_path):
    write_rows(rows=[vote(reason=None)], dataset=DATASETS["votes"], path=tmp_path / "v", format=Format.JSONL)
    jsonschema.validate(json.loads((tmp_path / "v").read_text()), DATASETS["votes"].json_schema())
    assert (ROOT / "docs/guides/export-schema.md").read_text(encoding="utf-8") == schema_page()


def test_a_file_with_other_columns_is_refused(tmp_path):
    (tmp_path / "v.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ExportRefusedError, match="not the columns of votes: a, b"):
        list(read_rows(path=tmp_path / "v.csv", dataset=DATASETS["votes"], format=Format.CSV))


def labelled(*outcomes: Outcome) -> LabelledTrace:
    return LabelledTrace("t1", "m", "What is 1 + 1?", tuple(f"step {n}" for n in range(len(outcomes))), outcomes)


def test_step_labels_have_the_keys_of_the_public_processbench_file():
    record = processbench_record(labelled=labelled(Outcome.PASS, Outcome.FAIL, Outcome.UNDECIDED))
    assert record["label"] == 1
    public = ROOT.parent / "shared/data/processbench/gsm8k.jsonl"
    if not public.exists():
        pytest.skip("../shared/data is not here")
    assert set(record) == set(json.loads(public.read_text().splitlines()[0]))


def test_prm800k_labels_stop_at_the_first_error():
    record = prm800k_record(labelled=labelled(Outcome.PASS, Outcome.FAIL, Outcome.PASS), labeler="a1", timestamp="2026")
    ratings = [step["completions"][0]["rating"] for step in record["label"]["steps"]]
    assert (ratings, record["label"]["finish_reason"]) == ([1, -1], "found_error")
    assert (
        prm800k_record(labelled=labelled(Outcome.PASS), labeler="", timestamp="")["label"]["finish_reason"]
        == "solution"
    )


def test_an_undecided_step_before_any_error_gives_no_first_error():
    with pytest.raises(StepLabelsRefusedError, match="step 1 is undecided"):
        processbench_record(labelled=labelled(Outcome.PASS, Outcome.UNDECIDED, Outcome.FAIL))


def step_row(audit, text, problem="What is 2 + 2?"):
    said = {"audit": audit, "trace": f"trace of {audit}", "content": text, "problem": problem, "outcome": "pass"}
    return said | {"soft_label": 0.9, "is_answer_right": True, "reference": None}


def test_a_trace_whose_text_is_gone_gives_no_record_and_its_neighbours_do():
    rows = [
        step_row("a", "one"),
        step_row("a", "two"),
        step_row("b", "one"),
        step_row("b", None),
        step_row("c", "one", problem=None),
        step_row("d", ""),
    ]
    found = list(read_traces(rows))
    assert [(one.trace, one.steps) for one in found] == [("trace of a", ("one", "two")), ("trace of d", ("",))]


@pytest.mark.parametrize(
    ("answer", "reference", "is_right"),
    [
        ("34398", "34,398", True),
        ("34398", "34944", False),
        ("The full boxes bring in €189, and 3 muffins are left over.", "€189; 3 muffins", None),
        ("Yes. The period ended on Monday, so it was filed in time.", "Yes, in time", None),
        ("", "7", None),
        ("7", " ", None),
    ],
)
def test_an_answer_is_called_wrong_only_where_rules_can_tell(answer, reference, is_right):
    assert _is_right(Trace("q", "", answer, (), reference_answer=reference)) is is_right


@pytest.mark.parametrize("posteriors", [(), (0.5, None)])
def test_every_field_of_a_record_shape_has_its_kind(posteriors):
    outcomes = (Outcome.PASS, Outcome.FAIL)
    labelled = LabelledTrace("t", "", "p", ("a", "b"), outcomes, posteriors, final_answer_correct=True)
    bench = processbench_record(labelled=labelled)
    assert bench.keys() | {"soft_labels"} == features_of("processbench").keys()
    check_kinds(bench, features_of("processbench"))
    check_kinds(prm800k_record(labelled=labelled, labeler="l", timestamp="2026-11-30"), features_of("prm800k"))


def check_kinds(value, kind):
    """Every field that a value has is named, and is of its kind."""
    if isinstance(kind, list):
        for member in value:
            check_kinds(member, kind[0])
    elif "_type" not in kind and value is not None:
        for name, inner in value.items():
            check_kinds(inner, kind[name])
    elif value is not None:
        names = {"string": "str", "int64": "int", "float64": "float", "bool": "bool"}
        assert type(value).__name__ == names[kind["dtype"]]
