"""Checker: the same left side on two lines, where the second has fewer numbers and cannot be the first one computed.

"d = sqrt(1 + 1 + 16 + 9)" and below it "d = sqrt(33)": one equality split over two lines. A number alone on the second
line is restatement's business; here something is left to compute on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from auditing.checker.checks.algebra.cases import opens_a_branch
from auditing.checker.checks.text.labels import CHANGES, is_later, label_of
from auditing.checker.checks.text.told_again import is_alternative, is_joined, is_told_otherwise, may_be_a_result
from auditing.checker.findings import Grade, Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import FAILS, Judgement, compare, shown
from auditing.checker.mathematics.enclosure import as_range
from auditing.checker.mathematics.evaluate import Setting, value_of
from auditing.checker.mathematics.tree import (
    Node,
    Tree,
    bare_number,
    free_symbols,
    is_finished,
    latex,
    literals,
    plain,
    walk,
)
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.certainty import NEAR, is_program
from auditing.checker.reading.lost_marks import true_with_brackets
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt, takes_back

NAME = "computed lines"
# values of one left side that are compared, literals of a line, and characters between two lines
MOST_LINES, MOST_NUMBERS = 8, 40
LONGEST_HEADING = 200
# nothing but the end of a line, or words that tell of computing and of nothing new
_MARKS = r"(?>[\s.:;$\\\[\]&]{0,40})"
_BREAK = re.compile(_MARKS + r"(?:(?:\\end|\\begin)\{[a-z*]{1,12}\})?" + _MARKS)
_COMPUTING = re.compile(
    r"(?:#{1,4} )?(?:step \d{1,3}[:.)]? )?(?:(?:first|now|then|next|finally),? )?(?:let[’']?s |we (?:can )?|to )?"
    r"(?:simplif|evaluat|calculat|comput|add|subtract|multiply|divid|combin|perform|squar|expand)"
    r"[^=.\d]{0,80}[:,]?(?: (?:we (?:get|have|find|obtain)|(?:this|which|it) gives(?: us)?))?[:,]?",
    re.I,
)
_COMPUTABLE = frozenset("+-*/^")


@dataclass(frozen=True, slots=True)
class Line:
    """A relation, with what it is about and the number of its passage."""

    name: str
    passage: Passage
    number: int
    chain: Chain


def check(script: Script) -> Iterator[Placed]:
    """Every two lines in a row about the same left side, of which neither has symbols on its right."""
    # 22 = 1 where remainders are counted
    if script.is_modular:
        return
    last: Line | None = None
    values_of: dict[str, list[Tree]] = {}
    for number, passage in enumerate(script.passages):
        after = 0
        for chain in passage.page.chains:
            line = Line(_name(passage, chain, after), passage, number, chain)
            if last is not None and line.name and line.name == last.name:
                yield from _compared(last, line, _between(script, last, line), values_of[line.name], script.given)
            _keep(values_of.setdefault(line.name, []), chain)
            last, after = line, chain.end


def _between(script: Script, last: Line, line: Line) -> str:
    """The text between two lines; of passages that lie between them no more than a heading is read."""
    if last.number == line.number:
        return line.passage.text[last.chain.end : line.chain.start]
    skipped = [passage.text[:LONGEST_HEADING] for passage in script.passages[last.number + 1 : line.number][:3]]
    return "\n".join((last.passage.text[last.chain.end :], *skipped, line.passage.text[: line.chain.start]))


def _name(passage: Passage, chain: Chain, after: int) -> str:
    """What a line is about: an expression with symbols, or the words of a label."""
    left = chain.sides[0].tree
    if left is None:
        return label_of(passage, chain, after, fewest=1)
    return plain(left) if free_symbols(left) else ""


def _keep(values: list[Tree], chain: Chain) -> None:
    for side in chain.sides[1:]:
        if side.tree is not None and not free_symbols(side.tree) and len(values) <= MOST_LINES:
            values.append(side.tree)


def _compared(last: Line, line: Line, between: str, values: list[Tree], given: frozenset[Fraction]) -> Iterator[Placed]:
    before, final = last.chain.sides[-1], line.chain.sides[1]
    if last.chain.relations[-1] != "=" or line.chain.relations[0] != "=" or before.doubts or final.doubts:
        return
    if before.tree is None or final.tree is None or not _is_simplified(before.tree, final.tree):
        return
    if not _is_joined(between) or _is_another_matter(last, line):
        return
    # told by restatement
    if is_joined(between) and may_be_a_result(before.tree, final.tree):
        return
    judgement = _judged(before.tree, final.tree, given)
    if judgement is None or len(values) > MOST_LINES or _has_several_values(before.tree, final.tree, values):
        return
    yield _placed(last, line, judgement)


def _is_another_matter(last: Line, line: Line) -> bool:
    text = line.passage.text
    if last.number != line.number and CHANGES.search(last.name):
        return True
    if is_alternative(last.passage, last.chain) or takes_back(text) or opens_a_branch(line.passage):
        return True
    return bool(context_doubt(text, line.chain, 0))


def _is_joined(between: str) -> bool:
    """Whether a second line follows at once, or behind words such as "Adding the numbers, we get"."""
    if not any(mark in between for mark in ("\n", "\\[", "\\]", "$$")):
        return False
    if _BREAK.fullmatch(between):
        return True
    return len(between) < LONGEST_HEADING and _COMPUTING.fullmatch(between.strip("\n\r\t .:;$\\[]*")) is not None


def _is_simplified(before: Tree, final: Tree) -> bool:
    """Whether the first line computes something and the second, itself unfinished, has fewer numbers."""
    if bare_number(final) is not None or free_symbols(before) or free_symbols(final):
        return False
    numbers, fewer = list(literals(before)), list(literals(final))
    if not 0 < len(fewer) < len(numbers) <= MOST_NUMBERS or any(number.cut for number in (*numbers, *fewer)):
        return False
    if any(number.percent for number in numbers) != any(number.percent for number in fewer):
        return False
    return any(map(_is_computable, walk(before)))


def _is_computable(tree: Tree) -> bool:
    """An operation of numbers alone that anybody would carry out: 16 + 9, 196^2, 75/70, and no fraction like 7/3."""
    if not isinstance(tree, Node) or len(tree.args) != 2 or is_finished(tree):
        return False
    a, b = map(_signed, tree.args)
    # (8 pi)^2 has a number to be squared
    if tree.op == "^" and b is not None and b.denominator == 1 and isinstance(tree.args[0], Node):
        return tree.args[0].op in "*/" and any(_signed(arg) is not None for arg in tree.args[0].args)
    if a is None or b is None or tree.op not in _COMPUTABLE:
        return tree.op == "binom" and None not in (a, b)
    is_fraction = tree.op == "/" and a.denominator == b.denominator == 1 and b > 1
    # 10^8 is left as it is, and 2^(1/8) has no better name
    is_power = tree.op == "^" and (a == Fraction(10) or b.denominator != 1)
    return not is_power and (not is_fraction or gcd(a.numerator, b.numerator) > 1)


def _signed(tree: Tree) -> Fraction | None:
    """The value of a number or of a fraction in lowest terms, with its sign."""
    inner = tree.args[0] if isinstance(tree, Node) and tree.op == "neg" else tree
    return value_of(inner) if is_finished(inner) else None


def _judged(before: Tree, final: Tree, given: frozenset[Fraction]) -> Judgement | None:
    """The two values where they cannot be one, whatever the result's decimals were rounded from; otherwise None."""
    decimals = frozenset(number.value for number in literals(final) if number.decimals > 0)
    exact = frozenset(number for number in given if number.denominator > 1)
    judgement = compare(left=before, right=final, relation="=", assumed=Setting(rounded=decimals - exact, exact=exact))
    if judgement.state != FAILS or judgement.left is None or judgement.right is None:
        return None
    x, y = as_range(judgement.left), as_range(judgement.right)
    size = max(abs(x.high), abs(y.high))
    if abs(x.low - y.low) <= NEAR * size or _is_scaled(x.low, y.low):
        return None
    is_meant = is_told_otherwise(before, final) or true_with_brackets(before, final) or _is_rounded_up(before, final)
    return None if is_meant else judgement


def _is_rounded_up(before: Tree, final: Tree) -> bool:
    """3 * (100/7), then 3 * 15: boxes are whole."""
    wholes = [number.value for number in literals(final) if number.decimals == 0 and not number.percent]
    parts = [value_of(part) for part in walk(before) if isinstance(part, Node)]
    uneven = [value for value in parts if value is not None and value.denominator > 1]
    return any(abs(value - whole) < 1 and abs(value) > 1 for value in uneven for whole in wholes)


def _is_scaled(value: Fraction, told: Fraction) -> bool:
    """A power of ten, a sign or a minute of an hour apart: another unit, which need not be written."""
    if not value or not told:
        return True
    ratio = max(abs(value / told), abs(told / value))
    return any(abs(ratio / factor - 1) < NEAR for factor in (12, 60, 100, 360, 1000, 3600, 10**6, 10**9))


def _has_several_values(before: Tree, final: Tree, values: list[Tree]) -> bool:
    """Whether the left side was said to be other things before: of two solutions each may be computed further."""
    for value in values:
        if compare(left=value, right=final, relation="=").state != FAILS:
            return True
        if value != before and compare(left=value, right=before, relation="=").state == FAILS:
            return True
    # 5 + 3 + 2, then 10 + 4: the story goes on
    return any(compare(left=before, right=number, relation="=").state != FAILS for number in literals(final))


def _placed(last: Line, line: Line, judgement: Judgement) -> Placed:
    passage, chain = line.passage, line.chain
    before, final = last.chain.sides[-1], chain.sides[1]
    assert before.tree is not None
    assert final.tree is not None
    written = last.passage.text[last.chain.start : last.chain.end]
    is_open = is_later(passage.text, final.start) or is_program(text=passage.text, start=chain.start, end=chain.end)
    return place(
        passage=passage,
        start=chain.start,
        end=final.end,
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule="another result in the next line",
        grade=Grade.LIKELY if is_open else Grade.CERTAIN,
        sentence=(
            f"{last.name} = {plain(before.tree)} is {shown(judgement.left)}; "
            f"the next line makes it {plain(final.tree)}, which is {shown(judgement.right)}."
        ),
        details={
            "normal_form": f"{last.name} = {plain(final.tree)}",
            "before": plain(before.tree),
            "left": shown(judgement.left),
            "right": shown(judgement.right),
            "evidence_latex": f"{latex(before.tree)} \\ne {latex(final.tree)}",
            **of_values(before.tree, final.tree, (written,)),
        },
    )
