"""Plus and minus as one pair: (n ± sqrt(r))/d is n/d and the square r/d^2, which are compared without a root of r.

So two lines of the quadratic formula are compared, and put beside the equation that they solve, where r is below zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from auditing.checker.checks.text.told_again import is_joined
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.division import coefficients
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.polynomial import Polynomial, names_in
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Tree,
    bare_number,
    branches,
    free_symbols,
    has_two_values,
    latex,
    literals,
    plain,
    walk,
)
from auditing.checker.proofs.claims import of_said
from auditing.checker.proofs.formulas import formula, of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt, takes_back

NAME, RULE = "roots", "plus or minus"
ZERO, ONE, TWO = (Num(Fraction(number)) for number in (0, 1, 2))
QUADRATIC = 3


class Pair(NamedTuple):
    """Two values middle ± sqrt(square): the trees that they are computed from, and the numbers."""

    above: Tree
    below: Tree
    radicand: Tree
    middle: Fraction
    square: Fraction

    @property
    def sides(self) -> tuple[Tree, Tree]:
        """Middle and square as trees."""
        return Node("/", (self.above, self.below)), Node("/", (self.radicand, Node("^", (self.below, TWO))))

    def equation(self, name: Tree) -> tuple[Tree, Tree]:
        """(d x - n)^2 = r, which both values solve and no other."""
        return Node("^", (Node("-", (Node("*", (self.below, name)), self.above)), TWO)), self.radicand

    def is_computed(self) -> bool:
        """Whether anything stands in it that was left to compute: ±sqrt(2) may be one of several pairs of solutions."""
        return not all(bare_number(tree) for tree in (self.above, self.below, self.radicand))


def pair_of(tree: Tree | None) -> Pair | None:
    """The pair of an expression with one sign of plus or minus; None where a number in it is no exact one.

    >>> root = Node("sqrt", (Node("-", (Num(Fraction(9)), Num(Fraction(40)))),))
    >>> str(pair_of(Node("/", (Node("±", (Num(Fraction(3)), root)), Num(Fraction(4))))).square)
    '-31/16'
    """
    if tree is None or free_symbols(tree) or any(number.decimals or number.cut for number in literals(tree)):
        return None
    above, below = tree.args if isinstance(tree, Node) and tree.op == "/" else (tree, ONE)
    if not isinstance(above, Node) or above.op != "±":
        return None
    first, second = above.args if len(above.args) > 1 else (ZERO, above.args[0])
    radicand = _squared(second)
    middle, square, divisor = value_of(first), value_of(radicand), value_of(below)
    if middle is None or square is None or not divisor:
        return None
    return Pair(first, below, radicand, middle / divisor, square / divisor**2)


def _squared(tree: Tree) -> Tree:
    """The square of a root, of a root with a factor before it, or of anything else."""
    if isinstance(tree, Node) and tree.op == "sqrt":
        return tree.args[0]
    if isinstance(tree, Node) and tree.op == "*" and isinstance(root := tree.args[1], Node) and root.op == "sqrt":
        return Node("*", (Node("^", (tree.args[0], TWO)), root.args[0]))
    return Node("^", (tree, TWO))


def difference_of(pair: Pair, rival: Pair) -> tuple[Tree, Tree] | None:
    """The two middles, or the two squares, that differ; None where the pairs are the same."""
    if pair.middle != rival.middle:
        return pair.sides[0], rival.sides[0]
    return (pair.sides[1], rival.sides[1]) if pair.square != rival.square else None


def solves_none_of(pair: Pair, polynomials: Sequence[Polynomial]) -> bool:
    """Whether a pair below zero solves none of some equations, each of which is a quadratic in one symbol."""
    rows = [coefficients(polynomial) for polynomial in polynomials if len(names_in(polynomial)) == 1]
    if pair.square >= 0 or len(rows) < len(polynomials) or any(len(row) != QUADRATIC for row in rows):
        return False
    return all(pair.middle != -b / (2 * a) or pair.square != b * b / (4 * a * a) - c / a for c, b, a in rows)


def judged_signs(passage: Passage, chain: Chain) -> Iterator[Placed]:
    """A ± b = C ± d: the two values on one side are the two values on the other."""
    for index, relation in enumerate(chain.relations):
        left, right = chain.sides[index], chain.sides[index + 1]
        if relation != "=" or left.tree is None or right.tree is None or left.doubts or right.doubts:
            continue
        if left.others or right.others or not has_two_values(left.tree) or _adds_tolerances(left.tree):
            continue
        if free_symbols(left.tree) or free_symbols(right.tree):
            continue
        judgement = _judgement(left.tree, right.tree)
        if judgement is None or (judgement[0] is Verdict.REFUTED and context_doubt(passage.text, chain, index)):
            continue
        yield _placed(passage, (left.start, right.end), (left.tree, right.tree), *judgement)


def _judgement(left: Tree, right: Tree) -> tuple[Verdict, dict[str, str]] | None:
    """Whether each value on the left is one on the right, and what shows that it is not; None where neither is sure."""
    rivals = branches(right)
    states = {a: [compare(left=a, right=b, relation="=").state for b in rivals] for a in branches(left)}
    if all(HOLDS in row for row in states.values()):
        return Verdict.VERIFIED, {}
    for value, row in states.items() if has_two_values(right) else ():
        if all(state == FAILS for state in row):
            return Verdict.REFUTED, of_said([formula(value)], [formula(rival) for rival in rivals])
    pair, rival = pair_of(left), pair_of(right)
    apart = difference_of(pair, rival) if pair is not None and rival is not None and pair.square < 0 else None
    return (Verdict.REFUTED, of_values(*apart)) if apart is not None else None


def judged_lines(script: Script) -> Iterator[Placed]:
    """x = (4 ± sqrt(16 - 36))/2, and in the next line x = (4 ± sqrt(-10))/2."""
    if "\\pm" not in script.text and "±" not in script.text:
        return
    chains = [
        (passage, chain) for passage in script.passages if not passage.is_modular for chain in passage.page.chains
    ]
    for (earlier, first), (passage, second) in itertools.pairwise(chains):
        if not {*first.relations, *second.relations} <= {"="} or first.sides[0].tree != second.sides[0].tree:
            continue
        pair, rival = pair_of(first.sides[-1].tree), pair_of(second.sides[1].tree)
        if pair is None or rival is None or not pair.is_computed() or first.sides[0].tree is None:
            continue
        apart = difference_of(pair, rival)
        if apart is None or not _is_next(earlier, first, passage, second):
            continue
        before, here = first.sides[-1].tree, second.sides[1].tree
        assert before is not None
        assert here is not None
        proof = of_values(*apart, (earlier.text[first.start : first.end],))
        yield _placed(passage, (second.start, second.sides[1].end), (before, here), Verdict.REFUTED, proof)


def _is_next(earlier: Passage, first: Chain, passage: Passage, second: Chain) -> bool:
    """Whether the second line goes on from the first with nothing between that could be new."""
    if first.sides[-1].doubts or second.sides[0].doubts or second.sides[1].doubts or takes_back(passage.text):
        return False
    between = passage.text[first.end : second.start]
    if passage is not earlier:
        between = f"{earlier.text[first.end :]}\n{passage.text[: second.start]}"
    return is_joined(between) and not context_doubt(passage.text, second, 0)


def _adds_tolerances(tree: Tree) -> bool:
    """(3.0 ± 0.1) + (2.0 ± 0.1) = 5.0 ± 0.14: tolerances of what was measured add up by other rules."""
    return sum(isinstance(subtree, Node) and subtree.op == "±" for subtree in walk(tree)) > 1


def _placed(
    passage: Passage, span: tuple[int, int], sides: tuple[Tree, Tree], verdict: Verdict, proof: dict[str, str]
) -> Placed:
    text = " = ".join(map(plain, sides))
    outcome = "the two values differ" if verdict is Verdict.REFUTED else "both values agree"
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        checker=NAME,
        rule=RULE,
        sentence=f"{text}: {outcome}.",
        details={
            "normal_form": text,
            "rule": RULE,
            "evidence_latex": " = ".join(map(latex, sides)),
            **proof,
        },
        verdict=verdict,
    )
