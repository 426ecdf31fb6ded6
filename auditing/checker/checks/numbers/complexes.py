"""Checker: equations between numbers with the imaginary unit, where the trace says that i is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import difference, folded, names_in
from auditing.checker.mathematics.tree import Node, Sym, Tree, free_symbols, latex, literals, plain, walk
from auditing.checker.proofs.formulas import of_complex
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt
from hdag.core.text.cues import Cue

NAME = "complexes"
_IMAGINARY = Cue(
    r"\bimaginary\b|\bcomplex (?:number|plane|root)|\bi ?\^ ?\{?2\}? ?\\?\)? ?= ?\\?\(? ?-1", re.IGNORECASE
)
_INDEX = re.compile(r"_\{?i\b|\bi ?= ?\d|\\sum|\bi-th\b|\\mathbf\{?i|\\hat\{?i|vector|quaternion", re.IGNORECASE)


def check(script: Script) -> Iterator[Placed]:
    """Every link whose only symbol is i, by i^2 = -1."""
    # "i" is far more often an index than the imaginary unit: the trace must say that it is one, and never use it as
    # one
    if not any(_IMAGINARY.search(passage.text) for passage in script.anywhere_near(_IMAGINARY)):
        return
    if any(_INDEX.search(passage.text) for passage in script.everything) or script.is_modular:
        return
    for passage in script.passages:
        for chain in passage.page.chains:
            for index, relation in enumerate(chain.relations):
                if relation == "=":
                    yield from _judged(passage, chain, index)


def _judged(passage: Passage, chain: Chain, index: int) -> Iterator[Placed]:
    left, right = chain.sides[index], chain.sides[index + 1]
    if not _is_readable(left) or not _is_readable(right):
        return
    assert left.tree is not None
    assert right.tree is not None
    if free_symbols(left.tree) | free_symbols(right.tree) != {"i"} or isinstance(left.tree, Sym):
        return
    try:
        gap = difference(left.tree, right.tree)
    except IncalculableError:
        return
    if names_in(gap) - {"i"}:
        return
    remainder = folded(gap)
    if remainder and not _is_finished(right.tree):
        return  # "(2 + i)(3 + i) = 6 + i^2": a sum on its way, of which terms may still be missing
    if remainder and context_doubt(passage.text, chain, index):
        return
    text = f"{plain(left.tree)} = {plain(right.tree)}"
    sentence = (
        f"{text} holds, as i^2 = -1." if not remainder else f"{text} is false: with i^2 = -1 the two sides differ."
    )
    details = {"normal_form": text, "rule": "i^2 = -1", "evidence_latex": f"{latex(left.tree)} = {latex(right.tree)}"}
    details |= of_complex(left.tree, right.tree)
    yield place(
        passage=passage,
        start=left.start,
        end=right.end,
        checker=NAME,
        rule="complex arithmetic",
        verdict=Verdict.REFUTED if remainder else Verdict.VERIFIED,
        sentence=sentence,
        details=details,
    )


def _is_finished(tree: Tree) -> bool:
    """Whether i stands in no power: a + bi, the end of a computation."""
    return not any(
        isinstance(subtree, Node) and subtree.op == "^" and "i" in free_symbols(subtree) for subtree in walk(tree)
    )


def _is_readable(side: Side) -> bool:
    if side.tree is None or side.doubts or side.others or side.log_open:
        return False
    return not any(number.decimals or number.cut or number.unit for number in literals(side.tree))
