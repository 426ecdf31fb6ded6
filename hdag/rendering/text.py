"""Hostile trace text becomes safe HTML: prose, light Markdown, formulas as MathML, code, marked spans.

Never a link, a picture or raw HTML. Time is linear in the text; results are cached by the digest of what was asked.
Every run carries data-at, the place in the source where it begins, so that a selection can be told as code points.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.core.cache import cache

from hdag.rendering.atoms import Atom, AtomKind
from hdag.rendering.blocks import BlockShape, TextBlock, find_blocks
from hdag.rendering.hidden import show_hidden
from hdag.rendering.lists import ITEMS, Lists, cells_of
from hdag.rendering.maths import render_formula

VERSION = 3  # raise it when the output changes: cached pages of the old kind are then never read
MOST_FORMULAS = 200
MOST_CHARACTERS = 200_000
KEPT_SECONDS = 24 * 3600
# "**", or a "*" that touches a word on one side only: "2 * 3" and "a*b" are products.
_STAR = re.compile(r"\*\*|(?<![\w*\\])\*(?=[^\s*])|(?<=[^\s*\\])\*(?![\w*])")


@dataclass(frozen=True, slots=True)
class RenderedText:
    """Safe HTML, how many formulas it holds, how many were left as written, how many characters were left out."""

    html: str
    formulas: int = 0
    formulas_left: int = 0
    characters_left: int = 0


def render_text(
    *, text: str, spans: Sequence[tuple[int, int]] = (), most_formulas: int = MOST_FORMULAS
) -> RenderedText:
    """Render trace text; `spans` (code points, half open) are marked.

    >>> render_afresh(text="**So** <b>").html
    '<p><strong><span data-at="2">So</span></strong><span data-at="6"> &lt;b&gt;</span></p>'
    """
    key = _key(text, spans, most_formulas)
    stored = cache.get(key)
    if stored is None:
        stored = render_afresh(text=text, spans=spans, most_formulas=most_formulas)
        cache.set(key, (stored.html, stored.formulas, stored.formulas_left, stored.characters_left), KEPT_SECONDS)
        return stored
    return RenderedText(*stored)


def render_afresh(
    *, text: str, spans: Sequence[tuple[int, int]] = (), most_formulas: int = MOST_FORMULAS
) -> RenderedText:
    """Render without the cache."""
    visible = text[:MOST_CHARACTERS]
    writer = _Writer(visible, _joined(spans), most_formulas)
    html = "".join(writer.write(find_blocks(text=visible)))
    return RenderedText(html, writer.formulas, writer.left, len(text) - len(visible))


def render_source(*, text: str, spans: Sequence[tuple[int, int]] = ()) -> str:
    """The text as it was written, for a <pre>: escaped, unseen characters marked, spans marked."""
    writer = _Writer(text, _joined(spans), 0)
    return writer.run(0, len(text))


def _key(text: str, spans: Sequence[tuple[int, int]], most: int) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    digest.update(repr((VERSION, most, [tuple(span) for span in spans])).encode())
    return f"rendered:{digest.hexdigest()}"


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, overlapping ones joined, empty ones dropped."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((start, end) for start, end in spans if start < end):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


class _Writer:
    """Writes the blocks of one text."""

    def __init__(self, text: str, spans: list[tuple[int, int]], most: int) -> None:
        self.text, self.spans, self.most = text, spans, most
        self.starts = [start for start, _ in spans]
        self.formulas = self.left = 0

    def write(self, blocks: Iterator[TextBlock]) -> Iterator[str]:
        """HTML of the blocks; neighbouring items share a list, items set in further a list inside it."""
        lists = Lists()
        for block in blocks:
            yield lists.place(block) if block.shape in ITEMS else lists.close()
            yield self._block(block)
        yield lists.close()

    def _block(self, block: TextBlock) -> str:
        """HTML of one block without the list around it."""
        if block.shape is BlockShape.RULE:
            return "<hr>"
        if block.shape is BlockShape.FENCE:
            fence, after = block.lines[0][0], block.lines[0][1:]
            code = self.run(fence.inner, fence.inner_end)
            after_html = self._inline([after]) if after else ""
            # Focusable, because it scrolls: without it a keyboard could not read a long line to its end.
            return f'<pre tabindex="0" data-at="{fence.inner}"><code>{code}</code></pre>{after_html}'
        if block.shape is BlockShape.TABLE:
            return self._table(block.lines)
        inside = self._inline(block.lines)
        if block.shape in ITEMS:
            return inside
        if block.shape is BlockShape.DRAWING:
            return f'<p class="trace-art" tabindex="0">{inside}</p>'
        return f'<p class="trace-heading">{inside}</p>' if block.shape is BlockShape.HEADING else f"<p>{inside}</p>"

    def _table(self, lines: list[list[Atom]]) -> str:
        """A head, the rule below it, rows."""
        head, _, *rows = [cells_of(self.text, line) for line in lines]
        inside = "".join(self._row(row, "td") for row in rows)
        return (
            f'<div class="table-wrap" tabindex="0"><table class="table"><thead>{self._row(head, "th")}</thead>'
            f"<tbody>{inside}</tbody></table></div>"
        )

    def _row(self, cells: list[list[Atom]], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{self._inline([cell])}</{tag}>' for cell in cells)}</tr>"

    def _inline(self, lines: list[list[Atom]]) -> str:
        # None stands for a line break between two lines.
        pieces: list[Atom | None] = []
        for number, line in enumerate(lines):
            pieces += [None] if number else []
            for atom in line:
                pieces += self._split_stars(atom)
        tags = _pair_stars(pieces, self.text)
        return "".join(tags.get(index) or self._piece(piece) for index, piece in enumerate(pieces))

    def _split_stars(self, atom: Atom) -> list[Atom]:
        """Prose cut at its stars, each star an item of its own."""
        if atom.kind is not AtomKind.PROSE:
            return [atom]
        cuts = [at for match in _STAR.finditer(self.text, atom.start, atom.end) for at in match.span()]
        edges = [atom.start, *cuts, atom.end]
        return [replace(atom, start=a, end=b, inner=a, inner_end=b) for a, b in pairwise(edges) if a < b]

    def _piece(self, piece: Atom | None) -> str:
        if piece is None:
            return "<br>"
        if piece.kind is AtomKind.PROSE:
            return f'<span data-at="{piece.start}">{self.run(piece.start, piece.end)}</span>'
        if piece.kind in (AtomKind.CODE, AtomKind.FENCE):
            return f'<code data-at="{piece.inner}">{self.run(piece.inner, piece.inner_end)}</code>'
        return self._formula(piece)

    def _formula(self, piece: Atom) -> str:
        """A formula as MathML with its place in the source; as written once the budget of formulas is spent."""
        source, block = self.text[piece.inner : piece.inner_end], piece.kind is AtomKind.DISPLAY
        name = "formula-block" if block else "formula"
        span = f'data-at="{piece.start}" data-to="{piece.end}"'
        # The page's budget of formulas is spent: as written, and counted so that the page can offer the rest.
        if self.formulas >= self.most:
            self.left += 1
            return (
                f'<span class="{name} formula-raw" {span}>{show_hidden(text=self.text[piece.start : piece.end])}</span>'
            )
        self.formulas += 1
        inside = render_formula(source=source.strip(), block=block).html
        if self._is_marked(piece.start, piece.end):
            inside = f"<mark>{inside}</mark>"
        return f'<span class="{name}" {span}>{inside}</span>'

    def _is_marked(self, start: int, end: int) -> bool:
        index = bisect_right(self.starts, end - 1) - 1
        return index >= 0 and self.spans[index][1] > start

    def run(self, start: int, end: int) -> str:
        """Escaped text of [start, end) with the marked spans inside it."""
        done, at = [], start
        # the last span that begins at or before `start`, or the first of all
        first = max(0, bisect_right(self.starts, start) - 1)
        for left, right in self.spans[first:]:
            if left >= end:
                break
            left, right = max(left, at), min(right, end)
            if left < right:
                done.append(show_hidden(text=self.text[at:left]))
                done.append(f"<mark>{show_hidden(text=self.text[left:right])}</mark>")
                at = right
        done.append(show_hidden(text=self.text[at:end]))
        return "".join(done)


def _pair_stars(pieces: list[Atom | None], text: str) -> dict[int, str]:
    """Which stars are the two ends of an emphasis; a star without its partner stays a star."""
    tags: dict[int, str] = {}
    waiting: list[tuple[str, int]] = []
    for index, piece in enumerate(pieces):
        if piece is None or piece.kind is not AtomKind.PROSE or piece.end - piece.start > 2:
            continue
        star = text[piece.start : piece.end]
        if star not in ("*", "**"):
            continue
        tag = "strong" if star == "**" else "em"
        opened = [at for name, at in waiting if name == tag]
        if not opened:
            waiting.append((tag, index))
            continue
        # "****" holds nothing: no empty emphasis.
        if opened[-1] + 1 < index:
            tags[opened[-1]], tags[index] = f"<{tag}>", f"</{tag}>"
        # Emphasis nests: whatever was opened inside this pair and never closed stays a star.
        while waiting and waiting.pop() != (tag, opened[-1]):
            pass
    return tags
