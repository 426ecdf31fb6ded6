"""What stands before a place of a script: its equations, and the values that letters are given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditing.checker.checks.algebra.equations import assigned_symbol, is_equation
from auditing.checker.mathematics.chains import Chain
from auditing.checker.mathematics.tree import Sym, Tree, free_symbols, literals
from auditing.checker.reading.passages import Passage, Script

# passages that a solution may reach back over
REACH = 6


@dataclass(frozen=True, slots=True)
class Told:
    """Two sides that are said to be equal, and the text that says it."""

    left: Tree
    right: Tree
    text: str

    @property
    def names(self) -> frozenset[str]:
        """The letters in it."""
        return free_symbols(self.left) | free_symbols(self.right)


@dataclass(frozen=True, slots=True)
class Value:
    """x = 11/10: the letter, its value, and where that stands."""

    name: str
    tree: Tree
    start: int
    end: int


def equations_before(script: Script, number: int, stop: int) -> Iterator[Told]:
    """Equations before place `stop` of passage `number`, the nearest first; last those of the problem."""
    texts = [(script.passages[number], stop)]
    texts += [(passage, len(passage.text)) for passage in reversed(script.passages[max(0, number - REACH) : number])]
    for passage, end in (*texts, (script.problem, len(script.problem.text))):
        for chain in reversed(passage.page.chains):
            if chain.end <= end:
                yield from _links(passage, chain)


def _links(passage: Passage, chain: Chain) -> Iterator[Told]:
    for index, relation in reversed(list(enumerate(chain.relations))):
        left, right = chain.sides[index : index + 2]
        if relation == "=" and is_equation(left, right, text=passage.text) and not assigned_symbol(left, right):
            assert left.tree is not None
            assert right.tree is not None
            yield Told(left.tree, right.tree, passage.text[left.start : right.end])


def values_told(passage: Passage, start: int, end: int) -> list[Value]:
    """Letters that are given an exact value between two places; none where a letter is given two."""
    values: dict[str, Value] = {}
    for chain in passage.page.chains:
        if not start <= chain.start < end or chain.relations != ["="] * len(chain.relations):
            continue
        first, last = chain.sides[0], chain.sides[-1]
        if not isinstance(first.tree, Sym) or last.tree is None or free_symbols(last.tree) or last.others:
            continue
        # x = 3 or x = 4: neither is the value
        if any(doubt != "a list" for doubt in (*first.doubts, *last.doubts)):
            return []
        if any(number.decimals or number.percent or number.unit for number in literals(last.tree)):
            continue
        if first.tree.name in values:
            return []
        values[first.tree.name] = Value(first.tree.name, last.tree, chain.start, last.end)
    return list(values.values())
