"""An operation's span is a whole equation: nothing outside it changes what it says."""

import pytest

from hdag.core.spans import Span
from hdag.decomposers.rules.equations import ALWAYS, BEGINS, TOKEN, find_equations

WHOLE = {
    "so 40 * 2 = $80 a day": ["40 * 2 = $80"],
    "we get -3 + 4 = 1.": ["-3 + 4 = 1"],
    "- 3 + 4 = 7": ["3 + 4 = 7"],
    "Total revenue = 80 + 72 = 152": ["80 + 72 = 152"],
    "6 cakes * $12 = $72": ["6 cakes * $12 = $72"],
    "60 minutes = 1 hour": ["60 minutes = 1 hour"],
    "(so 3+4=7)": ["3+4=7"],
    "**3+4=7**": ["3+4=7"],
    "20% of 50 = 10": ["20% of 50 = 10"],
    r"\(\frac{1040}{130} = 8\)": [r"\(\frac{1040}{130} = 8\)"],
    "so $3 + 4 = 7$ and $x = 3$.": ["$3 + 4 = 7$", "$x = 3$"],
    "$5 + $3 = $8 in all": ["$5 + $3 = $8"],
    "f(1, 2) = 3": ["f(1, 2) = 3"],
    "x = 5, y = 3x = 15.": ["x = 5", "y = 3x = 15"],
    "9 * $2 = $<<9*2=18>>18": ["9*2=18"],
}
BOUND = [
    "cos 60 = 0.5",
    "Day 1 = 10",
    "17 = 2 (mod 5)",
    "ab^2 = 9",
    "3 * 4 = 12 million",
    "Twice 5 + 3 = 13",
    "5 = 10!",
    "a => b",
]


@pytest.mark.parametrize("text", WHOLE)
def test_an_equation_is_found_whole(text):
    assert [span.slice(text) for span in find_equations(text=text, within=Span(0, len(text)))] == WHOLE[text]


@pytest.mark.parametrize("text", BOUND)
def test_an_equation_that_words_around_it_change_is_left_alone(text):
    assert find_equations(text=text, within=Span(0, len(text))) == []


def test_a_search_over_prose_passes_over_nothing_that_begins_a_run():
    texts = [chr(code) + behind for code in range(0x2300) for behind in ("", "5")] + [r"\text{a}", r"\approx", r"\;"]
    for text in texts:
        lexeme = TOKEN.match(text)
        if lexeme is not None and lexeme.lastgroup in ALWAYS - {"blank"}:
            assert BEGINS.match(text), text
