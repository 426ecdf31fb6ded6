"""Files of traces: JSON lines, each in a format of its own or all mapped alike; a bad line spoils no other.

One JSON document of many records is read as its records, and a session of an agent with an event a line as a whole.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

from hdag.core.errors import BadRecordError, ForeignFileError
from hdag.core.strict_json import read_json
from hdag.core.values import Trace
from hdag.readers import FORMATS, detect, read_any
from hdag.readers.documents import Piece, is_session, is_text, read_events, read_text, read_whole, records_of
from hdag.readers.mapping import NO_MAPPING, rename
from hdag.readers.records import Limits, read_record

MAX_LINES = 10_000
DETECT = ""  # the format that means: look at each record
MARK = b"\xef\xbb\xbf"  # the byte order mark that some editors write before UTF-8
# First bytes of files that are no JSONL, and what their owner should do.
_FOREIGN = (
    (b"PK", "is an archive (zip), and is read only where it stands by itself in a file"),
    (b"\x1f\x8b", "is compressed (gzip); unpack it first"),
    (b"BZh", "is compressed (bzip2); unpack it first"),
    (b"\xfd7zXZ", "is compressed (xz); unpack it first"),
    (b"7z\xbc\xaf", "is a 7z archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is compressed (zstd); unpack it first"),
    (b"PAR1", "is Parquet; write it as JSON lines"),
    (b"\xff\xfe", "is UTF-16; save it as UTF-8"),
    (b"\xfe\xff", "is UTF-16; save it as UTF-8"),
)


class Lines(Protocol):
    """A file of bytes that is read by lines."""

    def readline(self, size: int = -1, /) -> bytes:
        """The next line, at most `size` bytes of it; b"" at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its number from 1, its bytes, its traces, and why it holds none."""

    number: int
    raw: bytes
    traces: tuple[Trace, ...] = ()
    problem: str = ""
    ignored: tuple[str, ...] = ()  # fields of the record that its reader left alone


def read_file(
    *, lines: Lines, limits: Limits, format: str = DETECT, mapping: Mapping[str, str] = NO_MAPPING
) -> Iterator[Line]:
    """Every line that is not blank, or every record of a document. Raises ForeignFileError."""
    longest, how = longest_line(limits=limits), (format, mapping, limits)
    pieces = _without_mark(_bounded(lines, longest))
    first = _first(pieces)
    if first is None:
        return
    if not mapping and is_text(line=first[1], format=format):
        yield _read_text(chain([first], pieces), longest, how)
        return
    before: list[Piece] = [first]
    value = _value_of(first[1], longest)
    if value is None and first[1].lstrip().startswith((b"[", b"{")) and len(first[1]) <= longest:
        document = _document(before, pieces, longest)
        if document is not None:
            yield from _read_value(document, b"".join(line for _, line in before), (1, "the document"), how)
            return
    elif not mapping and is_session(value=value, format=format):
        yield from _read_session(chain(before, pieces), longest, how)
        return
    for number, line in chain(before, pieces):
        _check_number(number)
        if line.strip():
            yield from _read_line(number, line, longest, how)


How = tuple[str, Mapping[str, str], Limits]  # format, mapping, limits


def _without_mark(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The lines, of which the first is no foreign file's and has no byte order mark, which would make it no JSON."""
    for number, line in pieces:
        if number == 1:
            line = line.removeprefix(MARK)
            reason = next((why for magic, why in _FOREIGN if line.startswith(magic)), "")
            if reason:
                raise ForeignFileError(f"the file {reason}")
        yield number, line


def read_text_file(*, lines: Lines, how: How) -> Line:
    """A file that is one text, whatever it begins with: one line of a survey."""
    longest = longest_line(limits=how[2])
    return _read_text(_without_mark(_bounded(lines, longest)), longest, how)


def read_document(*, value: Any, raw: bytes, where: str, number: int, how: How) -> Line:
    """A record that was parsed already, under the name by which its owner finds it."""
    return _line(value, raw, (number, where), how)


def _read_text(pieces: Iterator[Piece], longest: int, how: How) -> Line:
    try:
        raw = read_text(pieces=pieces, longest=longest)
    except BadRecordError as error:
        return Line(1, b"", problem=str(error))
    # What is no UTF-8 becomes half of a surrogate pair, which the reader refuses with its place.
    return _line(raw.decode("utf-8", "surrogateescape"), raw, (1, "the document"), how)


def _first(pieces: Iterator[Piece]) -> Piece | None:
    """The first line that is not blank."""
    for number, line in pieces:
        _check_number(number)
        if line.strip():
            return number, line
    return None


def _check_number(number: int) -> None:
    if number > MAX_LINES:
        raise ForeignFileError(f"line {number}: more than {MAX_LINES} lines")


def _value_of(line: bytes, longest: int) -> Any:
    try:
        return read_json(line, where="") if len(line) <= longest else None
    except BadRecordError:
        return None


def _document(before: list[Piece], pieces: Iterator[Piece], longest: int) -> Any:
    """The document that begins in the first line; None where only that line is wrong."""
    bare = before[0][1].strip()
    try:
        return read_whole(pieces=before, remaining=pieces, longest=longest)
    except BadRecordError as error:
        # Else each line of such a file would be named as a bad one.
        if bare in (b"[", b"{"):
            reason = f"is JSON over several lines, which cannot be read whole{error}"
            raise ForeignFileError(f"the file {reason}; write each record in a line of its own") from None
        return None


def _read_session(pieces: Iterator[Piece], longest: int, how: How) -> Iterator[Line]:
    """The session as one line, behind those of its lines that are no JSON."""
    events, raw, last = [], [], 1
    try:
        for number, line, event, problem in read_events(pieces=pieces, longest=longest):
            last = number
            if problem:
                yield Line(number, line, problem=problem)
            else:
                events.append(event)
                raw.append(line.rstrip(b"\r\n"))
        traces = _traces(events, events, f"lines 1 to {last}", how)
        yield Line(1, b"\n".join(raw), traces)
    except BadRecordError as error:
        yield Line(1, b"\n".join(raw), problem=str(error))


def _read_line(number: int, line: bytes, longest: int, how: How) -> Iterator[Line]:
    where = f"line {number}"
    try:
        # Before it is parsed: a line of gigabytes must not become an object first.
        if len(line) > longest:
            raise BadRecordError(where=where, field="", reason=f"longer than {longest} bytes")
        value = read_json(line, where=where)
    except BadRecordError as error:
        yield Line(number, line, problem=str(error))
        return
    yield from _read_value(value, line, (number, where), how)


def _read_value(value: Any, raw: bytes, origin: tuple[int, str], how: How) -> Iterator[Line]:
    """The line of a value; of an array of records a line for each, so that a bad one spoils no other."""
    number, where = origin
    records = records_of(value=value, format=how[0])
    for index, row in enumerate(records, 1):
        line = json.dumps(row, ensure_ascii=False).encode()
        yield _line(row, line, (index if where == "the document" else number, f"{where}, record {index}"), how)
    if not records:
        yield _line(value, raw, origin, how)


def _line(value: Any, raw: bytes, origin: tuple[int, str], how: How) -> Line:
    number, where = origin
    try:
        record = _Watched(value) if isinstance(value, dict) else value
        traces = _traces(value, record, where, how)
        return Line(number, raw, traces, ignored=record.ignored if isinstance(record, _Watched) else ())
    except BadRecordError as error:
        return Line(number, raw, problem=str(error))


def longest_line(*, limits: Limits) -> int:
    """Bytes of a line that can still be within the limit of a trace: JSON may write a byte as six (\\u0041)."""
    return limits.text_bytes * 6 + 65_536


class _Watched(dict[str, Any]):
    """A record that remembers which of its fields were read: no reader need say what it reads."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__(record)
        self._read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """As every dict, and remembered."""
        self._read.add(name)
        return super().get(name, default)

    @property
    def ignored(self) -> tuple[str, ...]:
        """Fields with something in them that nobody has read, in their order."""
        return tuple(name for name, value in self.items() if name not in self._read and value not in (None, "", [], {}))


def _traces(value: object, record: object, where: str, how: How) -> tuple[Trace, ...]:
    """The traces of `record`, which is `value` while it is watched: what only looks for the format reads no field."""
    format, mapping, limits = how
    if mapping:
        return (read_record(rename(record, mapping=mapping, where=where), where=where, limits=limits),)
    name = format or detect(value)
    if not name:
        return read_any(value, where=where, limits=limits)  # raises, naming the formats that there are
    is_it, read = FORMATS[name]
    if not is_it(value):
        raise BadRecordError(where=where, field="", reason=f"is no {name}")
    return read(record, where=where, limits=limits)


def _bounded(lines: Lines, longest: int) -> Iterator[tuple[int, bytes]]:
    """Numbered lines, of which no more than longest + 1 bytes are ever held; the rest of a longer one is skipped."""
    number = 0
    while line := lines.readline(longest + 1):
        number += 1
        piece = line
        # A line without an end would fill the memory: what is beyond the limit is read and dropped.
        while piece and not piece.endswith(b"\n") and len(piece) > longest:
            piece = lines.readline(longest + 1)
        yield number, line
