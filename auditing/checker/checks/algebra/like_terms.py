"""Checker: a computation with a symbol and the term that it is said to come to: 0.25(80x) + 0.1(100x) = 20x.

As an equation it would say that the symbol is zero, which nobody sets up in this way: it is a sum, and a wrong one. So
it is judged where an equation ties the symbol, too, and with decimals to the last digit that is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.polynomial import Polynomial, difference, names_in
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    free_symbols,
    latex,
    literals,
    plain,
    substitute,
    walk,
)
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_term
from auditing.checker.reading.certainty import NEAR
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import SENTENCE_END, context_doubt

NAME = "like terms"
_SUPPOSED = any_of("if when where suppose assum* let solv* equations? meet* intersect*")
_ZERO = Num(Fraction(0))
_SENTENCE, _IS_ALONE = re.compile(r"[.!?]\s"), re.compile(r":\s*(?:\\\[|\$\$|\\\()?\s*$")


def check(script: Script) -> Iterator[Placed]:
    """Every link whose sides differ by one term, where the left is still to be computed and the right is finished."""
    if not script.has_symbols or script.problem.is_modular:
        return
    for passage in script.passages:
        if passage.is_modular:
            continue
        before: Chain | None = None
        for chain in passage.page.chains:
            for index, relation in enumerate(chain.relations):
                if relation == "=":
                    yield from _judged(passage, chain, index, before)
            before = chain


def _judged(passage: Passage, chain: Chain, index: int, before: Chain | None) -> Iterator[Placed]:
    left, right = chain.sides[index], chain.sides[index + 1]
    if left.tree is None or right.tree is None or not (_is_plain(left) and _is_plain(right)):
        return
    if not _is_unfinished(left.tree) or free_symbols(left.tree) != free_symbols(right.tree):
        return
    try:
        total, gap = difference(right.tree, _ZERO), difference(left.tree, right.tree)
    except IncalculableError:
        return
    if not _is_finished(right.tree, total) or not _is_one_term(gap, total, right.tree):
        return
    if _rounds_to(left.tree, right.tree):
        return
    # "if x = 0, then 2 * 3x = 5x" is true; a formula of its own lines goes on with the sentence above it
    above = f"{passage.before}\n{passage.text[: chain.start]}"[-200:]
    sentence = _SENTENCE.split(above)[-1] if _IS_ALONE.search(above) else SENTENCE_END.split(above)[-1]
    if _SUPPOSED.search(sentence) or context_doubt(passage.text, chain, index):
        return
    if before is None or not _is_the_same_equation(before, chain):
        yield _placed(passage, left, right)


def _is_the_same_equation(before: Chain, chain: Chain) -> bool:
    """3(16 + x) = 4(12 - x), then 48 + 3x = 48 - 4x: both sides are multiplied out, and the equation has a solution."""
    if before.relations != ["="] or chain.relations != ["="]:
        return False
    pairs = list(zip(before.sides, chain.sides, strict=True))
    try:
        return all(not difference(first.tree, second.tree) for first, second in pairs if first.tree and second.tree)
    except IncalculableError:
        return False


def _is_plain(side: Side) -> bool:
    """One reading, no doubt, no ellipsis."""
    if side.doubts or side.others or side.log_open or side.tree is None:
        return False
    return not any(number.cut for number in literals(side.tree))


def _is_unfinished(tree: Tree) -> bool:
    """Whether numbers other than 0 are still to be put together, and not all of its terms are bare symbols."""
    return isinstance(tree, Node) and sum(bool(number.value) for number in literals(tree)) > 1


def _is_finished(tree: Tree, total: Polynomial) -> bool:
    """20x, or 43 + 2x: as many numbers as terms, and no bracket to be multiplied out."""
    if isinstance(tree, Sym) or names_in(total) - free_symbols(tree) or "i" in free_symbols(tree):
        return False
    products = (subtree for subtree in walk(tree) if isinstance(subtree, Node) and subtree.op in ("*", "/", "^"))
    is_flat = not any(
        isinstance(argument, Node) and argument.op in ("+", "-") for product in products for argument in product.args
    )
    return is_flat and len(literals(tree)) <= len(total)


def _is_one_term(gap: Polynomial, total: Polynomial, right: Tree) -> bool:
    """Whether the sides differ in the coefficient of one term of the right, by more than a rounding."""
    if len(gap) != 1:
        return False
    ((term, amount),) = gap.items()
    written = total.get(term)
    if not term or written is None:
        return False
    slack = max((2 * half_unit(number) for number in literals(right) if number.decimals), default=Fraction(0))
    return abs(amount) > max(slack, NEAR * abs(written) if slack else Fraction(0))


def _rounds_to(left: Tree, right: Tree) -> bool:
    """131.7 * 273.15 K / 150.0 = 239.8 K: the difference above was multiplied by what the sum is divided by."""
    ones: dict[str, Tree] = {name: Num(Fraction(1)) for name in free_symbols(left)}
    slack = max((half_unit(number) for number in literals(right) if number.decimals), default=Fraction(0))
    try:
        a, b = (as_range(evaluate(substitute(side, ones))) for side in (left, right))
    except IncalculableError:
        return False
    return abs(a.high - b.high) <= slack


def _placed(passage: Passage, left: Side, right: Side) -> Placed:
    assert left.tree is not None
    assert right.tree is not None
    text = f"{plain(left.tree)} = {plain(right.tree)}"
    return place(
        passage=passage,
        start=left.start,
        end=right.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="like terms",
        sentence=f"{text} would hold for zero alone: the terms do not add up to this.",
        details={
            "normal_form": text,
            "rule": "like terms",
            **of_term(left.tree, right.tree),
            "evidence_latex": f"{latex(left.tree)} = {latex(right.tree)}",
        },
    )


def is_added_up(before: Tree, final: Tree) -> bool:
    """16k^2 + 9k^2, then 24k^2: like terms, and another sum."""
    if not (isinstance(before, Node) and before.op in ("+", "-")) or not free_symbols(before):
        return False
    nothing = Num(Fraction(0))
    try:
        terms, total = difference(before, nothing), difference(final, nothing)
    except IncalculableError:
        return False
    return (
        len(terms) == 1 and set(terms) == set(total) and terms != total and free_symbols(before) == free_symbols(final)
    )
