"""False lines as people and models write them: each keeps the grade that it has, certain or a doubt."""

import csv
from pathlib import Path

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted

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


# a value of a key in a log, what is multiplied, what somebody else wrote: and beside each an error of its own
BESIDE = [
    ("[INFO] epoch 3/10 loss=0.412 acc=0.873", "epoch 3 of 10, 3/10 = 0.412"),
    ("GPU0 util=93% mem=71/80GB temp=66", "mem=71/80 = 0.66"),
    ("shard 2/8 score=0.71", "2/8 kg = 0.71 kg"),
    ("mem 12/16 GB swap=0/2 GB", "12/16 GB = 0.5 GB"),
    ("t=0 x=1.00 v=2.00 | t=1 x=3.00 v=2.00", "3 * 2 = 5 = 2 + 3"),
]


@pytest.mark.parametrize(("right", "wrong"), BESIDE)
def test_the_value_of_a_key_is_no_result_of_what_stands_before_it(right, wrong):
    assert Verdict.REFUTED not in {item.finding.verdict for item in findings(right)}
    assert is_refuted(wrong)


def test_choices_are_multiplied_and_things_are_added():
    assert not is_doubted("There are 5 choices for the first digit and 4 for the second, which makes 20 in all.")
    assert is_doubted("There are 5 red pens and 4 blue pens, which makes 20 in all.")


def test_what_somebody_wrote_is_reported():
    assert not is_doubted('"7 plus 5 makes 13" is what the student wrote; the right sum is 12.')
    assert is_doubted("7 plus 5 makes 13, so 13 it is.") or is_refuted("7 plus 5 makes 13, so 13 it is.")


def test_one_name_behind_two_labels_may_have_two_numbers():
    assert not is_refuted("Step 1: R² = .12; Step 2: R² = .19, ΔR² = .07")
    assert not is_refuted("(i) x² = 4 (ii) x² = 9")
    assert is_refuted("(i) We have x² = 4, so x² = 9.")
    assert is_refuted("Model 1: R² = .12 and R² = .19")
    assert is_refuted("We have R² = .12; so R² = .19.")
