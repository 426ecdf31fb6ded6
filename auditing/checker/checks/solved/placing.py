"""Findings of this room: where they stand, what proves them, and when nobody claims what was read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.tree import Tree, latex, plain
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.certainty import about_the_text
from auditing.checker.reading.passages import Passage, Placed, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "solutions"
# sentences of one form in a passage that are judged: each looks at what stands before it
MOST = 8
_CLAUSE_ENDS = re.compile(r"[.;!]\s|\n")


def is_open(passage: Passage, start: int, end: int) -> bool:
    """Whether the words around a place deny it, suppose it, try it or ask for it."""
    side = Side(None, start, end)
    chain = Chain([side, side], ["="], start, end)
    is_asked = "?" in passage.text[start:end] + _CLAUSE_ENDS.split(passage.text[end : end + 40])[0]
    return is_asked or bool(context_doubt(passage.text, chain, 0) or about_the_text(passage, start, end))


def refuted(
    passage: Passage,
    span: tuple[int, int],
    rule: str,
    sides: tuple[Tree, Tree],
    sentence: str,
    texts: Iterable[str],
    proof: dict[str, str] | None = None,
) -> Placed:
    """Two values that would have to be one, and the lines that they come from; or another proof of their own."""
    left, right = sides
    return place(
        passage=passage,
        start=span[0],
        end=span[1],
        checker=NAME,
        rule=rule,
        verdict=Verdict.REFUTED,
        sentence=sentence if proof else f"{sentence} {plain(left)} is not {plain(right)}.",
        details={
            "normal_form": f"{plain(left)} = {plain(right)}",
            "rule": rule,
            "evidence_latex": f"{latex(left)} \\ne {latex(right)}",
            **(proof or of_values(left, right, texts)),
        },
    )
