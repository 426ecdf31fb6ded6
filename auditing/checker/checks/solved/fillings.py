"""Formulas with values put in: "Substituting a = -3 gives (-3)^2 - 16", where (a + 3)^2 - 16 stands before.

What is written has the shape of a formula before it but for one place, and its value is the value of no formula there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from auditing.checker.checks.algebra.solving import exact_value
from auditing.checker.checks.said.marked import side_of
from auditing.checker.checks.solved.equations_before import REACH, Value, values_told
from auditing.checker.checks.solved.placing import MOST as MOST_PUT
from auditing.checker.checks.solved.placing import is_open, refuted
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, free_symbols, literals, plain, substitute, walk
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "a formula with a value put in"
_PUT = Cue(
    r"\b(?:substitut(?:e|ing)|plug(?:ging)?|put(?:ting)?)\b[^.\n]{1,80}?\b(?:gives|yields|we\s(?:get|have|obtain)|becomes)\b"
    r"(?:\sus)?:?\s*|\bexpression\s(?:now\s)?(?:becomes|is\snow):?\s*",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"\$\$?([^$\n]{3,200})\$\$?|\\\(((?:(?!\\\)|\n).){3,200})\\\)|\\\[((?:(?!\\\]).){3,200})\\\]", re.S
)
_RELATION = re.compile(r"[=<>≈≤≥]|\\(?:leq?|geq?|approx|neq?|equiv|to)\b")
# formulas before it that are looked at, leaves that agree at least
MOST, FEWEST = 40, 2


def check(script: Script) -> Iterator[Placed]:
    """Every formula that a value was put into in words, against the formulas before it."""
    for number, passage in enumerate(script.near(_PUT)):
        for match in islice(_PUT.finditer(passage.text), MOST_PUT):
            written = _FORMULA.match(passage.text, match.end())
            if written is not None and not is_open(passage, match.start(), written.end()):
                yield from _judged(script, passage, number, (match, written))


def _judged(
    script: Script, passage: Passage, number: int, matches: tuple[re.Match[str], re.Match[str]]
) -> Iterator[Placed]:
    match, written = matches
    text = next(group for group in written.groups() if group)
    filled = _tree(_RELATION.split(text)[0])
    before = script.passages[number - 1] if number else script.problem
    here = values_told(passage, 0, match.end())
    values, source = (here, passage) if here else (values_told(before, 0, len(before.text)), before)
    if filled is None or free_symbols(filled) or len(values) != 1:
        return
    value = values[0]
    formulas = list(_formulas(script, number, passage.text[: match.start()], value.name))
    nearest = next((formula for formula in formulas if _is_filled_wrongly(formula[0], filled, value)), None)
    if nearest is None or any(_is_value_of(formula, filled, value) for formula, _ in formulas):
        return
    texts = (nearest[1], source.text[value.start : value.end])
    sides = (substitute(nearest[0], {value.name: value.tree}), filled)
    sentence = f"With {value.name} = {plain(value.tree)}, {plain(nearest[0])} is another value:"
    yield refuted(passage, (match.start(), written.end()), RULE, sides, sentence, texts)


def _tree(text: str) -> Tree | None:
    side = side_of(text)
    if side is None or side.tree is None or side.doubts or side.others:
        return None
    return None if any(number.decimals or number.unit for number in literals(side.tree)) else side.tree


def _formulas(script: Script, number: int, head: str, name: str) -> Iterator[tuple[Tree, str]]:
    """The formulas in one letter before a place, the nearest first."""
    texts = [head, *(passage.text for passage in reversed(script.passages[max(0, number - REACH) : number]))]
    count = 0
    for text in (*texts, script.problem.text):
        for match in reversed(list(_FORMULA.finditer(text))[-MOST:]):
            inner = next(group for group in match.groups() if group)
            for piece in reversed(_RELATION.split(inner)):
                count += 1
                tree = _tree(piece) if name in piece and count <= MOST else None
                if tree is not None and free_symbols(tree) == {name} and not isinstance(tree, Sym):
                    yield tree, piece


def _is_filled_wrongly(formula: Tree, filled: Tree, value: Value) -> bool:
    """Whether the filled formula has the shape of this one but for a single place that hangs on the letter."""
    agreed, wrong = _compared(formula, filled, value)
    return agreed >= FEWEST and len(wrong) == 1


def _compared(formula: Tree, filled: Tree, value: Value) -> tuple[int, list[Tree]]:
    """How many leaves agree, and the places of the formula that do not."""
    if isinstance(formula, Num) and isinstance(filled, Num):
        return (1, []) if formula.value == filled.value else (0, [formula])
    exact = exact_value(substitute(formula, {value.name: value.tree}))
    if isinstance(formula, Sym) or exact == exact_value(filled):
        return (1, []) if exact == exact_value(filled) else (0, [formula])
    if not (isinstance(formula, Node) and isinstance(filled, Node)):
        return 0, [formula]
    if formula.op != filled.op or len(formula.args) != len(filled.args):
        return 0, [formula]
    pairs = [_compared(*pair, value) for pair in zip(formula.args, filled.args, strict=True)]
    return sum(agreed for agreed, _ in pairs), [tree for _, wrong in pairs for tree in wrong]


def _is_value_of(formula: Tree, filled: Tree, value: Value) -> bool:
    """Whether a formula or a part of it has the value of what is written."""
    claimed = exact_value(filled)
    parts = [node for node in walk(formula) if isinstance(node, Node)][:MOST]
    return claimed is None or any(exact_value(substitute(node, {value.name: value.tree})) == claimed for node in parts)
