r"""Repairs: a relation that is false as it stands and true once a single mark that people leave out is put back.

"6 + 9 / 20 + 30 = 0.3" has lost the brackets around what stood above and below a bar, "21/28 = 75" its percent sign,
"5 * 3 = 15,000" is counted in thousands. Whoever reads the line knows what was meant; whether the slip matters, people
should say: such a refutation is likely at most.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.mathematics.compare import HOLDS, compare
from auditing.checker.mathematics.enclosure import as_range
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number, literals
from auditing.checker.reading.links import Link

_POWER = {"+": 10, "-": 10, "*": 20, "/": 20}
# operands of one expression whose brackets are tried, and repairs that are tried of one side
MAX_OPERANDS, MAX_REPAIRS = 8, 20
_JOINED = re.compile(r"\d{1,4}(?:[-–]\d{1,4}){2,5}")
_HUNDRED = Num(Fraction(100))
_SCALES = tuple(Num(Fraction(1000**power)) for power in (1, 2))


def repair(link: Link) -> str:
    """What has to be put back into a false link to make it true; empty when nothing that is known does."""
    return next((name for name, is_repaired in _REPAIRS.items() if is_repaired(link)), "")


def _lost_brackets(link: Link) -> bool:
    r"""8 + 6 / 120 + 80 = 15/200: a typed bar has sums above and below it; \frac loses no brackets."""
    return link.relation == "=" and "frac" not in link.span and true_with_brackets(link.left, link.right)


def true_with_brackets(left: Tree, right: Tree) -> bool:
    """Whether two sides are equal once brackets stand around a sum above or below a typed bar."""
    return any(_is_true(tree, right) for tree in itertools.islice(_rebracketed(left), MAX_REPAIRS)) or any(
        _is_true(left, tree) for tree in itertools.islice(_rebracketed(right), MAX_REPAIRS)
    )


def _rebracketed(tree: Tree) -> Iterator[Tree]:
    """The tree with brackets around the sum before a bar, around what stands behind it, or around both."""
    operands, signs = _flat(tree)
    if len(operands) > MAX_OPERANDS:
        return
    for bar in (place for place, sign in enumerate(signs) if sign == "/"):
        for first in range(bar + 1):
            for last in range(bar + 1, len(operands)):
                is_sum_above = first == bar or "+" in signs[first:bar] or "-" in signs[first:bar]
                below = signs[bar + 1 : last]
                is_sum_below = last == bar + 1 or "+" in below or "-" in below
                if is_sum_above and is_sum_below and (first, last) != (bar, bar + 1):
                    above = _fold(operands[first : bar + 1], signs[first:bar])
                    quotient = Node("/", (above, _fold(operands[bar + 1 : last + 1], below)))
                    yield _fold([*operands[:first], quotient, *operands[last + 1 :]], [*signs[:first], *signs[last:]])


def _flat(tree: Tree, floor: int = 0) -> tuple[list[Tree], list[str]]:
    """Operands and signs as they stand in the line; what has brackets of its own is one operand."""
    if not (isinstance(tree, Node) and len(tree.args) == 2 and _POWER.get(tree.op, -1) >= floor):
        return [tree], []
    power = _POWER[tree.op]
    operands, signs = _flat(tree.args[0], power)
    more_operands, more_signs = _flat(tree.args[1], power + 1)
    return [*operands, *more_operands], [*signs, tree.op, *more_signs]


def _fold(operands: list[Tree], signs: list[str]) -> Tree:
    """Operands and signs as a tree, products first, from the left."""
    terms, sums = [operands[0]], list[str]()
    for sign, operand in zip(signs, operands[1:], strict=True):
        if _POWER[sign] == _POWER["*"]:
            terms[-1] = Node(sign, (terms[-1], operand))
        else:
            terms.append(operand)
            sums.append(sign)
    tree = terms[0]
    for sign, term in zip(sums, terms[1:], strict=True):
        tree = Node(sign, (tree, term))
    return tree


def _lost_percent_sign(link: Link) -> bool:
    """21/28 = 75, and 0.1006 + 0.03 = 13.06: a share of one, written in hundredths."""
    number = bare_number(link.right)
    if number is None or link.judgement.left is None or any(literal.percent for literal in literals(link.left)):
        return False
    value = as_range(link.judgement.left)
    is_share = value.low > 0 and value.high < 1 and number.value >= 1
    return is_share and _is_true(Node("*", (link.left, _HUNDRED)), number)


def _counts_in_thousands(link: Link) -> bool:
    """12 - 8 = 4000: the operands count thousands, or millions."""
    number = bare_number(link.right)
    if number is None or number.value.denominator != 1 or any(literal.percent for literal in literals(link.left)):
        return False
    value = link.judgement.left
    # what is plainly no thousandth of it need not be computed once more
    if isinstance(value, Fraction) and all(value * scale.value != number.value for scale in _SCALES):
        return False
    return any(_is_exactly(Node("*", (link.left, scale)), number) for scale in _SCALES)


def _joins_parts(link: Link) -> bool:
    """4-3-3 = 10: parts of a whole that dashes join, as in a formation; written apart they are subtracted."""
    text = link.passage.text[link.left_side.start : link.left_side.end].strip()
    number = bare_number(link.right)
    if number is None or not _JOINED.fullmatch(text):
        return False
    return sum(map(int, re.split("[-–]", text))) == number.value


def _is_true(left: Tree, right: Tree) -> bool:
    return compare(left=left, right=right, relation="=").state == HOLDS


def _is_exactly(left: Tree, right: Tree) -> bool:
    judgement = compare(left=left, right=right, relation="=")
    return judgement.state == HOLDS and judgement.left == judgement.right


_REPAIRS: dict[str, Callable[[Link], bool]] = {
    "true with brackets above or below its bar": _lost_brackets,
    "true with a percent sign": _lost_percent_sign,
    "true in thousands": _counts_in_thousands,
    "true with its dashes as joints": _joins_parts,
}
