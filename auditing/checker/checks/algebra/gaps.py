"""Checker: an equation whose two sides differ by a number other than zero holds for no value of its symbols.

sqrt((b - 0)^2 + 37^2) = sqrt(b^2 + 1225) is false whatever b is, and whatever case it stands in: below the roots the
sides differ by 144. Unlike the checks of derivations this one needs nothing that stands before.
"""

from __future__ import annotations

from collections.abc import Iterator

from auditing.checker.checks.algebra.equations import below_roots, is_equation
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.enclosure import IncalculableError
from auditing.checker.mathematics.polynomial import difference, is_constant
from auditing.checker.mathematics.tree import Node, free_symbols, latex, number_text, plain
from auditing.checker.mathematics.vocabulary import any_of
from auditing.checker.proofs.formulas import of_gap
from auditing.checker.reading.certainty import is_program
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "gaps"
# an equation without solutions may be what a text wants to show, or may come from a supposition
_WITHOUT_SOLUTION = any_of("""
    no none never not inconsistent contradict* false impossible absurd suppose assum* if whether parallel cannot try
    trying mod modulo shift* replac* update* new recur* iterat* swap* redefin*
""")
NEAR = 160


def check(script: Script) -> Iterator[Placed]:
    """Every link between two expressions in the same symbols whose difference is a number."""
    if not script.has_symbols or script.problem.is_modular:
        return
    for passage in script.passages:
        if not passage.is_modular:
            for chain in passage.page.chains:
                for index, relation in enumerate(chain.relations):
                    if relation == "=":
                        yield from _link(passage, chain, index)


def _link(passage: Passage, chain: Chain, index: int) -> Iterator[Placed]:
    left, right = chain.sides[index], chain.sides[index + 1]
    # "n = n + 1" counts in a program
    if not (isinstance(left.tree, Node) and isinstance(right.tree, Node)):
        return
    names = free_symbols(left.tree)
    # f(x) may be any function
    if not names or names != free_symbols(right.tree) or any("(" in name for name in names) or "i" in names:
        return
    if not is_equation(left, right):
        return
    try:
        gap = difference(*below_roots(left.tree, right.tree))
    except IncalculableError:
        return
    if not gap or not is_constant(gap) or _is_meant(passage, chain, index):
        return
    number = number_text(abs(next(iter(gap.values()))))
    yield place(
        passage=passage,
        start=left.start,
        end=right.end,
        checker=NAME,
        rule="differs by a number",
        verdict=Verdict.REFUTED,
        sentence=f"{plain(left.tree)} = {plain(right.tree)} holds for no value: the sides differ by {number}.",
        details={
            "normal_form": f"{plain(left.tree)} = {plain(right.tree)}",
            "gap": number,
            "rule": "differs by a number",
            **of_gap(left.tree, right.tree),
            "evidence_latex": rf"{latex(left.tree)} \ne {latex(right.tree)}",
        },
    )


def _is_meant(passage: Passage, chain: Chain, index: int) -> bool:
    behind = f"{passage.text[chain.end : chain.end + NEAR]}\n{passage.behind}"[:NEAR]
    around = f"{passage.text[max(0, chain.start - NEAR) : chain.start]} {behind}"
    return bool(
        _WITHOUT_SOLUTION.search(around)
        or context_doubt(passage.text, chain, index)
        or is_program(text=passage.text, start=chain.start, end=chain.end)
    )
