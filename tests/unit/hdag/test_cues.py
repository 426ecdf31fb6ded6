"""Cues: whatever a pattern matches, its cue finds; and a cue that may not match says so without a search."""

import re
import sys
from pathlib import Path

import pytest

from auditing.checker import registry
from hdag.core.text.beginnings import gate_of
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
    for cue in cues:
        for text in texts:
            there, stood = cue.search(text), cue.compiled.search(text)
            assert (there and there.span()) == (stood and stood.span()), (cue.compiled.pattern, text)
            if stood:
                spans = [match.span() for match in cue.compiled.finditer(text)]
                assert [match.span() for match in cue.finditer(text)] == spans, (cue.compiled.pattern, text)


@pytest.mark.parametrize(
    ("pattern", "flags", "text", "at"),
    [
        (r"\b(?:mod|base)\b", re.I, "modest, 7 MOD 3", 10),
        (r"(?<=\d)\s?(?:is|=)", 0, "so is 3 is", 7),
        (r"\s{0,3}=|(?:not)? equal", 0, "are equal", 3),
        (r"(?<![\w.])[ksi]x", re.I, "a.kx \u212ax", 5),
        (r"\bso\b", re.I, "is \u017fo", 3),
        (r"^so", re.M, "and so\nso", 7),
        (r"[^x]y", 0, "xyzy", 2),
        (r"x?", 0, "y", 0),
        (r"(?i:S)o\b", 0, "sow so", 4),
        (r"é|e", re.I, "É", 0),
    ],
)
def test_where_a_pattern_begins(pattern, flags, text, at):
    gate = gate_of(pattern, flags)
    found = re.compile(pattern, flags).search(text)
    assert found is not None
    assert found.start() == at
    assert gate is None or gate.search(text).start() == at
    assert (gate is None) is (pattern in (r"[^x]y", "x?", "é|e"))


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


@pytest.mark.parametrize("pattern", [r"\b[a-z]+ing\b", r"\b([a-z])(\w*)ing\b", r"\b(?:(un)|re)\w+ing\b"])
def test_all_matches_are_those_of_the_pattern(pattern):
    text = "Adding, undoing and RESTING: unwinding is fun."
    assert Cue(pattern, re.I).findall(text) == re.findall(pattern, text, re.I) != []


def test_no_match_begins_behind_the_last_of_its_words():
    texts = [text for line in LINES[::3] for text in (line, line.upper())]
    for cue in every_cue():
        for text in texts:
            assert all(match.start() <= cue.last_beginning(text) for match in cue.compiled.finditer(text)), cue.pattern


def test_what_stands_before_a_match_bounds_no_beginning():
    cue = Cue(r"(?<=twice )\d+")
    assert cue.last_beginning("it is twice 7") >= cue.compiled.search("it is twice 7").start()
