"""Checker: a line that begins with "=" goes on from the last side of the line before it, also from step to step.

"= 2x + 3(2x - 3)", and the next step begins "= 2x + 6x - 6": cut at its lines, the text has lost the left side of the
second line. It is the last side of the first, where that one ended with it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from auditing.checker.checks.numbers.arithmetic import judge
from auditing.checker.checks.solved.named_functions import named_functions
from auditing.checker.checks.text.told_again import is_told_otherwise
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.chains import Chain, Side
from auditing.checker.mathematics.compare import FAILS, HOLDS, shown
from auditing.checker.mathematics.evaluate import DEFAULT
from auditing.checker.mathematics.identity import is_identity
from auditing.checker.mathematics.tree import Node, Tree, bare_number, free_symbols, latex, literals, plain, walk
from auditing.checker.proofs.formulas import of_identity, of_values
from auditing.checker.reading.certainty import is_program
from auditing.checker.reading.passages import Passage, Placed, Script, place
from auditing.checker.reading.suppressions import context_doubt

NAME = "continuations"
_IDENTITY = {True: Verdict.VERIFIED, False: Verdict.REFUTED, None: Verdict.NOT_APPLICABLE}
_STATES = {HOLDS: Verdict.VERIFIED, FAILS: Verdict.REFUTED}
# nothing but marks may stand behind the last side of the line before
_WORDS = re.compile(r"[A-Za-z]{3}|\$\s?[.,]")
_END = re.compile(r"[\s$\\\])}.,]*")


def check(script: Script) -> Iterator[Placed]:
    """Every passage whose first relation has nothing before it, with the passage before."""
    for before, passage in itertools.pairwise(script.passages):
        if before.source is not passage.source or before.is_modular or passage.is_modular:
            continue
        side, chain = _last_side(before), _open_chain(passage)
        # s(n - 1) + 1 goes on from s(n), and is no product
        if side is not None and chain is not None and not _names_of(side) & script.once(named_functions):
            yield from _judged(passage, chain, side, before)


def _names_of(side: Side) -> frozenset[str]:
    return frozenset(free_symbols(side.tree)) if side.tree is not None else frozenset()


def _last_side(passage: Passage) -> Side | None:
    """The side that a passage ends with."""
    chain = passage.page.chains[-1] if passage.page.chains else None
    if chain is None or chain.relations[-1] != "=" or not _END.fullmatch(passage.text, chain.end):
        return None
    side = chain.sides[-1]
    return side if side.tree is not None and not side.doubts else None


def _open_chain(passage: Passage) -> Chain | None:
    """The first chain of a passage, when its first relation has no left side at all."""
    chain = passage.page.chains[0] if passage.page.chains else None
    if chain is None or chain.sides[0].tree is not None or chain.relations[0] != "=":
        return None
    first, right = chain.sides[0], chain.sides[1]
    # "The length will be = 4x": the words before the sign are what the line is about
    line = passage.text[: first.end].rpartition("\n")[2]
    has_nothing = first.start == first.end and not first.label.strip() and not _WORDS.search(line)
    return chain if has_nothing and right.tree is not None and not right.doubts and not right.others else None


def _judged(passage: Passage, chain: Chain, left: Side, before: Passage) -> Iterator[Placed]:
    right = chain.sides[1]
    assert left.tree is not None
    assert right.tree is not None
    names = free_symbols(left.tree)
    if free_symbols(right.tree) != names or left.others or not _is_exact(left, right):
        return
    if names:
        verdict = _IDENTITY[is_identity(left=left.tree, right=right.tree)]
        value = "is not the same expression"
    else:
        # Numbers may be rounded from line to line, so they are judged with tolerance; expressions must be identical.
        judgement = judge(left, right, "=", DEFAULT)
        verdict = _STATES.get(judgement.state, Verdict.NOT_APPLICABLE)
        value = f"is {shown(judgement.right)}, not {shown(judgement.left)}"
    if verdict is Verdict.NOT_APPLICABLE or (verdict is Verdict.REFUTED and _is_doubtful(passage, chain, left, before)):
        return
    goes_on = f"{plain(right.tree)} goes on from {plain(left.tree)}"
    sentence = f"{goes_on} and is equal to it." if verdict is Verdict.VERIFIED else f"{goes_on}, but {value}."
    yield place(
        passage=passage,
        start=right.start,
        end=right.end,
        checker=NAME,
        rule="a line that goes on",
        verdict=verdict,
        sentence=sentence,
        details={
            "normal_form": f"{plain(left.tree)} = {plain(right.tree)}",
            "rule": "a line that goes on",
            **_proof(passage, chain, left, before, is_same=verdict is Verdict.VERIFIED),
            "evidence_latex": f"{latex(left.tree)} = {latex(right.tree)}",
        },
    )


def _proof(passage: Passage, chain: Chain, left: Side, before: Passage, *, is_same: bool) -> dict[str, str]:
    right = chain.sides[1]
    assert left.tree is not None
    assert right.tree is not None
    texts = (before.text[left.start : left.end],)
    if free_symbols(left.tree):
        return of_identity(left.tree, right.tree, is_same=is_same, texts=texts)
    return of_values(left.tree, right.tree, texts)


def _is_exact(left: Side, right: Side) -> bool:
    """No rounded decimals, units or unknown functions on either side."""
    for side in (left, right):
        assert side.tree is not None
        # 2.33 may stand for 7/3: equality of rounded numbers is no equality of what they stand for.
        if any(number.decimals > 1 or number.cut or number.unit or number.percent for number in literals(side.tree)):
            return False
        # f(x) is named with its bracket; e, d and i may be constants or names, which nothing here says.
        if any("(" in name or name in ("e", "d", "i") for name in free_symbols(side.tree)):
            return False
        if any(isinstance(tree, Node) and tree.op.startswith("dots") for tree in walk(side.tree)):
            return False
    return True


def _beginnings(tree: Tree) -> Iterator[Tree]:
    while isinstance(tree, Node) and tree.op in ("+", "-", "*") and len(tree.args) > 1:
        tree = tree.args[0]
        yield tree


def _is_doubtful(passage: Passage, chain: Chain, left: Side, before: Passage) -> bool:
    """Whether the line may begin something new: two numbers alone, a program, a trial."""
    right = chain.sides[1]
    assert left.tree is not None
    assert right.tree is not None
    if bare_number(left.tree) is not None:
        return True
    # 84 - 98 + 39, and the next line says = 84 - 98 = -14: a sum that is worked off term by term
    if len(chain.relations) > 1 and right.tree in _beginnings(left.tree):
        return True
    # 100/30 boxes, and the next line says = 4
    if not free_symbols(left.tree) and right.tree is not None and is_told_otherwise(left.tree, right.tree):
        return True
    if is_program(text=before.text, start=left.start, end=left.end):
        return True
    return bool(context_doubt(passage.text, chain, 0))
