"""Blocks: the stretches of a text that no passage border may fall into (formulas, list items, tables, code, tools)."""

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hdag.core.passages.formulas import find_closed, merge
from hdag.core.passages.records import find_tool_records
from hdag.core.spans import Span

_FENCE = re.compile(r"[ \t]{0,12}(```|~~~)")
# "Coder: ```python": a speaker may open a block behind his name.
_OPENING = re.compile(r"[ \t]{0,12}(?P<fence>```|~~~)|[^`\n]{1,60}(?P<behind>```)\w{0,20}\s*$")
_ITEM = re.compile(r"[ \t]{0,24}(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]", re.IGNORECASE)
_TABLE = re.compile(r"[ \t]{0,12}\|.*\|[ \t]*$")
LONGEST_ITEM = 900  # characters of a list item with what is nested in it; a longer one is held to its first inner item
_HEADING = re.compile(r"[ \t]{0,3}#{1,6} ")


def find_blocks(*, text: str, turns: Sequence[int] = ()) -> list[Span]:
    """Disjoint spans of `text` in order, each a formula, list item, table, code or record of a tool. Linear.

    turns: where the input's own steps end, in order. A fence that nobody closes reaches to the end of its step alone:
    a speaker who forgot it does not put what the others say into one block with his own.

    >>> [span.slice("a\\n- b\\n  c\\n\\nd") for span in find_blocks(text="a\\n- b\\n  c\\n\\nd")]
    ['- b\\n  c\\n']
    """
    return merge(
        spans=[
            *_line_blocks(text, turns),
            *_nested_items(text),
            *find_tool_records(text=text),
            *find_closed(text=text),
        ]
    )


def _line_blocks(text: str, turns: Sequence[int]) -> Iterator[Span]:
    start, opened, cursor = 0, "", 0
    for line in text.splitlines(keepends=True):
        shape = _shape(line, opened)
        # "in" continues the open block; anything else ends it before this line, a closing fence behind it.
        if shape != "in":
            if opened:
                yield Span(start, cursor + len(line) if shape == "closed" else cursor)
            start, opened = cursor, "" if shape == "closed" else shape
        cursor += len(line)
    if opened:
        at = bisect.bisect_right(turns, start)
        yield Span(start, turns[at] if at < len(turns) else len(text))


def _shape(line: str, opened: str) -> str:
    """What a line opens (code, table, item, ""); "in" where it continues the block, "closed" at a closing fence."""
    fence = _FENCE.match(line)
    if opened.startswith("code"):
        return "closed" if fence and fence.group(1) == opened[4:] else "in"
    opening = _OPENING.match(line)
    if opening:
        return f"code{opening['fence'] or opening['behind']}"
    if _TABLE.match(line):
        return "in" if opened == "table" else "table"
    if _ITEM.match(line):
        return "item"
    # A plain line continues an item; a blank line or a heading ends it.
    return "in" if opened == "item" and line.strip() and not _HEADING.match(line) else ""


def _nested_items(text: str) -> Iterator[Span]:
    """List items with the items nested in them by indentation; nothing for an item without any."""
    opened: list[_Item] = []
    cursor = last = 0
    after_blank = False
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare:
            indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
            is_item = _ITEM.match(line) is not None
            ends = is_item or after_blank or _HEADING.match(line) is not None
            while ends and opened and indent <= opened[-1].indent:
                yield from opened.pop().span(last)
            if opened and is_item:
                opened[-1] = replace(opened[-1], inner=opened[-1].inner or cursor + len(line.rstrip()))
            if is_item:
                opened.append(_Item(indent, cursor))
            last = cursor + len(line.rstrip())
        after_blank = not bare
        cursor += len(line)
    for item in reversed(opened):
        yield from item.span(last)


@dataclass(frozen=True, slots=True)
class _Item:
    """A list item that is being read: its indentation, where it begins, where its first inner item's line ends."""

    indent: int
    start: int
    inner: int = 0

    def span(self, end: int) -> Iterator[Span]:
        """The item with all that is nested in it, up to `end`; of a long one up to its first inner line."""
        if self.inner:
            yield Span(self.start, end if end - self.start <= LONGEST_ITEM else self.inner)
