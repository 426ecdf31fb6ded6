r"""Second readings of what a keyboard makes of mathematics: brackets, commas, dashes and fraction bars that were lost.

"14 / 1 / 4 = 56" divides by a quarter, "(48,36) = 12" is a pair, "5!=120" a factorial and no inequality. As in
second_readings.py each reading is a way of writing that people share, and only what holds under it is let go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.tree import Node, Num, Tree, bare_number
from auditing.checker.reading.links import Link, reads_true

_NUMBER = r"\d{1,12}(?:\.\d{1,12})?"
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3}){1,4}")
# (48,360), and gcd(48,360): a comma between two numbers, and no thousands
_PAIR = re.compile(
    r"(?:\b(?:gcd|lcm|hcf|gcf|max|min)\W{0,3}|(?<![\w)])(?:\\left\s?)?[\[(])\s?\d{1,3}(?:,\d{3}){1,3}\s?(?:\\right\s?)?"
    # in (6,400,000 - 6,000) the number goes on behind the comma
    r"(?:[\])]|,(?!\d{3}(?!\d)))",
    re.I,
)
_SQUARE = re.compile(r"(?:\\left\s?)?\[")
_SQUARE_END = re.compile(r"(?:\\right\s?)?\]")
_FRACTIONAL_PART = re.compile(r"\\left\s?\\?\{")
_REPEATING = re.compile(r"(\d{1,9})\.(\d{0,9})\((\d{1,9})\)")
_NAMED_FACTOR = re.compile(r"\d\(([A-Za-z][A-Za-z ]{2,60})\)")
_RANGE = re.compile(rf"({_NUMBER})\s?[-–]\s?({_NUMBER})")
_POINTS = re.compile(r"\s?\+?\d{1,3}\s?points?\b|\s?\+\d")
_MILITARY = re.compile(r"(?<![\d.,])0\d{3}(?![\d.,])")
# 6/-1 divides
_RUPEES = re.compile(r"\d\s?/-(?!\d)")
_EQUATION_NUMBER = re.compile(r"(?:\.{2,6}|…)\s?[-–—]{0,3}\s?\(?\d{1,2}\)?$")
_DASHES = re.compile(r"(?<=[\d)\s])--+(?=[\d(\s])")
_TEXT_BRACKET = re.compile(r"\\text\s?\{(?:\(|[^{}()]{0,40}\)\s?\})|\(\s?\\text\s?\{[A-Za-z ]{3,40}\}\s?\)\s?\^")
_LEFT_TO_RIGHT = re.compile(
    r"\b(?:ignor\w{1,3}|without|regardless of|disregard\w{0,3}|forget\w{0,4}) (?:the |any |operator |usual ){0,2}"
    r"(?:precedence|orders? of (?:the )?operations?|pemdas|bodmas)\b|\bleft[- ]to[- ]right would\b",
    re.I,
)
_SIGNS = frozenset("+-*/")
_TEN = re.compile(r"\de[+-]\d")
_LETTER_E = re.compile(r"(?<![\w.])\d{1,9}e(?![\w+-])")
_CYCLES = re.compile(r"(?:\(\d{2,9}\)){2,9}\s?=\s?(?:\(\d{2,9}\)){1,9}")
_CYCLE = re.compile(r"\d{2,9}")
_LONGEST = 300
_FEWEST_FACTORS = 3


def _is_not_equal(link: Link) -> bool:
    """5!=100 says that 5 is not 100; as a factorial it is judged where it holds."""
    end = link.left_side.end
    return link.relation == "=" and link.passage.text[end - 1 : end + 1] == "!="


def _divides_by_a_fraction(link: Link) -> bool:
    """14 / 1 / 4 = 56 and 60 / 3/4 = 80: what is divided by is a fraction."""
    left, right = _inverted(link.left), _inverted(link.right)
    return (left != link.left or right != link.right) and link.agrees(left, right)


def _inverted(tree: Tree) -> Tree:
    """a / b / c becomes a / (b / c) wherever b / c is a proper fraction of whole numbers."""
    if not isinstance(tree, Node):
        return tree
    args = tuple(_inverted(arg) for arg in tree.args)
    top = args[0]
    if tree.op == "/" and isinstance(top, Node) and top.op == "/" and _is_proper(top.args[1], args[1]):
        return Node("/", (top.args[0], Node("/", (top.args[1], args[1]))))
    return Node(tree.op, args)


def _is_proper(top: Tree, bottom: Tree) -> bool:
    a, b = bare_number(top), bare_number(bottom)
    if a is None or b is None or a.percent or b.percent:
        return False
    return a.value.denominator == b.value.denominator == 1 and 0 < a.value < b.value


def _divides_by_a_falling_product(link: Link) -> bool:
    """6*5*4 / 3*2*1 = 20: all that stands behind the bar is below it."""
    left, right = _below_the_bar(link.left), _below_the_bar(link.right)
    return (left != link.left or right != link.right) and link.agrees(left, right)


def _below_the_bar(tree: Tree) -> Tree:
    """a / 3 * 2 * 1 becomes a / (3 * 2 * 1) where the factors fall by one down to one, or all are factorials."""
    factors: list[Tree] = []
    rest = tree
    while isinstance(rest, Node) and rest.op == "*":
        factors.append(rest.args[1])
        rest = rest.args[0]
    if not (isinstance(rest, Node) and rest.op == "/"):
        return tree
    factors.append(rest.args[1])
    numbers = [number.value if number is not None else None for number in map(bare_number, factors)]
    falls = len(factors) >= _FEWEST_FACTORS and numbers == [Fraction(n + 1) for n in range(len(factors))]
    if not falls and not (len(factors) > 1 and all(map(_is_factorial, (*factors, rest.args[0])))):
        return tree
    below: Tree = factors[-1]
    for factor in reversed(factors[:-1]):
        below = Node("*", (below, factor))
    return Node("/", (rest.args[0], below))


def _is_factorial(tree: Tree) -> bool:
    return isinstance(tree, Node) and tree.op == "!"


def _was_copied_twice(link: Link) -> bool:
    """4*5=20=18+24*5=20=18+2: a formula that stands twice, with nothing between."""
    text = link.passage.text
    start, end = link.chain.sides[0].start, link.chain.sides[-1].end
    span = text[start:end].strip()
    half = len(span) // 2
    return len(span) <= _LONGEST and len(span) % 2 == 0 and "=" in span[:half] and span[:half] == span[half:]


def _brackets_stand_in_text(link: Link) -> bool:
    r"""\text{(°F} - 32\text{)}, and \pi(\text{radius})^2: a bracket, or an unknown, that was set as words."""
    return bool(_TEXT_BRACKET.search(link.text))


def _counts_with_the_letter_e(link: Link) -> bool:
    """2d = 17e - 8 beside 13e: e is an unknown there, and no power of ten."""
    return bool(_TEN.search(link.text) and _LETTER_E.search(link.passage.text))


def _dashes_mean_minus(link: Link) -> bool:
    """47 -- 12 = 35: the dash of a typesetter; and what stands behind it may be a remark."""
    span = link.span
    if len(span) > _LONGEST or not _DASHES.search(span):
        return False
    before_dash = _DASHES.split(span)[0]
    return reads_true(_DASHES.sub("-", span), link.assumed) or (
        "=" in before_dash and reads_true(before_dash, link.assumed)
    )


def _holds_a_pair(link: Link) -> bool:
    """(192,120) = 24 and gcd(840,440) = 40: no number with a comma in it."""
    start = max(0, link.left_side.start - 8)
    return bool(_PAIR.search(link.passage.text[start : link.right_side.end + 1]))


def _lists_numbers(link: Link) -> bool:
    """29*30/2 = 435,440 = 435+5: the comma stands between two equations."""
    left, right = (link.passage.text[side.start : side.end].strip() for side in (link.left_side, link.right_side))
    is_middle = link.index + 1 < len(link.chain.relations)
    if is_middle and _GROUPED.fullmatch(right):
        return link.agrees(link.left, Num(Fraction(right.split(",")[0])))
    if link.index and _GROUPED.fullmatch(left):
        return link.agrees(Num(Fraction(left.split(",")[-1])), link.right)
    return False


def _cuts_off_in_square_brackets(link: Link) -> bool:
    """[200/7] + 1 = 29: the whole part, as Gauss wrote it; {x} is what it leaves."""
    text = link.text
    if len(text) > _LONGEST:
        return False
    if _FRACTIONAL_PART.search(link.passage.text[max(0, link.left_side.start - 8) : link.right_side.end]):
        return True
    if "[" not in text or "]" not in text:
        return False
    whole_parts = _SQUARE_END.sub(r" \\rfloor ", _SQUARE.sub(r" \\lfloor ", text))
    return reads_true(rf"\({whole_parts}\)", link.assumed)


def _repeats_digits(link: Link) -> bool:
    """1/6 = 0.1(6): the digits in brackets repeat for ever."""
    match = _REPEATING.fullmatch(link.passage.text[link.right_side.start : link.right_side.end].strip())
    if match is None:
        return False
    fixed, repeated = match[2], match[3]
    once = Fraction(int(match[1] + fixed + repeated) - int(match[1] + fixed))
    return link.agrees(link.left, Num(once / (10 ** len(fixed) * (10 ** len(repeated) - 1))))


def _has_a_named_factor(link: Link) -> bool:
    """.1(number of hours) + 1 = .15(number of hours): an unknown with a name."""
    names = _NAMED_FACTOR.findall(link.passage.text[link.left_side.start : link.right_side.end + 80])
    return len(set(names)) < len(names)


def _gives_points(link: Link) -> bool:
    """65-74 = +5 points: a range and what it is worth."""
    ends = _RANGE.match(link.passage.text[link.left_side.start : link.left_side.end].strip(" ("))
    if ends is None or Fraction(ends[1]) >= Fraction(ends[2]):
        return False
    return bool(
        _POINTS.match(link.passage.text, link.left_side.end + 1)
        or _POINTS.match(link.passage.text, link.right_side.start)
    )


def _tells_military_time(link: Link) -> bool:
    """0900 - 0130 = 0730: hours and minutes without a colon."""
    return len(_MILITARY.findall(link.span)) > 1


def _numbers_the_equation(link: Link) -> bool:
    """100/18 = 5.5...-(1): behind the dash stands the number of the equation."""
    match = _EQUATION_NUMBER.search(link.text) if len(link.text) < _LONGEST else None
    return match is not None and reads_true(f"{link.text[: match.start()]}...", link.assumed)


def _writes_rupees(link: Link) -> bool:
    """2/- each: a price, and no division."""
    return bool(_RUPEES.search(link.passage.text[link.left_side.start : link.right_side.end + 3]))


def _multiplies_cycles(link: Link) -> bool:
    """(12)(13) = (132): permutations, for nobody puts a product in brackets."""
    match = _CYCLES.fullmatch(link.text.strip())
    return match is not None and all(len(set(cycle)) == len(cycle) for cycle in _CYCLE.findall(match[0]))


def _joins_two_computations(link: Link) -> bool:
    """5 * $2 = $10 + 3 * $1 = $3: a plus between two computations, each with its own result."""
    if not link.index or not isinstance(link.left, Node) or link.left.op != "+":
        return False
    first, second = link.left.args
    before = link.chain.value(link.index - 1)
    return before is not None and before == value_of(first) and link.agrees(second, link.right)


def _goes_from_left_to_right(link: Link) -> bool:
    """Ignoring precedence 3 + 4 * 2 = 14: the text says that no product goes first."""
    start, end = link.left_side.start, link.right_side.end
    if not _LEFT_TO_RIGHT.search(link.passage.text[max(0, start - 120) : end + 120]):
        return False
    operands = _operands(link.left)
    if len(operands) > _LONGEST:
        return False
    total = operands[0][1]
    for sign, operand in operands[1:]:
        total = Node(sign, (total, operand))
    return link.agrees(total, link.right)


def _operands(tree: Tree) -> list[tuple[str, Tree]]:
    """The operands of a line without brackets in order, each with the sign before it."""
    if not (isinstance(tree, Node) and tree.op in _SIGNS and len(tree.args) == 2):
        return [("", tree)]
    (_, first), *later = _operands(tree.args[1])
    return [*_operands(tree.args[0]), (tree.op, first), *later]


def _takes_a_share(link: Link) -> bool:
    """45/300 = 15% of 300: the share, and what it is one of."""
    right = link.right
    share = right.args[0] if isinstance(right, Node) and right.op == "*" else None
    is_said = " of " in link.passage.text[link.right_side.start : link.right_side.end]
    return is_said and isinstance(share, Num) and share.percent and link.agrees(link.left, share)


TYPED_READINGS: dict[str, Callable[[Link], bool]] = {
    "not equal": _is_not_equal,
    "divided by a fraction": _divides_by_a_fraction,
    "all that stands behind the bar": _divides_by_a_falling_product,
    "a formula copied twice": _was_copied_twice,
    "brackets set as text": _brackets_stand_in_text,
    "the letter e": _counts_with_the_letter_e,
    "a typesetter's dash": _dashes_mean_minus,
    "a pair of numbers": _holds_a_pair,
    "a list of numbers": _lists_numbers,
    "whole parts": _cuts_off_in_square_brackets,
    "digits that repeat": _repeats_digits,
    "a factor with a name": _has_a_named_factor,
    "a range and its points": _gives_points,
    "times without a colon": _tells_military_time,
    "the number of an equation": _numbers_the_equation,
    "a price in rupees": _writes_rupees,
    "a share of something": _takes_a_share,
    "a product of cycles": _multiplies_cycles,
    "two computations joined by a plus": _joins_two_computations,
    "from left to right": _goes_from_left_to_right,
}
