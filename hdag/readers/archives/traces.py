"""Archives -> traces: the samples of a log of Inspect AI, or the files of any other zip, each read as if alone.

Source, read 2026-11-30: inspect_ai, log/_recorders/eval.py (names of entries, of two of one name the last counts),
_util/zipfile.py (Zstandard), log/_recorders/chunked/format.py (samples in pieces, which are not read).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from hdag.core.errors import BadRecordError, ForeignFileError
from hdag.core.strict_json import read_json
from hdag.readers.archives.contents import open_content
from hdag.readers.archives.directory import Entry, Seekable, read_directory, shown
from hdag.readers.files import (
    DETECT,
    MAX_LINES,
    How,
    Line,
    Lines,
    longest_line,
    read_document,
    read_file,
    read_text_file,
)
from hdag.readers.mapping import NO_MAPPING
from hdag.readers.records import Limits

__all__ = ["ENDINGS", "is_archive", "read_archive"]

ENDINGS = (".jsonl", ".ndjson", ".json", ".md", ".txt")  # of files in an archive
_PACKED = (".zip", ".eval", ".gz", ".tar", ".tgz", ".bz2", ".xz", ".7z", ".zst")
_JOURNAL, _HEADERS = "_journal/start.json", ("header.json", "_journal/start.json", "start.json")
_UNREAD = ("events", "events_data", "timelines", "store")  # most of a sample's bytes, and no reader's
_MOST_CONTENT = 10  # times the longest line: what may come out of an archive altogether
# The shell of a sample in pieces, and the pieces beside it.
_PIECE = re.compile(r"(samples/.{1,500}_epoch_\d{1,9})/(?:sample|metadata|skeleton|[a-z]{1,20}/[a-z0-9]{1,20})\.json")


def is_archive(*, lines: Lines) -> bool:
    """Whether a file is a zip that can be read: what comes through a pipe cannot be gone back in."""
    if not _is_seekable(lines):
        return False
    lines.seek(0)
    begin = lines.read(4)
    lines.seek(0)
    # The second is the end of an archive, which an empty one begins with.
    return begin in (b"PK\x03\x04", b"PK\x05\x06")


def _is_seekable(lines: Any) -> TypeGuard[Seekable]:
    seekable = getattr(lines, "seekable", None)
    return bool(seekable and seekable())


def read_archive(
    *, lines: Lines, limits: Limits, format: str = DETECT, mapping: Mapping[str, str] = NO_MAPPING
) -> Iterator[Line]:
    """A line for each record, named by its file in the archive. Raises ForeignFileError naming the file.

    A record that cannot be read is a bad line; an archive that is damaged or hostile is refused as a whole.
    """
    assert _is_seekable(lines), "is_archive was not asked"
    entries = [entry for entry in read_directory(file=lines) if not entry.name.endswith("/")]
    how: How = (format, mapping, limits)
    names = {entry.name for entry in entries}
    is_log = _JOURNAL in names or ("header.json" in names and any(name.startswith("samples/") for name in names))
    archive = _Archive(lines, longest_line(limits=limits))
    numbered = enumerate(_samples(archive, entries, how) if is_log else _files(archive, entries, how), 1)
    for number, line in numbered:
        if number > MAX_LINES:
            raise ForeignFileError(f"the archive holds more than {MAX_LINES} records")
        yield replace(line, number=number)


class _Archive:
    """The file of an archive, and how much may come out of it."""

    def __init__(self, file: Seekable, longest: int) -> None:
        self._file, self.longest, self._left = file, longest, longest * _MOST_CONTENT

    def open(self, entry: Entry) -> Any:
        """The content of an entry as a stream. Raises ForeignFileError where it is too much with those before."""
        self._left -= entry.size
        if self._left < 0:
            reason = f"more than {self.longest * _MOST_CONTENT} bytes come out of it"
            raise ForeignFileError(f"the archive: {shown(entry.name)} is too much: {reason}; cut it into several")
        return open_content(file=self._file, entry=entry)


def _samples(archive: _Archive, entries: list[Entry], how: How) -> Iterator[Line]:
    """Each sample of a log as the log in JSON holds it: with the task and the model of all."""
    # A sample that was run again is written again under its name, and the last one counts.
    by_name = {entry.name: entry for entry in entries}
    pieces = {match[1]: match[0] for name in by_name if (match := _PIECE.fullmatch(name))}
    samples = [
        entry
        for name, entry in by_name.items()
        if name.startswith("samples/") and name.endswith(".json") and not _PIECE.fullmatch(name)
    ]
    if not samples and not pieces:
        raise ForeignFileError("the archive is a log of Inspect AI without a sample")
    header = _header(archive, by_name)
    for entry in samples:
        yield _sample(archive, entry, header, how)
    for prefix in pieces:
        reason = "is a sample in pieces, which are not read; hand the sample in whole, as JSON"
        yield Line(1, b"", problem=f"{shown(prefix)}: {reason}")


def _header(archive: _Archive, by_name: Mapping[str, Entry]) -> Mapping[str, Any]:
    """What the log says of all its samples; nothing where it was not finished so far or cannot be read."""
    for name in _HEADERS:
        entry = by_name.get(name)
        if entry is None or entry.size > archive.longest:
            continue
        try:
            value = read_json(archive.open(entry).read(), where=name, are_constants_null=True)
        except BadRecordError:
            continue
        if isinstance(value, dict) and isinstance(value.get("eval"), dict):
            return {"eval": {field: value["eval"].get(field) for field in ("task", "model")}}
    return {"eval": {}}


def _sample(archive: _Archive, entry: Entry, header: Mapping[str, Any], how: How) -> Line:
    where = shown(entry.name)
    if entry.size > archive.longest:
        return Line(1, b"", problem=f"{where}: has {entry.size} bytes; at most {archive.longest} are read")
    raw = archive.open(entry).read()
    try:
        # Scores that are no numbers are written as NaN; no trace holds scores.
        sample = read_json(raw, where=where, are_constants_null=True)
    except BadRecordError as error:
        return Line(1, raw.replace(b"\n", b" "), problem=str(error))
    if isinstance(sample, dict):
        sample = {name: value for name, value in sample.items() if name not in _UNREAD}
    value = sample if how[1] else {**header, "samples": [sample]}
    return read_document(value=value, raw=json.dumps(value).encode(), where=where, number=1, how=how)


def _files(archive: _Archive, entries: list[Entry], how: How) -> Iterator[Line]:
    """The records of each file, but for what a Macintosh puts beside them."""
    names: set[str] = set()
    for entry in entries:
        name = shown(entry.name)
        if entry.name.startswith("__MACOSX/") or entry.name.rpartition("/")[2] == ".DS_Store":
            continue
        if entry.name in names:
            raise ForeignFileError(f"the archive holds {name} twice: which one counts?")
        names.add(entry.name)
        for line in _records(archive, entry, how):
            yield replace(line, problem=f"{name}: {line.problem}") if line.problem else line
    if not names:
        raise ForeignFileError("the archive is empty")


def _records(archive: _Archive, entry: Entry, how: How) -> Iterator[Line]:
    lowered = entry.name.lower()
    if lowered.endswith(_PACKED):
        yield Line(1, b"", problem="is an archive in an archive; hand it in by itself")
        return
    if not lowered.endswith(ENDINGS):
        yield Line(1, b"", problem=f"is no file of traces by its name ({', '.join(ENDINGS)})")
        return
    content = archive.open(entry)
    try:
        if lowered.endswith(".txt"):
            yield read_text_file(lines=content, how=how)
        else:
            yield from read_file(lines=content, format=how[0], mapping=how[1], limits=how[2])
    except ForeignFileError as error:
        # What is wrong with the archive names the file already.
        if str(error).startswith("the archive"):
            raise
        yield Line(1, b"", problem=str(error))
