"""Letters that are given a rounded value: "t = 4 sqrt(5)", then "t ≈ 9.01", where 4 sqrt(5) is 8.944."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from auditing.checker.checks.solved.placing import MOST, is_open, refuted
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.compare import FAILS, compare
from auditing.checker.mathematics.enclosure import IncalculableError, as_range
from auditing.checker.mathematics.evaluate import evaluate
from auditing.checker.mathematics.tree import (
    Node,
    Num,
    Sym,
    Tree,
    bare_number,
    free_symbols,
    has_two_values,
    literals,
    plain,
)
from auditing.checker.reading.around.ends import about_ends
from auditing.checker.reading.passages import Passage, Placed, Script
from hdag.core.text.cues import Cue

RULE = "a value rounded"
_NEARLY = Cue(r"≈|\\approx|≃|\bapproximately\b|\babout\b|\broughly\b")
# passages that an exact value is looked for in
REACH = 2
# another unit, degrees of an angle: the rounded value may be the exact one in these
_FACTORS = (*map(Fraction, (7, 12, 24, 60, 100, 365, 1000, 3600)), Fraction(573, 10))
_NEAR, _ROUGH = Fraction(1, 100), Fraction(1, 200)


def check(script: Script) -> Iterator[Placed]:
    """Every letter that is nearly a number, against the exact value that it had directly before."""
    for number, passage in enumerate(script.near(_NEARLY)):
        nearly = (chain for chain in passage.page.chains if chain.relations[0] == "≈")
        for chain in islice((chain for chain in nearly if isinstance(chain.sides[0].tree, Sym)), MOST):
            yield from _judged(script, passage, number, chain)


def _judged(script: Script, passage: Passage, number: int, chain: Chain) -> Iterator[Placed]:
    name, right = chain.sides[0].tree, chain.sides[1]
    claimed = bare_number(right.tree) if right.tree is not None else None
    if claimed is None or not claimed.decimals or right.doubts or right.others or not isinstance(name, Sym):
        return
    told = _value_before(script, number, chain, name)
    if told is None or is_open(passage, chain.start, right.end):
        return
    exact, text = told
    if compare(left=exact, right=claimed, relation="=").state == FAILS and not _may_be_meant(exact, claimed):
        sentence = f"{name.name} was {plain(exact)}, which is not nearly {plain(claimed)}:"
        yield refuted(passage, (chain.start, right.end), RULE, (exact, claimed), sentence, (text,))


def _value_before(script: Script, number: int, chain: Chain, name: Sym) -> tuple[Tree, str] | None:
    """The last exact value of a letter, and the text that says it; nothing where it had two."""
    values: dict[str, tuple[Tree, str]] = {}
    for passage in script.passages[max(0, number - REACH) : number + 1]:
        for earlier in passage.page.chains:
            if passage is script.passages[number] and earlier.end > chain.start:
                break
            last = earlier.sides[-1]
            if earlier.sides[0].tree != name or last.tree is None or set(earlier.relations) != {"="}:
                continue
            # a value that is read otherwise, or not at all, is the last one all the same
            is_exact = not (last.doubts or last.others or free_symbols(last.tree) or has_two_values(last.tree))
            # erf(z) = 2/3 tells no value of z
            is_exact &= not about_ends(passage.text, earlier, 0)
            if not is_exact or any(number_read.decimals or number_read.unit for number_read in literals(last.tree)):
                return None
            values[plain(last.tree)] = (last.tree, passage.text[earlier.start : last.end])
    only = list(values.values())
    return only[0] if len(only) == 1 and isinstance(only[0][0], Node) else None


def _may_be_meant(exact: Tree, claimed: Num) -> bool:
    """Whether a value may be rounded further than its digits say, or stand in another unit."""
    try:
        value = as_range(evaluate(exact))
    except IncalculableError:
        return True
    if not value.low or not claimed.value:
        return True
    ratio = abs(claimed.value / value.low)
    return abs(ratio - 1) < _ROUGH or any(
        abs(ratio / factor - 1) < _NEAR or abs(ratio * factor - 1) < _NEAR for factor in _FACTORS
    )
