"""The content of one entry of a zip archive as a stream: piece by piece, never more of it than its entry says."""

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from hdag.core.errors import ForeignFileError
from hdag.readers.archives.directory import LOCAL_BYTES, Entry, Seekable, shown

__all__ = ["open_content"]

PIECE = 65_536  # bytes that are held at once, packed and unpacked
_LOCAL = struct.Struct("<4s5H3L2H")
STORED, DEFLATED, ZSTANDARD = 0, 8, 93
# What other methods are called by those who packed with them.
_OTHER = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 95: "xz", 98: "PPMd", 99: "AES"}


def open_content(*, file: Seekable, entry: Entry) -> io.BufferedReader:
    """The content, to be read by lines or whole; while it is read, `file` is read by nobody else.

    Raises ForeignFileError at once where it cannot be read, and at its end where checksum or size are others.
    """
    if entry.is_encrypted or entry.method == 99:
        raise ForeignFileError(f"the archive: {shown(entry.name)} is encrypted; pack it without a password")
    if entry.method not in (STORED, DEFLATED, ZSTANDARD):
        method = _OTHER.get(entry.method, f"method {entry.method}")
        reason = f"is packed with {method}; Deflate, Zstandard and no packing are read"
        raise ForeignFileError(f"the archive: {shown(entry.name)} {reason}")
    file.seek(entry.offset)
    head = file.read(LOCAL_BYTES)
    if len(head) < LOCAL_BYTES or head[:4] != b"PK\x03\x04":
        raise ForeignFileError(f"the archive is damaged: {shown(entry.name)} is not where it is said to be")
    *_, name_bytes, extra_bytes = _LOCAL.unpack(head)
    if file.read(name_bytes) != entry.raw_name:
        raise ForeignFileError(f"the archive is damaged: {shown(entry.name)} has another name before its content")
    file.seek(extra_bytes, 1)
    return io.BufferedReader(_Content(entry, _Packed(file, entry.packed)), PIECE)


class _Packed:
    """The packed bytes of one entry."""

    closed = False

    def __init__(self, file: Seekable, left: int) -> None:
        self._file, self._left = file, left

    def read(self, size: int = PIECE) -> bytes:
        """At most `size` bytes; b"" at the end."""
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data

    def close(self) -> None:
        """Nothing: the file is its owner's."""


class _Content(io.RawIOBase):
    """The unpacked bytes, counted and summed on the way."""

    def __init__(self, entry: Entry, packed: _Packed) -> None:
        self._entry, self._pieces = entry, _unpacked(entry.method, packed)
        self._count = self._crc = 0
        self._rest = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """The next bytes. Raises ForeignFileError."""
        try:
            while not self._rest:
                piece = next(self._pieces, None)
                if piece is None:
                    self._check_end()
                    return 0
                self._take(piece)
        # OSError: pyarrow tells so of what is no Zstandard.
        except (zlib.error, OSError, EOFError):
            raise ForeignFileError(f"the archive is damaged: {shown(self._entry.name)} cannot be unpacked") from None
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def _take(self, piece: bytes) -> None:
        self._count += len(piece)
        if self._count > self._entry.size:
            name, size = shown(self._entry.name), self._entry.size
            raise ForeignFileError(f"the archive: {name} unpacks to more than the {size} bytes that its entry says")
        self._crc = zlib.crc32(piece, self._crc)
        self._rest = piece

    def _check_end(self) -> None:
        if self._count != self._entry.size or self._crc != self._entry.crc:
            name = shown(self._entry.name)
            raise ForeignFileError(f"the archive is damaged: {name} has another checksum or size than its entry says")


def _unpacked(method: int, packed: _Packed) -> Iterator[bytes]:
    """The content in pieces of at most PIECE bytes."""
    if method == STORED:
        while data := packed.read():
            yield data
    elif method == DEFLATED:
        yield from _inflated(packed)
    else:
        import pyarrow  # here: it takes long to import, and few archives need it

        stream = pyarrow.CompressedInputStream(pyarrow.PythonFile(packed, mode="r"), "zstd")
        while data := stream.read(PIECE):
            yield data


def _inflated(packed: _Packed) -> Iterator[bytes]:
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    while not unpacking.eof:
        data = unpacking.unconsumed_tail or packed.read()
        piece = unpacking.decompress(data, PIECE)
        if not data and not piece:
            raise EOFError
        yield piece
