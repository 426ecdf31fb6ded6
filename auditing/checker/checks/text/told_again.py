"""A label with its computation, and again with the result: "Change = $20 - $14.99. Change = $5.01."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import HOLDS, compare
from auditing.checker.mathematics.tree import Node, bare_number, free_symbols, latex, plain
from auditing.checker.proofs.formulas import of_values
from auditing.checker.reading.passages import Passage, Placed, place

# what may stand between the two, beside words of the label
_JOINED = re.compile(
    r"(?:[\s.,;:$\\\]\[(){}-]|\b(?:so|thus|therefore|hence|then|gives|we|get|which|this|us|text|the|of|in|for|to|from)\b){0,80}"
)
_LISTED = re.compile(
    r"\b(?:possible|possibilit\w{1,4}|values|solutions|cases|options|choices)\b[^.!?\n]{0,120}$", re.IGNORECASE
)
_OR = re.compile(r"\bor[\s$\\(]{1,4}$", re.IGNORECASE)


def is_alternative(passage: Passage, chain: Chain) -> bool:
    """x = 4 + 3 or x = 4 - 3: what follows need not be the second one."""
    if _OR.search(passage.text[max(0, chain.start - 8) : chain.start]):
        return True
    # the possible values are u = v + 5, u = v - 5
    return bool(_LISTED.search(passage.text[max(0, chain.start - 160) : chain.start]))


def told_again(passage: Passage, first: Chain, second: Chain, *, checker: str, name: str) -> Iterator[Placed]:
    """That the second line says what the first one computes; nothing where it does not."""
    between = passage.text[first.end : second.start].lower()
    for word in sorted(set(name.lower().split()), key=lambda word: (-len(word), word)):
        between = between.replace(word, " ")
    before, final = first.sides[-1].tree, second.sides[-1].tree
    if not _JOINED.fullmatch(between):
        return
    if not isinstance(before, Node) or bare_number(before) is not None or final is None:
        return
    if free_symbols(before) or free_symbols(final) or compare(left=before, right=final, relation="=").state != HOLDS:
        return
    text = f"{plain(before)} = {plain(final)}"
    yield place(
        passage=passage,
        start=first.sides[-1].start,
        end=second.end,
        verdict=Verdict.VERIFIED,
        checker=checker,
        rule="same label, its result",
        sentence=f"{name}: {text} holds.",
        details={
            "normal_form": text,
            "left": plain(before),
            "right": plain(final),
            "evidence_latex": f"{latex(before)} = {latex(final)}",
            **of_values(before, final),
        },
    )
