"""Tables: total rows and columns are added up; what need not add up is left alone."""

import json

import pytest

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from hdag.readers.records import read_record
from tests.unit.checker.readings import findings, is_doubted, is_refuted

COSTS = "| Item | {heading} |\n|---|---|\n| Pens | {pens} |\n| Books | {books} |\n| **Total** | **{total}** |"
DAYS = (
    "| Day | A | B | Total |\n|---|---|---|---|\n"
    "| 1 | 3 | 4 | {first} |\n| 2 | 5 | 6 | {second} |\n| 3 | 5 | 5 | {third} |"
)
WRONG = {
    "a total row": COSTS.format(heading="Cost", pens="$3", books="$14", total="$18"),
    "a total of large amounts": COSTS.format(heading="Cost", pens="$1,003", books="$14.50", total="$1,018.50"),
    "a total off by more than roundings": COSTS.format(heading="Cost", pens="3.1", books="14.2", total="17.6"),
    "a total column": DAYS.format(first=7, second=11, third=11),
}
LEFT_ALONE = {
    "a right total": COSTS.format(heading="Cost", pens="$3", books="$14", total="$17"),
    "rounded cells": COSTS.format(heading="Cost", pens="3.1", books="14.2", total="17.4"),
    "prices": COSTS.format(heading="Price each", pens="$3", books="$14", total="$18"),
    "shares": COSTS.format(heading="Share", pens="30", books="14", total="100"),
    "a cell without a number": COSTS.format(heading="Cost", pens="three", books="$14", total="$18"),
    "percentages": COSTS.format(heading="Cost", pens="3%", books="14%", total="18%"),
    "products": DAYS.format(first=12, second=30, third=26),
    "two rows that do not add up": DAYS.format(first=7, second=12, third=11),
    "a bar in prose": "We know |x| + |y| = 3 in total.\nThe sum | is 4 |.",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_total_that_does_not_add_up_is_doubted_and_accuses_nobody(name):
    assert is_doubted(WRONG[name])
    assert not is_refuted(WRONG[name])


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_a_table_that_adds_up_or_need_not_is_left_alone(name):
    assert not is_doubted(LEFT_ALONE[name])


@pytest.mark.parametrize("text", [*WRONG.values(), LEFT_ALONE["a right total"], LEFT_ALONE["rounded cells"]])
def test_the_stranger_computes_the_totals_again(text):
    trace = read_record({"id": "t", "problem": "A problem.", "steps": [text]}, where="test")
    record = json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))
    assert {reason for _, reason in check_record(record)} <= {""}


def test_a_wrong_total_carries_a_proof():
    tables = [item.finding for item in findings(WRONG["a total row"]) if item.finding.evidence.checker == "tables"]
    assert [bool(finding.proof) for finding in tables] == [True]


def test_a_hostile_table_ends_soon():
    rows = "\n".join("| " + " | ".join(["9" * 12] * 30) + " |" for _ in range(1_000))
    assert not is_refuted(f"{rows}\n| Total {'| 1 ' * 29}|")
    assert not is_refuted("|" * 40_000 + " total")
