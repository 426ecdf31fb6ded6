"""Files that are one value: a JSON document over many lines, the lines of one session of an agent, a text.

Most programs export one array of records; agents that work by themselves write an event a line, and only all lines
together are a conversation.
"""

from collections.abc import Iterator
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.readers import FORMATS, detect
from hdag.readers.programs import aider

__all__ = ["Event", "Piece", "is_session", "is_text", "read_events", "read_text", "read_whole", "records_of"]

# Lines of two bytes would fill the memory: as many as people write documents with, and as events that a trace can hold.
MOST_LINES, MOST_EVENTS = 200_000, 25_000
Piece = tuple[int, bytes]  # number of a line and its bytes
Event = tuple[int, bytes, Any, str]  # the same, what the line holds, and why it holds nothing


def is_session(*, value: object, format: str) -> bool:
    """Whether a line with `value` is the first event of a file that is one session.

    >>> is_session(value={"role": "user", "content": "2 + 2?"}, format=""), is_session(value={"problem": 1}, format="")
    (True, False)
    """
    if not isinstance(value, dict):
        return False
    if format:
        test = FORMATS[format][0]
        return not test(value) and test([value])
    return not detect(value) and bool(detect([value]))


def is_text(*, line: bytes, format: str) -> bool:
    """Whether a file with this first line is no JSON but one text in a format that is text alone.

    >>> is_text(line=b"# aider chat started at 2026-11-30 09:00:00", format="")
    True
    """
    return format in ("", "aider") and aider.reads(line.decode("utf-8", "replace"))


def records_of(*, value: object, format: str) -> list[dict[str, Any]]:
    """The records of an array that is none itself; nothing for any other value.

    >>> records_of(value=[{"problem": "2?", "answer": "2"}], format="")
    [{'problem': '2?', 'answer': '2'}]
    >>> records_of(value=[{"role": "user", "content": "2?"}], format="")
    []
    """
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        return []
    is_one = FORMATS[format][0](value) if format else bool(detect(value))
    return [] if is_one else value


def read_whole(*, pieces: list[Piece], remaining: Iterator[Piece], longest: int) -> Any:
    """The document that all lines make; what was read of `rest` is added to `pieces`, whatever comes of it.

    Raises BadRecordError where it is none, or has more than `longest` bytes.
    """
    size = sum(len(line) for _, line in pieces)
    for piece in remaining:
        pieces.append(piece)
        size += len(piece[1])
        if size > longest or len(pieces) > MOST_LINES:
            reason = f"more than {longest} bytes or {MOST_LINES} lines, which is the most of a document"
            raise BadRecordError(where="", field="", reason=reason)
    return read_json(b"".join(line for _, line in pieces), where="")


def read_text(*, pieces: Iterator[Piece], longest: int) -> bytes:
    """All lines as they stand. Raises BadRecordError where they have more than `longest` bytes."""
    lines, size = [], 0
    for _, line in pieces:
        lines.append(line)
        size += len(line)
        if size > longest:
            raise BadRecordError(where="the document", field="", reason=f"more than {longest} bytes")
    return b"".join(lines)


def read_events(*, pieces: Iterator[Piece], longest: int) -> Iterator[Event]:
    """Every line of a session; one that is no JSON spoils no other: a program that was killed leaves half a line.

    Raises BadRecordError where they are more than `longest` bytes.
    """
    size = 0
    for number, line in pieces:
        size += len(line)
        if size > longest or number > MOST_EVENTS:
            reason = f"a session of more than {longest} bytes or {MOST_EVENTS} lines; the limit is that of one trace"
            raise BadRecordError(where=f"line {number}", field="", reason=reason)
        if not line.strip():
            continue
        try:
            yield number, line, read_json(line, where=f"line {number}"), ""
        except BadRecordError as error:
            yield number, line, None, str(error)
