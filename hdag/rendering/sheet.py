"""One sheet of paper (A4) as SVG: lines of text under one another, for a PDF that stands by itself. Pure.

No picture, no link, no font of its own: whatever is handed in becomes text and nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from xml.sax.saxutils import escape

WIDTH, HEIGHT, MARGIN = 794, 1123, 64  # A4 at 96 dots an inch
INK, SOFT, LINE = "#1b1d22", "#5a5f6a", "#d9d9d2"
COLOURS = {"pass": "#14603a", "fail": "#9c1f24"}
FONT = "DejaVu Sans, Liberation Sans, Arial, sans-serif"
LEADING = 1.4
GLYPH = 0.56  # mean width of a letter, of its size: lines end a little early rather than beyond the paper
# What XML 1.0 cannot hold, and marks that turn the direction of a line.
_UNPRINTABLE = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: its size in pixels, the space above it, and a word in front of it (an outcome) in its colour."""

    text: str
    size: int = 13
    is_bold: bool = False
    is_soft: bool = False
    above: int = 6
    mark: str = ""
    most: int = 4  # lines; the rest is cut


def draw_sheet(*, blocks: Sequence[Block], foot: str) -> str:
    """The sheet as SVG. What does not fit is left out, and the last line says how many paragraphs that are.

    >>> draw_sheet(blocks=[Block("3 < 4 & so")], foot="").count("3 &lt; 4 &amp; so")
    1
    """
    lines, left = list(_lines(blocks)), 0
    body = "".join(line for line, _ in lines)
    if len(lines) and lines[-1][1]:
        left = lines[-1][1]
    more = f"… and {left} more lines; the report has them all." if left else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{body}'
        f"{_text(MARGIN, HEIGHT - 84, more, 11, SOFT)}"
        f'<rect x="{MARGIN}" y="{HEIGHT - 70}" width="{WIDTH - 2 * MARGIN}" height="1" fill="{LINE}"/>'
        f"{_text(MARGIN, HEIGHT - 48, foot, 11, SOFT)}</svg>"
    )


def _lines(blocks: Sequence[Block]) -> Iterator[tuple[str, int]]:
    """Each drawn line, with how many blocks had no room after it."""
    y = float(MARGIN)
    for number, block in enumerate(blocks):
        indent = 86 if block.mark else 0
        texts = _wrapped(block, WIDTH - 2 * MARGIN - indent)
        height = block.above + len(texts) * block.size * LEADING
        if y + height > HEIGHT - 100:
            yield "", len(blocks) - number
            return
        y += block.above
        for place, text in enumerate(texts):
            y += block.size * LEADING
            if block.mark and place == 0:
                yield _text(MARGIN, y, block.mark, block.size, COLOURS.get(block.mark, SOFT), is_bold=True), 0
            yield _text(MARGIN + indent, y, text, block.size, SOFT if block.is_soft else INK, is_bold=block.is_bold), 0


def _wrapped(block: Block, width: int) -> list[str]:
    columns = max(10, int(width / (block.size * GLYPH * (1.08 if block.is_bold else 1))))
    texts = wrap(" ".join(_UNPRINTABLE.sub(" ", block.text).split()), columns) or [""]
    return texts if len(texts) <= block.most else [*texts[: block.most - 1], f"{texts[block.most - 1][:-2]} …"]


def _text(x: float, y: float, text: str, size: int, colour: str, *, is_bold: bool = False) -> str:
    if not text:
        return ""
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{x:.0f}" y="{y:.1f}" font-family="{FONT}" font-size="{size}" fill="{colour}"{weight}>'
        f"{escape(_UNPRINTABLE.sub(' ', text))}</text>"
    )
