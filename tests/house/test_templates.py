"""Templates and style sheets can be read: narrow lines, short files, one declaration a line."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FORMATTER = Path(sys.executable).with_name("djangofmt")
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLE_SHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
CROWDED = re.compile(r";[^;]*:[^;]*;|\{[^}]*:[^}]*;")
"""Two declarations on a line, or a declaration on the line of its selector."""


def wider_than(columns):
    lines = [line for path in TEMPLATES for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if len(line) > columns], len(lines)


def test_no_template_line_is_wider_than_two_hundred_columns():
    assert wider_than(200)[0] == []


def test_fewer_than_one_template_line_in_a_hundred_is_wider_than_the_page():
    wide, lines = wider_than(120)
    assert len(wide) < lines / 100, wide


def test_no_template_is_longer_than_a_hundred_and_twenty_lines():
    long = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in TEMPLATES}
    assert {name: lines for name, lines in long.items() if lines > 120} == {}


@pytest.mark.parametrize("arguments", [["--check"], ["check"]])
def test_templates_are_formatted_and_without_lint(arguments):
    ran = subprocess.run([FORMATTER, *arguments, "templates"], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_style_sheets_hold_one_declaration_a_line():
    crowded = [
        f"{path.name}: {line}"
        for path in STYLE_SHEETS
        for line in re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL).splitlines()
        if CROWDED.search(line)
    ]
    assert crowded == []


@pytest.mark.parametrize("line", ["a { color: red; }", "  margin: 0; padding: 0;"])
def test_the_rule_of_style_sheets_bites(line):
    assert CROWDED.search(line)
