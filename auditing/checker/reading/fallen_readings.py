r"""Second readings of what a copy as plain text loses: exponents and binomials that fell to the line.

"216 - 1 = (28 + 1)(28 - 1)" was 2^16 and 2^8, "(14/4) = 1001" was 14 over 4 without a bar. As in second_readings.py,
only what holds under such a reading is let go; an exponent is put back into numbers of two digits and more.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.mathematics.compare import HOLDS, compare
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number, literals
from auditing.checker.reading.links import Link, reads_true

_BEHIND_BRACKET = re.compile(r"\)([2-9])(?![\d.,^]\d|[\d\w(^])")
_COMMA_IN_TEXT = re.compile(r"\d\s?\\text\s?\{\s?,")
# log 8 * 4, log_{3\sqrt{5}} 5 \cdot 9: no bracket around what the logarithm is taken of
_OPEN_LOG = re.compile(r"(?:log|ln|lg)(?:\s?_\s?(?:\{(?:[^{}]|\{[^{}]*\}){1,40}\}|\w))?[\s,;!~\\]{0,4}\d")
# numbers of a line that may have lost an exponent, readings that are tried, and the largest exponent
MOST_NUMBERS, MOST_READINGS, LARGEST_EXPONENT = 6, 40, 30
# a statement about last digits is worth making of numbers that have more of them
_TEN, _FEWEST_FOR_A_DIGIT, _LARGEST_POWER = 10, 100, 10_000
_LARGEST_CHOICE = 100


def _lost_its_exponents(link: Link) -> bool:
    """28 = 22 + 23 + 24, and 216 - 1 = (28 + 1)(28 - 1)."""
    written = list(dict.fromkeys(filter(_may_be_a_power, (*literals(link.left), *literals(link.right)))))
    if not 0 < len(written) <= MOST_NUMBERS or "^" in link.span:
        return False
    # a number that stands twice is the same power both times
    choices = itertools.product(*([number, *_powers(number)] for number in written))
    for choice in itertools.islice(choices, 1, MOST_READINGS):
        powers = {number: power for number, power in zip(written, choice, strict=True) if power is not number}
        if _is_alone(link, powers):
            continue
        if _is_true(_raised(link.left, powers), _raised(link.right, powers)):
            return True
    return False


def _lost_an_exponent_behind_a_bracket(link: Link) -> bool:
    """π(5)2 = 25π, and (4/3)π(3)3 = 36π: nobody writes a factor of one digit there."""
    raised = _BEHIND_BRACKET.sub(r")^\1", link.span)
    return raised != link.span and reads_true(raised, link.assumed)


def _is_alone(link: Link, powers: dict[Num, Tree]) -> bool:
    """25 + 19 = 51 is no 2^5 + 19: one exponent alone is lost beside its base (402 + 40) or beside a product."""
    bases, exponents = (
        [bare_number(power.args[at]) for power in powers.values() if isinstance(power, Node)] for at in (0, 1)
    )
    if len(powers) > 1:
        # two that share neither base nor exponent make any sum true: -16^2 + 2^7 = -128
        return len(powers) == 2 and bases[0] != bases[1] and exponents[0] != exponents[1]
    (number,), base = powers, bases[0]
    others = {literal.value for literal in (*literals(link.left), *literals(link.right)) if literal != number}
    sides = (link.left, link.right), (link.right, link.left)
    is_product = any(a == number and isinstance(b, Node) and b.op == "*" for a, b in sides)
    return not is_product and (base is None or base.value < _TEN or base.value not in others)


def _may_be_a_power(number: Num) -> bool:
    is_plain = not (number.decimals or number.percent or number.money or number.unit)
    return is_plain and number.value.denominator == 1 and _TEN < abs(number.value) < _LARGEST_POWER


def _powers(number: Num) -> Iterator[Tree]:
    """216 as 2^16 and 21^6."""
    digits = str(number.value)
    for place in range(1, len(digits)):
        base, exponent = digits[:place], digits[place:]
        if int(base) > 1 and exponent[0] != "0" and 1 < int(exponent) <= LARGEST_EXPONENT:
            yield Node("^", (Num(Fraction(base)), Num(Fraction(exponent))))


def _raised(tree: Tree, powers: dict[Num, Tree]) -> Tree:
    if isinstance(tree, Num):
        return powers.get(tree, tree)
    return Node(tree.op, tuple(_raised(arg, powers) for arg in tree.args)) if isinstance(tree, Node) else tree


def _raises_to_a_fraction(link: Link) -> bool:
    """16^1/2 = 4 and e^-1/2 = 0.607: what stands behind the power sign is one fraction."""
    left, right = _with_fractions_raised(link.left), _with_fractions_raised(link.right)
    pairs = ((left, link.right), (link.left, right), (left, right))
    return (left != link.left or right != link.right) and any(link.agrees(one, other) for one, other in pairs)


def _with_fractions_raised(tree: Tree) -> Tree:
    """(a^b)/c becomes a^(b/c) wherever b and c are whole numbers and b/c is none."""
    if not isinstance(tree, Node):
        return tree
    args = tuple(_with_fractions_raised(arg) for arg in tree.args)
    power = args[0]
    if tree.op == "/" and isinstance(power, Node) and power.op in ("^", "exp"):
        above, below = power.args[-1], args[1]
        if _is_whole_beside(above, below):
            return Node(power.op, (*power.args[:-1], Node("/", (above, below))))
    return Node(tree.op, args)


def _is_whole_beside(above: Tree, below: Tree) -> bool:
    is_turned = isinstance(above, Node) and above.op == "neg"
    top, bottom = bare_number(above.args[0] if isinstance(above, Node) and is_turned else above), bare_number(below)
    if top is None or bottom is None or not bottom.value or bottom.percent or bottom.unit:
        return False
    return top.value.denominator == bottom.value.denominator == 1 and (top.value / bottom.value).denominator > 1


def _lost_its_binomials(link: Link) -> bool:
    r"""\left(\frac{14}{4}\right) = 1001: one number over another, and no bar between them."""
    left, right = _as_choices(link.left), _as_choices(link.right)
    pairs = ((left, link.right), (link.left, right), (left, right))
    return (left != link.left or right != link.right) and any(_is_true(one, other) for one, other in pairs)


def _as_choices(tree: Tree) -> Tree:
    if not isinstance(tree, Node):
        return tree
    args = tuple(_as_choices(arg) for arg in tree.args)
    top, bottom = (bare_number(arg) for arg in args) if tree.op == "/" else (None, None)
    is_choice = top is not None and bottom is not None and _may_choose(top, bottom)
    return Node("binom" if is_choice else tree.op, args)


def _may_choose(top: Num, bottom: Num) -> bool:
    is_whole = top.value.denominator == bottom.value.denominator == 1
    return is_whole and 1 < bottom.value < top.value <= _LARGEST_CHOICE


def _tells_its_last_digit(link: Link) -> bool:
    """85 * 13 = 5: the last digit of a product."""
    value, digit = link.judgement.left, bare_number(link.right)
    if not isinstance(value, Fraction) or digit is None or value.denominator != 1 or digit.unit or digit.money:
        return False
    return value >= _FEWEST_FOR_A_DIGIT and value % _TEN == digit.value


def _sets_its_commas_as_text(link: Link) -> bool:
    r"""10\text{,}241: the comma of a number was set as words."""
    text = link.passage.text
    return bool(_COMMA_IN_TEXT.search(text, max(0, link.left_side.start - 12), link.right_side.end + 12))


def _takes_the_log_of_a_product(link: Link) -> bool:
    """log_2 8 * 4 = log_2 32: without a bracket the argument may go on."""
    if not _OPEN_LOG.search(link.span):
        return False
    left, right = _with_long_arguments(link.left), _with_long_arguments(link.right)
    return any(_is_true(*pair) for pair in ((left, link.right), (link.left, right), (left, right)) if pair != link.pair)


def _with_long_arguments(tree: Tree) -> Tree:
    if not isinstance(tree, Node):
        return tree
    args = tuple(map(_with_long_arguments, tree.args))
    first = args[0] if args else None
    if tree.op == "*" and isinstance(first, Node) and first.op in ("log", "ln", "lg"):
        return Node(first.op, (Node("*", (first.args[0], args[1])), *first.args[1:]))
    return Node(tree.op, args)


def _is_true(left: Tree, right: Tree) -> bool:
    return compare(left=left, right=right, relation="=").state == HOLDS


FALLEN_READINGS: dict[str, Callable[[Link], bool]] = {
    "exponents on the line": _lost_its_exponents,
    "an exponent behind a bracket": _lost_an_exponent_behind_a_bracket,
    "a fraction above the line": _raises_to_a_fraction,
    "binomials on the line": _lost_its_binomials,
    "a last digit": _tells_its_last_digit,
    "commas set as text": _sets_its_commas_as_text,
    "the logarithm of a product": _takes_the_log_of_a_product,
}
