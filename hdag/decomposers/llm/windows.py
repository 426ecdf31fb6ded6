"""Windows over a long text, and finding a model's words in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hdag.core.spans import Span
from hdag.core.values import Source, Trace

__all__ = ["Window", "locate", "windows_of"]

_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of one source of a trace, short enough for the model's context."""

    source: Source
    index: int
    span: Span
    text: str


def windows_of(*, trace: Trace, size: int, overlap: int) -> tuple[Window, ...]:
    """Windows over everything but the problem, which is the goal as it stands.

    Cuts fall on a line end or a blank in the last fifth of a window where there is one; each window but the first
    starts `overlap` characters before the end of the one before. Raises ValueError unless 0 <= overlap < size / 2.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"an overlap of {overlap} does not fit a window of {size}")
    origins = [(Source.THINKING, 0), (Source.ANSWER, 0)]
    origins += [(Source.TOOL_CALL, index) for index in range(len(trace.tool_calls))]
    windows = []
    for source, index in origins:
        text = trace.source_text(source, index)
        spans = _cuts(text, size, overlap) if text.strip() else ()
        windows += [Window(source, index, span, span.slice(text)) for span in spans]
    return tuple(windows)


def _cuts(text: str, size: int, overlap: int) -> Iterator[Span]:
    start = 0
    while len(text) - start > size:
        end = _boundary(text, start + size * 4 // 5, start + size)
        yield Span(start, end)
        start = end - overlap
    yield Span(start, len(text))


def _boundary(text: str, low: int, high: int) -> int:
    # The kindest cut first: paragraph, line, sentence, word.
    for mark in ("\n\n", "\n", ". ", " "):
        at = text.rfind(mark, low, high)
        if at >= 0:
            return at + len(mark)
    return high


def locate(*, text: str, words: str, after: int = 0) -> Span | None:
    """Where `words` stand in `text`: exactly, or with other blanks between them; the first place from `after` on wins.

    >>> locate(text="so  2 + 2\\n= 4", words="2 + 2 = 4")
    Span(start=4, end=13)
    >>> locate(text="so 2 + 2", words="2 + 3") is None
    True
    """
    words = words.strip()
    if not words:
        return None
    # First behind the piece before it; only then anywhere, in case the model went back.
    for start in (after, 0):
        at = text.find(words, start)
        if at >= 0:
            return Span(at, at + len(words))
    return _locate_loosely(text, words, after)


def _locate_loosely(text: str, words: str, after: int) -> Span | None:
    """Both texts without blanks, compared; positions mapped back: models often change line breaks and double blanks."""
    places = [at for at, letter in enumerate(text) if not letter.isspace()]
    bare, wanted = _BLANK.sub("", text), _BLANK.sub("", words)
    # str.isspace and \s disagree on a few control characters; then nothing can be mapped back.
    if len(bare) != len(places):
        return None
    skip = sum(1 for at in places if at < after)
    at = bare.find(wanted, skip)
    at = bare.find(wanted) if at < 0 else at
    return None if at < 0 else Span(places[at], places[at + len(wanted) - 1] + 1)
