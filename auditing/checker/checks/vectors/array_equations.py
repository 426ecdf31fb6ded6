"""Checker: equations between arrays of expressions: roots and letters in cells, norms, projections, names with a value.

Numbers are compared cell by cell. Expressions with letters, or with vectors of which nothing is known, are verified
where every cell is an identity; they are doubted only where some cells are identities and the others, as wholly written
out, are none: an equation that is to be solved has no cell in common with what it is made of.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cached_property

from auditing.checker.checks.algebra import arrays, tuples
from auditing.checker.checks.algebra.rewriting import ties_of
from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.vectors.array_proofs import of_cells, of_identities
from auditing.checker.checks.vectors.array_readings import ArrayLink, array_links
from auditing.checker.checks.vectors.choices import may_be_choices
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.linear import values
from auditing.checker.mathematics.linear.values import Value
from auditing.checker.mathematics.polynomial import Polynomial, difference
from auditing.checker.mathematics.tree import (
    Node,
    Tree,
    free_symbols,
    has_two_values,
    is_finished,
    literals,
    plain,
)
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from auditing.checker.reading.ties import Ties

NAME = "arrays"
CELLS, IDENTITY, NO_IDENTITY = "components of expressions", "an identity of arrays", "no identity of arrays"
# of all trees that are compared in one script
MOST_NODES = 40_000
# expressions with letters for which the equations before are gathered
MOST_DOUBTED = 20
Pairs = list[tuple[Tree, Tree]]
# an equation that is asked for, or holds for some values alone
_EQUATION = any_of("""
    solv* equation* set setting equat* such_that satisf* suppose assum* eigen* fixed invariant* system intersect* want
    need require* must commut*
""")
# what a bracket with commas may be besides a point, and what products of tables may be
_OTHER_TABLES = any_of("""
    operation* modul* mod permut* interval* field* custom hadamard kronecker
    elementwise element-wise componentwise component-wise tensor*
""")
_TABLE = re.compile(r"matrix\}|\{array\}|\\(?:mathbf|bold|vec|overrightarrow)")
_OTHER_PLACES = any_of("polar spherical cylindrical lexicographic* custom")
_SENTENCE = re.compile(r"[.!?](?:\s|\\\]|\$)|\n\s*\n")
# letters that may be a constant, a differential or the imaginary unit
_CONSTANTS = frozenset(("i", "e", "d", "C"))


class _Story:
    """What a script says of its letters, gathered when the first expression is in doubt."""

    def __init__(self, script: Script, links: list[ArrayLink], lines: dict[str, str]) -> None:
        self.script, self.links, self.lines = script, links, lines
        self.doubted = 0

    @cached_property
    def has_other_arrays(self) -> bool:
        """Whether it computes with remainders, or places points in another way."""
        return self.script.is_modular or bool(_OTHER_PLACES.search(f"{self.script.problem.text} {self.script.text}"))

    def may_excuse(self, link: ArrayLink, left: Tree, right: Tree) -> bool:
        """Whether an equation before ties the letters of two cells, so that they may be equal."""
        self.doubted += 1
        if self.doubted > MOST_DOUBTED:
            return True
        letters = free_symbols(left) | free_symbols(right)
        earlier = itertools.takewhile(lambda equation: equation is not link, self.links)
        equations = (equation for equation in earlier if equation.relation == "=")
        is_tied = any(names and names <= letters for equation in equations for names in _tied(equation))
        return is_tied or self.ties_before(link).may_excuse(letters, _gap(left, right))

    def ties_before(self, link: ArrayLink) -> Ties:
        """The equations of numbers up to a link."""
        ties = Ties()
        for passage in (self.script.problem, *self.script.passages):
            for chain in passage.page.chains:
                if passage is link.passage and chain.start >= link.left.start:
                    return ties
                for tie in ties_of(chain):
                    ties.add(tie)
            if passage is link.passage:
                break
        return ties


def check(script: Script) -> Iterator[Placed]:
    """Every equation between arrays: first those of numbers alone, then what these do not read."""
    placed = list(arrays.check(script))
    yield from placed
    links, lines = array_links(script)
    story = _Story(script, links, lines)
    nodes = 0
    for link in links:
        if link.relation == "=" and not _is_told(link, placed):
            nodes += sum(side.value.size for side in (link.left, link.right) if side.value is not None)
            if nodes > MOST_NODES:
                return
            yield from _judged(link, story)


def _is_told(link: ArrayLink, placed: list[Placed]) -> bool:
    """Whether the sign was judged before, by the readers of numerals."""
    at = link.passage.start + link.sign
    where = (link.passage.source, link.passage.source_index)
    if any((earlier.source, earlier.source_index) == where and earlier.start <= at < earlier.end for earlier in placed):
        return True
    return any(True for _ in tuples.across(link.passage, tuples.without_sizes(link.passage.text), link.sign))


def _judged(link: ArrayLink, story: _Story) -> Iterator[Placed]:
    a, b = link.left.value, link.right.value
    if a is None or b is None or _is_bare(a) or _is_bare(b) or values.SET in (a.kind, b.kind):
        return
    a, b = _of_one_shape(a, b)
    pairs = list(zip(a.cells, b.cells, strict=True)) if a.shape == b.shape else []
    trees = [tree for pair in pairs for tree in pair]
    is_computed = a.is_computed or b.is_computed
    if not pairs or any(map(has_two_values, trees)):
        return
    definitions = sorted(story.lines[name] for name in a.replaced | b.replaced)
    if not any(map(free_symbols, trees)):
        if is_computed or not all(map(is_finished, trees)):
            yield from _of_numbers(link, pairs, definitions, story)
    elif any(left != right for left, right in pairs) and not any(
        number.cut or number.unit for tree in trees for number in literals(tree)
    ):
        yield from _of_expressions(link, pairs, definitions, story)


def _is_bare(value: Value) -> bool:
    """A name alone: what it stands for is no claim."""
    return bool(value.name) and bool(value.replaced or value.unknown)


def _of_one_shape(a: Value, b: Value) -> tuple[Value, Value]:
    """Zero takes the shape of what it is compared with."""
    if values.NOTHING not in (a.kind, b.kind) or a.kind == b.kind:
        return a, b
    another = b if a.kind == values.NOTHING else a
    zero = values.matrix([[values.ZERO for _ in row] for row in another.rows])
    return (zero, b) if a.kind == values.NOTHING else (a, zero)


def _of_numbers(link: ArrayLink, pairs: Pairs, lines: list[str], story: _Story) -> Iterator[Placed]:
    start, end = link.left.start, link.right.end
    judgements = [judge(Side(a, start, end), Side(b, start, end), "=", DEFAULT) for a, b in pairs]
    wrong = next((at for at, judgement in enumerate(judgements) if judgement.state == FAILS), None)
    if wrong is None and any(judgement.state != HOLDS for judgement in judgements):
        return
    if wrong is None:
        proof = of_cells(pairs, (*lines, link.passage.text[start:end]))
        yield from _placed(link, pairs[0], CELLS, "Every component holds.", proof, Verdict.VERIFIED)
        return
    left, right = pairs[wrong]
    if not story.has_other_arrays and not _is_open(link):
        sentence = f"{plain(left)} is {shown(judgements[wrong].left)}, not {plain(right)}."
        if is_finished(left) and is_finished(right):
            sentence = f"The component that comes out as {plain(left)} is said to be {plain(right)}."
        proof = of_values(left, right, (*lines, link.passage.text[start:end]))
        yield from _placed(link, pairs[wrong], CELLS, sentence, proof, Verdict.REFUTED)


def _is_open(link: ArrayLink) -> bool:
    """Whether the words around say that it is no claim, or that its arrays are of another kind."""
    text, start, end = link.passage.text, link.left.start, link.right.end
    chain = Chain([Side(None, start, start), Side(None, start, end)], ["="], start, end)
    sides = (link.left, link.right)
    # T(1, 2) = (3, 4) may be a map, and no point with its name
    is_labelled = any(side.value is not None and side.value.name and not side.value.replaced for side in sides)
    other_arrays = _OTHER_TABLES if _TABLE.search(text, start, end) else arrays.OTHER_ARRAYS
    if is_labelled or any(side.has_readings for side in sides):
        return True
    if other_arrays.search(text) or may_be_choices(text, start, end):
        return True
    return bool(context_doubt(text, chain, 0)) or bool(about_the_text(link.passage, start, end))


def _of_expressions(link: ArrayLink, pairs: Pairs, lines: list[str], story: _Story) -> Iterator[Placed]:
    assert link.left.value is not None
    assert link.right.value is not None
    is_unknown = bool(link.left.value.unknown | link.right.value.unknown)
    states = [_is_same(left, right) for left, right in pairs]
    if all(states) and (link.is_general or not is_unknown):
        sentence = "Every component is the same for all values of its symbols."
        proof = of_identities(pairs, (*lines, link.passage.text[link.left.start : link.right.end]))
        yield from _placed(link, pairs[0], IDENTITY, sentence, proof, Verdict.VERIFIED)
    elif not is_unknown and not story.has_other_arrays and _is_written_out(link, pairs, states):
        left, right = pairs[states.index(False)]
        if is_identity(left=left, right=right) is False and not story.may_excuse(link, left, right):
            sentence = f"{plain(left)} and {plain(right)} are not the same expression: they differ at rational points."
            text = link.passage.text[link.left.start : link.right.end]
            proof = of_identity(left, right, is_same=False, texts=(*lines, text))
            yield from _placed(link, (left, right), NO_IDENTITY, sentence, proof, Verdict.REFUTED)


def _is_same(left: Tree, right: Tree) -> bool:
    return left == right or _gap(left, right) == {}


def _gap(left: Tree, right: Tree) -> Polynomial | None:
    try:
        return difference(left, right)
    except IncalculableError:
        return None


def _is_written_out(link: ArrayLink, pairs: Pairs, states: list[bool]) -> bool:
    """Whether arrays are computed on the left, and the right is what comes out, as some of its cells show."""
    left, right = link.left.value, link.right.value
    assert left is not None
    assert right is not None
    names = [free_symbols(tree) for tree in (*left.cells, *right.cells)]
    letters = frozenset().union(*names[: len(left.cells)])
    same_letters = letters == frozenset().union(*names[len(left.cells) :])
    if not left.is_computed or right.is_computed or not same_letters or letters & _CONSTANTS:
        return False
    agreeing = [pair for pair, state in zip(pairs, states, strict=True) if state]
    differing = [pair for pair, state in zip(pairs, states, strict=True) if not state]
    # x = x is no computation, and 2x may be x where x is zero: what was computed is a sum or a product
    is_shown = any(isinstance(a, Node) and _is_compound(b) for a, b in agreeing)
    is_slip = all(_is_compound(b) or not free_symbols(Node("-", (a, b))) for a, b in differing)
    is_slip &= len(differing) <= len(agreeing)
    head = _SENTENCE.split(link.passage.text[max(0, link.left.start - 160) : link.left.start])[-1]
    return is_shown and is_slip and not _EQUATION.search(head) and not _is_open(link)


def _is_compound(tree: Tree) -> bool:
    """A sum or a product in which a letter stands."""
    if isinstance(tree, Node) and tree.op == "neg":
        return _is_compound(tree.args[0])
    is_made = isinstance(tree, Node) and tree.op in ("+", "-", "*", "/", "^")
    return is_made and bool(free_symbols(tree))


def _tied(link: ArrayLink) -> Iterator[frozenset[str]]:
    """The letters of each pair of cells that are no identity."""
    a, b = link.left.value, link.right.value
    if a is None or b is None or a.shape != b.shape:
        return
    for left, right in zip(a.cells, b.cells, strict=True):
        if not _is_same(left, right):
            yield free_symbols(left) | free_symbols(right)


def _placed(
    link: ArrayLink, pair: tuple[Tree, Tree], rule: str, sentence: str, proof: dict[str, str], verdict: Verdict
) -> Iterator[Placed]:
    """A finding with its proof; without one nothing is said."""
    if proof:
        start, end = link.left.start, link.right.end
        yield place(
            passage=link.passage,
            start=start,
            end=end,
            checker=NAME,
            rule=rule,
            verdict=verdict,
            sentence=sentence,
            details={"left": plain(pair[0]), "right": plain(pair[1]), "rule": rule, **proof},
            grade=Grade.LIKELY,
        )
