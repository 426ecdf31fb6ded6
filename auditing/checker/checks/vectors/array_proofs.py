"""Proofs of equations between arrays: one formula for all cells, so that no cell is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.notation.determinants import sum_of
from auditing.checker.mathematics.polynomial import difference
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, literals
from auditing.checker.proofs.formulas import of_identity, of_values

Pairs = list[tuple[Tree, Tree]]
_ONE, _TWO, _ZERO = (Num(Fraction(number)) for number in (1, 2, 0))
# zero where the text writes none: a cell of the identity matrix, or of a vector of the basis
_NOTHING = Node("-", (_ONE, _ONE))
_WRITES_ZERO = re.compile(r"(?<![\d.])0(?![\d.])")


def of_cells(pairs: Pairs, lines: Iterable[str]) -> dict[str, str]:
    """Cells of numbers that are equal: the squares of all differences come to nothing; of rounded ones the first."""
    texts = list(lines)
    pairs = _written(pairs, texts)
    # where cells only changed their places, all of them are shown
    pairs = [(left, right) for left, right in pairs if left != right] or pairs
    if len(pairs) == 1 or any(number.decimals > 0 for pair in pairs for tree in pair for number in literals(tree)):
        return of_values(*pairs[0], texts)
    squares: list[Tree] = [Node("^", (Node("-", pair), _TWO)) for pair in pairs]
    return of_values(sum_of(squares), _NOTHING, texts)


def of_identities(pairs: Pairs, lines: Iterable[str]) -> dict[str, str]:
    """Cells that are the same expressions: each times a symbol of its own, added up; empty where that is too long."""
    texts = list(lines)
    pairs = [(left, right) for left, right in _written(pairs, texts) if left != right]
    weights = [Sym(f":{number}") for number in range(1, len(pairs) + 1)]
    left, right = (
        sum_of([Node("*", (weight, pair[side])) for weight, pair in zip(weights, pairs, strict=True)])
        if len(pairs) > 1
        else pairs[0][side]
        for side in (0, 1)
    )
    try:
        is_same = not difference(left, right)
    except IncalculableError:
        return {}
    return of_identity(left, right, is_same=True, texts=texts) if is_same else {}


def _written(pairs: Pairs, texts: list[str]) -> Pairs:
    """The pairs as they are proved: every number of a proof stands in a text."""
    if not texts or any(_WRITES_ZERO.search(text) for text in texts):
        return pairs
    return [(_without_zero(left), _without_zero(right)) for left, right in pairs]


def _without_zero(tree: Tree) -> Tree:
    if tree == _ZERO:
        return _NOTHING
    return Node(tree.op, tuple(map(_without_zero, tree.args))) if isinstance(tree, Node) else tree
