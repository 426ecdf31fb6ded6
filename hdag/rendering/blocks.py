"""The light Markdown of traces as a tree of blocks over exact spans: paragraphs, headings, lists, fences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from hdag.rendering.atoms import Atom, Kind, find_atoms

_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_BULLET = re.compile(r"[ \t]{0,12}[-*\u2022][ \t]+(?=\S)")
_NUMBERED = re.compile(r"[ \t]{0,12}(\d{1,4})[.)][ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")


class Shape(StrEnum):
    """What a block is."""

    PARAGRAPH = "p"
    HEADING = "h"
    BULLET = "ul"
    NUMBERED = "ol"
    FENCE = "pre"
    RULE = "hr"


@dataclass(slots=True)
class Block:
    """One block: its lines, each a list of prose runs and atoms; number is that of a numbered item."""

    shape: Shape
    lines: list[list[Atom]] = field(default_factory=list)
    number: int = 0


def find_blocks(*, text: str) -> Iterator[Block]:
    """Yield the blocks of a text in reading order; every character that is not markup is in one of them."""
    current: Block | None = None
    for line in _lines(text):
        block = _begin(text, line) if _has_content(text, line) else None
        if block and current and _continues(current, block):
            current.lines += block.lines
            continue
        if current:
            yield current
        current = block
    if current:
        yield current


def _continues(current: Block, block: Block) -> bool:
    """A plain line goes on with the paragraph or list item above it."""
    return block.shape is Shape.PARAGRAPH and current.shape in (Shape.PARAGRAPH, Shape.BULLET, Shape.NUMBERED)


def _lines(text: str) -> Iterator[list[Atom]]:
    """Lines of the text; a line break inside an atom does not end the line."""
    line: list[Atom] = []
    at = 0
    for atom in (*find_atoms(text=text), None):
        stop = len(text) if atom is None else atom.start
        while (newline := text.find("\n", at, stop)) >= 0:
            if newline > at:
                line.append(Atom(Kind.PROSE, at, newline, at, newline))
            yield line
            line, at = [], newline + 1
        if stop > at:
            line.append(Atom(Kind.PROSE, at, stop, at, stop))
        if atom is not None:
            if atom.kind is Kind.FENCE:
                yield line
                line = []
            line.append(atom)
            at = atom.end
    yield line


def _has_content(text: str, line: list[Atom]) -> bool:
    return any(item.kind is not Kind.PROSE or not text[item.start : item.end].isspace() for item in line)


def _begin(text: str, line: list[Atom]) -> Block:
    first = line[0]
    if first.kind is Kind.FENCE:
        return Block(Shape.FENCE, [line])
    if first.kind is not Kind.PROSE:
        return Block(Shape.PARAGRAPH, [line])
    if len(line) == 1 and _RULE.fullmatch(text, first.start, first.end):
        return Block(Shape.RULE)
    for shape, pattern in ((Shape.HEADING, _HEADING), (Shape.BULLET, _BULLET), (Shape.NUMBERED, _NUMBERED)):
        found = pattern.match(text, first.start, first.end)
        if found and (found.end() < first.end or len(line) > 1):
            number = int(found[1]) if shape is Shape.NUMBERED else 0
            rest = Atom(Kind.PROSE, found.end(), first.end, found.end(), first.end)
            return Block(shape, [[rest, *line[1:]]], number)
    return Block(Shape.PARAGRAPH, [line])
