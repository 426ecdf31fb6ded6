r"""Checker: points and vectors whose components are computed: "((3+7)/2, (4+10)/2) = (5, 7)", "||(3, 4)|| = 5".

Every component is a computation of its own; arrays.py reads what is computed with whole arrays of numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.numbers.remarks import read_whole
from auditing.checker.checks.vectors.array_proofs import of_cells
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.tree import Node, Num, Tree, plain
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "tuples"
# how far a point may reach to either side of its sign, and how many components it may have
REACH, MOST = 160, 6
_SIGN = re.compile(r"(?<![<>=!:])=(?!=)")
_SIZES = Cue(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])")
_BLANK = re.compile(r"[\s$]|\\[()\[\],;! ]")
_MIXED = re.compile(r"\d\s?\\[dt]?frac")
_BARS = Cue(r"(?:\\?\|{1,2}|\\[lr]?[vV]ert)\s?")
# 2 ||(3, 4)|| and a . b ||(3, 4)||: the length is part of something longer
_FACTOR = re.compile(r"(?:[-+*/^_)\]}·×∘−|\d]|\\(?:cdot|times))\s*$")
_STOPS = re.compile(r"[=≈<>$;\n]|\.\s|\.$|,\s|\\[)\]]|\band\b|\bis\b|\bso\b")
# brackets with another meaning: remainders, intervals, greatest common divisors, cycles, choices
_OTHER = any_of("gcd lcm interval* cycle* permut* modul* mod base binary polar spherical operation* defin* choose")


def check(script: Script) -> Iterator[Placed]:
    """Every sign of equality between two points, and every length of a point written out."""
    passages = [passage for passage in script.passages if all(sign in passage.text for sign in "=,)")]
    if not passages or _OTHER.search(script.problem.text):
        return
    has_others = _OTHER.may_match(script.text)
    for passage in passages:
        text = passage.text[:MAX_PASSAGE]
        if has_others and _OTHER.search(text):
            continue
        text = without_sizes(text)
        for sign in _SIGN.finditer(text):
            yield from across(passage, text, sign.start())


def without_sizes(text: str) -> str:
    """The text with blanks for the sizes of brackets: as long as before, so that places in it stay places."""
    return _SIZES.sub(lambda match: " " * len(match[0]), text)


def across(passage: Passage, text: str, at: int) -> Iterator[Placed]:
    """What is found of the point before a sign and the one behind it."""
    left = _before(text, at)
    if left is None:
        return
    start, components, is_length = left
    end, claimed = _length_behind(text, at + 1) if is_length else _behind(text, at + 1)
    if len(claimed) == len(components):
        yield from _judged(passage, (start, end), list(zip(components, claimed, strict=True)))


def _before(text: str, at: int) -> tuple[int, list[Tree], bool] | None:
    """What ends before a sign: where it starts, the components of a point, or its length alone (True)."""
    end = at
    while end > max(0, at - 12) and _BLANK.fullmatch(text[end - 1]):
        end -= 1
    bars = next((match for match in _BARS.finditer(text, max(0, end - 7), end) if match.end() == end), None)
    close = bars.start() if bars else end
    start = _opening(text, close)
    if start is None or (not bars and _is_touched(text, start)):
        return None
    components = _components(text[start + 1 : close - 1])
    if not bars:
        return (start, components, False) if components else None
    before = next((match for match in _BARS.finditer(text, max(0, start - 7), start) if match.end() == start), None)
    if before is None or not components or _FACTOR.search(text, max(0, before.start() - 12), before.start()):
        return None
    squares: list[Tree] = [Node("^", (component, Num(Fraction(2)))) for component in components]
    total = squares[0]
    for square in squares[1:]:
        total = Node("+", (total, square))
    return before.start(), [Node("sqrt", (total,))], True


def _is_touched(text: str, start: int) -> bool:
    """f(2, 3) and 4(2, 3) are no points, and what stands behind a sign is a part of something longer."""
    before = text[max(0, start - 8) : start]
    return before[-1:].isalnum() or before.rstrip()[-1:] in tuple("+-*/^_)]}·×∘−")


def _opening(text: str, close: int) -> int | None:
    """Where the bracket opens that closes directly before a place."""
    if text[close - 1 : close] != ")":
        return None
    depth = 0
    for at in range(close - 1, max(-1, close - 1 - REACH), -1):
        depth += {")": 1, "(": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return None


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for at in range(start, min(len(text), start + REACH)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return None


def _behind(text: str, at: int) -> tuple[int, list[Tree]]:
    """The point behind a sign, and where it ends; no components where there is none."""
    while at < len(text) and _BLANK.fullmatch(text[at]):
        at += 1
    end = _closing(text, at) if text[at : at + 1] == "(" else None
    # (1, 2) + (3, 4): a sum of points is read by arrays.py
    if end is None or text[end : end + 4].lstrip(" \\)$]")[:1] in ("+", "-", "*", "·", "×", "^", "/", "("):
        return at, []
    return end, _components(text[at + 1 : end - 1])


def _length_behind(text: str, at: int) -> tuple[int, list[Tree]]:
    stop = _STOPS.search(text, at, min(len(text), at + REACH))
    end = stop.start() if stop else len(text)
    tree = read_whole(text[at:end])
    return end, [tree] if tree is not None else []


def _components(inner: str) -> list[Tree]:
    """The computations between the commas; none where one of them cannot be read."""
    cells, depth, start = [], 0, 0
    for at, char in enumerate(inner):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            cells.append(inner[start:at])
            start = at + 1
    cells.append(inner[start:])
    # 1,000 is a number, and no point
    if not 2 <= len(cells) <= MOST or re.fullmatch(r"\d{1,3}(?:,\d{3})+", inner.strip()):
        return []
    trees = [read_whole(cell) for cell in cells]
    return [tree for tree in trees if tree is not None] if None not in trees else []


def _judged(passage: Passage, span: tuple[int, int], pairs: list[tuple[Tree, Tree]]) -> Iterator[Placed]:
    start, end = span
    judgements = [judge(Side(a, start, end), Side(b, start, end), "=", DEFAULT) for a, b in pairs]
    wrong = next((at for at, judgement in enumerate(judgements) if judgement.state == FAILS), None)
    holds = all(judgement.state == HOLDS for judgement in judgements)
    chain = Chain([Side(None, start, start), Side(None, start, end)], ["="], start, end)
    if (wrong is None and not holds) or (wrong is not None and context_doubt(passage.text, chain, 0)):
        return
    # 2\frac{1}{2} is a mixed number, or a product
    if wrong is not None and _MIXED.search(passage.text, start, end):
        return
    # (3, 4) = (5, 6) computes nothing: a case, a map or a choice
    if wrong is not None and not any(isinstance(left, Node) and left.op != "neg" for left, _ in pairs):
        return
    left, right = pairs[wrong or 0]
    sentence = "Every component holds." if holds else f"{plain(left)} is not {plain(right)}."
    yield place(
        passage=passage,
        start=start,
        end=end,
        checker=NAME,
        rule="components",
        verdict=Verdict.VERIFIED if holds else Verdict.REFUTED,
        sentence=sentence,
        details={
            "left": plain(left),
            "right": plain(right),
            "rule": "components",
            "evidence_latex": rf"\text{{{sentence}}}",
            **(of_cells(pairs, ()) if holds else of_values(left, right)),
        },
    )
