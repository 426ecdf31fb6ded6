"""Derivatives and antiderivatives told in words: "the derivative of x^3 + 2x is 3x^2 + 2x"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.algebra.calculus import DEPENDENT
from auditing.checker.checks.said.forms import GET, IS, cue
from auditing.checker.checks.said.judging import ENDS, Told, is_exact, is_open, told
from auditing.checker.checks.said.marked import Marked, side_of, sides_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.calculus import derivative
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.identity import agree_at_points
from auditing.checker.mathematics.tree import Sym, Tree, free_symbols, plain
from auditing.checker.proofs.formulas import of_derivative
from auditing.checker.reading.passages import Passage, Placed, Script

DERIVATIVE, ANTIDERIVATIVE = "a derivative in words", "an antiderivative in words"
_THING = r"(?:the\s)?(?:function\s|expression\s|polynomial\s|term\s|left\sside\s|right\sside\s)?"
_BY = r"(?:,?\s\(?with\srespect\sto\s(?:the\svariable\s)?(?P<by>@)\)?,?)?"
_DX = r"(?:\sd(?P<dx>[a-z])\b)?"
PATTERNS = (
    cue(rf"\b(?P<kind>derivative)\sof\s{_THING}(?P<of>@){_BY}(?:{IS}|{GET})(?P<claimed>@)"),
    cue(rf"\b(?P<kind>differentiat)(?:e|ing)\s{_THING}(?P<of>@){_BY}{GET}(?P<claimed>@)"),
    cue(rf"\b(?P<kind>integral|antiderivative)\sof\s{_THING}(?P<of>@){_DX}{_BY}(?:{IS}|{GET})(?P<claimed>@)"),
    cue(rf"\b(?P<kind>integrat)(?:e|ing)\s{_THING}(?P<of>@){_DX}{_BY}{GET}(?P<claimed>@)"),
)
_DIFFERENTIAL = re.compile(r"(?:\\[,;!:]|\s){0,3}(?:\\mathrm\{d\}|d)([a-z])$")
# of the constant of integration
_CONSTANTS = frozenset("CcKk")
_PLUS_C = re.compile(r"\s?\+\s?")


def judged(script: Script, passage: Passage, page: Marked, match: re.Match[str]) -> Iterator[Placed]:
    """One sentence that states a derivative or an antiderivative."""
    is_integral = match["kind"].lower().startswith(("integra", "anti"))
    end = _end(page, match, is_integral)
    inner, name = _function(page, match)
    sides, claims = sides_of(inner), sides_of(page.inner[match.start("claimed")])
    if end is None or not sides or not claims:
        return
    left, claimed = (side_of(text) for text in (sides[-1], claims[0]))
    if left is None or claimed is None or left.tree is None or claimed.tree is None:
        return
    if not (is_exact(left.tree) and is_exact(claimed.tree)) or (len(claims) > 1 and isinstance(claimed.tree, Sym)):
        return
    symbol = name or _only(left.tree)
    if symbol is None or not _is_of(left.tree, claimed.tree, symbol, match, is_integral):
        return
    yield from _compared(script, passage, (match.start(), end), (left.tree, claimed.tree), symbol, is_integral)


def _compared(
    script: Script, passage: Passage, span: tuple[int, int], trees: tuple[Tree, Tree], symbol: str, is_integral: bool
) -> Iterator[Placed]:
    left, claimed = trees
    try:
        computed = derivative(tree=claimed if is_integral else left, name=symbol)
    except IncalculableError:
        return
    expected = left if is_integral else claimed
    # 2x for the derivative at a point, 1/3 for an integral between bounds
    if free_symbols(left) and not free_symbols(claimed) and (is_integral or free_symbols(computed)):
        return
    agrees = agree_at_points(left=computed, right=expected)
    if agrees is None:
        return
    claim = Told(ANTIDERIVATIVE if is_integral else DERIVATIVE, *span, (computed,), claimed)
    if not agrees and is_open(script, passage, *span):
        return
    verdict = Verdict.VERIFIED if agrees else Verdict.REFUTED
    proof = {} if agrees else of_derivative(claimed if is_integral else left, expected, computed, symbol)
    result = f"what has the derivative {plain(computed)}" if is_integral else plain(computed)
    yield told(passage=passage, claim=claim, left=computed, verdict=verdict, proof=proof, result=result)


def _end(page: Marked, match: re.Match[str], is_integral: bool) -> int | None:
    """Where the sentence ends: "is $x^2$ + $C$" adds a constant that stands in a formula of its own."""
    plus = _PLUS_C.match(page.text, match.end()) if is_integral else None
    if plus is not None and page.inner.get(plus.end(), "") in _CONSTANTS:
        end = plus.end() + 1
        return end if ENDS.match(page.text, end) else None
    return match.end() if ENDS.match(page.text, match.end()) else None


def _function(page: Marked, match: re.Match[str]) -> tuple[str, str | None]:
    """The formula that is derived or integrated, and the symbol that is named for it."""
    inner = page.inner[match.start("of")]
    groups = match.groupdict()
    by = page.inner[match.start("by")].strip() if groups.get("by") else None
    if "dx" in groups:
        differential = _DIFFERENTIAL.search(inner)
        if differential is not None:
            inner, by = inner[: differential.start()], by or differential[1]
        by = by or groups["dx"]
    return inner, by


def _only(tree: Tree) -> str | None:
    names = free_symbols(tree)
    return next(iter(names)) if len(names) == 1 else None


def _is_of(left: Tree, claimed: Tree, symbol: str, match: re.Match[str], is_integral: bool) -> bool:
    """Whether both are expressions in the symbol and in constants that depend on nothing."""
    others = free_symbols(left) - {symbol}
    allowed = free_symbols(left) | (_CONSTANTS if is_integral else frozenset())
    return symbol.isalpha() and not others & DEPENDENT and free_symbols(claimed) <= allowed
