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


# the formulas of a problem, and the letters in them that are no part of a word or a command
_MATHS = re.compile(r"\$[^$]{1,300}\$|\\\(.{1,300}?\\\)|\\\[.{1,300}?\\\]", re.DOTALL)
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])|(?<=\d)[a-z](?![A-Za-z])")
# "3i", "+ i", "i -": the letter first, so that the search runs from i to i
_BESIDE_A_NUMBER = re.compile(r"i(?![A-Za-z])(?:(?<=[-+\d].)|(?<=[-+\d]\s.)|(?<![A-Za-z].)(?=\s?[-+]))", re.DOTALL)


def is_imaginary(script: Script) -> bool:
    """Whether i is the imaginary unit: the trace says so, or it is the only letter of the problem, beside numbers.

    "i" is far more often an index: it must never be used as one.
    """
    is_told = any(_IMAGINARY.search(passage.text) for passage in script.anywhere_near(_IMAGINARY))
    if not (is_told or _is_the_only_letter(script.problem.text)) or script.is_modular:
        return False
    return not any(_INDEX.search(passage.text) for passage in script.everything)


def _is_the_only_letter(problem: str) -> bool:
    if not _BESIDE_A_NUMBER.search(problem):
        return False
    formulas = _MATHS.findall(problem)
    return bool(formulas) and {letter for formula in formulas for letter in _LETTER.findall(formula)} == {"i"}


def are_equal(left: Tree, right: Tree) -> bool | None:
    """Whether two expressions in i alone are the same number; None where they hold anything else."""
    try:
        gap = difference(left, right)
    except IncalculableError:
        return None
    return None if names_in(gap) - {"i"} else not folded(gap)


def check(script: Script) -> Iterator[Placed]:
    """Every link whose only symbol is i, by i^2 = -1."""
    if not script.once(is_imaginary):
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
    same = are_equal(left.tree, right.tree)
    if same is None or (not same and not _is_finished(right.tree)):
        return  # "(2 + i)(3 + i) = 6 + i^2": a sum on its way, of which terms may still be missing
    if not same and context_doubt(passage.text, chain, index):
        return
    text = f"{plain(left.tree)} = {plain(right.tree)}"
    sentence = f"{text} holds, as i^2 = -1." if same else f"{text} is false: with i^2 = -1 the two sides differ."
    details = {"normal_form": text, "rule": "i^2 = -1", "evidence_latex": f"{latex(left.tree)} = {latex(right.tree)}"}
    details |= of_complex(left.tree, right.tree)
    yield place(
        passage=passage,
        start=left.start,
        end=right.end,
        checker=NAME,
        rule="complex arithmetic",
        verdict=Verdict.VERIFIED if same else Verdict.REFUTED,
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
