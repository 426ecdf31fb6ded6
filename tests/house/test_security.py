"""Every bad input and every fault of docs/threats.md is held by named tests that pytest collects and does not skip."""

import ast
import re
from collections import Counter

from benchmarks.attack import host
from tests.house.test_house import ROOT

GUIDE = ROOT / "docs" / "guides" / "security.md"
FAULTS = ROOT / "docs" / "guides" / "faults.md"
THREATS = ROOT / "docs" / "threats.md"
ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
NUMBERED = re.compile(r"^\| (\d+) \|", re.MULTILINE)
FAULT = re.compile(r"^\| F(\d+) \| [^|]+ \| (.+) \|$", re.MULTILINE)


def collected_names(source):
    """The names under which pytest collects tests of a file and runs them wherever it is: skipif and others may run."""
    tree = ast.parse(source)
    marks = [ast.unparse(node.value) for node in tree.body if isinstance(node, ast.Assign)]
    if any(re.search(r"mark\.skip\b", mark) for mark in marks):
        return set()
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    skipped = re.compile(r"mark\.(skip|xfail)\b")
    return {test.name for test in tests if not any(skipped.search(ast.unparse(mark)) for mark in test.decorator_list)}


def missing_tests(rows):
    """(row, test) for each named test that pytest would not collect, and for each row without one."""
    missing = [(number, "no test") for number, tests in rows.items() if not tests]
    for number, tests in rows.items():
        for file, name in tests:
            path = ROOT / file
            is_test_file = path.name.startswith("test_") and path.exists()
            if not is_test_file or name not in collected_names(path.read_text()):
                missing.append((number, f"{file}::{name}"))
    return missing


def rows_of(text):
    return {int(number): TEST.findall(cells) for number, cells in ROW.findall(text)}


def test_every_bad_input_has_a_row():
    assert set(rows_of(GUIDE.read_text())) == set(map(int, NUMBERED.findall(THREATS.read_text()))) == set(range(1, 66))


def test_every_row_names_tests_that_exist():
    rows = {
        number: [(f"tests/{file}", name) for file, name in tests]
        for number, tests in rows_of(GUIDE.read_text()).items()
    }
    assert missing_tests(rows) == []


def test_every_fault_has_a_row_of_tests_that_exist():
    rows = {int(number): TEST.findall(cells) for number, cells in FAULT.findall(FAULTS.read_text())}
    assert sorted(rows) == list(range(1, 29))
    assert missing_tests(rows) == []
    named = set(re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", FAULTS.read_text()))
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_a_test_that_is_none_for_pytest_is_seen():
    source = (
        "def helper():\n    def test_inside(): ...\n"
        "@pytest.mark.skip\ndef test_off(): ...\n"
        "@pytest.mark.parametrize('a', [1])\ndef test_on(a): ...\n"
    )
    assert collected_names(source) == {"test_on"}
    assert collected_names("pytestmark = [pytest.mark.skip('later')]\ndef test_on(): ...") == set()
    assert missing_tests({7: [], 8: [("tests/test_no.py", "test_x")]}) == [
        (7, "no test"),
        (8, "tests/test_no.py::test_x"),
    ]


def test_a_row_that_names_no_existing_test_is_seen():
    assert rows_of("| 7 | `pages/test_no.py::test_x` |") == {7: [("pages/test_no.py", "test_x")]}
    assert rows_of("| 8 | nothing |") == {8: []}


ASVS = ROOT / "docs" / "guides" / "asvs.md"
STATES = {"met", "in part", "not met", "with the operator", "does not apply"}
REQUIREMENT = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def test_every_requirement_of_level_two_has_a_state_and_a_reason():
    rows = REQUIREMENT.findall(ASVS.read_text())
    assert len(rows) == len({number for number, _, _ in rows}) == 253
    assert {state for _, state, _ in rows} <= STATES
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


def test_what_is_tried_by_address_and_what_by_its_tests_are_all_sixty_four():
    by_address = host.by_address()
    assert by_address <= host.ALL
    assert not by_address & {31, 40, 41, 44, 46, 55, 58, 61, 63, 64}  # these need the machine itself
    assert all(host.tests_of(number) for number in host.ALL - by_address)
