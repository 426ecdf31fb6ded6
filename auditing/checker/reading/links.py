"""One link of a chain that fails as it is read, with all that a second reading of it may look at."""

from __future__ import annotations

import itertools
from fractions import Fraction

from auditing.checker.mathematics.chains import Chain, Side, read_page
from auditing.checker.mathematics.compare import FAILS, HOLDS, Judgement, compare
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import Setting, evaluate
from auditing.checker.mathematics.tree import Num, Tree, free_symbols
from auditing.checker.reading.passages import Passage

# the share by which factors that are rounded on the way may move a result
NEARLY = Fraction(1, 500)


class Link:
    """One failing link with all that a reading may look at."""

    def __init__(self, passage: Passage, chain: Chain, index: int, judgement: Judgement, assumed: Setting) -> None:
        self.passage, self.chain, self.index = passage, chain, index
        self.judgement, self.assumed = judgement, assumed
        left, right = chain.sides[index], chain.sides[index + 1]
        assert left.tree is not None
        assert right.tree is not None
        self.left_side, self.right_side = left, right
        self.left, self.right = left.tree, right.tree
        self.relation = chain.relations[index]

    @property
    def pair(self) -> tuple[Tree, Tree]:
        """Both sides as they were read."""
        return self.left, self.right

    @property
    def span(self) -> str:
        """The link as written, and nothing around it."""
        return self.passage.text[self.left_side.start : self.right_side.end]

    @property
    def text(self) -> str:
        """The link as written, with the brackets that stand directly around it."""
        return self.passage.text[max(0, self.left_side.start - 1) : self.right_side.end + 1]

    def agrees(self, left: Tree, right: Tree) -> bool:
        """Whether two trees may be equal."""
        # between two whole numbers nothing is rounded, and most that is compared is two of them
        if _is_whole(left) and _is_whole(right):
            return left == right
        return compare(left=left, right=right, relation="=", assumed=self.assumed).state != FAILS

    def nearly_agrees(self, left: Tree, right: Tree) -> bool:
        """Whether two trees are equal but for what may have been rounded on the way."""
        try:
            x, y = as_range(evaluate(left)), as_range(evaluate(right))
        except IncalculableError:
            return False
        return max(abs(x.low - y.high), abs(x.high - y.low)) <= NEARLY * max(abs(x.high), abs(x.low))


def _is_whole(tree: Tree) -> bool:
    return isinstance(tree, Num) and tree.value.denominator == 1 and tree == Num(tree.value)


def reads_true(text: str, assumed: Setting) -> bool:
    """Whether a text, read anew, holds an equation between numbers that is true."""
    for chain in read_page(text).chains:
        for left, right in zip(chain.sides, chain.sides[1:], strict=False):
            if _is_true(left, right, assumed):
                return True
    return False


def _is_true(left: Side, right: Side, assumed: Setting) -> bool:
    # 4/3 π is read in two ways
    pairs = itertools.product((left.tree, *left.others), (right.tree, *right.others))
    return any(_holds(a, b, assumed) for a, b in pairs if a is not None and b is not None)


def _holds(left: Tree, right: Tree, assumed: Setting) -> bool:
    if free_symbols(left) | free_symbols(right):
        return False
    return compare(left=left, right=right, relation="=", assumed=assumed).state == HOLDS
