"""Values put into expressions in words: "substituting x = 3 into x^2 + 1 gives 11", "when x = 3, x^2 + 1 is 11"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.said.forms import GET, IS, cue
from auditing.checker.checks.said.judging import ENDS, Told, is_exact, is_open, told
from auditing.checker.checks.said.marked import Marked, side_of, sides_of
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import Sym, Tree, free_symbols, substitute
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.passages import Passage, Placed, Script

RULE = "a value put in"
_GIVEN = r"(?P<given>@(?:,\s@){0,3}(?:,?\sand\s@)?)"
_THING = (
    r"(?:(?:the|our|this)\s)?(?:(?:given|original|simplified)\s)?"
    r"(?:expression\s|formula\s|equation\s|function\s|polynomial\s)?"
)
_AT = r"(?:at|when|for|if|where|with)"
_PUT = r"(?:substitut(?:e|ing)|plug(?:ging)?(?:\sin)?|put(?:ting)?|insert(?:ing)?)"
PATTERNS = (
    cue(rf"\b{_PUT}\s(?:the\svalues?\s(?:of\s)?)?{_GIVEN}\s(?:into|in|to)\s{_THING}(?P<of>@){GET}(?P<claimed>@)"),
    cue(rf"\b{_PUT}\s(?P<value>@)\s(?:in\s)?for\s(?P<name>@)\s(?:into|in)\s{_THING}(?P<of>@){GET}(?P<claimed>@)"),
    cue(rf"\bevaluat(?:e|ing)\s{_THING}(?P<of>@)\s{_AT}\s{_GIVEN}{GET}(?P<claimed>@)"),
    cue(
        rf"\b(?:when|if|for|at|with|where|setting|letting|since)\s{_GIVEN},\s(?:then\s|we\ssee\s(?:that\s)?|"
        rf"we\shave\sthat\s)?(?:the\svalue\sof\s)?{_THING}(?P<of>@){IS}(?P<claimed>@)"
    ),
    cue(rf"\bvalue\sof\s{_THING}(?P<of>@)\s{_AT}\s{_GIVEN}{IS}(?P<claimed>@)"),
    cue(rf"(?P<of>@),?\sevaluated\sat\s{_GIVEN}{IS}(?P<claimed>@)"),
)
_MOST_GIVEN = 4
# "when" and "at" stand in most texts: without a letter that is something, or the word itself, no value is put in
PUTS = re.compile(
    r"(?<![A-Za-z\\'’])[A-Za-z]\s?=\s?[-−(\d\\√]|\b(?:substitut|plugg?|put|insert)(?:e|t?ing)?\b", re.IGNORECASE
)


def judged(script: Script, passage: Passage, page: Marked, match: re.Match[str]) -> Iterator[Placed]:
    """One sentence that puts values into an expression and says what comes out."""
    values = _values(page, match) if ENDS.match(page.text, match.end()) else {}
    sides, claims = sides_of(page.inner[match.start("of")]), sides_of(page.inner[match.start("claimed")])
    result = _result(claims)
    side, claimed = (side_of(sides[-1]), side_of(result)) if values and sides and result else (None, None)
    if side is None or claimed is None or side.tree is None or claimed.tree is None or isinstance(side.tree, Sym):
        return
    names = free_symbols(side.tree)
    if not names & values.keys() or free_symbols(claimed.tree) != names - values.keys() or not is_exact(side.tree):
        return
    left = substitute(side.tree, {name: value for name, value in values.items()})
    yield from _compared(script, passage, match, left, claimed)


def _compared(script: Script, passage: Passage, match: re.Match[str], left: Tree, claimed: Side) -> Iterator[Placed]:
    assert claimed.tree is not None
    claim = Told(RULE, match.start(), match.end(), (left,), claimed.tree)
    if free_symbols(left):
        same = is_identity(left=left, right=claimed.tree) if is_exact(claimed.tree) else None
        proof = of_identity(left, claimed.tree, is_same=bool(same))
        value = "another expression"
    else:
        judgement = judge(Side(left, match.start(), match.end()), claimed, "=", DEFAULT)
        # (x^2 - 1)/(x - 1) has no value at 1, and a limit
        same = {HOLDS: True, FAILS: False}.get(judgement.state) if judgement.left is not None else None
        proof, value = of_values(left, claimed.tree), shown(judgement.left)
    if same is None or (not same and is_open(script, passage, match.start(), match.end(), is_deed=True)):
        return
    verdict = Verdict.VERIFIED if same else Verdict.REFUTED
    yield told(passage=passage, claim=claim, left=left, verdict=verdict, proof=proof, result=value)


def _values(page: Marked, match: re.Match[str]) -> dict[str, Tree]:
    """What stands for which letter; nothing where one of them is no number, or two are given for one letter."""
    groups = match.groupdict()
    if groups.get("value"):
        pairs = [[page.inner[match.start("name")], page.inner[match.start("value")]]]
    else:
        pairs = [sides_of(formula) for formula in page.formulas(*match.span("given"))]
    values: dict[str, Tree] = {}
    for pair in pairs[: _MOST_GIVEN + 1]:
        name, value = (side_of(text) for text in pair) if len(pair) == 2 else (None, None)
        if name is None or value is None or not isinstance(name.tree, Sym) or value.tree is None:
            return {}
        if free_symbols(value.tree) or not is_exact(value.tree) or name.tree.name in values:
            return {}
        values[name.tree.name] = value.tree
    return values


def _result(claims: list[str]) -> str:
    """What is claimed of the expression: 3^2 + 1 in "gives 3^2 + 1 = 10"."""
    if not claims:
        return ""
    first = side_of(claims[0])
    # what y = 11 says is judged with the equations before it (derivation)
    return claims[0] if first is not None and (len(claims) == 1 or not isinstance(first.tree, Sym)) else ""
