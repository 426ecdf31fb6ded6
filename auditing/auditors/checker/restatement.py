"""Checker: a quantity under the same label, or a function under the same name, keeps its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from auditing.auditors.checker.doubts import context_doubt
from auditing.auditors.checker.passages import Passage, Placed, Script, place
from auditing.core.mathematics.chains import Chain, Side
from auditing.core.mathematics.compare import FAILS, compare, shown
from auditing.core.mathematics.enclosure import Incalculable
from auditing.core.mathematics.evaluate import evaluate
from auditing.core.mathematics.tree import Tree, bare_number, free_symbols, latex, plain
from auditing.core.mathematics.vocabulary import any_of, words
from auditing.core.values import Verdict

NAME = "restatement"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|[%$#]")
_CHANGES = any_of(
    "now new then after left remain* still more again next each per if updat* add* increas* decreas* revis* or"
)
_FILLER = words("so therefore thus hence the a an of is are we have get then this that total's our")


@dataclass(frozen=True, slots=True)
class Stated:
    """A label's value and the text that gave it."""

    value: Fraction
    tree: Tree
    text: str
    passage: int


def check(script: Script) -> Iterator[Placed]:
    """Label = expression, then the same label = another number in the same passage or a later one."""
    known: dict[str, Stated] = {}
    for number, passage in enumerate(script.passages):
        for chain in passage.page.chains:
            label = _label_of(passage, chain)
            if label:
                yield from _compare(passage, number, chain, label, known)


def _label_of(passage: Passage, chain: Chain) -> str:
    """The words in front of "= ..." when the first side is nothing but words."""
    first = chain.sides[0]
    if first.tree is not None or chain.relations[0] not in ("=", "≈"):
        return ""
    text = passage.text[first.start : first.end]
    start = max(passage.text.rfind(mark, 0, first.end) for mark in (". ", "\n", ": ", "; ", "! "))
    if start >= 0:
        text = passage.text[max(start + 1, first.start - 120) : first.end]
    parts = [part for part in _WORD.findall(text.replace("\\text", " ").lower()) if part not in _FILLER]
    if not 2 <= len(parts) <= 12 or any(part.isdigit() for part in parts):
        return ""
    return " ".join(parts)


def _compare(passage: Passage, number: int, chain: Chain, label: str, known: dict[str, Stated]) -> Iterator[Placed]:
    final = chain.sides[-1]
    value = _value(final)
    if value is None:
        return
    assert final.tree is not None
    before = known.get(label)
    text = f"{label} = {plain(final.tree)}"
    if before is None:
        known[label] = Stated(value, final.tree, text, number)
        return
    if bare_number(final.tree) is None and bare_number(before.tree) is None:
        return
    judgement = compare(left=before.tree, right=final.tree, relation="=")
    if judgement.state != FAILS or before.passage != number or _CHANGES.search(label):
        return
    if context_doubt(passage.text, chain, len(chain.relations) - 1):
        return
    sentence = f"{label} was {shown(before.value)} before ({before.text}) and is {shown(value)} here."
    details = {"normal_form": text, "before": before.text, "left": shown(before.value), "right": shown(value),
               "evidence_latex": f"{latex(before.tree)} \\ne {latex(final.tree)}"}  # fmt: skip
    yield place(passage=passage, start=chain.start, end=chain.end, verdict=Verdict.REFUTED, checker=NAME,
                rule="same label, other value", sentence=sentence, details=details)  # fmt: skip


def _value(side: Side) -> Fraction | None:
    if side.tree is None or side.doubts or free_symbols(side.tree):
        return None
    try:
        value = evaluate(side.tree)
    except Incalculable:
        return None
    return value if isinstance(value, Fraction) else None
