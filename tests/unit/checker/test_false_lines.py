"""False lines as people and models write them: each keeps the grade that it has, certain or a doubt."""

import csv
from pathlib import Path

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_refuted

VECTORS = Path(__file__).parents[2] / "vectors" / "checker"


def false_lines(grade: str) -> list[str]:
    with (VECTORS / "false_lines.tsv").open(encoding="utf-8") as lines:
        rows = csv.reader(lines, "excel-tab", quoting=3)
        return [row[1].replace("\\n", "\n") for row in rows if row[0] == grade]


@pytest.mark.parametrize("grade", ["certain", "doubt"])
def test_no_false_line_is_let_go(grade):
    let_go = [
        line
        for line in false_lines(grade)
        if not any(item.finding.verdict is Verdict.REFUTED for item in findings(line))
    ]
    assert let_go == []


def test_what_is_certainly_false_stays_so():
    assert [line for line in false_lines("certain") if not is_refuted(line)] == []
