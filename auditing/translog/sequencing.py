"""Sequencing: where the ledger stands + new entries -> their indexes, the files to write, the next checkpoint.

Pure: it writes nothing itself. A `Frontier` is all that is needed to go on: the open (partial) tile of each level and
the open entry bundle. It is read back from the published files, or from the database, in O(log n).

The files are those of C2SP tlog-tiles v0.1.0, sections "Merkle Tree" and "Log entries". They must be durable before a
checkpoint that covers them is published, or readers would miss what it promises; `advance` only returns both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditing.translog.checkpoint import Checkpoint
from auditing.translog.merkle import HASH_BYTES, CompactRange, leaf_hash, perfect_subtrees
from auditing.translog.tiles import WIDTH, FileReader, TileError, bundle, hash_tile, read_bundle, row_sizes, tile_path

LARGEST_ENTRY = 16 * 1024  # bytes; C2SP tlog-tiles gives an entry's length two bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """The right edge of a tree of `size` leaves: open[L] = hashes of the partial tile of level L; entries likewise."""

    size: int = 0
    open: tuple[tuple[bytes, ...], ...] = ()
    entries: tuple[bytes, ...] = ()

    @property
    def compact_range(self) -> CompactRange:
        """The perfect subtrees of the tree, largest first."""
        hashes = []
        for level, index in perfect_subtrees(start=0, end=self.size):
            # A tile keeps only the lowest of its eight tree levels; the ones above are hashed from it. The subtree
            # (level, index) covers 2^inner neighbouring hashes of the open tile.
            tile_level, inner = divmod(level, 8)
            start = (index << inner) % WIDTH
            hashes.append(hash_tile(data=b"".join(self.open[tile_level][start : start + (1 << inner)])))
        return CompactRange(self.size, tuple(hashes))

    @property
    def root(self) -> bytes:
        """Root of the tree."""
        return self.compact_range.root


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one step of the sequencer does. Write `files` before any checkpoint that covers them."""

    first_index: int
    leaf_hashes: tuple[bytes, ...]
    files: dict[str, bytes]
    checkpoint: Checkpoint
    frontier: Frontier


def advance(*, frontier: Frontier, entries: Sequence[bytes], origin: str) -> Batch:
    """Append `entries` in order: leaf indexes frontier.size, frontier.size + 1, ...

    About two hashes an entry. Raises: TileError for an entry beyond 16 KiB.
    """
    for entry in entries:
        if len(entry) > LARGEST_ENTRY:
            raise TileError(f"an entry of {len(entry)} bytes; {LARGEST_ENTRY} are allowed")
    files: dict[str, bytes] = {}
    hashes = tuple(leaf_hash(entry=entry) for entry in entries)
    # 1. Entries into bundles, their hashes into tiles of level 0, full tiles into the level above.
    open_entries = _write_bundles(frontier, entries, files)
    rows = _write_tiles(frontier, hashes, files)
    # 2. The new right edge, and the root that follows from it.
    grown = Frontier(size=frontier.size + len(entries), open=rows, entries=open_entries)
    checkpoint = Checkpoint(origin=origin, size=grown.size, root=grown.root)
    return Batch(first_index=frontier.size, leaf_hashes=hashes, files=files, checkpoint=checkpoint, frontier=grown)


def frontier_from_files(*, size: int, read: FileReader) -> Frontier:
    """The frontier of the tree of `size` leaves, from its published files. Raises: TileError."""
    rows = []
    for level, count in row_sizes(size=size):
        # a level whose last tile is full has no open tile
        width = count % WIDTH
        data = read(tile_path(level=level, index=count // WIDTH, width=width)) if width else b""
        if len(data) != width * HASH_BYTES:
            raise TileError(f"the open tile of level {level} has {len(data)} bytes instead of {width * HASH_BYTES}")
        rows.append(tuple(data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)))
    width = size % WIDTH
    data = read(tile_path(level=None, index=size // WIDTH, width=width)) if width else b""
    return Frontier(size=size, open=tuple(rows), entries=read_bundle(data=data, width=width))


def frontier_from_entries(*, entries: Iterable[bytes]) -> Frontier:
    """The frontier of a whole log, replayed from its entries: how ledger_fsck and a rebuild begin."""
    frontier, pending = Frontier(), []
    for entry in entries:
        pending.append(entry)
        # whole bundles at a time keep the memory flat, however long the log is
        if len(pending) == 16 * WIDTH:
            frontier = advance(frontier=frontier, entries=pending, origin="replay").frontier
            pending = []
    return advance(frontier=frontier, entries=pending, origin="replay").frontier


def _write_bundles(frontier: Frontier, entries: Sequence[bytes], files: dict[str, bytes]) -> tuple[bytes, ...]:
    # Bundle `index` is the open one: its entries are written again, together with the new ones, under a new name (its
    # width is part of the path), so that no published file ever changes.
    waiting, index = [*frontier.entries, *entries], frontier.size // WIDTH
    for start in range(0, len(waiting), WIDTH):
        chunk = waiting[start : start + WIDTH]
        # not written again when nothing was added to it
        if start + len(chunk) > len(frontier.entries):
            files[tile_path(level=None, index=index + start // WIDTH, width=len(chunk))] = bundle(entries=chunk)
    return tuple(waiting[len(waiting) - len(waiting) % WIDTH :])


def _write_tiles(
    frontier: Frontier, hashes: tuple[bytes, ...], files: dict[str, bytes]
) -> tuple[tuple[bytes, ...], ...]:
    rows, level, new = [], 0, list(hashes)
    # Level by level, until nothing new arrives from below and no open tile is left above.
    while new or level < len(frontier.open):
        old = frontier.open[level] if level < len(frontier.open) else ()
        # how many full tiles of this level stand before the open one: level L has size / 256^L hashes
        index = (frontier.size >> 8 * level) // WIDTH
        row, above = [*old, *new], []
        for start in range(0, len(row), WIDTH):
            chunk = row[start : start + WIDTH]
            if start + len(chunk) > len(old):
                files[tile_path(level=level, index=index + start // WIDTH, width=len(chunk))] = b"".join(chunk)
            if len(chunk) == WIDTH:
                # a full tile is one hash of the level above
                above.append(hash_tile(data=b"".join(chunk)))
        rows.append(tuple(row[len(row) - len(row) % WIDTH :]))
        level, new = level + 1, above
    return tuple(rows)
