"""Where two curves are said to meet: "the graphs intersect at (1, 2)", "setting them equal gives x = 3".

There are two curves y = f(x) in the script so far, and no third. At a place where they meet they have one value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from auditing.checker.checks.algebra.solving import solves
from auditing.checker.checks.solved.equations_before import Told, curves_before
from auditing.checker.checks.solved.placing import MOST, is_open, refuted
from auditing.checker.mathematics.compare import FAILS, compare
from auditing.checker.mathematics.tree import Node, Num, Sym, Tree, branches, free_symbols, plain, substitute
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "where curves meet"
_MEET = Cue(
    r"\b(?:(?:graphs|curves|functions|lines|parabolas|they)\s(?:intersect|meet|cross)(?:\seach\sother)?\s(?:at|when|where)|"
    r"setting\s(?:them|these|the\stwo(?:\s[a-z]+)?)\sequal(?:\sto\seach\sother)?,?\s(?:gives|yields|we\s(?:get|find|have)))",
    re.IGNORECASE,
)
_OTHER = any_of("axis axes origin plane not never tangent asymptot* again reflect* shift* inverse previous")
_NUMBER = r"[-−]?\d{1,6}(?:/\d{1,4}|\.\d{1,4})?"
_POINT = re.compile(rf"(?<![\w)])\(\s?({_NUMBER})\s?,\s?({_NUMBER})\s?\)")
_SENTENCE = re.compile(r"[.;]\s|\.$|\n")
_BEHIND = 160


def check(script: Script) -> Iterator[Placed]:
    """Every sentence that says where the two curves of a script meet."""
    for number, passage in enumerate(script.near(_MEET)):
        matches = list(islice(_MEET.finditer(passage.text), MOST))
        curves = curves_before(script, number) if matches else []
        for match in matches if len(curves) == 2 else ():
            yield from _judged(passage, match, curves)


def _judged(passage: Passage, match: re.Match[str], curves: list[Told]) -> Iterator[Placed]:
    ends = _SENTENCE.search(passage.text, match.end())
    end = min(match.end() + _BEHIND, ends.start() if ends else len(passage.text))
    head = _SENTENCE.split(passage.text[max(0, match.start() - 160) : match.start()])[-1]
    if _OTHER.search(head + passage.text[match.start() : end + 40]) or is_open(passage, match.start(), end):
        return
    for sides, told, place_end in _claims(passage, match.end(), end, curves):
        texts = tuple(curve.text for curve in curves)
        yield refuted(passage, (match.start(), place_end), RULE, sides, f"The curves do not meet {told}:", texts)
        return


def _claims(passage: Passage, start: int, end: int, curves: list[Told]) -> Iterator[tuple[tuple[Tree, Tree], str, int]]:
    """The two values that would have to be one, at each place that is named and is none."""
    first, second = (curve.right for curve in curves)
    for point in _POINT.finditer(passage.text, start, end):
        x, y = (_number(point[group]) for group in (1, 2))
        values = [substitute(curve, {"x": x}) for curve in (first, second)]
        pairs = ((values[0], values[1]), (values[0], y), (values[1], y))
        wrong = next(
            (pair for pair in pairs if compare(left=pair[0], right=pair[1], relation="=").state == FAILS), None
        )
        if wrong is not None:
            yield wrong, f"in {point[0]}", point.end()
    for chain in passage.page.chains:
        left, right = chain.sides[0], chain.sides[-1]
        is_place = start <= chain.start and chain.end <= end and left.tree == Sym("x") and right.tree is not None
        if not is_place or set(chain.relations) != {"="} or right.tree is None or free_symbols(right.tree):
            continue
        for value in branches(right.tree):
            if solves(left=first, right=second, name="x", value=value) is False:
                sides = (substitute(first, {"x": value}), substitute(second, {"x": value}))
                yield sides, f"at x = {plain(value)}", right.end


def _number(text: str) -> Tree:
    digits = text.lstrip("-−")
    number = Num(Fraction(digits), len(digits.partition(".")[2]))
    return number if digits == text else Node("neg", (number,))
