"""Checker: a quantity under the same label, or an expression said to be two things in a row, keeps its value.

"Total cost = 40 + 2 = 42 ... Total cost = 45" is an error; "Remaining = 12 ... Remaining = 8" is a story that goes on.
So labels with a word of change in them are never held against their author, nor are values in different passages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.checker.checks.algebra.cases import opens_a_branch
from auditing.checker.checks.algebra.like_terms import is_added_up
from auditing.checker.checks.text.labels import CHANGES, are_in_rows, is_later, is_told_anew, label_of
from auditing.checker.checks.text.told_again import (
    about_a_symbol,
    about_symbols,
    differ,
    is_alternative,
    is_told_otherwise,
    may_be_one_of_several,
    told_again,
    told_next,
)
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, compare, shown
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.tree import (
    Node,
    Sym,
    Tree,
    bare_number,
    free_symbols,
    is_finished,
    latex,
    literals,
    plain,
)
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.certainty import is_program
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt, takes_back

NAME = "restatement"
# a label of fewer words may name another thing in a later step
FEWEST_WORDS = 3
# what was said to be so many things is no one number
MOST_VALUES = 8
# what may stand between the two lines of one split equality: filler words and marks, nothing that could be new
_JOINED = re.compile(
    r"(?:[\s.,;$\\\]\[()]|\b(?:so|thus|therefore|hence|then|gives|we|get|which|simplifies|to|is|or)\b){0,80}",
    re.IGNORECASE,
)
# d(Q, R) = 1 or d(Q, R) = 2
_ALTERNATIVE = re.compile(r"[\s.,;$\\\]\[()]{0,12}\bor\b[\s,$\\\]\[()]{0,12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """A label's value and the text that gave it."""

    value: Fraction
    tree: Tree
    text: str
    passage: int
    end: int = 0
    written: str = ""


def check(script: Script) -> Iterator[Placed]:
    """Label = expression, then the same label = another number in the same passage."""
    stated_values, values_of = dict[str, Stated](), dict[Tree, list[Tree]]()
    for number, passage in enumerate(script.passages):
        after = 0
        for chain in passage.page.chains:
            label = label_of(passage, chain, after)
            after = chain.end
            if label:
                yield from _compare(passage, number, chain, label, stated_values)
        yield from _split_equality(passage)
        if number:
            yield from _label_over_steps(script.passages[number - 1], passage)
        if number and script.has_symbols:
            yield from _split_over_steps(script.passages[number - 1], passage, values_of)
        if script.has_symbols:
            _learn_values(passage, values_of)


def _learn_values(passage: Passage, values_of: dict[Tree, list[Tree]]) -> None:
    """Keeps what each expression was said to be: no more values than can be compared at every step."""
    for chain in map(about_symbols, passage.page.chains):
        name, value = chain.sides[0].tree, chain.sides[-1].tree
        if name is None or value is None:
            continue
        values = values_of.setdefault(name, [])
        if len(values) < MOST_VALUES and value not in values:
            values.append(value)


def _split_equality(passage: Passage) -> Iterator[Placed]:
    """R = 2310 mod 42, then R = 18 with nothing between: one equality split over two lines."""
    for first, second in itertools.pairwise(map(about_a_symbol, passage.page.chains)):
        if first.relations != ["="] or second.relations != ["="]:
            continue
        # what both lines are about: an expression with symbols, or a label
        name = _same_left(passage, first, second)
        before, final = first.sides[-1], second.sides[-1]
        if not name or before.tree is None or final.tree is None or before.doubts or final.doubts:
            continue
        between = passage.text[first.end : second.start]
        yield from told_again(passage, first, second, checker=NAME, name=name)
        is_label = first.sides[0].tree is None
        # "x = 3/2, x = -4" lists two solutions; a label has one value
        is_listed = is_finished(before.tree) if is_label else _is_fraction(before.tree)
        is_listed |= _ALTERNATIVE.fullmatch(between) is not None and bool(free_symbols(before.tree))
        if not _JOINED.fullmatch(between) or is_listed or is_alternative(passage, first):
            continue
        # "y = 2x + 3x, y = 7x" lists two lines; without a comma the second goes on with the first
        is_added = "," not in between and is_added_up(before.tree, final.tree)
        if is_added or differ(before.tree, final.tree, is_label=is_label):
            if context_doubt(passage.text, second, 0):
                continue
            written = passage.text[first.start : first.end]
            stated = Stated(Fraction(0), before.tree, f"{name} = {plain(before.tree)}", 0, 0, written)
            yield _placed(passage, second, name, stated)


def _split_over_steps(earlier: Passage, passage: Passage, values_of: dict[Tree, list[Tree]]) -> Iterator[Placed]:
    """x = -6 - (-9), and the next step says x = 15: what the step before computes is another number.

    values_of: what each expression was said to be in all earlier passages.
    """
    if not earlier.page.chains or not passage.page.chains or takes_back(passage.text):
        return
    first, second = about_symbols(earlier.page.chains[-1]), about_symbols(passage.page.chains[0])
    name = first.sides[0].tree
    if {*first.relations, *second.relations} != {"="} or name is None or not free_symbols(name):
        return
    before, same, final = first.sides[-1], second.sides[0], second.sides[1]
    between = f"{earlier.text[first.end :]}\n{passage.text[: second.start]}"
    if same.tree != name or before.tree is None or final.tree is None or before.doubts or final.doubts:
        return
    # x = 3/2 and x = -4 may list the solutions; 3y/3 = -53/3 lists none
    is_listed = is_finished(before.tree) or (bare_number(final.tree) is None and may_be_one_of_several(before.tree))
    is_listed &= isinstance(name, Sym)
    if not _JOINED.fullmatch(between) or is_listed or free_symbols(before.tree):
        return
    # x = 4 + 3 and x = 4 - 3 are two values, of which the next lines say one after the other
    values = values_of.get(name, [])
    # the formula A = pi r^2 is no value beside 36 pi
    told = [value for value in values if free_symbols(final.tree) or not free_symbols(value)]
    is_one_of_them = any(not differ(value, final.tree, is_label=False) for value in told)
    if len(values) == MOST_VALUES or is_one_of_them or context_doubt(passage.text, second, 0):
        return
    written = earlier.text[first.start : first.end]
    yield _placed(passage, second, plain(name), Stated(Fraction(0), before.tree, written, 0, 0, written))


def _label_over_steps(earlier: Passage, passage: Passage) -> Iterator[Placed]:
    """A step ends with "Total = 27 + 22 + 11", and the next begins with "Total = 61"."""
    name = told_next(earlier, passage)
    if not name or CHANGES.search(name) or takes_back(passage.text) or opens_a_branch(passage):
        return
    first, second = earlier.page.chains[-1], passage.page.chains[0]
    before, final = first.sides[-1].tree, second.sides[-1].tree
    assert before is not None
    assert final is not None
    if differ(before, final, is_label=True) and not context_doubt(passage.text, second, 0):
        is_code = is_program(text=passage.text, start=second.start, end=second.end)
        stated = Stated(Fraction(0), before, written := earlier.text[first.start : first.end], 0, 0, written)
        yield _placed(passage, second, name, stated, Grade.LIKELY if is_code else Grade.CERTAIN)


def _same_left(passage: Passage, first: Chain, second: Chain) -> str:
    """What both chains are about: the same expression with symbols, or the same label."""
    left, right = first.sides[0].tree, second.sides[0].tree
    if left is not None:
        return plain(left) if left == right and free_symbols(left) else ""
    label = label_of(passage, first, 0, fewest=1)
    return label if right is None and label and label == label_of(passage, second, first.end, fewest=1) else ""


def _is_fraction(tree: Tree) -> bool:
    """Whether a value is finished: a number or a fraction of two, as in a list of solutions."""
    tree = tree.args[0] if isinstance(tree, Node) and tree.op == "neg" else tree
    return all(bare_number(term) for term in (tree.args if isinstance(tree, Node) and tree.op == "/" else (tree,)))


def _compare(
    passage: Passage, number: int, chain: Chain, label: str, stated_values: dict[str, Stated]
) -> Iterator[Placed]:
    final = chain.sides[-1]
    value = _value(final)
    # only the end of a chain counts: "Total = 3 * 4 = 12" gives the total 12, and "rate = 1 / useful life" gives none
    if value is None or final.doubts:
        return
    assert final.tree is not None
    before = stated_values.get(label)
    text = f"{label} = {plain(final.tree)}"
    if before is None:
        written = passage.text[final.start : final.end]
        stated_values[label] = Stated(value, final.tree, text, number, chain.end, written)
        return
    # one of the two must be a finished number: two expressions may be two steps of one computation
    if bare_number(final.tree) is None and bare_number(before.tree) is None:
        return
    judgement = compare(left=before.tree, right=final.tree, relation="=")
    if judgement.state != FAILS or CHANGES.search(label) or is_told_otherwise(before.tree, final.tree):
        return
    # the same label in another passage may be another case of the same problem
    is_elsewhere = before.passage != number
    if is_elsewhere and not _is_told_again(passage, label, before, final):
        return
    is_other_case = not is_elsewhere and _ALTERNATIVE.fullmatch(passage.text, before.end, chain.start)
    if is_other_case or context_doubt(passage.text, chain, len(chain.relations) - 1):
        return
    # a program counts up, and another paragraph may speak of another thing under the same name
    is_apart = "\n\n" in passage.text[before.end : chain.start]
    is_code = is_program(text=passage.text, start=chain.start, end=chain.end)
    is_row = are_in_rows(passage.text, before.end, chain.start)
    is_open = is_apart or is_code or is_elsewhere or is_row or _is_told_anew(passage, chain, before)
    yield _placed(passage, chain, label, before, Grade.LIKELY if is_open else Grade.CERTAIN)


def _is_told_anew(passage: Passage, chain: Chain, before: Stated) -> bool:
    operands = {number.value for side in chain.sides[:-1] if side.tree for number in literals(side.tree)}
    between, value = passage.text[before.end : chain.start], _value(chain.sides[-1])
    return is_told_anew(between=between, operands=operands, before=before.value, value=value)


def _is_told_again(passage: Passage, label: str, before: Stated, final: Side) -> bool:
    """Whether a label of several words is given another number in a later step, which takes nothing back."""
    numbers = [bare_number(tree) for tree in (before.tree, final.tree) if tree is not None]
    is_plain = len(label.split()) >= FEWEST_WORDS and None not in numbers
    return is_plain and not takes_back(passage.text) and not opens_a_branch(passage)


def _placed(passage: Passage, chain: Chain, label: str, before: Stated, grade: Grade = Grade.CERTAIN) -> Placed:
    tree = chain.sides[-1].tree
    assert tree is not None
    value_before, value_here = _shown(before.tree), _shown(tree)
    sentence = f"{label} was {value_before} before ({before.text}) and is {value_here} here."
    details = {
        "normal_form": f"{label} = {plain(tree)}",
        "before": before.text,
        "left": value_before,
        "right": value_here,
        "evidence_latex": f"{latex(before.tree)} \\ne {latex(tree)}",
    }
    texts = (before.written,)
    if free_symbols(before.tree) | free_symbols(tree):
        details |= of_identity(before.tree, tree, is_same=False, texts=texts)
    else:
        details |= of_values(before.tree, tree, texts)
    return place(
        passage=passage,
        start=chain.start,
        end=chain.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="same label, other value",
        grade=Grade.LIKELY if is_later(passage.text, chain.sides[-1].start) else grade,
        sentence=sentence,
        details=details,
    )


def _shown(tree: Tree) -> str:
    return plain(tree) if free_symbols(tree) else shown(evaluate(tree))


def _value(side: Side) -> Fraction | None:
    if side.tree is None or side.doubts or free_symbols(side.tree):
        return None
    try:
        value = evaluate(side.tree)
    except IncalculableError:
        return None
    return value if isinstance(value, Fraction) else None
