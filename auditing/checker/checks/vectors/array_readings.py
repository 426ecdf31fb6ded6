"""The equations between arrays of a script, each side read as a value; what a name stands for where it has one value.

A name that is given two values, or a number somewhere, stands for whatever it may be.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from auditing.checker.mathematics.evaluate import value_of
from auditing.checker.mathematics.linear import values
from auditing.checker.mathematics.linear.cursor import Setting
from auditing.checker.mathematics.linear.formulas import ArrayChain, ArraySide, Formula, formulas, read_chains
from auditing.checker.mathematics.linear.grammar import is_plain_name
from auditing.checker.mathematics.linear.marks import ARROW, BOLD
from auditing.checker.mathematics.linear.values import Value
from auditing.checker.mathematics.notation.arrays import read_array
from auditing.checker.mathematics.tree import plain
from auditing.checker.reading.passages import MAX_PASSAGE, Passage, Script
from hdag.core.text.cues import Cue

# the dimension that an identity of vectors must hold in where no table says another one
SPACE = 3
# names of one script, and its formulas with arrays: more than anybody writes out
MOST_NAMES, MOST_FORMULAS = 60, 1_000

# B - A = (3, 4) says nothing of A alone
_POINT = Cue(
    r"(?<![\w\\'{])(?<![-+*/·×^−])(?<![-+*/·×^−]\s)(?<!cdot\s)(?<!times\s)([A-Za-z])('{0,2})\s?(?:=\s?|(?<=[A-Z' ]))"
    r"(?=\()"
)
_GOES_ON = re.compile(r"\s?(?:[-+*/×·^=<>(]|\\(?:cdot|times)|,\s?\()")

# chains, and the dimension that they were read in
BestChains = tuple[list[ArrayChain], int]


@dataclass(frozen=True, slots=True)
class ArrayLink:
    """left = right, both read: where it stands, and whether what holds of its unknown vectors holds in general."""

    passage: Passage
    left: ArraySide
    right: ArraySide
    relation: str
    sign: int
    index: int
    is_general: bool


class Names:
    """What each name is said to be: the values, as they can be told apart, and the texts that say so."""

    def __init__(self) -> None:
        self.values: dict[str, dict[object, Value]] = defaultdict(dict)
        self.lines: dict[str, str] = {}

    def add(self, name: str, value: Value, line: str) -> None:
        """Keeps a value of a name; whoever is given another one has two."""
        if len(self.values) < MOST_NAMES or name in self.values:
            key = (value.shape, tuple(value_of(cell) or plain(cell) for cell in value.cells))
            self.values[name].setdefault(key, value)
            self.lines.setdefault(name, line)

    def valued(self) -> dict[str, Value]:
        """The names with one value, which they stand for."""
        return {
            name: replace(next(iter(each.values())), name=name, replaced=frozenset((name,)), is_computed=False)
            for name, each in self.values.items()
            if len(each) == 1 and next(iter(each.values())).kind != values.NUMBER
        }


def array_links(script: Script) -> tuple[list[ArrayLink], dict[str, str]]:
    """Every link with an array on one of its sides whose two sides are read; and for each known name its line."""
    pages = [(passage, list(formulas(passage.text[:MAX_PASSAGE]))) for passage in (script.problem, *script.passages)]
    if not any(page for passage, page in pages if passage is not script.problem):
        return [], {}
    written = [(passage, formula) for passage, page in pages for formula in page][:MOST_FORMULAS]
    nameless = [_best_chains(formula, {}) for _, formula in written]
    names = _names(pages, written, nameless)
    valued = names.valued()
    read = dict(zip((id(formula) for _, formula in written), nameless, strict=True))
    letters = "".join(name for name in valued if len(name) == 1 and name.isalpha() and name.isascii())
    if letters:
        pages, read = [(passage, list(formulas(passage.text[:MAX_PASSAGE], letters))) for passage, _ in pages], {}
    solved = [(passage, formula) for passage, page in pages if passage is not script.problem for formula in page]
    links = [
        link
        for passage, formula in solved[:MOST_FORMULAS]
        for link in _links(passage, formula, valued, read.get(id(formula)))
    ]
    return links, names.lines


def _names(
    pages: list[tuple[Passage, list[Formula]]], written: list[tuple[Passage, Formula]], nameless: list[BestChains]
) -> Names:
    """What the names of all formulas are said to be, by the chains that are read without any of them."""
    names = Names()
    for (passage, _), (chains, _) in zip(written, nameless, strict=True):
        for chain in chains:
            _learn(names, passage, chain)
    for passage, _ in pages:
        _learn_points(names, passage)
    for passage, _ in pages if names.values else ():
        _learn_numbers(names, passage)
    return names


def _learn_numbers(names: Names, passage: Passage) -> None:
    """A letter that is a number somewhere names no array everywhere."""
    for chain in passage.page.chains:
        for left, right in itertools.pairwise(chain.sides):
            # det(A) = 2 says nothing of A
            name = is_plain_name(left.tree) if left.tree is not None and not left.doubts else ""
            if name in names.values and right.tree is not None:
                names.add(name, values.number(right.tree), "")


def _learn(names: Names, passage: Passage, chain: ArrayChain) -> None:
    for at, side in enumerate(chain.sides):
        name = _name_of(side)
        if not name:
            continue
        # a point with its name before it says its own place
        if side.value is not None and _is_explicit(side.value):
            names.add(name, side.value, passage.text[side.start : side.end])
        for at_other, equal in enumerate(chain.sides):
            low, high = sorted((at, at_other))
            is_equal = low < high and set(chain.relations[low:high]) == {"="}
            if is_equal and equal.value is not None and _is_explicit(equal.value):
                line = passage.text[chain.sides[low].start : chain.sides[high].end]
                names.add(name, equal.value, line)


def _learn_points(names: Names, passage: Passage) -> None:
    """A(1, 2) and u = (1, 2, 3), wherever they stand."""
    for match in _POINT.finditer(passage.text[:MAX_PASSAGE]):
        array = read_array(passage.text, match.end())
        # P(5, 2) = 20 is no point
        if array is None or not array.is_vector or _GOES_ON.match(passage.text, array.end):
            continue
        names.add(match[1] + match[2], values.vector(array.rows[0]), passage.text[match.start() : array.end])


def _name_of(side: ArraySide) -> str:
    if side.value is None:
        return ""
    return side.value.name or (is_plain_name(side.value.tree) if side.value.kind == values.NUMBER else "")


def _is_explicit(value: Value) -> bool:
    return value.kind in (values.VECTOR, values.MATRIX) and not value.unknown


def _best_chains(formula: Formula, valued: dict[str, Value]) -> BestChains:
    """The chains in the dimension in which most sides can be read, and that dimension."""
    best: tuple[int, list[ArrayChain], int] | None = None
    dimensions = formula.dimensions
    for dimension in (*dimensions, 2) if 2 not in dimensions else dimensions:
        chains = list(read_chains(formula, Setting(valued, dimension)))
        unread = sum(side.value is None for chain in chains for side in chain.sides)
        if best is None or unread < best[0]:
            best = (unread, chains, dimension)
        if not unread:
            break
    assert best is not None
    return best[1], best[2]


def _links(
    passage: Passage, formula: Formula, valued: dict[str, Value], nameless: BestChains | None
) -> Iterator[ArrayLink]:
    """The links of a formula; nameless: its chains where no name stands for anything, if they are known."""
    letters = {name.lstrip(ARROW + BOLD) for name in formula.names} | formula.names
    named = valued if letters & valued.keys() or _joins_points(formula, valued) else {}
    chains, dimension = (None if named else nameless) or _best_chains(formula, named)
    is_general = dimension == SPACE or dimension in formula.dimensions
    for chain in chains:
        for at, relation in enumerate(chain.relations):
            left, right = chain.sides[at], chain.sides[at + 1]
            if (left.holds_arrays or right.holds_arrays) and are_alike(left, right):
                yield ArrayLink(passage, left, right, relation, chain.signs[at], at, is_general)


def _joins_points(formula: Formula, valued: dict[str, Value]) -> bool:
    """Whether AB stands in it, where A and B are known."""
    return any(
        len(letters) == 2 and letters.isupper() and set(letters) <= valued.keys()
        for letters in (name.lstrip(ARROW) for name in formula.names)
    )


def are_alike(left: ArraySide, right: ArraySide) -> bool:
    """Whether both sides are read and of one kind: two numbers, two arrays, or a name for one of them."""
    a, b = left.value, right.value
    if a is None or b is None:
        return False
    if a.is_array and b.is_array:
        return True
    return a.kind == b.kind or bool(_name_of(left) or _name_of(right))
