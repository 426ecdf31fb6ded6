"""The directory of a zip archive -> its entries, checked before one byte of their content is read.

Source: PKWARE's APPNOTE 6.3.10, sections 4.3 and 4.5.3. Not the standard library's reader: that makes an object of each
entry before it can be asked how many there are, and reads no Zstandard, with which Inspect AI packs its logs.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Protocol

from hdag.core.errors import ForeignFileError

__all__ = ["MOST_ENTRIES", "Entry", "Seekable", "read_directory", "shown"]

MOST_ENTRIES, MOST_DIRECTORY = 25_000, 8_000_000
_END = struct.Struct("<4s4H2LH")
_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_ENTRY = struct.Struct("<4s6H3L5H2L")
LOCAL_BYTES = 30  # before the name that stands before a content
_MOST_COMMENT = 65_535
_IN_EXTRA = 0xFFFFFFFF  # a size or place that stands in the extra field for Zip64
_ENCRYPTED, _UTF8 = 0x2041, 0x800  # flags: bits 0, 6 and 13; bit 11


class Seekable(Protocol):
    """A file of bytes in which one can go anywhere."""

    def read(self, size: int = -1, /) -> bytes:
        """At most `size` bytes from here."""
        ...

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place."""
        ...

    def tell(self) -> int:
        """Where one is."""
        ...

    def readline(self, size: int = -1, /) -> bytes:
        """The next line, at most `size` bytes of it."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the archive, as the directory tells of it: sizes in bytes, offset from the archive's begin."""

    name: str
    raw_name: bytes
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    is_encrypted: bool


@dataclass(frozen=True, slots=True)
class _End:
    """What stands at the end of the archive: how many entries, and where their directory lies."""

    disk: int
    entries: int
    size: int
    offset: int
    at: int  # of the record itself


def shown(name: str) -> str:
    """A name as it can be printed: whatever somebody wrote into an archive, at most 120 characters of it.

    >>> shown("a\\x1b[2J.json")
    'a�[2J.json'
    """
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in name[:120])


def read_directory(*, file: Seekable) -> list[Entry]:
    """The entries in their order. Raises ForeignFileError where they are too many, lie in each other or contradict."""
    end = _read_end(file)
    if end.disk:
        raise ForeignFileError("the archive is one of several pieces; put them together first")
    if end.entries > MOST_ENTRIES:
        raise ForeignFileError(f"the archive holds {end.entries} files; at most {MOST_ENTRIES} are read")
    if end.size > MOST_DIRECTORY:
        raise ForeignFileError(f"the archive's directory has {end.size} bytes; at most {MOST_DIRECTORY} are read")
    if end.offset + end.size > end.at:
        raise ForeignFileError("the archive is damaged: its directory lies beyond its end")
    file.seek(end.offset)
    # One more than it says, and no further: a directory of the shortest names would be a hundred thousand objects.
    entries = list(islice(_entries(file.read(end.size)), end.entries + 1))
    if len(entries) != end.entries:
        raise ForeignFileError(f"the archive is damaged: it does not hold the {end.entries} files that it says")
    _check_apart(entries, end.offset)
    return entries


def _read_end(file: Seekable) -> _End:
    """The record at the end, or what Zip64 says instead of it."""
    file.seek(0, 2)
    size = file.tell()
    start = max(0, size - _END.size - _MOST_COMMENT - _LOCATOR.size)
    file.seek(start)
    tail = file.read(size - start)
    at = tail.rfind(b"PK\x05\x06")
    # The four bytes may stand in the comment behind the record too: then the comment has another length.
    while at >= 0 and not (at + _END.size <= len(tail) and at + _END.size + _comment(tail, at) == len(tail)):
        at = tail.rfind(b"PK\x05\x06", 0, at)
    if at < 0:
        raise ForeignFileError("the archive has no directory at its end; was it cut off on its way?")
    _, disk, _, _, entries, directory, offset, _ = _END.unpack_from(tail, at)
    plain = _End(disk, entries, directory, offset, start + at)
    locator = at - _LOCATOR.size
    if locator < 0 or tail[locator : locator + 4] != b"PK\x06\x07":
        return plain
    _, _, place, _ = _LOCATOR.unpack_from(tail, locator)
    if place + _END64.size > start + locator:
        raise ForeignFileError("the archive is damaged: its directory (Zip64) lies beyond its end")
    file.seek(place)
    sign, _, _, _, disk, _, _, entries, directory, offset = _END64.unpack(file.read(_END64.size))
    if sign != b"PK\x06\x06":
        raise ForeignFileError("the archive is damaged: its directory (Zip64) is not where it is said to be")
    return _End(disk, entries, directory, offset, place)


def _comment(tail: bytes, at: int) -> int:
    return int(_END.unpack_from(tail, at)[-1])


def _entries(directory: bytes) -> Iterator[Entry]:
    at = 0
    while at < len(directory):
        if len(directory) - at < _ENTRY.size or directory[at : at + 4] != b"PK\x01\x02":
            raise ForeignFileError("the archive is damaged: its directory cannot be read")
        head = _ENTRY.unpack_from(directory, at)
        flags, method, crc, packed, size = head[3], head[4], *head[7:10]
        name_bytes, extra_bytes, comment_bytes, offset = *head[10:13], head[16]
        name_at = at + _ENTRY.size
        extra_at = name_at + name_bytes
        raw_name, extra = directory[name_at:extra_at], directory[extra_at : extra_at + extra_bytes]
        name = raw_name.decode("utf-8" if flags & _UTF8 else "cp437", "replace")
        size, packed, offset = _wide(name, extra, (size, packed, offset))
        yield Entry(name, raw_name, method, crc, packed, size, offset, bool(flags & _ENCRYPTED))
        at = extra_at + extra_bytes + comment_bytes


def _wide(name: str, extra: bytes, sizes: tuple[int, int, int]) -> tuple[int, ...]:
    """The sizes and the place, of which the large ones stand in the extra field in their order."""
    values: list[int] = []
    at = 0
    while _IN_EXTRA in sizes and at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        data = extra[at + 4 : at + 4 + length]
        if kind == 1:
            values = [value for (value,) in struct.iter_unpack("<Q", data[: len(data) // 8 * 8])]
        at += 4 + length
    if sizes.count(_IN_EXTRA) > len(values):
        raise ForeignFileError(f"the archive is damaged: {shown(name)} has no sizes (Zip64)")
    coming = iter(values)
    return tuple(next(coming) if size == _IN_EXTRA else size for size in sizes)


def _check_apart(entries: list[Entry], end: int) -> None:
    """Raise ForeignFileError where contents lie in each other: a few bytes would be read as thousands of files."""
    placed = sorted(entries, key=lambda entry: entry.offset)
    for entry, following in pairwise(placed):
        if _behind(entry) > following.offset:
            names = f"{shown(entry.name)} and {shown(following.name)}"
            raise ForeignFileError(f"the archive is damaged: {names} lie in each other")
    if placed and _behind(placed[-1]) > end:
        raise ForeignFileError(f"the archive is damaged: {shown(placed[-1].name)} reaches into the directory")


def _behind(entry: Entry) -> int:
    return entry.offset + LOCAL_BYTES + len(entry.raw_name) + entry.packed
