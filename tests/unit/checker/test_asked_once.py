"""What a script is asked once: where the answer says that a check can find nothing, the check finds nothing."""

import copy
from functools import cache
from pathlib import Path

import pytest

from auditing.checker.checks.algebra import derivation, equivalence, gaps, like_terms, rewriting, roots
from auditing.checker.checks.text import restatement
from auditing.checker.checks.word_index import WordIndex
from auditing.checker.mathematics.chains import read_page
from auditing.checker.reading.passages import LONGEST_WORD, Passage, Script, script_of
from hdag.core.levels import Level
from hdag.core.relations import Relation
from hdag.core.values import Edge, Graph, Segment, Source, Trace
from hdag.decomposers.rules.discourse import find_move

VECTORS = Path(__file__).parents[2] / "vectors" / "checker"
LINES = (VECTORS / "right_lines.tsv").read_text(encoding="utf-8").splitlines()
FALSE = (VECTORS / "false_lines.tsv").read_text(encoding="utf-8").splitlines()
OF_SYMBOLS = (derivation, equivalence, gaps, like_terms, rewriting, roots, restatement)


@cache
def scripts() -> tuple[list[Script], list[Script]]:
    """Those without a symbol, and those with one, as nobody has asked them anything else yet."""
    texts = [line.replace("\\n", "\n") for line in (*LINES, *FALSE)]
    every = [script_of(Trace("So 2 + 2 = 4.", thinking=text)) for text in texts]
    return [script for script in every if not script.has_symbols], [script for script in every if script.has_symbols]


@pytest.mark.parametrize("module", OF_SYMBOLS)
def test_without_a_symbol_a_check_of_equations_finds_nothing(module):
    without, with_symbols = (map(copy.copy, some) for some in scripts())
    assert len(scripts()[0]) > 50
    for script in without:
        is_asked = list(module.check(script))
        vars(script)["has_symbols"] = True
        assert list(module.check(script)) == is_asked
    assert any(list(module.check(script)) for script in with_symbols) or module is gaps


def test_a_point_is_read_where_no_chain_has_a_symbol():
    script = script_of(Trace("Let (x, y) = (3, 4).", thinking="So 1 + 1 = 2."))
    assert not script.has_symbols
    assert list(map(derivation.holds_a_point, script.everything)) == [True, False]


def test_only_the_clauses_around_a_place_are_read():
    text = "So 1 + 1 = 2. Then 3 + 4 = 7, and so 8 = 5 + 3. At last 2 = 2."
    every = read_page(text).chains
    at = text.index("3 + 4")
    clause = [chain for chain in every if text.index("Then") <= chain.start < text.index("At")]
    assert read_page(text, around=[at]).chains == clause != every
    assert read_page(text, around=[]).chains == []


def test_a_move_is_the_same_whatever_text_it_is_a_step_of():
    moves = ("Wait, no.", "Let me verify this.", "Therefore 3.", "For example 2.", "The plan is easy.", "It rains.")
    assert len({find_move(text=move) for move in moves}) > 4
    for move in moves:
        assert find_move(text=move) is find_move(text=move, within=f"It rained. {move} It rains.")


def test_what_a_graph_is_asked_twice_is_collected_once():
    a, b = (Segment(name, Level.STEP, name, Source.THINKING, at, at + 1) for at, name in enumerate("ab"))
    graph = Graph((a, b), (Edge("b", "a", Relation.DEPENDS_ON), Edge("a", "b", Relation.DECOMPOSES_TO)))
    assert graph.premises() is graph.premises() == {"a": (), "b": ("a",)}
    assert graph.children() is graph.children() == {"a": ("b",), "b": ()}


def test_a_word_of_a_table_is_found_in_a_run_of_letters_of_any_length():
    index = WordIndex([(0, ("half",)), (1, (" of ",)), (2, ("% ",)), (3, ("quarter",))])
    texts = ("half", "x" * LONGEST_WORD + "half" + "y" * LONGEST_WORD, "Half of it", "5% more", "nothing")
    found = [next(index.by_passage(script_of(Trace("", thinking=text))))[1] for text in texts]
    assert found == [[0], [0], [0, 1], [2], []]


@pytest.mark.parametrize("text", ["So 9 ≡ 2 (mod 7).", "In Z_7 it is 2.", "It is congruent to 2.", "So x_3 = 9."])
def test_a_trace_that_is_asked_of_remainders_once_says_what_each_passage_says(text):
    script = script_of(Trace("", thinking=f"We add.\n\n{text}"))
    alone = [Passage(Source.THINKING, 0, passage.text).is_modular for passage in script.passages]
    assert [passage.is_modular for passage in script.passages] == alone
    assert alone == [False, "x_3" not in text]
