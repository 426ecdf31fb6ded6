"""Votes cast elsewhere: read without evaluating anything, and their agreement."""

import json
from pathlib import Path

import pytest

from auditing.core.values import Choice
from auditing.research.studies.agreement import marks_of
from auditing.research.studies.instruments.public_votes import read_mr_gsm8k, read_usmle
from auditing.research.studies.instruments.runner import Run, find_studies

DATA = Path(__file__).parents[4] / "shared/data"
public = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")


def sheet(annotations: str, id="item1", annotator="a") -> str:
    spent = "{'time_string': 'Time spent: 0d 0h 9m 19s '}"
    fields = {"id": id, "span_annotations": annotations, "behavioral_data": spent, "annotator_id": annotator}
    return json.dumps(fields) + "\n"


@pytest.mark.parametrize(
    ("annotations", "choice"),
    [
        ("[{'start': 1, 'annotation': 'Reasonable response by GPT-4'}]", Choice.PASS),
        ("[{'annotation': 'Sticking with the wrong diagnosis'}]", Choice.FAIL),
        ("[{'annotation': 'Reasonable response by GPT-4'}, {'annotation': \"It's wrong\"}]", Choice.FAIL),
        ("[]", Choice.ABSTAIN),
        ("[{'annotation': 'Cannot pick any error category'}]", Choice.ABSTAIN),
        ("__import__('os').system('false')", Choice.ABSTAIN),
    ],
)
def test_a_sheet_is_a_vote(annotations, choice, tmp_path):
    (tmp_path / "v.jsonl").write_text(sheet(annotations))
    vote = read_usmle(path=tmp_path / "v.jsonl")[0]
    assert (vote.choice, vote.seconds) == (choice, 559)


def test_the_last_sheet_of_an_annotator_on_an_item_counts(tmp_path):
    (tmp_path / "v.jsonl").write_text(sheet("[]") + sheet("[{'annotation': 'Wrong'}]"))
    votes = read_usmle(path=tmp_path / "v.jsonl")
    assert [vote.choice for vote in votes] == [Choice.FAIL]
    assert marks_of(votes=votes, name="Wrong") == [("item1", "a", "marked")]


@public
def test_the_public_annotators_agree_to_a_stated_degree():
    votes = read_usmle(path=DATA / "usmle_gpt4_errors/raw_annotator_level.jsonl")
    assert len(votes) == len({(vote.item, vote.auditor) for vote in votes}) > 400
    report = find_studies()["agreement"].run(Run(data=DATA))
    whole = report.tables[0].rows[0]
    assert whole[1] > 50
    assert -1 <= whole[4] <= whole[3] <= whole[5] <= 1


@public
def test_judges_of_mr_gsm8k_are_read_as_votes():
    votes = read_mr_gsm8k(paths=sorted((DATA / "mr_gsm8k_partial").glob("*.jsonl")))
    assert len(votes) > 300
    assert {vote.choice for vote in votes} == {Choice.FAIL}
