"""Blocks: the stretches of a text that no passage border may fall into (formulas, list items, tables, code)."""

import re
from collections.abc import Iterator

from hdag.core.passages.formulas import find_closed, merge
from hdag.core.spans import Span

_FENCE = re.compile(r"[ \t]{0,12}(```|~~~)")
_ITEM = re.compile(r"[ \t]{0,24}(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]", re.IGNORECASE)
_TABLE = re.compile(r"[ \t]{0,12}\|.*\|[ \t]*$")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6} ")


def find_blocks(*, text: str) -> list[Span]:
    """Disjoint spans of `text` in order, each a code block, a table, a list item or a formula. Linear.

    >>> [span.slice("a\\n- b\\n  c\\n\\nd") for span in find_blocks(text="a\\n- b\\n  c\\n\\nd")]
    ['- b\\n  c\\n']
    """
    return merge(spans=[*_line_blocks(text), *find_closed(text=text)])


def _line_blocks(text: str) -> Iterator[Span]:
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
        yield Span(start, len(text))


def _shape(line: str, opened: str) -> str:
    """What a line opens (code, table, item, ""); "in" where it continues the block, "closed" at a closing fence."""
    fence = _FENCE.match(line)
    if opened.startswith("code"):
        return "closed" if fence and fence.group(1) == opened[4:] else "in"
    if fence:
        return f"code{fence.group(1)}"
    if _TABLE.match(line):
        return "in" if opened == "table" else "table"
    if _ITEM.match(line):
        return "item"
    # A plain line continues an item; a blank line or a heading ends it.
    return "in" if opened == "item" and line.strip() and not _HEADING.match(line) else ""
