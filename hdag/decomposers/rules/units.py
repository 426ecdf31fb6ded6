"""Text -> units: the sentences, list items, code blocks and displayed formulas that become steps.

"# Plan\n\nWe add. Then we halve.\n- one half" gives a heading, two sentences of one paragraph, and an item.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hdag.core.passages.formulas import find_closed, is_inside
from hdag.core.passages.sentences import find_sentences
from hdag.core.spans import Span, trim
from hdag.core.text.cues import Cue

# "## Title", "**Bold line**", "Step 2:" alone on its line
HEADING = re.compile(
    r"#{1,6} |\*\*[^*\n]{1,120}\*\*:?\s*$|(?:step|part|case|option)\s+[\dA-Z]{1,3}\s*[:.]?\s*$", re.IGNORECASE
)
# "- x", "3. x", "(a) x", "Step 4: x", "Option C: x"
ITEM = re.compile(
    r"(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)]|[（(]?[一二三四五六七八九十]{1,3}[）)、.]|"
    r"\*{0,2}(?:step|part|case|option|choice|answer|scenario|claim|phase|stage|issue)\s+(?:\d{1,3}|[A-Z])\s*[:.)])\*{0,2}\s",
    re.IGNORECASE,
)
# A line that opens a turn of a dialogue.
TURN = re.compile(
    r"\*{0,2}(?:User|Assistant|Human|AI|System|Bot|Q|A|Question|Answer|Doctor|Physician|Patient|Nurse|Student|Teacher|Tutor|"
    r"Interviewer|Interviewee|Judge|Counsel|Attorney|Witness|Agent|Observation|Action|Thought|Tool)(?:\s\d{1,2})?\*{0,2}:"
)
TABLE = re.compile(r"\|.*\|$")
FENCE = ("```", "~~~")
WHOLE = frozenset(("heading", "code", "table"))  # blocks that are one unit, whatever stops they hold
OPENS = frozenset(("plain", "fence", "item", "table", "turn"))  # blocks that go on over plain lines
# What a line inside a formula is not, whatever it begins with.
BROKEN_OFF = frozenset(("heading", "item", "table", "turn", "blank"))
# Marks of chat formats: what stands before one and what stands behind it are never one sentence.
TAG = Cue(
    r"</?(?:think|thinking|thought|reasoning|reflection|scratchpad|answer|solution|tool_call|tool_response)>"
    r"|<\|[a-z_]{2,24}\|>"
)


class Unit(NamedTuple):
    """A sentence, list item, heading or code block, with the number of the paragraph that it belongs to."""

    span: Span
    paragraph: int
    is_heading: bool = False
    is_code: bool = False
    is_item: bool = False


def split_units(*, text: str, within: Span) -> list[Unit]:
    """The units of `text` inside `within`, trimmed, in order, together holding every non-blank character. Linear."""
    # What holds together is looked for in this stretch alone: an input step knows nothing of its neighbours.
    closed = [Span(s.start + within.start, s.end + within.start) for s in find_closed(text=within.slice(text))]
    units: list[Unit] = []
    for paragraph, (span, shape) in enumerate(_between_tags(text, within, closed)):
        if shape in WHOLE:
            units.append(Unit(trim(text=text, span=span), paragraph, shape == "heading", shape == "code"))
        else:
            sentences = find_sentences(text=text, span=span, closed=closed)
            units.extend(Unit(sentence, paragraph, is_item=shape == "item") for sentence in sentences)
    return units


def _between_tags(text: str, within: Span, closed: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    """The blocks before, between and behind the marks of a chat format; a mark is a heading of its own."""
    cursor = within.start
    for tag in TAG.finditer(text, within.start, within.end):
        if text[cursor : tag.start()].strip():
            yield from _blocks(text, Span(cursor, tag.start()), closed)
        yield Span(tag.start(), tag.end()), "heading"
        cursor = tag.end()
    yield from _blocks(text, Span(cursor, within.end), closed)


def _lines(text: str, within: Span) -> Iterator[Span]:
    cursor = within.start
    while cursor < within.end:
        stop = text.find("\n", cursor, within.end)
        stop = within.end if stop < 0 else stop + 1
        yield Span(cursor, stop)
        cursor = stop


def _blocks(text: str, within: Span, closed: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    """Paragraphs, list items, headings, tables and fenced code, without blank lines."""
    start, closing, opened = -1, "", ""
    for line in _lines(text, within):
        bare = line.slice(text).strip()
        shape = _shape(bare, closing)
        if shape in BROKEN_OFF and start >= 0 and is_inside(closed, line.start):
            shape = "plain"
        # A plain line opens a paragraph or continues what is open (a paragraph, an item, code); a table has rows alone.
        if _continues(shape, opened):
            start, opened = (line.start, shape) if start < 0 else (start, opened)
            continue
        # Anything else ends what was open: the closing fence as code, other shapes before their own line.
        if shape == "closed":
            yield Span(start, line.end), "code"
        elif start >= 0:
            yield Span(start, line.start), opened
        # Headings, blank lines and a closing fence stay open for nothing below them.
        start, opened = (line.start if shape in OPENS else -1), shape
        closing = bare[:3] if shape == "fence" else ""
        if shape == "heading":
            yield line, "heading"
    if start >= 0:
        # A fence that is never closed runs to the end, as in Markdown.
        yield Span(start, within.end), "code" if closing else opened


def _continues(shape: str, opened: str) -> bool:
    return shape == opened if "table" in (shape, opened) else shape == "plain"


def _shape(bare: str, closing: str) -> str:
    """What a line is; `closing` is the fence that ends the code block it stands in, "" outside of code."""
    if closing:
        # Inside a code block nothing else counts: "# total" is a comment there and no heading.
        return "closed" if bare.startswith(closing) else "plain"
    if not bare:
        return "blank"
    if bare.startswith(FENCE):
        return "fence"
    if HEADING.match(bare):
        return "heading"
    if TABLE.match(bare):
        return "table"
    if ITEM.match(bare):
        return "item"
    return "turn" if TURN.match(bare) else "plain"
