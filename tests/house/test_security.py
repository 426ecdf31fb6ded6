"""docs/guides/security.md names an existing test for every bad input of docs/threats.md; faults stand in faults.md."""

import re
from collections import Counter

from tests.house.test_house import ROOT

GUIDE = ROOT / "docs" / "guides" / "security.md"
THREATS = ROOT / "docs" / "threats.md"
ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
NUMBERED = re.compile(r"^\| (\d+) \|", re.MULTILINE)


def rows_of(text):
    return {int(number): TEST.findall(cells) for number, cells in ROW.findall(text)}


def test_every_bad_input_has_a_row():
    assert set(rows_of(GUIDE.read_text())) == set(map(int, NUMBERED.findall(THREATS.read_text()))) == set(range(1, 66))


def test_every_row_names_tests_that_exist():
    missing = []
    for number, tests in rows_of(GUIDE.read_text()).items():
        missing += [] if tests else [(number, "no test")]
        for file, name in tests:
            path = ROOT / "tests" / file
            if not path.exists() or f"def {name}(" not in path.read_text():
                missing.append((number, f"{file}::{name}"))
    assert missing == []


def test_a_row_that_names_no_existing_test_is_seen():
    assert rows_of("| 7 | `pages/test_no.py::test_x` |") == {7: [("pages/test_no.py", "test_x")]}
    assert rows_of("| 8 | nothing |") == {8: []}


ASVS = ROOT / "docs" / "guides" / "asvs.md"
STATES = {"met", "in part", "not met", "with the operator", "does not apply"}
REQUIREMENT = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def test_every_requirement_of_level_two_has_a_state_and_a_reason():
    rows = REQUIREMENT.findall(ASVS.read_text())
    assert len(rows) == len({number for number, _, _ in rows}) == 253
    assert {state for _, state, _ in rows} == STATES
    for number, _, reason in rows:
        named = [
            int(row) for span in re.findall(r"\brows? ([\d, and to]+)", reason) for row in re.findall(r"\d+", span)
        ]
        assert all(1 <= row <= 65 for row in named), number


def test_the_counts_above_the_requirements_are_those_below():
    text = ASVS.read_text()
    counts = Counter(state for _, state, _ in REQUIREMENT.findall(text))
    assert f"{counts['not met']} are not met and {counts['in part']} in part. {counts['met']} are met" in text


def test_every_file_that_a_reason_names_exists():
    named = {
        name
        for _, _, reason in REQUIREMENT.findall(ASVS.read_text())
        for name in re.findall(r"`([\w/]+\.\w+)`", reason)
    }
    assert {name for name in named if not (ROOT / name).exists()} == set()
