"""The light Markdown of traces as blocks over exact spans: paragraphs, headings, lists, tables, fences, drawings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from hdag.rendering.atoms import Atom, AtomKind, find_atoms

_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
# A mark may end its run of prose: "- $x$" goes on with a formula, so nothing but a blank is refused behind it.
_BULLET = re.compile(r"[ \t]{0,12}[-*\u2022][ \t]+(?!\s)")
_NUMBERED = re.compile(r"[ \t]{0,12}(\d{1,4})[.)][ \t]+(?!\s)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")
_ROW_RULE = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+(?:\|[ \t]*+)?")
# what a drawn line holds: gaps inside, strokes, box characters, an indent
_PEN = re.compile(r"\S[ \t]{2,}\S|[-=+|/\\<>^_~]{2,}|[\u2500-\u257f]|(?m:^[ \t]{4,}\S)")
LEAST_DRAWN = 2  # lines that look drawn, before a paragraph is a drawing


class BlockShape(StrEnum):
    """What a block is."""

    PARAGRAPH = "p"
    HEADING = "h"
    BULLET = "ul"
    NUMBERED = "ol"
    FENCE = "pre"
    RULE = "hr"
    TABLE = "table"
    DRAWING = "art"


@dataclass(slots=True)
class TextBlock:
    """One block: its lines, each a list of prose runs and atoms; a list item's number and how far it is set in."""

    shape: BlockShape
    lines: list[list[Atom]] = field(default_factory=list)
    number: int = 0
    indent: int = 0


def find_blocks(*, text: str) -> Iterator[TextBlock]:
    """Yield the blocks of a text in reading order; every character that is not markup is in one of them."""
    for block in _raw_blocks(text):
        if block.shape is BlockShape.PARAGRAPH and len(block.lines) > 1:
            yield from _parts(text, block.lines)
        else:
            yield block


def _parts(text: str, lines: list[list[Atom]]) -> Iterator[TextBlock]:
    """A paragraph of several lines: its tables, what stands around them, and drawings."""
    written = [text[line[0].start : line[-1].end] for line in lines]
    done = 0
    for at in range(1, len(lines)):
        # A table is a row with bars and the rule under it; what stands before its head is a paragraph of its own.
        if at <= done or not is_row_rule(written[at]) or "|" not in written[at - 1]:
            continue
        # It ends at the first line without a bar.
        end = next((row for row in range(at, len(lines)) if "|" not in written[row]), len(lines))
        if done < at - 1:
            yield _plain(lines[done : at - 1], written[done : at - 1])
        yield TextBlock(BlockShape.TABLE, lines[at - 1 : end])
        done = end
    if done < len(lines):
        yield _plain(lines[done:], written[done:])


def _plain(lines: list[list[Atom]], written: list[str]) -> TextBlock:
    return TextBlock(BlockShape.DRAWING if _is_drawing(lines, written) else BlockShape.PARAGRAPH, lines)


def _is_drawing(lines: list[list[Atom]], written: list[str]) -> bool:
    """Strokes and gaps on most of the lines, and no formula."""
    is_prose = all(atom.kind is AtomKind.PROSE for line in lines for atom in line)
    drawn = sum(bool(_PEN.search(row)) for row in written)
    return is_prose and drawn >= LEAST_DRAWN and 2 * drawn > len(written)


def is_row_rule(line: str) -> bool:
    """Whether a line is the rule between a table's head and its body.

    >>> is_row_rule("|:--|--:|"), is_row_rule("| 1 | 2 |")
    (True, False)
    """
    return "|" in line and _ROW_RULE.fullmatch(line) is not None


def _raw_blocks(text: str) -> Iterator[TextBlock]:
    """Blocks by lines: a blank line or a line that begins something else ends the present one."""
    current: TextBlock | None = None
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


def _continues(current: TextBlock, block: TextBlock) -> bool:
    """A plain line goes on with the paragraph or list item above it."""
    return block.shape is BlockShape.PARAGRAPH and current.shape in (
        BlockShape.PARAGRAPH,
        BlockShape.BULLET,
        BlockShape.NUMBERED,
    )


def _lines(text: str) -> Iterator[list[Atom]]:
    """Lines of the text; a line break inside an atom does not end the line."""
    line: list[Atom] = []
    at = 0
    # The None behind the last atom stands for the end of the text.
    for atom in (*find_atoms(text=text), None):
        stop = len(text) if atom is None else atom.start
        while (newline := text.find("\n", at, stop)) >= 0:
            # Windows ends a line with two characters; the first of them is no part of it.
            end = newline - 1 if text[at:newline].endswith("\r") else newline
            if end > at:
                line.append(Atom(AtomKind.PROSE, at, end, at, end))
            yield line
            line, at = [], newline + 1
        if stop > at:
            line.append(Atom(AtomKind.PROSE, at, stop, at, stop))
        if atom is not None:
            # A fence is a line of its own, whatever stands before it.
            if atom.kind is AtomKind.FENCE:
                yield line
                line = []
            line.append(atom)
            at = atom.end
    yield line


def _has_content(text: str, line: list[Atom]) -> bool:
    return any(atom.kind is not AtomKind.PROSE or not text[atom.start : atom.end].isspace() for atom in line)


def _begin(text: str, line: list[Atom]) -> TextBlock:
    """The block that a line would begin: by the mark at its front, else a paragraph."""
    first = line[0]
    if first.kind is AtomKind.FENCE:
        return TextBlock(BlockShape.FENCE, [line])
    if first.kind is not AtomKind.PROSE:
        return TextBlock(BlockShape.PARAGRAPH, [line])
    if len(line) == 1 and _RULE.fullmatch(text, first.start, first.end):
        return TextBlock(BlockShape.RULE)
    for shape, pattern in (
        (BlockShape.HEADING, _HEADING),
        (BlockShape.BULLET, _BULLET),
        (BlockShape.NUMBERED, _NUMBERED),
    ):
        marker = pattern.match(text, first.start, first.end)
        # "- " with nothing behind it is no item; a formula behind it counts.
        if marker and (marker.end() < first.end or len(line) > 1):
            number = int(marker[1]) if shape is BlockShape.NUMBERED else 0
            after_marker = Atom(AtomKind.PROSE, marker.end(), first.end, marker.end(), first.end)
            content = [after_marker, *line[1:]] if marker.end() < first.end else line[1:]
            return TextBlock(shape, [content], number, _indent(marker[0]))
    return TextBlock(BlockShape.PARAGRAPH, [line])


def _indent(marker: str) -> int:
    """How far a list item is set in, in spaces.

    >>> _indent("    - ")
    4
    """
    written = marker.expandtabs(4)
    return len(written) - len(written.lstrip())
