"""Forms that a third draw of public lines showed unread: told where they are right, doubted where they are false."""

import csv
from pathlib import Path

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings

LINES = Path(__file__).parents[2] / "vectors" / "checker" / "read_forms.tsv"


def lines() -> list[tuple[str, str, str]]:
    with LINES.open(encoding="utf-8") as rows:
        return [(row[0], row[1], row[2].replace("\\n ", "\n")) for row in csv.reader(rows, "excel-tab", quoting=3)]


def verdicts_of(text: str) -> set[Verdict]:
    return {placed.finding.verdict for placed in findings(text)}


NAMES = sorted({name for name, _, _ in lines()})


@pytest.mark.parametrize("name", NAMES)
def test_no_right_line_of_this_form_is_accused_or_doubted(name):
    accused = [
        text
        for form, kind, text in lines()
        if form == name and kind != "false" and Verdict.REFUTED in verdicts_of(text)
    ]
    assert accused == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_right_of_this_form_is_told(name):
    untold = [
        text
        for form, kind, text in lines()
        if form == name and kind == "right" and Verdict.VERIFIED not in verdicts_of(text)
    ]
    assert untold == []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_false_of_this_form_is_accused_or_doubted(name):
    missed = [
        text
        for form, kind, text in lines()
        if form == name and kind == "false" and Verdict.REFUTED not in verdicts_of(text)
    ]
    assert missed == []


def test_a_joined_unit_is_no_part_of_what_is_verified():
    told = findings("There are 20 - 12 - 4 = 4 semi-automatic cars.")
    reads = {placed.finding.evidence.read for placed in told if placed.finding.verdict is Verdict.VERIFIED}
    assert reads == {"20 - 12 - 4 = 4"}


def test_what_stands_in_a_bracket_behind_words_is_a_chain_of_its_own():
    reads = {placed.finding.evidence.read for placed in findings("r = outer radius (4.5 in / 2 = 2.25 in)")}
    assert reads == {"4.5 in / 2 = 2.25"}
