"""Where two curves cross: "y = x^2 and y = 2 - x^2 intersect at x = 2" puts the value into both of them.

Two curves are meant where just two equations with y alone on the left stand in the problem and in the steps before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.said.forms import GET, cue
from auditing.checker.checks.said.judging import NAME, is_exact, is_open
from auditing.checker.checks.said.marked import FORMULA, marked, side_of, sides_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.compare import FAILS, compare
from auditing.checker.mathematics.tree import Tree, branches, free_symbols, plain, substitute
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place

RULE = "where two curves cross"
_TWO = (
    r"(?:the\stwo\s|both\s|these\s|the\s|our\s)?(?:two\s)?"
    r"(?:curves|graphs|functions|equations|expressions|lines|parabolas)"
)
_AT = r"(?:at|when|where)\s(?:the\s)?(?:(?:following\s)?(?:points?|coordinates|values?)\s)?(?:where\s|of\s)?"
_CLAIMED = r"(?P<claimed>(?:[^.;:\n]|\.\d){1,120})"
_CROSS = cue(
    rf"\b(?:(?:{_TWO}|they|@\sand\s@)\s(?:intersect|meet|cross)(?:\seach\sother)?\s{_AT}|"
    rf"(?:set(?:ting)?|equat(?:e|ing))\s(?:{_TWO}|them|@\sand\s@)(?:\sequal(?:\sto\s(?:each\sother|one\sanother))?)?"
    rf"{GET}){_CLAIMED}"
)
_POINT = re.compile(r"(?<![A-Za-z])\(\s*([^(),]{1,40})\s*,\s*([^(),]{1,40})\s*\)")
# where the places end and something else is told
_ENDS = re.compile(r",?\s(?:so|which|that|thus|hence|giving|we|the|this|then|where|with|and\s(?:the|we|so))\b")
# another curve, or one that moves
_OTHERS = re.compile(r"\bcircle|\brespectively\b|\btranslat|\bshift|\breflect|\binverse\b", re.IGNORECASE)
_Curve = tuple[Tree, str]


def check(script: Script) -> Iterator[Placed]:
    """Every place that is said to be a crossing, in a text of just two curves before it."""
    if not script.near(_CROSS) or any(_OTHERS.search(passage.text) for passage in script.everything):
        return
    curves: list[_Curve] = _curves(script.problem, len(script.problem.text))
    for passage in script.passages:
        page = marked(passage.text) if _CROSS.may_match(passage.text) else None
        for match in _CROSS.finditer(page.text) if page is not None else ():
            assert page is not None
            start, end = match.span("claimed")
            stop = _ENDS.search(page.text, start, end)
            end = stop.start() if stop else end
            # points stand in one formula each, or in the plain text
            claims = _POINT.findall(passage.text[start:end]) or page.formulas(start, end)
            here = _distinct([*curves, *_curves(passage, start)])
            is_told = "?" not in passage.text[start : end + 3] and len(here) == 2
            if is_told and not is_open(script, passage, match.start(), end, is_deed=True):
                yield from _judged(passage, (match.start(), end), claims, (here[0], here[1]))
        curves = _distinct([*curves, *_curves(passage, len(passage.text))])


def _curves(passage: Passage, end: int) -> list[_Curve]:
    """The equations y = an expression in x, before a place."""
    if "y" not in passage.text:
        return []
    page = marked(passage.text)
    curves: list[_Curve] = []
    for mark in re.finditer(FORMULA, page.text[:end]):
        sides = sides_of(page.inner[mark.start()])
        tree = _tree(sides[1]) if len(sides) == 2 and sides[0] == "y" else None
        if tree is not None and free_symbols(tree) <= {"x"}:
            curves.append((tree, page.inner[mark.start()]))
    return curves


def _distinct(curves: list[_Curve]) -> list[_Curve]:
    return list({curve[0]: curve for curve in curves}.values())


def _judged(
    passage: Passage, span: tuple[int, int], claims: list[str] | list[tuple[str, str]], curves: tuple[_Curve, _Curve]
) -> Iterator[Placed]:
    """The first place that does not lie on both curves."""
    for claim in claims:
        pairs = _heights_at(claim, curves) if isinstance(claim, str) else _heights_beside(claim, curves)
        for heights, texts in pairs:
            if compare(left=heights[0], right=heights[1], relation="=").state == FAILS:
                where = claim if isinstance(claim, str) else f"({', '.join(claim)})"
                yield _placed(passage, span, where, heights, texts)
                return


_Pair = tuple[tuple[Tree, Tree], list[str]]


def _heights_at(claim: str, curves: tuple[_Curve, _Curve]) -> Iterator[_Pair]:
    """x = 2: the heights of both curves there."""
    sides = sides_of(claim)
    value = _tree(sides[1]) if len(sides) == 2 and sides[0] == "x" else None
    for branch in branches(value) if value is not None and not free_symbols(value) else ():
        heights = [substitute(tree, {"x": branch}) for tree, _ in curves]
        yield (heights[0], heights[1]), [text for _, text in curves]


def _heights_beside(point: tuple[str, str], curves: tuple[_Curve, _Curve]) -> Iterator[_Pair]:
    """(2, 4): the height of each curve there, and the one that is told."""
    across, height = map(_tree, point)
    if across is None or height is None or free_symbols(across) or free_symbols(height):
        return
    for tree, text in curves:
        yield (substitute(tree, {"x": across}), height), [text]


def _tree(text: str) -> Tree | None:
    side = side_of(text)
    tree = side.tree if side is not None else None
    return tree if tree is not None and all(map(is_exact, branches(tree))) else None


def _placed(
    passage: Passage, span: tuple[int, int], claim: str, heights: tuple[Tree, Tree], texts: list[str]
) -> Placed:
    why = f"{plain(heights[0])} is not {plain(heights[1])}"
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule=RULE,
        sentence=f"The curves do not cross at {claim}: {why}.",
        details={"normal_form": why, "rule": RULE, "evidence_latex": rf"\text{{{RULE}}}", **of_values(*heights, texts)},
    )
