"""docs/guides/security.md names an existing test for every bad input of docs/threats.md; faults stand in faults.md."""

import re

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
