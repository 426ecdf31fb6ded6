"""Text -> units: the sentences, list items, code blocks and displayed formulas that become steps.

"# Plan\n\nWe add. Then we halve.\n- one half" gives a heading, two sentences of one paragraph, and an item.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hdag.core.spans import Span, trim

# "## Title", "**Bold line**", "Step 2:" alone on its line
HEADING = re.compile(r"#{1,6} |\*\*[^*\n]{1,120}\*\*:?\s*$|(?:step|part|case)\s+\d{1,3}\s*[:.]?\s*$", re.IGNORECASE)
# "- x", "3. x", "(a) x", "Step 4: x"
ITEM = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)]|(?:step|part|case)\s+\d{1,3}\s*[:.)])\s", re.IGNORECASE)
FENCE = ("```", "~~~")
SHORT = 14  # a shorter sentence ("Okay.") belongs to the next one
# What closes a formula belongs to the sentence that ends in it and begins none.
# A mark, closing quotes or brackets, a blank, and something that may begin a sentence: "3.5" and "x. y" do not end.
STOP = re.compile(r"[.!?](?:\s{0,9}\\[\])])?[\"')\]*]{0,3}\s+(?=[A-Z0-9\"'(\[$\\*])(?!\\end\b|\\[\])])")
ABBREVIATIONS = (
    "e.g.",
    "i.e.",
    "etc.",
    "vs.",
    "dr.",
    "mr.",
    "mrs.",
    "ms.",
    "st.",
    "no.",
    "fig.",
    "eq.",
    "cf.",
    "approx.",
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, list item, heading or code block, with the number of the paragraph that it belongs to."""

    span: Span
    paragraph: int
    is_heading: bool = False
    is_code: bool = False
    is_item: bool = False


def split_units(*, text: str, within: Span) -> list[Unit]:
    """The units of `text` inside `within`, trimmed, in order, together holding every non-blank character. Linear."""
    units: list[Unit] = []
    for paragraph, (span, shape) in enumerate(_blocks(text, within)):
        if shape in ("heading", "code"):
            units.append(Unit(trim(text=text, span=span), paragraph, shape == "heading", shape == "code"))
        else:
            units.extend(Unit(sentence, paragraph, is_item=shape == "item") for sentence in _sentences(text, span))
    return units


def _lines(text: str, within: Span) -> Iterator[Span]:
    cursor = within.start
    while cursor < within.end:
        stop = text.find("\n", cursor, within.end)
        stop = within.end if stop < 0 else stop + 1
        yield Span(cursor, stop)
        cursor = stop


def _blocks(text: str, within: Span) -> Iterator[tuple[Span, str]]:
    """Paragraphs, list items, headings and fenced code, without blank lines."""
    start, closing, opened = -1, "", ""
    for line in _lines(text, within):
        bare = line.slice(text).strip()
        shape = _shape(bare, closing)
        # A plain line opens a paragraph or continues what is open, be it a paragraph, an item or code.
        if shape == "plain":
            start, opened = (line.start, shape) if start < 0 else (start, opened)
            continue
        # Anything else ends what was open: the closing fence as code, other shapes before their own line.
        if shape == "closed":
            yield Span(start, line.end), "code"
        elif start >= 0:
            yield Span(start, line.start), opened
        # Fences and items stay open for the lines below them; headings and blank lines do not.
        start, opened = (line.start if shape in ("fence", "item") else -1), shape
        closing = bare[:3] if shape == "fence" else ""
        if shape == "heading":
            yield line, "heading"
    if start >= 0:
        # A fence that is never closed runs to the end, as in Markdown.
        yield Span(start, within.end), "code" if closing else opened


def _shape(bare: str, closing: str) -> str:
    """What a line is; `closing` is the fence that ends the code block it stands in, "" outside of code."""
    if closing:
        return "closed" if bare.startswith(closing) else "plain"
    if not bare:
        return "blank"
    if bare.startswith(FENCE):
        return "fence"
    if HEADING.match(bare):
        return "heading"
    return "item" if ITEM.match(bare) else "plain"


def _sentences(text: str, span: Span) -> Iterator[Span]:
    """The sentences of a paragraph; a cut after an abbreviation or a very short sentence is not made."""
    start = span.start
    for match in STOP.finditer(text, span.start, span.end):
        cut = match.end()
        # "Okay. So ..." stays one unit: SHORT characters are too few to judge on their own.
        if cut - start < SHORT or _is_abbreviation(text, match.start()) or span.end - cut < 2:
            continue
        bare = trim(text=text, span=Span(start, cut))
        if len(bare):
            yield bare
        start = cut
    remainder = trim(text=text, span=Span(start, span.end))
    if len(remainder):
        yield remainder


def _is_abbreviation(text: str, dot: int) -> bool:
    """Whether the full stop at `dot` ends an abbreviation: "e.g. Paris" is no end of a sentence."""
    word = text[max(0, dot - 8) : dot + 1].lower().split()
    return bool(word) and word[-1].lstrip("(\"'") in ABBREVIATIONS
