"""Certainty: why a relation that is false under every reading may still be no error that anybody can be sure of.

What is named here lowers a refutation from certain to likely: it fails nobody by itself, and whoever judges the segment
is told. A reason is what the text is (a rounding, a name, a program, a supposition), never how one text happened to be
worded.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from fractions import Fraction

from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import Judgement
from auditing.checker.mathematics.enclosure import Range, Value, as_range
from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.exactly.rounding import half_unit
from auditing.checker.mathematics.tree import BINDING, Node, Num, Tree, bare_number, literals, operations_in, walk
from auditing.checker.mathematics.vocabulary import SCALES, any_of
from auditing.checker.reading.conversions import are_bare
from auditing.checker.reading.false_suppositions import follows_a_false_one
from auditing.checker.reading.passages import Passage

# a result off by less than this share may come from factors that were rounded on the way and are not written
NEAR = Fraction(1, 500)
# of a chain that goes on for longer no more sides are computed for each of its links
SIDES, SHORTEST = 12, 3
# halves to twelfths are parts of something
_LARGEST_PART, _TEN = 12, 10
_SIZES = re.compile(r"\d/\d{1,2}(?: [a-z]{1,12})?\s?=\s?\$?\d")
_SENTENCE_START = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!\bvs)[.!?]\s|\n")
# a clause with "if" supposes what follows it, up to the comma or "then" that ends it
_SUPPOSED = re.compile(
    # "were there 3 more" and "without the carry" suppose, "there were 3 more" and "without the drink it was" do not
    r"(?:\b(?:if|suppose|supposing|assuming|unless|imagine|pretend|world (?:where|in which)|"
    r"let[’']?s say|ignoring|forgetting|"
    r"without(?![^,;:]*\b(?:is|was|are|were|costs?|pays?|needs?|has|have|takes?|gets?)\b))"
    r"|(?:^|[,;:])\s*were)\b(?![^,;:]*(?:[,;:]|\bthen\b))",
    re.I,
)
# "= 35 if you add first"
_SUPPOSED_BEHIND = re.compile(r"[\s)\]$]{0,4}(?:only )?if (?:you|we|one|i)\b", re.I)
_SAID_BY_OTHERS = any_of(r"""
    claim* says said thinks? thought believ* argu* wrote
    would_(?:write|say|get|think|guess) might_(?:write|say|get|think|guess)
    assert* puzzle* riddle* some_write people_write error* slip naive* incorrect* wrong* mistak* misread* tempt*
    fallac* joke prints? printed (?:instead_of|rather_than)_\d+ typos? original_text
    if_(?:we|you|one|someone|they)_(?:forg[eo]t|ignored?|neglect|skip|misread|mistook)
    (?:might|may)_seem looks_like unlike would_give (?:you|one)(?:['’]d|_would|_might)_expect notes_(?:read|say)
    (?:poster|sign|shirt|banner|slogan|graffiti|headline|sticker)_(?:reads?|says)
    under_(?:the|this)_operation freshman['’]s straight_across
    student(?:['’]s)?_(?:answer|work|result|solution|response|computation|calculation)
""")
_MEANT_OTHERWISE = re.compile(r"[^.;\n=]{0,30}\b(?:jok(?:es?|ingly)|puns?|for (?:very )?large values of)\b", re.I)
SUPPOSITION = "a supposition"
# 3 million: the words were never measured on labelled steps
_SCALED = any_of(" ".join(SCALES))
_ARRANGED = any_of("permut* arrang* order* way ways choos* pick* factorial*")
_NAME_IN_NUMBER = re.compile(r"\d[A-Z][a-z]{3,}")
_PROGRAM = re.compile(
    r"^\s*(?:def |for |while |if .*:$|import |from \w+ import|return\b|print\(|assert |let |const |var |int |float |"
    r"SELECT\b|\$ |>>> )|[+\-*/]=|;\s*$|//|\b(?!log|ln|exp|sin|cos|tan|sqrt)[A-Za-z_]\w*\[\d|"
    r"\bnp\.|\bdf\.|\"\s*\+|'\s*[+*]",
    re.M,
)


def uncertainty(*, passage: Passage, chain: Chain, index: int, judgement: Judgement) -> str:
    """Why the failing link `index` of a chain is likely false at most; empty when it is certainly so."""
    left, right = chain.sides[index].tree, chain.sides[index + 1].tree
    assert left is not None
    assert right is not None
    span = passage.text[chain.sides[index].start : chain.sides[index + 1].end]
    return (
        _about_rounding(left, right, judgement)
        or ("a result in another unit" if _changes_unit(left, right, judgement) else "")
        or _about_names(left, right, span, passage.text[max(0, chain.start - 120) : chain.end + 120])
        or ("a word of scale" if _SCALED.search(span) else "")
        or ("a sign that has not been measured yet" if _holds_a_big_sign(left, right) else "")
        or ("a name or an arrangement" if _may_be_named(passage.text, left, right) else "")
        or _about_the_claim(passage, chain, index)
        or ("a number and its percentage" if are_bare(left, right) else "")
        or ("a slip between two equal sides" if _comes_back(chain, index, judgement) else "")
    )


def _comes_back(chain: Chain, index: int, judgement: Judgement) -> bool:
    """4080 + 4080/2 = 4000 + 2040 = 6120: the sides around the one that is off are equal, so it was written wrongly."""
    if len(chain.sides) < SHORTEST or not set(chain.relations) <= {"=", "≈"}:
        return False
    after = map(chain.value, range(index + 2, min(index + 2 + SIDES, len(chain.sides))))
    before = map(chain.value, range(max(0, index - SIDES), index))
    return _holds(judgement.left, after) or _holds(judgement.right, before)


def _holds(value: Value | None, others: Iterable[Fraction | None]) -> bool:
    return isinstance(value, Fraction) and value in others


def _holds_a_big_sign(*trees: Tree) -> bool:
    """Sums over an index, products and limits: right in our own tests, and met in no labelled set so far."""
    unmeasured = BINDING - {"integral"}
    return any(isinstance(subtree, Node) and subtree.op in unmeasured for tree in trees for subtree in walk(tree))


def _may_be_named(text: str, left: Tree, right: Tree) -> bool:
    """9P2 + 45: nine times a price P2, or the arrangements of two of nine, of which the text would speak."""
    is_whole = isinstance(left, Node) and left.op == "perm"
    is_inside = "perm" in operations_in(right) or ("perm" in operations_in(left) and not is_whole)
    return is_inside and not _ARRANGED.search(text)


def _about_the_claim(passage: Passage, chain: Chain, index: int) -> str:
    doubt = about_the_text(passage, chain.start, chain.sides[index + 1].end)
    # "if it falls evenly, it is 450 - 27 * 12 ≈ 337": one may suppose that things are equal, never that they nearly are
    return "" if doubt == SUPPOSITION and chain.relations[index] == "≈" else doubt


def _about_rounding(left: Tree, right: Tree, judgement: Judgement) -> str:
    number = bare_number(right)
    if judgement.left is None or judgement.right is None:
        return ""
    x, y = as_range(judgement.left), as_range(judgement.right)
    size = max(abs(x.low), abs(x.high))
    # an exact value that could have been written as it is was not rounded: 17 * 23 = 392 is no near miss
    if number is not None and not _is_written_exactly(number, judgement):
        if abs(x.low - y.low) <= NEAR * size and not _is_one_division(left, number, x.low - y.low):
            return "within a rounding on the way"
        if number.value.denominator == 1 and not number.percent and x.high < number.value < x.low + 1:
            return "rounded up to a whole number"
        if _is_rounded_to_tens(number, x):
            return "rounded to tens or hundreds"
    # between two whole numbers nothing can have been rounded
    is_whole = all(
        isinstance(value, Fraction) and value.denominator == 1 for value in (judgement.left, judgement.right)
    )
    if number is None and not is_whole and abs(x.low - y.low) <= NEAR / 2 * size:
        return "within a rounding on the way"
    return ""


def _is_rounded_to_tens(number: Num, x: Range) -> bool:
    """1200/7 = 170: what is no whole number, with two figures that count; 17 * 23 = 390 is none."""
    digits = str(abs(number.value.numerator))
    zeros = len(digits) - len(digits.rstrip("0"))
    if number.value.denominator > 1 or not zeros or len(digits) - zeros < 2 or number.money:
        return False
    return not (x.low == x.high and x.low.denominator == 1) and abs(x.low - number.value) <= Fraction(10**zeros, 2)


def _is_one_division(left: Tree, number: Num, gap: Fraction) -> bool:
    """1023/512 = 1.9999995: on the way there is nothing but whole numbers, and more than the last digit is off."""
    if not isinstance(left, Node) or left.op != "/" or number.decimals < 2 or abs(gap) < 6 * half_unit(number):
        return False
    values = [value_of(arg) for arg in left.args]
    is_whole = all(value is not None and value.denominator == 1 for value in values)
    return is_whole and not any(literal.decimals or literal.percent for literal in literals(left))


def _is_written_exactly(number: Num, judgement: Judgement) -> bool:
    """Whether the computed value has no more digits than the number that is written for it."""
    if isinstance(judgement.left, Range) or judgement.left is None:
        return False
    return (judgement.left / (2 * half_unit(number))).denominator == 1


# how many of another unit make one of these, or one of these another; no unit stands for every factor
_TIMES = (2, 3, 4, 7, 12, 24, 30, 52, 60, 168, 365, 1440, 3600, 10080, 86400)
_LENGTHS = (3, 9, 12, 36, 144, 1760, 5280)
_FACTORS = {
    **dict.fromkeys(("second", "minute", "hour", "day", "week", "month", "year", "hr", "min", "sec"), _TIMES),
    **dict.fromkeys(("decade", "century"), (10, 100)),
    **dict.fromkeys(("inch", "inche", "foot", "feet", "ft", "yard", "mile"), _LENGTHS),
    **dict.fromkeys(("mm", "cm", "m", "km", "meter"), (10, 100, 1000)),
    **dict.fromkeys(("g", "gram", "kg", "kilogram"), (1000,)),
    **dict.fromkeys(("ounce", "oz", "pound", "lb"), (16,)),
    **dict.fromkeys(("cup", "pint"), (2, 4, 8, 16)),
    **dict.fromkeys(("quart", "gallon"), (4, 8, 16, 32, 128)),
    **dict.fromkeys(("l", "liter", "ml"), (10, 100, 1000)),
    **dict.fromkeys(("cent", "quarter", "dime", "nickel", "penny", "pennie"), (4, 5, 10, 20, 25, 100)),
    "dozen": (12,),
}


def _changes_unit(left: Tree, right: Tree, judgement: Judgement) -> bool:
    """4 * 15 = 1 hour: the result may stand in a larger unit than its factors, which name none."""
    # 24 hours - 19 hours = 15 hours adds up hours
    if isinstance(left, Node) and left.op in ("+", "-") and _units(left) == _units(right):
        return False
    x, y = judgement.left, judgement.right
    if not isinstance(x, Fraction) or not isinstance(y, Fraction) or not x or not y:
        return False
    # 10 * 10 = 1 box, and 1 team + 1 team = 1 match: what is made up of others may have any name
    is_made_up = isinstance(left, Node) and left.op in ("+", "*") and bool(_units(right) - _units(left))
    if y == 1 and _units(right) and (x in (10, 100, 1000) or is_made_up):
        return True
    factors = {factor for word in _units(right) for factor in _FACTORS.get(word.rstrip("s."), ())}
    return x / y in factors or y / x in factors


def _about_names(left: Tree, right: Tree, span: str, near: str) -> str:
    if _NAME_IN_NUMBER.search(span):
        return "a name stands directly behind a number"
    left_units, right_units = _units(left), _units(right)
    if isinstance(right, Node) and left_units and right_units and not left_units & right_units:
        return "the sides count different things"
    if isinstance(left, Node) and left.op in ("+", "-"):
        kinds = {frozenset(number.unit.split()) for number in literals(left) if number.unit}
        # "2 adults + 3 kids = 2 * 12 + 3 * 8": prices of things, not their number
        if isinstance(right, Node) and len(kinds) > 1 and not frozenset.intersection(*kinds):
            return "a sum of different things"
        # "4.50% + 25 bps"
        if any(_is_mixed(tree) for tree in walk(left)):
            return "a percentage and a number in one sum"
    return _about_shares(left, right, left_units, near)


def _about_shares(left: Tree, right: Tree, left_units: frozenset[str], near: str) -> str:
    # "1/4 = 2 slices": a quarter of something is two slices
    is_share = isinstance(left, Node) and left.op == "/" and is_below_one(left)
    number, is_number = bare_number(right), bare_number(left) is not None
    is_size = is_share and not left_units and number is not None and bool(number.unit) and not number.percent
    is_told = bool(left_units) or len(_SIZES.findall(near)) > 1
    if is_size or (number is not None and is_told and _has_a_size(left, number)):
        return "a share of something that is not written"
    # "90 days = 90/365 years": one quantity in two units; a density of 0.5 = 4 × 10^8 cells
    is_other = is_number and (bool(left_units) or _is_of_another_size(left, right))
    return "a quantity in another unit" if is_other else ""


def _has_a_size(left: Tree, number: Num) -> bool:
    """1/4 = 15, so 4/4 = 60: quarters of a whole that has 60 parts; 12/60 = 5 was divided the wrong way round."""
    a, b = (bare_number(arg) for arg in left.args) if isinstance(left, Node) and left.op == "/" else (None, None)
    if a is None or b is None or not 0 < a.value <= b.value <= _LARGEST_PART or a.value.denominator > 1:
        return False
    is_size = number.value.denominator == 1 and number.value > 1 and not number.percent
    return is_size and number.value != b.value / a.value


def _is_of_another_size(left: Tree, right: Tree) -> bool:
    """4 * 10^8 beside 0.5: more than a slip in the exponent, which would leave the digits as they are."""
    if not isinstance(right, Node) or right.op != "*" or bare_number(right.args[0]) is None:
        return False
    power, values = right.args[1], [value_of(left), value_of(right)]
    base = bare_number(power.args[0]) if isinstance(power, Node) and power.op == "^" else None
    if base is None or base.value != _TEN or not values[0] or not values[1]:
        return False
    ratio = abs(values[1] / values[0])
    digits = str(ratio.numerator * ratio.denominator).rstrip("0")
    return digits != "1" and max(ratio, 1 / ratio) > _TEN**4


def is_below_one(tree: Tree) -> bool:
    """2/3, and not 3/2."""
    is_share = isinstance(tree, Node) and tree.op == "/"
    a, b = (bare_number(arg) for arg in tree.args) if isinstance(tree, Node) and is_share else (None, None)
    return a is not None and b is not None and abs(a.value) < abs(b.value)


def _is_mixed(tree: Tree) -> bool:
    if not isinstance(tree, Node) or tree.op not in ("+", "-") or len(tree.args) != 2:
        return False
    a, b = (bare_number(arg) for arg in tree.args)
    return a is not None and b is not None and a.percent != b.percent


def _units(tree: Tree) -> frozenset[str]:
    return frozenset(word.rstrip("s") for number in literals(tree) for word in number.unit.split())


def about_the_text(passage: Passage, start: int, end: int) -> str:
    head = passage.text[max(0, start - 200) : start]
    sentence = _SENTENCE_START.split(head)[-1]
    if _SUPPOSED.search(sentence) or _SUPPOSED_BEHIND.match(passage.text, end):
        return SUPPOSITION
    if _SAID_BY_OTHERS.search(sentence) or _MEANT_OTHERWISE.match(passage.text, end):
        return "said of somebody else, or not claimed"
    if follows_a_false_one(passage.text, start):
        return "follows from what is supposed"
    return "a line of a program" if is_program(text=passage.text, start=start, end=end) else ""


def is_program(*, text: str, start: int, end: int) -> bool:
    """Whether text[start:end] stands in a fenced block or a line of code, where "=" assigns and "/" may cut off."""
    if text.count("```", 0, start) % 2 == 1:
        return True
    line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    # between two ticks stands code, too
    if text.count("`", line_start, start) % 2 == 1:
        return True
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    return _is_code(line[:2000])


@functools.lru_cache(maxsize=64)
def _is_code(line: str) -> bool:
    # every link of a long line asks the same
    return bool(_PROGRAM.search(line))
