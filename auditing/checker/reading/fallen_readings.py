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
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number
from auditing.checker.reading.links import Link, reads_true

_WHOLE = re.compile(r"(?<![\d.,^{_$\\])(?<!\^ )\d{2,4}(?![\d.,!%])")
_COMMA_IN_TEXT = re.compile(r"\d\s?\\text\s?\{\s?,")
# numbers of a line that may have lost an exponent, readings that are tried, and the largest exponent
MOST_NUMBERS, MOST_READINGS, LARGEST_EXPONENT = 6, 100, 30
_LONGEST = 200
# a statement about last digits is worth making of numbers that have more of them
_TEN, _FEWEST_FOR_A_DIGIT = 10, 100
_LARGEST_CHOICE = 100


def _lost_its_exponents(link: Link) -> bool:
    """28 = 22 + 23 + 24, and 216 - 1 = (28 + 1)(28 - 1)."""
    numbers = list(_WHOLE.finditer(link.span))
    if not 0 < len(numbers) <= MOST_NUMBERS or len(link.span) > _LONGEST or "^" in link.span or "." in link.span:
        return False
    # a number that stands twice is the same power both times
    written = list(dict.fromkeys(match[0] for match in numbers))
    choices = itertools.product(*([number, *_powers(number)] for number in written))
    for choice in itertools.islice(choices, 1, MOST_READINGS):
        if reads_true(_rewritten(link.span, dict(zip(written, choice, strict=True))), link.assumed):
            return True
    return False


def _rewritten(text: str, powers: dict[str, str]) -> str:
    return _WHOLE.sub(lambda match: powers[match[0]], text)


def _powers(number: str) -> Iterator[str]:
    """216 as 2^16 and 21^6."""
    for place in range(1, len(number)):
        base, exponent = number[:place], number[place:]
        if int(base) > 1 and exponent[0] != "0" and 1 < int(exponent) <= LARGEST_EXPONENT:
            yield f"{base}^{exponent}"


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


def _is_true(left: Tree, right: Tree) -> bool:
    return compare(left=left, right=right, relation="=").state == HOLDS


FALLEN_READINGS: dict[str, Callable[[Link], bool]] = {
    "exponents on the line": _lost_its_exponents,
    "binomials on the line": _lost_its_binomials,
    "a last digit": _tells_its_last_digit,
    "commas set as text": _sets_its_commas_as_text,
}
