r"""Second readings: what a link that fails as it is read may mean instead, so that it holds.

"3 * 4 = 12 + 5 = 17" is false twice as mathematics writes it and right as a pocket calculator is used. Each reading
here is a way of writing that people share; under it the relation is computed again, and only where it holds is the
refutation dropped. What holds under no reading stays refuted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import Judgement
from auditing.checker.mathematics.enclosure import as_range
from auditing.checker.mathematics.evaluate import Setting
from auditing.checker.mathematics.exactly.rounding import half_unit, is_power_of_ten
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, bare_number, literals, walk
from auditing.checker.reading.fallen_readings import FALLEN_READINGS
from auditing.checker.reading.links import Link, reads_true
from auditing.checker.reading.machine_readings import MACHINE_READINGS
from auditing.checker.reading.passages import Passage
from auditing.checker.reading.residues import bases_below, holds_in_one_of
from auditing.checker.reading.series_readings import SERIES_READINGS
from auditing.checker.reading.typed_readings import TYPED_READINGS
from auditing.checker.reading.worldly_readings import WORLDLY_READINGS

_ARCS = frozenset(("arcsin", "arccos", "arctan"))
_THOUSANDS = (1, 2, 3, 4)  # 10^3, 10^6, 10^9, 10^12
_BRACKETED = re.compile(r"(?<![\w)*/×^])\(\s*(\$?\s?\d[\d,]*(?:\.\d+)?)\s*\)(?![(\w^*/×]|\s*[(*/×^])")
_OTHER_BASE = re.compile(r"\b0[xXbBoO][0-9A-Fa-f]+\b|\b\d+_\{?\d|\b\d+b\b")
_JOINED = re.compile(r"\d[-–]\d{1,6}[-–]\d")
_COMMA_BEFORE = re.compile(r"\d,$")
_RADIX_WORDS = re.compile(
    r"\b(?:bitwise|boolean|xor|hex\w*|binary|octal|ternary|quaternary|clock|radix|u?int\d+\w*|overflow\w*|"
    r"wraps?(?: around)?|\d+-bit|b?floats?\d+|(?:single|half|double) precision|as strings|concatenat\w+)\b|"
    r"\b(?:units?|ones|last) digits?\b|\d\s?[&|]\s?\d(?![^\n]{0,200}\\end)",
    re.I,
)
_LEVEL = re.compile(r"\d\s?dB\w?\b")
# 12/31 - 12/25 = 6 days
_DATES = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2}(?:/\d{2,4})?\s?[-–−]\s?\d{1,2}/\d{1,2}(?:/\d{2,4})?\s?=")
_DAYS_AFTER = re.compile(r"\s*(?:calendar |business )?(?:days?|nights?|weeks?|months?)\b")
_LOST_MINUS, _LOST_POWER = re.compile(r"[x×*·]\s?10[-−–]\d"), re.compile(r"[x×*·]\s?10\d{1,2}(?!\d)")
_LARGEST_MANTISSA = 1000  # 400 * 10^-9 as an engineer writes it
_GOES_ON = re.compile(
    r"(?:(?!\b(?:and|or|so)\b)[A-Za-z ]){1,30}="
)  # another relation in the same sentence, behind words
_WORDS_AFTER = re.compile(r"\s*(?:\\?\)|\$)?\s*(?:[A-Za-zµμΩ°%\\]|€|£)")


def second_reading(*, passage: Passage, chain: Chain, index: int, judgement: Judgement, assumed: Setting) -> str:
    """The reading under which link `index` of a chain holds; empty when there is none."""
    left, right = chain.sides[index], chain.sides[index + 1]
    assert left.tree is not None
    assert right.tree is not None
    link = Link(passage, chain, index, judgement, assumed)
    for name, reading in _READINGS.items():
        if reading(link):
            return name
    return ""


def _runs_on(link: Link) -> bool:
    """3 * 4 = 12 + 5 = 17: each side goes on from the value of the one before it, as keys of a calculator do."""
    is_last = link.index + 1 >= len(link.chain.relations)
    if (is_last and not _GOES_ON.match(link.passage.text, link.right_side.end)) or _carries_an_operand_over(link):
        return False
    # The left side equals what the right one begins with: 3 * 4 = 12, and + 5 is what comes next.
    return any(link.agrees(link.left, beginning) for beginning in _beginnings(link.right))


def _carries_an_operand_over(link: Link) -> bool:
    """-7 - 8 + 4 = -11 + 4: the 4 was carried over, so the left side was meant to be replaced as a whole."""
    left, right = link.left, link.right
    # nobody puts brackets around what a calculator shows: (1 - 6 - 6) = (1 - 12) = (-11)
    if link.passage.text[link.right_side.start - 1 : link.right_side.end + 1].strip().startswith("("):
        return True
    if not (isinstance(left, Node) and isinstance(right, Node) and left.op == right.op and len(left.args) == 2):
        return False
    return any(link.agrees(a, b) for a, b in zip(left.args, right.args, strict=False))


def _beginnings(tree: Tree) -> Iterator[Tree]:
    """12 + 5 - 3 begins with 12 and with 12 + 5."""
    while isinstance(tree, Node) and len(tree.args) == 2 and tree.op in ("+", "-", "*", "/"):
        tree = tree.args[0]
        yield tree


def _adds_a_percentage(link: Link) -> bool:
    """$85 - 20% = $68: the percentage is one of what stands before it."""
    left, right = _marked_up(link.left), _marked_up(link.right)
    return (left != link.left or right != link.right) and link.agrees(left, right)


def _marked_up(tree: Tree) -> Tree:
    if not isinstance(tree, Node):
        return tree
    args = tuple(_marked_up(arg) for arg in tree.args)
    is_added = tree.op in ("+", "-") and len(args) == 2 and isinstance(args[1], Num) and args[1].percent
    if is_added and not any(number.percent for number in literals(args[0])):
        return Node("*", (args[0], Node(tree.op, (Num(Fraction(1)), args[1]))))
    return Node(tree.op, args)


def _counts_a_range(link: Link) -> bool:
    """Pages 12-18 = 7 pages: the dash joins the ends of a range, both of them counted or one."""
    left, number = link.left, bare_number(link.right)
    if number is None or not (isinstance(left, Node) and left.op == "-" and len(left.args) == 2):
        return False
    first, last = (bare_number(arg) for arg in left.args)
    is_glued = " " not in link.passage.text[link.left_side.start : link.left_side.end].strip()
    if first is None or last is None or not is_glued or last.value < first.value:
        return False
    # 3-4 = 3.5 on average
    is_middle = number.value * 2 == first.value + last.value
    return is_middle or number.value - (last.value - first.value) in (0, 1)


def _computes_both_ends(link: Link) -> bool:
    """2-3 times 5 = 10-15: what is said holds of either end of two ranges."""
    ends = [(_at_an_end(link.left, at), _at_an_end(link.right, at)) for at in (0, 1)]
    is_ranged = "-" in link.text.replace("–", "-") and ends[0][0] != link.left and ends[0][1] != link.right
    return is_ranged and ends[0] != ends[1] and all(link.agrees(*pair) for pair in ends)


def _joins_by_dashes(link: Link) -> bool:
    """3-4-5 triangle * 5 = 15-20-25: three numbers and more, joined on either side by what is no minus."""
    text = link.passage.text
    return all(_JOINED.search(text, side.start, side.end) for side in (link.left_side, link.right_side))


def _at_an_end(tree: Tree, at: int) -> Tree:
    """Every difference of a smaller and a larger number as one of the two."""
    if not isinstance(tree, Node):
        return tree
    numbers = [bare_number(arg) for arg in tree.args] if tree.op == "-" else []
    if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None and numbers[0].value < numbers[1].value:
        return tree.args[at]
    if tree.op == "-" and len(tree.args) == 2 and isinstance(tree.args[1], Node) and tree.args[1].op == "*":
        # 2-3 times 5 is read as 2 - 3 * 5
        first, (second, factor) = tree.args[0], tree.args[1].args
        if bare_number(first) is not None and bare_number(second) is not None:
            return Node("*", ((first, second)[at], factor))
    return Node(tree.op, tuple(_at_an_end(arg, at) for arg in tree.args))


def _in_degrees(link: Link) -> bool:
    """arctan(3/4) = 36.87, and 180° = pi: an angle is the same in degrees and in radians."""
    trees = (*walk(link.left), *walk(link.right))
    has_arc = any(isinstance(tree, Node) and tree.op in _ARCS for tree in trees)
    has_degrees = any(isinstance(tree, Node) and tree.op == "deg" for tree in trees)
    if not has_arc and not has_degrees:
        return False
    turn = Node("/", (Num(Fraction(180)), Sym("pi")))
    left, right = _without_degrees(link.left), _without_degrees(link.right)
    # Either side may be the one in degrees.
    return link.agrees(Node("*", (left, turn)), right) or link.agrees(left, Node("*", (right, turn)))


def _without_degrees(tree: Tree) -> Tree:
    return tree.args[0] if isinstance(tree, Node) and tree.op == "deg" else tree


def _changes_prefix(link: Link) -> bool:
    """3.3 V / 4096 = 0.806 mV: the sides differ by thousands, and a unit stands behind the number."""
    if not (_WORDS_AFTER.match(link.passage.text, link.right_side.end) or _has_units(link)):
        return False
    number = bare_number(link.right)
    if number is None or link.judgement.left is None or not number.value:
        return False
    x, half = as_range(link.judgement.left), half_unit(number)
    # "about 32 kHz" may be rounded to its last digit that is no zero
    for power in _THOUSANDS:
        for scale in (Fraction(1000**power), Fraction(1, 1000**power)):
            if x.high >= (number.value - half) * scale and x.low <= (number.value + half) * scale:
                return True
    return False


def _has_units(link: Link) -> bool:
    return any(number.unit for tree in (link.left, link.right) for number in literals(tree))


def _writes_negatives_in_brackets(link: Link) -> bool:
    """400 - 650 = (250), as accounts write a loss."""
    text = _BRACKETED.sub(r"(-\1)", link.text)
    return text != link.text and reads_true(text, link.assumed)


def _points_with_a_comma(link: Link) -> bool:
    """12,5 * 2 = 25 and 1.000 + 500 = 1.500: the comma is the decimal sign, the point groups thousands."""
    if _COMMA_BEFORE.search(link.passage.text[: link.left_side.start][-2:]):
        return True
    numbers = [number for tree in (link.left, link.right) for number in literals(tree)]
    if not any(number.decimals == 3 and abs(number.value) < 1000 for number in numbers):
        return False
    return link.agrees(_grouped(link.left), _grouped(link.right))


def _grouped(tree: Tree) -> Tree:
    if isinstance(tree, Num):
        is_group = tree.decimals == 3 and 1 <= abs(tree.value) < 1000
        return Num(tree.value * 1000, 0, tree.percent, tree.money, tree.unit) if is_group else tree
    return Node(tree.op, tuple(_grouped(arg) for arg in tree.args)) if isinstance(tree, Node) else tree


def _counts_in_another_base(link: Link) -> bool:
    """0x1F = 31, and 5 ^ 3 = 6 where the text speaks of bits; a clock counts in another base, too."""
    start = max(0, link.left_side.start - 3)
    if bases := bases_below(link):
        return holds_in_one_of(link, bases)
    nearby = link.passage.text[max(0, start - 80) : link.right_side.end + 40]
    return bool(_OTHER_BASE.search(link.passage.text[start : link.right_side.end]) or _RADIX_WORDS.search(nearby))


def _divides_by_a_mantissa(link: Link) -> bool:
    """5 * 10^3 / 2.5 * 10^2 = 20: a number in scientific notation is one number, though no brackets say so."""
    left, right = _joined(link.left), _joined(link.right)
    # 3 * 10^8 / 5 * 10^14 = 3 / 5 * 10^(-6): on the right the power belongs to the whole of it
    pairs = ((left, right), (left, link.right), (link.left, right))
    return any(pair != (link.left, link.right) and (link.agrees(*pair) or link.nearly_agrees(*pair)) for pair in pairs)


def _joined(tree: Tree) -> Tree:
    """a / m * 10^k becomes a / (m * 10^k) wherever m is the mantissa of such a number."""
    if not isinstance(tree, Node):
        return tree
    args = tuple(_joined(arg) for arg in tree.args)
    # 6 / 2 * 10^3 is read from the left by rule; by hand 2 * 10^3 is one number.
    if tree.op == "*" and len(args) == 2 and is_power_of_ten(args[1]):
        quotient = args[0]
        mantissa = bare_number(quotient.args[1]) if isinstance(quotient, Node) and quotient.op == "/" else None
        if isinstance(quotient, Node) and mantissa is not None and abs(mantissa.value) < _LARGEST_MANTISSA:
            return Node("/", (quotient.args[0], Node("*", (mantissa, args[1]))))
    return Node(tree.op, args)


def _takes_a_remainder_below_zero(link: Link) -> bool:
    """-7 % 3 = 2: the sign belongs to the number that is divided."""
    left = link.left
    if not (isinstance(left, Node) and left.op == "neg" and isinstance(left.args[0], Node)):
        return False
    inner = left.args[0]
    return inner.op == "mod" and link.agrees(Node("mod", (Node("neg", inner.args[:1]), inner.args[1])), link.right)


def _counts_days(link: Link) -> bool:
    """12/31 - 12/25 = 6 days: dates, and no fractions."""
    is_dated = bool(_DATES.search(link.passage.text, link.left_side.start, link.right_side.end))
    return is_dated and bool(_DAYS_AFTER.match(link.passage.text, link.right_side.end) or _has_units(link))


def _adds_levels(link: Link) -> bool:
    """50 dB + 50 dB = 53 dB: levels add as the powers that they stand for, and are rounded to whole ones."""
    return bool(_LEVEL.search(link.passage.text, link.left_side.start, link.right_side.end + 4))


def _has_lost_powers(link: Link) -> bool:
    """3.00x108 * 2.5x10-3: where one power has lost its sign, the 108 is a power, too."""
    start, end = link.left_side.start, link.right_side.end
    return bool(_LOST_MINUS.search(link.passage.text, start, end) and _LOST_POWER.search(link.passage.text, start, end))


def _tells_decimals_apart(link: Link) -> bool:
    """0.1 + 0.2 != 0.3 in a computer's decimals."""
    return link.relation == "!=" and any(number.decimals for number in literals(link.left))


_READINGS: dict[str, Callable[[Link], bool]] = {
    "goes on from the value before it": _runs_on,
    "a percentage of what stands before it": _adds_a_percentage,
    "a range": _counts_a_range,
    "numbers joined by dashes": _joins_by_dashes,
    "the ends of two ranges": _computes_both_ends,
    "an angle in degrees": _in_degrees,
    "a change of prefix": _changes_prefix,
    "a loss in brackets": _writes_negatives_in_brackets,
    "a decimal comma": _points_with_a_comma,
    "another base": _counts_in_another_base,
    "a number in scientific notation": _divides_by_a_mantissa,
    "a remainder of a negative number": _takes_a_remainder_below_zero,
    "days between two dates": _counts_days,
    "levels in decibels": _adds_levels,
    "powers of ten without their signs": _has_lost_powers,
    "a computer's decimals": _tells_decimals_apart,
    **TYPED_READINGS,
    **FALLEN_READINGS,
    **SERIES_READINGS,
    **MACHINE_READINGS,
    **WORLDLY_READINGS,
}
