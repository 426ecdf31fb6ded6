"""Lists inside lists, and the cells of a table's row."""

import re
from dataclasses import replace
from itertools import pairwise

from hdag.rendering.atoms import Atom, AtomKind
from hdag.rendering.blocks import BlockShape, TextBlock

ITEMS = (BlockShape.BULLET, BlockShape.NUMBERED)
FURTHER = 2  # spaces that make a list a list inside another
_BAR = re.compile(r"(?<!\\)\|")


class Lists:
    """The lists that are open while blocks are written, from the outermost to the innermost."""

    def __init__(self) -> None:
        self.open: list[tuple[BlockShape, int]] = []

    def place(self, block: TextBlock) -> str:
        """What stands before the content of an item: tags that end what is over and begin what is new."""
        tags = []
        while self.open and self._is_over(block):
            tags.append(self._end())
        goes_on = self.open and block.indent < self.open[-1][1] + FURTHER
        tags.append("</li>" if goes_on else self._begin(block))
        tags.append(f'<li value="{block.number}">' if block.shape is BlockShape.NUMBERED else "<li>")
        return "".join(tags)

    def _is_over(self, block: TextBlock) -> bool:
        """The item stands further out, or beside this list as an item of the other kind."""
        shape, indent = self.open[-1]
        return block.indent <= indent - FURTHER or (block.indent < indent + FURTHER and block.shape is not shape)

    def close(self) -> str:
        """The ends of all lists that are open."""
        return "".join(self._end() for _ in range(len(self.open)))

    def _begin(self, block: TextBlock) -> str:
        self.open.append((block.shape, block.indent))
        return f'<ol start="{block.number}">' if block.shape is BlockShape.NUMBERED else "<ul>"

    def _end(self) -> str:
        return f"</li></{self.open.pop()[0]}>"


def cells_of(text: str, line: list[Atom]) -> list[list[Atom]]:
    """A row cut at its bars; the bars at its two ends frame no cell."""
    cells: list[list[Atom]] = [[]]
    for atom in line:
        bars = (
            [match.start() for match in _BAR.finditer(text, atom.start, atom.end)]
            if atom.kind is AtomKind.PROSE
            else []
        )
        if not bars:
            cells[-1].append(atom)
            continue
        # Borders one before the start and at the end, so that every cell lies strictly between two of them.
        edges = [atom.start - 1, *bars, atom.end]
        for number, (left, right) in enumerate(pairwise(edges)):
            # The first stretch continues the cell that the atoms before it began.
            if number:
                cells.append([])
            if left + 1 < right:
                cells[-1].append(replace(atom, start=left + 1, end=right, inner=left + 1, inner_end=right))
    # "| a | b |" has an empty piece at both ends; an empty cell between bars stays.
    is_empty = [not any(text[atom.start : atom.end].strip() for atom in cell) for cell in cells]
    first = 1 if is_empty[0] else 0
    end = len(cells) - 1 if is_empty[-1] and len(cells) > 1 else len(cells)
    return cells[first:end]
