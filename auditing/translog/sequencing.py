"""The sequencer's pure part: where the ledger stands + new entries -> indexes, files to write, next checkpoint.

A `Frontier` is all that is needed to go on: the open (partial) tile of each level and the open entry bundle. It is
read back from the published files, or from the database, in O(log n).
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
    rest = _write_bundles(frontier, entries, files)
    rows = _write_tiles(frontier, hashes, files)
    grown = Frontier(size=frontier.size + len(entries), open=rows, entries=rest)
    checkpoint = Checkpoint(origin=origin, size=grown.size, root=grown.root)
    return Batch(first_index=frontier.size, leaf_hashes=hashes, files=files, checkpoint=checkpoint, frontier=grown)


def frontier_from_files(*, size: int, read: FileReader) -> Frontier:
    """The frontier of the tree of `size` leaves, from its published files. Raises: TileError."""
    rows = []
    for level, count in row_sizes(size=size):
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
        if len(pending) == 16 * WIDTH:
            frontier = advance(frontier=frontier, entries=pending, origin="replay").frontier
            pending = []
    return advance(frontier=frontier, entries=pending, origin="replay").frontier


def _write_bundles(frontier: Frontier, entries: Sequence[bytes], files: dict[str, bytes]) -> tuple[bytes, ...]:
    waiting, index = [*frontier.entries, *entries], frontier.size // WIDTH
    for start in range(0, len(waiting), WIDTH):
        part = waiting[start : start + WIDTH]
        if start + len(part) > len(frontier.entries):
            files[tile_path(level=None, index=index + start // WIDTH, width=len(part))] = bundle(entries=part)
    return tuple(waiting[len(waiting) - len(waiting) % WIDTH :])


def _write_tiles(
    frontier: Frontier, hashes: tuple[bytes, ...], files: dict[str, bytes]
) -> tuple[tuple[bytes, ...], ...]:
    rows, level, new = [], 0, list(hashes)
    while new or level < len(frontier.open):
        old = frontier.open[level] if level < len(frontier.open) else ()
        index = (frontier.size >> 8 * level) // WIDTH
        row, above = [*old, *new], []
        for start in range(0, len(row), WIDTH):
            part = row[start : start + WIDTH]
            if start + len(part) > len(old):
                files[tile_path(level=level, index=index + start // WIDTH, width=len(part))] = b"".join(part)
            if len(part) == WIDTH:
                above.append(hash_tile(data=b"".join(part)))
        rows.append(tuple(row[len(row) - len(row) % WIDTH :]))
        level, new = level + 1, above
    return tuple(rows)
