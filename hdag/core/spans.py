"""Half-open spans of code points: trimming, coverage, containment."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """Code points start..end-1 of one text."""

    start: int
    end: int

    # a pair of numbers in the order of a tuple, but as long as what it covers
    def __len__(self) -> int:
        """Number of code points."""
        return self.end - self.start

    def contains(self, inner: "Span") -> bool:
        """Whether `other` lies wholly inside."""
        return self.start <= inner.start and inner.end <= self.end

    def slice(self, text: str) -> str:
        """The characters of `text` that the span names."""
        return text[self.start : self.end]


def trim(*, text: str, span: Span) -> Span:
    """`span` without blanks at both ends; empty at its start when it holds only blanks.

    >>> trim(text="  ab ", span=Span(0, 5))
    Span(start=2, end=4)
    """
    piece = text[span.start : span.end]
    bare = piece.lstrip()
    start = span.start + len(piece) - len(bare)
    return Span(start, start + len(bare.rstrip()))


def gaps(*, within: Span, covered: Iterable[Span]) -> Iterator[Span]:
    """The parts of `within` that no span of `covered` holds, in order.

    >>> list(gaps(within=Span(0, 9), covered=[Span(2, 4), Span(3, 6)]))
    [Span(start=0, end=2), Span(start=6, end=9)]
    """
    cursor = within.start
    for span in sorted(covered):
        if span.start > cursor:
            yield Span(cursor, min(span.start, within.end))
        # Spans may nest or overlap: only what reaches further moves the cursor.
        cursor = max(cursor, span.end)
        if cursor >= within.end:
            return
    if cursor < within.end:
        yield Span(cursor, within.end)


def find_uncovered(*, text: str, covered: Iterable[Span]) -> Span | None:
    """The first stretch of non-blank characters of `text` outside `covered`, or None.

    >>> find_uncovered(text="ab cd", covered=[Span(0, 2)])
    Span(start=3, end=5)
    """
    for gap in gaps(within=Span(0, len(text)), covered=covered):
        bare = trim(text=text, span=gap)
        if len(bare):
            return bare
    return None


def find_overlap(*, spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Two spans that share a character, or None.

    >>> find_overlap(spans=[Span(0, 3), Span(2, 4)])
    (Span(start=0, end=3), Span(start=2, end=4))
    """
    last: Span | None = None
    for span in sorted(spans):
        # Sorted by start, two spans that overlap have two neighbours that do: comparing neighbours is enough.
        if last is not None and span.start < last.end:
            return last, span
        last = span
    return None
