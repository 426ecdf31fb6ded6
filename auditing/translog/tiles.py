"""Tiles: the hashes and entries of the ledger as files that never change, and proofs read from them.

Source: C2SP tlog-tiles v0.1.0, sections "Merkle Tree", "Partial Tiles" and "Log entries". A full hash tile has 256
hashes of 32 bytes; tile level L holds the nodes of tree level 8 L. An entry bundle has up to 256 entries, each behind
its length (uint16, big endian). The last tile of a level may be partial: ".p/W", W from 1 to 255. Paths have no leading
slash.

A log of 70,000 leaves has 273 full tiles and one of 112 hashes on level 0, one full tile (256 hashes) and one of 17 on
level 1, and one of a single hash on level 2.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from auditing.translog.merkle import HASH_BYTES, NodeReader

# 2^8 hashes: eight levels of the tree in one file
WIDTH = 256
_HEIGHT = 8
LONGEST_ENTRY = 65_535
_PATH = re.compile(r"tile/(entries|[0-9]|[1-5][0-9]|6[0-3])/((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")

FileReader: TypeAlias = Callable[[str], bytes]
"""path -> content of that tile or bundle."""


class TileError(ValueError):
    """The tile is not what its path promises."""


def tile_path(*, level: int | None, index: int, width: int = WIDTH) -> str:
    """Path of a hash tile, or with level None of an entry bundle.

    >>> tile_path(level=0, index=1234067, width=5)
    'tile/0/x001/x234/067.p/5'
    """
    # groups of three digits, all but the last behind an "x": no directory holds more than about a thousand names
    text = f"{index % 1000:03}"
    while index := index // 1000:
        text = f"x{index % 1000:03}/{text}"
    suffix = "" if width == WIDTH else f".p/{width}"
    return f"tile/{'entries' if level is None else level}/{text}{suffix}"


def parse_path(*, path: str) -> tuple[int | None, int, int]:
    """(level or None, index, width) of a path; only the one canonical form is accepted. Raises: TileError."""
    match = _PATH.fullmatch(path)
    if match:
        level = None if match[1] == "entries" else int(match[1])
        index, width = int(match[2].replace("x", "").replace("/", "")), int(match[3] or WIDTH)
        # "p/256" is refused: a full tile has no suffix; composing the path again refuses every other spelling
        if width < WIDTH + (match[3] is None) and tile_path(level=level, index=index, width=width) == path:
            return level, index, width
    raise TileError(f"not a path of a tile: {path[:100]!r}")


def bundle(*, entries: Sequence[bytes]) -> bytes:
    """The entry bundle. Raises: TileError for an entry beyond 65,535 bytes or more than 256 entries."""
    if len(entries) > WIDTH or any(len(entry) > LONGEST_ENTRY for entry in entries):
        raise TileError(f"a bundle holds at most {WIDTH} entries of at most {LONGEST_ENTRY} bytes")
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)


def read_bundle(*, data: bytes, width: int, name: str = "the bundle") -> tuple[bytes, ...]:
    """The entries of a bundle of exactly `width` entries. Raises: TileError, which calls the file `name`."""
    entries, offset = [], 0
    for number in range(width):
        end = offset + 2 + int.from_bytes(data[offset : offset + 2])
        # a length that reaches over the end of the file
        if offset + 2 > len(data) or end > len(data):
            raise TileError(f"{name} ends within entry {number} of {width}")
        entries.append(data[offset + 2 : end])
        offset = end
    if offset != len(data):
        raise TileError(f"{name} goes on after its {width} entries")
    return tuple(entries)


def row_sizes(*, size: int) -> Iterator[tuple[int, int]]:
    """(tile level, hashes on it) for every level that a tree of `size` leaves has.

    >>> list(row_sizes(size=70000))
    [(0, 70000), (1, 273), (2, 1)]
    """
    level = 0
    while size:
        yield level, size
        level, size = level + 1, size >> _HEIGHT


def paths_of(*, size: int) -> Iterator[str]:
    """Every path that a published checkpoint of `size` leaves must be able to serve: hash tiles, then bundles."""
    for level, count in row_sizes(size=size):
        yield from _row(level, count)
    yield from _row(None, size)


def _row(level: int | None, count: int) -> Iterator[str]:
    for index in range((count + WIDTH - 1) // WIDTH):
        yield tile_path(level=level, index=index, width=min(WIDTH, count - index * WIDTH))


def hash_tile(*, data: bytes) -> bytes:
    """Root over a power of two of neighbouring hashes; over a full tile it is a hash of the next tile level."""
    # level by level: 64 bytes are two hashes, and make one of the level above
    while len(data) > HASH_BYTES:
        data = b"".join([sha256(b"\x01" + data[at : at + 64]).digest() for at in range(0, len(data), 64)])
    return data


def node_reader(*, size: int, read: FileReader) -> NodeReader:
    """Nodes of the tree of `size` leaves, from the tiles that `size` publishes.

    It keeps the last 512 tiles with all nodes inside them (8 MiB): hold one reader for as long as `size` lasts. The
    reader raises TileError for a tile of the wrong length. It checks no hash: verify what you make of it.
    """
    # section "Partial Tiles": the last width of level L is floor(size / 256^L) mod 256, so nothing has to be listed
    counts = dict(row_sizes(size=size))

    @lru_cache(maxsize=512)
    def tile(level: int, index: int) -> tuple[bytes, ...]:
        width = min(WIDTH, counts.get(level, 0) - index * WIDTH)
        if width <= 0:
            raise TileError(f"tile {index} of level {level} lies beyond the {size} leaves")
        path = tile_path(level=level, index=index, width=width)
        data = read(path)
        if len(data) != width * HASH_BYTES:
            raise TileError(f"{path} has {len(data)} bytes instead of {width * HASH_BYTES}")
        return _inner_rows(data)

    def node(level: int, index: int) -> bytes:
        # tree level 11 lies in tile level 1, three levels above its stored hashes
        tile_level, inner = divmod(level, _HEIGHT)
        number, start = divmod(index << inner, WIDTH)
        rows = tile(tile_level, number)
        at = (start >> inner) * HASH_BYTES
        # in a partial tile only complete pairs have a node above them
        if inner >= len(rows) or at >= len(rows[inner]):
            raise TileError(f"node {index} of level {level} lies beyond the {size} leaves")
        return rows[inner][at : at + HASH_BYTES]

    return node


def _inner_rows(data: bytes) -> tuple[bytes, ...]:
    """The hashes of a tile, and above them the nodes of all complete pairs, row by row."""
    rows = [data]
    while len(rows[-1]) >= 2 * HASH_BYTES and len(rows) < _HEIGHT:
        row = rows[-1]
        rows.append(b"".join([sha256(b"\x01" + row[at : at + 64]).digest() for at in range(0, len(row) - 63, 64)]))
    return tuple(rows)


def check_tiles(*, size: int, read: FileReader) -> bytes:
    """The root of the published files, recomputed from the entries up.

    Raises: TileError naming the first file that disagrees: a bundle with its leaf tile, or a tile with the one above.
    """
    from auditing.translog.merkle import leaf_hash, range_from

    # 1. Every bundle against the leaf tile beside it.
    for path in _row(None, size):
        _, index, width = parse_path(path=path)
        hashes = [leaf_hash(entry=entry) for entry in read_bundle(data=read(path), width=width, name=path)]
        leaf_tile = tile_path(level=0, index=index, width=width)
        if b"".join(hashes) != read(leaf_tile):
            raise TileError(f"{path} and {leaf_tile} disagree")
    # 2. Every full tile against its hash on the level above.
    for level, count in row_sizes(size=size >> _HEIGHT):
        _check_row(level + 1, count, read)
    # 3. What is left open at the right edge enters the root directly.
    return range_from(size=size, read=node_reader(size=size, read=read)).root


def _check_row(level: int, count: int, read: FileReader) -> None:
    for path in _row(level, count):
        _, index, width = parse_path(path=path)
        data = read(path)
        for offset in range(width):
            below = tile_path(level=level - 1, index=index * WIDTH + offset)
            expected = hash_tile(data=read(below))
            if len(data) != width * HASH_BYTES or expected != data[offset * HASH_BYTES : (offset + 1) * HASH_BYTES]:
                raise TileError(f"{below} and {path} disagree")
