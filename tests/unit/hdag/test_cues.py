"""Cues: whatever a pattern matches, its cue finds; and a cue that may not match says so without a search."""

import re
import sys
from pathlib import Path

import pytest

from auditing.checker import registry
from hdag.core.text.cues import Cue
from hdag.decomposers import rules

LINES = (Path(__file__).parents[2] / "vectors" / "checker" / "right_lines.tsv").read_text(encoding="utf-8").splitlines()


def every_cue() -> list[Cue]:
    """Those that modules of the checks and of the decomposer hold, alone or in a table of forms."""
    assert registry.CHECKERS
    assert rules.RulesDecomposer
    modules = [module for name, module in sys.modules.items() if name.startswith(("auditing.checker.", "hdag."))]
    held = [value for module in modules for value in vars(module).values()]
    rows = [row for value in held if isinstance(value, tuple) for row in value]
    named = [getattr(row, "pattern", row) for row in (*held, *rows)]
    return list({id(item): item for item in named if isinstance(item, Cue)}.values())


def test_no_cue_hides_a_match():
    texts = [text for line in LINES[::3] for text in (line, line.upper())]
    cues = every_cue()
    assert len(cues) > 100
    hidden = [(cue.compiled.pattern, text) for cue in cues for text in texts if not cue.may_match(text)
              if cue.compiled.search(text)]  # fmt: skip
    assert hidden == []


def test_most_cues_know_what_they_need():
    assert sum(bool(cue.needs) for cue in every_cue()) > 100


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\b(?:mod(?:ulo)?|clock)\b", ("mod", "clock")),
        (r"is equal to|is", ("is",)),
        (r"(?:wait)?,? no", (" no",)),
        (r"x{0,2}yz", ("yz",)),
        (r"(?:ab){2}c", ("ab",)),
        (r"[Ss]o", ("so",)),
        (r"[₂-₉]", tuple("₂₃₄₅₆₇₈₉")),
        (r"\d+|one", ()),
        (r"\w\s", ()),
        (r"(?=then)\w+", ("then",)),
        (r"(?!then)\w+", ()),
    ],
)
def test_what_a_pattern_cannot_do_without(pattern, needs):
    assert Cue(pattern).needs == needs


@pytest.mark.parametrize(
    ("pattern", "also"),
    [
        (r"ate \d+ of \d+", (" of ",)),
        (r"(?:ate|eats)\s(?:\d of|of)", ("of",)),
        (r"(?<=ab)\dc", ("c",)),
        (r"total\so", ()),
        (r"ate \d+(?: of \d+)?", ()),
    ],
)
def test_what_it_cannot_do_without_beside_that(pattern, also):
    assert Cue(pattern).also == also
    assert bool(Cue(pattern).search("she ate 3")) is bool(re.search(pattern, "she ate 3"))


@pytest.mark.parametrize("text", ["7 MODULO 3", "miſs", "0 K", "İs", "ıs", "ΣΑΣ"])
def test_letters_that_match_in_any_case_are_found(text):
    words = Cue("modulo|miss|k|is|σας", re.IGNORECASE)
    assert bool(words.search(text)) is bool(words.compiled.search(text)) is True


def test_a_cue_searches_as_its_pattern_does():
    cue, text = Cue("an? "), "an apple and a pear"
    assert [match.span() for match in cue.finditer(text, 2)] == [
        match.span() for match in cue.compiled.finditer(text, 2)
    ]
    assert cue.findall(text) == ["an ", "a "]
    assert cue.sub("the ", text) == "the apple and the pear"
    assert (list(cue.finditer("pears")), cue.findall("pears"), cue.sub("", "pears")) == ([], [], "pears")
    assert cue.search(text, 3, 10) is None
    assert cue.match(text, 13)
