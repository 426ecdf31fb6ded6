"""Checker: a number beside its computation: "30 students (12 + 18)", "20 - 5, or 15, apples", "60 from 12 * 5".

It verifies alone: brackets hold ranges, pages and scores as well, and "or" alternatives, so that another value there
accuses nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.compare import HOLDS, compare
from auditing.checker.mathematics.grammar import UnreadableError, parse_slice
from auditing.checker.mathematics.tokens import tokenize
from auditing.checker.mathematics.tree import Node, Tree, bare_number, free_symbols, latex, plain
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Placed, Script, place
from hdag.core.text.cues import Cue

NAME = "remarks"
_REMARK = Cue(
    r"(?<![\w.,^/*+(=-])(?<![-+*/×÷^=] )(\$?\d{1,3}(?:,\d{3}){0,4}(?:\.\d{1,6})?%?|\$?\d{1,12}(?:\.\d{1,6})?%?)"
    r"(?:\s[a-z]{2,15}){0,3}\s\(((?:[\d\s.,$%+*/×÷·()^−-]|[a-z]{1,12}(?=[\s)/])){3,60})\)"
)
_NUMBER = r"\$?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:\.\d{1,6})?%?"
_TERM = rf"\(?{_NUMBER}!?\)?(?:\s(?!or\b|is\b|are\b|and\b|to\b|of\b|from\b|per\b)[a-z]{{2,15}}){{0,2}}"
_COMPUTED = rf"(?:{_TERM}(?:\s?[-+*/×÷·−]\s?{_TERM}){{1,8}}|\d{{1,3}}!|\d{{1,3}} choose \d{{1,3}})"
_RESULT = rf"(?P<number>{_NUMBER}(?:/\d{{1,9}})?)(?![\w%/^]|[.,]\d|\s?[-+*/×÷^=])"
_ALONE = r"(?<![\w.,^/*+=-])(?<![-+*/×÷^=] )"
# the computation, then the number; the number, then where it comes from
_OR = Cue(
    rf"{_ALONE}(?P<computed>{_COMPUTED})\s?(?:,?\s?(?:or|i\.e\.,?|that is,?)|(?P<verb>is|are|makes?|gives?|leaves?))\s"
    rf"{_RESULT}"
)
_FROM = Cue(
    rf"{_ALONE}(?P<number>{_NUMBER})(?:\s[a-z]{{2,15}}){{0,2}}\sfrom\s(?P<computed>{_COMPUTED})(?![\w%/^]|[.,]\d|"
    rf"\s?[-+*/×÷^=])"
)
_NAMED = re.compile(r"[a-z]{2}")
_COMPUTES = re.compile(r"[a-z\d)%]\s?[-+*/×÷·−x^]\s?[$(\d]")


def check(script: Script) -> Iterator[Placed]:
    """Every number whose computation stands behind it and comes to it."""
    patterns = [pattern for pattern in (_OR, _FROM) if pattern.may_match(script.text)]
    for passage in script.passages:
        for match in _REMARK.finditer(passage.text) if "(" in passage.text else ():
            if _COMPUTES.search(match[2]):
                yield from _judged(passage, match, match[1], match[2])
        for pattern in patterns:
            for match in pattern.finditer(passage.text[:MAX_PASSAGE]):
                # "210 + 91 is 301" names no thing: spoken.py reads it
                if match.groupdict().get("verb") and not _NAMED.search(match["computed"]):
                    continue
                yield from _judged(passage, match, match["number"], match["computed"])


def _judged(passage: Passage, match: re.Match[str], written: str, computation: str) -> Iterator[Placed]:
    number, computed = read_whole(written), read_whole(computation)
    if number is None or not isinstance(computed, Node) or (bare_number(number) is None and "/" not in written):
        return
    if compare(left=computed, right=number, relation="=").state != HOLDS:
        return
    text = f"{plain(computed)} = {plain(number)}"
    yield place(
        passage=passage,
        start=match.start(),
        end=match.end(),
        verdict=Verdict.VERIFIED,
        checker=NAME,
        rule="equal",
        sentence=f"{text} holds.",
        details={
            "normal_form": text,
            "left": plain(computed),
            "right": plain(number),
            "rule": "equal",
            "evidence_latex": f"{latex(computed)} = {latex(number)}",
            **of_values(computed, number),
        },
    )


def read_whole(text: str) -> Tree | None:
    """A whole text as one expression without symbols; None where any of it cannot be read."""
    tokens = tokenize(text.strip())
    try:
        tree, after = parse_slice(tokens=tokens, start=0, end=len(tokens))
    except UnreadableError:
        return None
    return tree if after == len(tokens) and not free_symbols(tree) else None
