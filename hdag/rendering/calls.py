"""A tool call as a card: what it was given and what it gave back, with the place of a segment marked in either."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hdag.core.values import ToolCall

MOST_CHARACTERS = 3_500  # of the arguments, and of the output
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text as (piece, whether it is marked), and how many characters of it stand before and after."""

    pieces: tuple[tuple[str, bool], ...]
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class CallCard:
    """One call: its arguments and its output; `is_here` where the shown segment lies in it."""

    name: str
    arguments: Excerpt
    output: Excerpt
    is_here: bool


def card_of(*, call: ToolCall, spans: Sequence[Span] = ()) -> CallCard:
    """The card of a call. spans: code points of `call.text`, half open.

    >>> card = card_of(call=ToolCall("calculator", "3 * 14", "42"), spans=[(22, 24)])
    >>> card.arguments.pieces, card.output.pieces
    ((('3 * 14', False),), (('42', True),))
    """
    offset = len(call.name) + 1  # behind "name("
    gave = offset + len(call.arguments) + len(") -> ")
    return CallCard(
        name=call.name,
        arguments=excerpt(text=call.arguments, spans=[(start - offset, end - offset) for start, end in spans]),
        output=excerpt(text=call.output, spans=[(start - gave, end - gave) for start, end in spans]),
        is_here=bool(spans),
    )


def excerpt(*, text: str, spans: Sequence[Span], most: int = MOST_CHARACTERS) -> Excerpt:
    """The text with its marks, of a long one `most` characters from shortly before the first mark.

    >>> excerpt(text="abcdef", spans=[(4, 9)], most=3)
    Excerpt(pieces=(('d', False), ('ef', True)), before=3, after=0)
    """
    inside = sorted((max(start, 0), min(end, len(text))) for start, end in spans if max(start, 0) < min(end, len(text)))
    start = 0 if not inside or len(text) <= most else max(0, min(inside[0][0] - most // 3, len(text) - most))
    end = min(len(text), start + most)
    return Excerpt(tuple(_pieces(text, inside, start, end)), start, len(text) - end)


def _pieces(text: str, spans: Sequence[Span], cursor: int, end: int) -> Iterator[tuple[str, bool]]:
    for first, last in spans:
        if cursor < first < end:
            yield text[cursor:first], False
        if max(cursor, first) < min(last, end):
            yield text[max(cursor, first) : min(last, end)], True
        cursor = max(cursor, min(last, end))
    if cursor < end:
        yield text[cursor:end], False
