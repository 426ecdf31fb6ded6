"""Checker: a number with its computation in brackets behind it: "30 students (12 + 18)", "351 inches (390 - 39)".

It verifies alone: brackets hold ranges, pages and scores as well, so that another value there accuses nobody.
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
from auditing.checker.reading.passages import Passage, Placed, Script, place

NAME = "remarks"
_REMARK = re.compile(
    r"(?<![\w.,^/*+(=-])(?<![-+*/×÷^=] )(\$?\d{1,3}(?:,\d{3}){0,4}(?:\.\d{1,6})?%?|\$?\d{1,12}(?:\.\d{1,6})?%?)"
    r"(?:\s[a-z]{2,15}){0,3}\s\(((?:[\d\s.,$%+*/×÷·()−-]|[a-z]{1,12}(?=[\s)/])){3,60})\)"
)
_COMPUTES = re.compile(r"[a-z\d)%]\s?[-+*/×÷·−x]\s?[$(\d]")


def check(script: Script) -> Iterator[Placed]:
    """Every number whose computation stands behind it and comes to it."""
    for passage in script.passages:
        if "(" not in passage.text:
            continue
        for match in _REMARK.finditer(passage.text):
            if _COMPUTES.search(match[2]):
                yield from _judged(passage, match)


def _judged(passage: Passage, match: re.Match[str]) -> Iterator[Placed]:
    number, computed = read_whole(match[1]), read_whole(match[2])
    if number is None or not isinstance(computed, Node) or bare_number(number) is None:
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
