r"""Checker: vectors and matrices of numbers: "(1,2) + (3,4) = (4,6)", products, determinants, the length of a vector.

Every component is a computation of its own; the first that is false is told, with its proof.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.vectors.array_proofs import of_cells
from auditing.checker.checks.vectors.choices import may_be_choices
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.notation.arrays import (
    ARRAY,
    NUMBER,
    Array,
    is_measured,
    measured,
    read_array,
    read_expression,
    tree_of,
)
from auditing.checker.mathematics.notation.determinants import sum_of
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, plain
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "arrays"
_EQUALS = re.compile(r"\s*(?:=|\bis\b|\bequals\b)\s*")
_ONE = re.compile(NUMBER + r"(?![\w.,/]*\d|\s?[-+*/×÷^·(\\]|\s?[a-zA-Z]\b)")
_SCALAR = re.compile(
    rf"(?:^|[=,;:$\s(])\s*((?:{NUMBER})|\\[dt]?frac\{{\d{{1,6}}\}}\{{\d{{1,6}}\}})\s?(?:\\cdot|·|\*|)\s*$"
)
_CALLED = re.compile(r"(?<![\w.])(?:np\.|numpy\.)?(?:dot|cross|inner)\(\s?$")
_MAY_HOLD = Cue(r"[(⟨<]|matrix|array|\[\s?[-−\d\[]|\\langle")
_TOUCHED = re.compile(
    r"[\w)}\]]$|[\d)}\]+*/×·^−-]\s*$|\\(?:cdot|times)\s*$|\b(?:plus|minus|times|of|by|half|twice)\s+$"
)
_NAMED = Cue(r"(?<![\w\\])(?:\\(?:vec|mathbf|bar)\s?\{?\s?)?([a-z])\}?\s*=\s*(?=[\\(])")
_LENGTH = re.compile(
    rf"(?:\\[lr]?[vV]ert|\\\||\|)+\s?(?:\\(?:vec|mathbf|bar)\s?\{{?\s?)?([a-z])\}}?\s?(?:\\[lr]?[vV]ert|\\\||\|)+\s*=\s*"
    rf"({NUMBER})(?![\w.,/]*\d|\s?[-+*/×÷^·(\\])"
)
# arrays of something else: remainders, intervals, cycles, operations that a text makes up
OTHER_ARRAYS = any_of("""
    defin* operation* modul* mod permut* cycle* interval* gcd spherical polar field* group* lexicographic* complex
    custom tuple* concat* hadamard kronecker elementwise element-wise component-wise componentwise
""")


def check(script: Script) -> Iterator[Placed]:
    """Every equation between arrays of numbers, and every length of a vector that has one name and one value."""
    if not any(_MAY_HOLD.search(item.text) for item in script.near(_MAY_HOLD)):
        return
    if any(OTHER_ARRAYS.search(item.text) for item in script.anywhere_near(OTHER_ARRAYS)):
        return
    named = _names(script.anywhere_near(_NAMED))
    for passage in script.passages:
        text = passage.text[:MAX_PASSAGE]
        yield from _equations(passage, text)
        for match in _LENGTH.finditer(text) if named else ():
            yield from _length(passage, match, named)


def _names(passages: list[Passage]) -> dict[str, set[tuple[str, str]]]:
    """For each letter the vectors that it is said to be, each with the text that says so."""
    named: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for item in passages:
        for match in _NAMED.finditer(item.text[:MAX_PASSAGE]):
            array = read_array(item.text, match.end())
            if array is not None and array.is_vector:
                named[match[1]].add((item.text[match.end() : array.end], item.text[match.start() : array.end]))
            elif array is None:
                # v = (1/sqrt(2), ...): another value, whatever it is
                named[match[1]].add(("", ""))
    return named


def _equations(passage: Passage, text: str) -> Iterator[Placed]:
    """Every chain of expressions of arrays: each link in which something is computed."""
    end = 0
    for match in ARRAY.finditer(text):
        if match.start() < end:
            continue
        left = _first(text, match.start())
        # what was read is not read again as the beginning of another expression
        end = left.end if left is not None else match.start()
        while left is not None:
            sign = _EQUALS.match(text, left.end)
            right = _claimed(passage, text, sign.end(), left) if sign else None
            if right is not None and (left.is_computed or right.is_computed):
                yield from _compared(passage, left, right)
            left = right
            end = right.end if right is not None else end


def _first(text: str, at: int) -> Array | None:
    """The expression whose first array stands at a place, with the number or the word before it."""
    before = text[max(0, at - 40) : at]
    measure = is_measured(before)
    if measure is not None:
        array = read_array(text, at)
        number = measured(array, is_trace="tr" in measure.group()) if array is not None else None
        if number is None:
            return None
        closed = number.end + (1 if text[number.end : number.end + 1] == ")" and "(" in measure.group() else 0)
        return replace(number, end=closed)
    scalar = _SCALAR.search(before)
    if scalar is not None and not _TOUCHED.search(before[: scalar.start(1)]):
        return read_expression(text, at - len(before) + scalar.start(1))
    call = _CALLED.search(before)
    if call is not None:
        return read_expression(text, at - len(before) + call.start())
    # a number that touches an operation before it is part of something longer
    return None if _TOUCHED.search(before) else read_expression(text, at)


def _claimed(passage: Passage, text: str, at: int, left: Array) -> Array | None:
    """What stands behind the sign: an expression of arrays, or a number where one comes out."""
    if not left.is_number:
        right = read_expression(text, at)
        return right if right is not None and not right.is_number else None
    number = _ONE.match(text, at)
    if number is not None:
        return Array([[tree_of(number.group())]], at, number.end(), False, is_number=True)
    sides = (side for chain in passage.page.chains for side in chain.sides)
    side = next((side for side in sides if side.start == at and side.tree is not None and not side.doubts), None)
    if side is None or side.tree is None or free_symbols(side.tree):
        return None
    return Array([[side.tree]], at, side.end, False, is_number=True)


def _compared(passage: Passage, left: Array, right: Array) -> Iterator[Placed]:
    if [len(row) for row in left.rows] != [len(row) for row in right.rows]:
        return
    pairs = zip(itertools.chain(*left.rows), itertools.chain(*right.rows), strict=True)
    yield from _judged(passage, (left.start, right.end), list(pairs), ())


def _length(passage: Passage, match: re.Match[str], named: dict[str, set[tuple[str, str]]]) -> Iterator[Placed]:
    """|v| of a vector that was given one value in the whole text."""
    values = named.get(match[1], set())
    array = read_array(next(iter(values))[0], 0) if len({value for value, _ in values}) == 1 else None
    if array is None:
        return
    squares: list[Tree] = [Node("^", (cell, Num(Fraction(2)))) for cell in array.rows[0]]
    pair = (Node("sqrt", (sum_of(squares),)), tree_of(match[2]))
    yield from _judged(passage, match.span(), [pair], (min(line for _, line in values),))


def _judged(
    passage: Passage, span: tuple[int, int], pairs: list[tuple[Tree, Tree]], lines: tuple[str, ...]
) -> Iterator[Placed]:
    start, end = span
    sides = [(Side(a, start, end), Side(b, start, end)) for a, b in pairs]
    judgements = [judge(a, b, "=", DEFAULT) for a, b in sides]
    at = next((at for at, judgement in enumerate(judgements) if judgement.state == FAILS), None)
    if at is None and any(judgement.state != HOLDS for judgement in judgements):
        return
    chain = Chain([Side(None, start, start), Side(None, start, end)], ["="], start, end)
    if at is not None and (context_doubt(passage.text, chain, 0) or may_be_choices(passage.text, start, end)):
        return
    left, right = pairs[at or 0]
    doubt = about_the_text(passage, start, end) if at is not None else ""
    holds = at is None
    value = shown(judgements[at or 0].left)
    sentence = "Every component holds." if holds else f"{plain(left)} is {value}, not {plain(right)}."
    yield place(
        passage=passage,
        start=start,
        end=end,
        checker=NAME,
        rule="components",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={
            "read": passage.text[start:end],
            "left": value,
            "right": plain(right),
            "rule": "components",
            **({"doubt": doubt} if doubt else {}),
            **(of_cells(pairs, lines) if holds else of_values(left, right, lines)),
        },
        grade=Grade.LIKELY if doubt else Grade.CERTAIN,
    )
