"""What is done to both sides of an equation: "x + 1 = y. Squaring both sides, we get x^2 + 1 = y^2".

The deed is done to each side of the equation before; where one side comes out as it is told and the other does not,
the other one is refuted. Where neither does, the equation may have been another one, or terms were moved as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from auditing.checker.checks.said.forms import GET, cue
from auditing.checker.checks.said.judging import NAME, is_exact, is_open
from auditing.checker.checks.said.marked import FORMULA, Marked, marked, side_of, sides_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.compare import FAILS, HOLDS, compare
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import Node, Num, Tree, free_symbols, plain
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.passages import Passage, Placed, Script, place

RULE = "done to both sides"
_SIDES = r"both\ssides(?:\sof\s(?:the|this|our|that)\s(?:last\s|new\s|resulting\s)?(?:equation|identity))?"
_NEXT = rf"(?:\s(?:again|once\smore))?(?:\s?:|,?{GET}|,)\s?"
_TWO = Num(Fraction(2))
_Deed = Callable[[Tree, Tree], Tree]
_DEEDS: tuple[tuple[str, _Deed], ...] = (
    (rf"\bsquar(?:e|ing)\s{_SIDES}", lambda side, _: Node("^", (side, _TWO))),
    (rf"\bmultiply(?:ing)?\s{_SIDES}\sby\s(?P<by>@)", lambda side, by: Node("*", (side, by))),
    (rf"\bdivid(?:e|ing)\s{_SIDES}\sby\s(?P<by>@)", lambda side, by: Node("/", (side, by))),
    (rf"\badd(?:ing)?\s(?P<by>@)\sto\s{_SIDES}", lambda side, by: Node("+", (side, by))),
    (
        r"\b(?:collect|combin|gather|group)(?:e|ing)?\s(?:the\s|all\s)?like\sterms(?:\son\sboth\ssides)?",
        lambda side, _: side,
    ),
    (
        r"\b(?:expand|distribut|multiply)(?:e|ing)?\s(?:out\s)?(?:both\ssides|the\s(?:right|left)(?:-hand|\shand)?\sside)",
        lambda side, _: side,
    ),
    (rf"\bsubtract(?:ing)?\s(?P<by>@)\sfrom\s{_SIDES}", lambda side, by: Node("-", (side, by))),
)
_DONE = tuple((cue(rf"{words}{_NEXT}(?P<claimed>@)"), deed) for words, deed in _DEEDS)
_Equation = tuple[Tree, Tree, str]


def check(script: Script) -> Iterator[Placed]:
    """Every deed to both sides, with the equation that stands last before it."""
    deeds = [(words, deed) for words, deed in _DONE if script.near(words)]
    before: _Equation | None = None
    for passage in script.everything if deeds else ():
        page = marked(passage.text) if "=" in passage.text else None
        if page is None:
            continue
        if passage is not script.problem:
            for words, deed in deeds:
                for match in words.finditer(page.text):
                    known = _last(page, match.start()) or before
                    if known is not None and not is_open(script, passage, *match.span(), is_deed=True):
                        yield from _judged(passage, page, match, known, deed)
        before = _last(page, len(page.text)) or before


def _last(page: Marked, end: int) -> _Equation | None:
    """The last formula before a place, where it is one equation."""
    marks = [mark.start() for mark in re.finditer(FORMULA, page.text[:end]) if "=" in page.inner[mark.start()]]
    return _equation(page.inner[marks[-1]]) if marks else None


def _equation(text: str) -> _Equation | None:
    sides = sides_of(text)
    trees = [_tree(side) for side in sides] if len(sides) == 2 else [None]
    if None in trees:
        return None
    left, right = (tree for tree in trees if tree is not None)
    return (left, right, text) if free_symbols(left) | free_symbols(right) else None


def _tree(text: str) -> Tree | None:
    side = side_of(text)
    return side.tree if side is not None and side.tree is not None and is_exact(side.tree) else None


def _judged(passage: Passage, page: Marked, match: re.Match[str], known: _Equation, deed: _Deed) -> Iterator[Placed]:
    claimed = _equation(page.inner[match.start("claimed")])
    named = match.groupdict().get("by")
    by = _tree(page.inner[match.start("by")]) if named else _TWO
    if claimed is None or by is None:
        return
    done = [deed(side, by) for side in known[:2]]
    agreements = [_agree(done[0], claimed[0]), _agree(done[1], claimed[1])]
    if sorted(map(str, agreements)) != ["False", "True"]:
        return
    left, right, _ = claimed
    false, unchanged = (left, right) if agreements[0] is False else (right, left)
    mine = done[agreements.index(False)]
    # with another letter something was put in as well; and many equations have a zero or a one on their right
    if free_symbols(mine) == free_symbols(false) and unchanged not in (Num(Fraction(0)), Num(Fraction(1))):
        yield _placed(passage, match, (mine, false), known[2])


def _agree(done: Tree, claimed: Tree) -> bool | None:
    if free_symbols(done) | free_symbols(claimed):
        return is_identity(left=done, right=claimed)
    return {HOLDS: True, FAILS: False}.get(compare(left=done, right=claimed, relation="=").state)


def _placed(passage: Passage, match: re.Match[str], sides: tuple[Tree, Tree], text: str) -> Placed:
    done, claimed = sides
    why = f"{plain(done)} is not {plain(claimed)}"
    has_symbols = bool(free_symbols(done) | free_symbols(claimed))
    proof = of_identity(done, claimed, is_same=False, texts=(text,)) if has_symbols else of_values(*sides, (text,))
    return place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        verdict=Verdict.REFUTED,
        checker=NAME,
        rule=RULE,
        sentence=f"Done to both sides of {text}: {why}.",
        details={"normal_form": why, "rule": RULE, "evidence_latex": rf"\text{{{RULE}}}", **proof},
    )
