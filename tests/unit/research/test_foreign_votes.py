"""Votes as other people's programs write them, by named columns."""

import json

from auditing.core.values import Choice
from auditing.research.imported_votes.records import Columns, from_columns, records_of

PRODIGY = Columns(item="_task_hash", auditor="_annotator_id", choice="answer")


def test_answers_of_prodigy_are_votes() -> None:
    """Its field "answer" is accept, reject or ignore."""
    words = {"accept": Choice.PASS, "reject": Choice.FAIL, "ignore": Choice.ABSTAIN}
    rows = [{"_task_hash": -55, "_annotator_id": "db-ann", "answer": word, "text": "a"} for word in words]
    for row, choice in zip(rows, words.values(), strict=True):
        (vote,) = from_columns(records_of(name="votes.jsonl", data=json.dumps(row).encode()), PRODIGY)
        assert (vote.item, vote.auditor, vote.choice) == ("-55", "db-ann", choice)
