"""The sequencer: gap-free indexes, tiles, the signed checkpoint. Reads and writes Leaf, Checkpoint, Witness, files.

A step has two transactions, each under the one advisory lock, so that two sequencers have the effect of one:
1. waiting leaves get the next indexes, in one statement;
2. the tree is brought up to them; `check_head` compares it with the last head remembered outside the database; the head
   is remembered and signed, its tiles are published, and its row is written.
Then witnesses are asked, outside of any transaction, and the checkpoint is published last.
A crash between any two of these leaves the last checkpoint whole; the next step takes up what was left.
Only the sequencer process holds the signing key and calls this.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from accounts.prepared import PreparedQuery, PreparedRows
from accounts.prepared.cursors import change, fetch
from auditing import dispatch
from auditing.core.ledger.leaves import AuditOpen, TraceOutcome
from auditing.crash_points import crash_at
from auditing.models import Checkpoint, Leaf
from auditing.services.ledger.publishing import HeadFile, file_reader, publish_files, write_file
from auditing.services.ledger.witnesses import Witnesses
from auditing.translog import checkpoint as checkpoints
from auditing.translog import merkle, sequencing, tiles
from auditing.translog.checkpoint import Checkpoint as Head
from auditing.translog.checkpoint import ForkError
from auditing.translog.merkle import MalformedProofError
from auditing.translog.note import Note, NoteError, SigningKey, parse
from auditing.translog.sequencing import Frontier
from auditing.translog.tiles import TileError

log = logging.getLogger(__name__)

LOCK = 0x7472757374  # "trust": the one key of pg_advisory_xact_lock
BATCH = 5_000  # leaves of one step
_REBUILD = 16 * tiles.WIDTH
# Numbers the waiting leaves by id, from the highest index on. A database sequence would leave gaps at every rollback.
_NEXT = """
WITH waiting AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 + (SELECT COALESCE(MAX(index) + 1, 0) FROM auditing_leaf) AS place
    FROM (SELECT id FROM auditing_leaf WHERE index IS NULL ORDER BY id LIMIT $1) AS first_ones
)
UPDATE auditing_leaf SET index = waiting.place FROM waiting WHERE auditing_leaf.id = waiting.id
"""
_LAST = PreparedRows(lambda: Leaf.objects.filter(index__isnull=False).order_by("-index").values_list("index")[:1])
_WAITING = PreparedRows(lambda: Leaf.objects.filter(index__isnull=True).values_list("id")[:1])
_NEWEST = PreparedQuery(lambda: Checkpoint.objects.order_by("-size")[:1])
# Leaves that an audit waits for before its next transition: its seed, and its outcome.
_WAKES = (AuditOpen.TYPE, TraceOutcome.TYPE)


@dataclass
class Sequencer:
    """The holder of the key, the directory that the web server publishes, and where the last head is kept."""

    key: SigningKey
    directory: Path
    head_file: HeadFile
    witnesses: Witnesses = field(default_factory=Witnesses)
    frontier: Frontier | None = field(default=None, repr=False)
    second_key: SigningKey | None = None  # ML-DSA-44, beside the Ed25519 key

    @classmethod
    def at(
        cls,
        *,
        key: SigningKey,
        directory: Path,
        witnesses: Witnesses | None = None,
        second_key: SigningKey | None = None,
    ) -> "Sequencer":
        """A sequencer whose files lie in `directory`; the last head beside them, under a name that is never served."""
        head_file = HeadFile.beside(directory=directory)
        asked = witnesses or Witnesses()
        return cls(key=key, directory=directory, head_file=head_file, witnesses=asked, second_key=second_key)

    def step(self, *, limit: int = BATCH) -> int:
        """Sequence and sign what waits; returns how many leaves were signed. Raises ForkError: then nothing is signed.

        The database is compared with the last signed head before a leaf gets its index: an old copy is left as it is.
        """
        size, newest, signed = self._check_age(), _NEWEST.first(), 0
        # Most looks find nothing to do, and begin no transaction.
        if _WAITING.rows() or size != (newest.size if newest else 0):
            assign_indexes(limit=limit)
            crash_at("after_indexes")
            signed = self._sign_new(limit)
        self._publish_newest()
        return signed

    def _check_age(self) -> int:
        """The size now. Memories are read first: another sequencer may sign meanwhile; then the database only grows."""
        memories = self._memories()
        size = _size()
        for last in memories:
            # Fewer leaves than were signed: this database is an old copy. root_at is never asked for then.
            if size < last.size:
                checkpoints.check_head(last=last, size=size, root_at=lambda _: b"")
        return size

    def _memories(self) -> list[Head]:
        """What is remembered outside the database: the last head, and the checkpoint that is published."""
        last, out = self.head_file.last(), self._published()
        return [*([last] if last else []), *([checkpoints.parse_body(text=out.text)] if out else [])]

    def _sign_new(self, limit: int) -> int:
        with transaction.atomic():
            _lock()
            signed = Checkpoint.objects.order_by("-size").first()
            start, size = signed.size if signed else 0, _size()
            if size == start:
                return 0
            # 1. The tree as it was signed last, and the batch that grows it.
            before = self._frontier_at(start, signed)
            entries = _entries(start, min(size, start + max(limit, 1)))
            batch = sequencing.advance(frontier=before, entries=entries, origin=self.key.name)
            # 2. Never sign what contradicts a head that was signed before; remember the new one before it is signed.
            self._check_head(batch)
            self.head_file.remember(checkpoint=batch.checkpoint)
            crash_at("after_head")
            note = checkpoints.sign(checkpoint=batch.checkpoint, key=self.key, also=self.second_key)
            # 3. Tiles before the row: whoever sees the checkpoint finds everything under it.
            publish_files(directory=self.directory, files=batch.files)
            crash_at("after_tiles")
            Checkpoint.objects.create(size=batch.checkpoint.size, root=batch.checkpoint.root, note=str(note))
            _wake(start, batch.checkpoint.size)
        # Only after the commit: a rolled back step must not leave a tree that was never signed.
        self.frontier = batch.frontier
        crash_at("before_checkpoint")
        return len(entries)

    def _publish_newest(self) -> None:
        """Publish the newest signed checkpoint unless it is out already; ask witnesses whose cosignature it lacks."""
        newest = _NEWEST.first()
        if newest is None:
            return
        out = self._published()
        is_out = out is not None and checkpoints.parse_body(text=out.text).size >= newest.size
        note = out if out is not None and is_out else self._signed(newest)
        if is_out and not self.witnesses.are_wanted(note=note):
            return
        reader = tiles.node_reader(size=newest.size, read=file_reader(directory=self.directory))
        cosigned = self.witnesses.cosign(note=note, key=self.key.verifier, read=reader)
        if not is_out or cosigned != note:
            self._write_checkpoint(cosigned, newest.size)

    def _write_checkpoint(self, note: Note, size: int) -> None:
        """Under the lock, so that an older checkpoint never takes the place of a newer one."""
        with transaction.atomic():
            _lock()
            out = self._published()
            if out is None or checkpoints.parse_body(text=out.text).size <= size:
                write_file(path=self.directory / "checkpoint", data=str(note).encode())

    def _signed(self, row: Checkpoint) -> Note:
        """The signed checkpoint of a row; signed anew when the key in force is another one by now."""
        try:
            second = self.second_key.verifier if self.second_key else None
            checkpoints.open_checkpoint(data=row.note.encode(), key=self.key.verifier, also=second)
        except NoteError:
            head = Head(origin=self.key.name, size=row.size, root=bytes(row.root))
            self.head_file.remember(checkpoint=head)
            return checkpoints.sign(checkpoint=head, key=self.key, also=self.second_key)
        return parse(data=row.note.encode())

    def _published(self) -> Note | None:
        """The published checkpoint; None when there is none that this key signed."""
        try:
            data = (self.directory / "checkpoint").read_bytes()
            checkpoints.open_checkpoint(data=data, key=self.key.verifier)
        except (OSError, NoteError, checkpoints.CheckpointError):
            return None
        return parse(data=data)

    def _check_head(self, batch: sequencing.Batch) -> None:
        """The last signed head must be the tree before this batch, or one inside it that a crash left unpublished."""
        start, before = batch.first_index, self.frontier
        assert before is not None

        def root_at(size: int) -> bytes:
            # Smaller than the tree before this batch: computed from the published tiles.
            if size < start:
                reader = tiles.node_reader(size=start, read=file_reader(directory=self.directory))
                return merkle.range_from(size=size, read=reader).root
            return before.compact_range.extend(leaves=batch.leaf_hashes[: size - start]).root

        for last in self._memories():
            checkpoints.check_head(last=last, size=batch.checkpoint.size, root_at=root_at)

    def _frontier_at(self, size: int, signed: Checkpoint | None) -> Frontier:
        """The right edge of the tree of `size` leaves: remembered, else from the files, else from the leaves."""
        if self.frontier is None or self.frontier.size != size:
            self.frontier = self._read_frontier(size, signed)
        if signed is not None and self.frontier.root != bytes(signed.root):
            self.frontier = None
            raise ForkError(
                f"the tree of {size} leaves has another root than the checkpoint that was signed: "
                "a leaf or a tile was changed; run `manage.py ledger_fsck`"
            )
        return self.frontier

    def _read_frontier(self, size: int, signed: Checkpoint | None) -> Frontier:
        if size == 0 or signed is None:
            return Frontier()
        try:
            frontier = sequencing.frontier_from_files(size=size, read=file_reader(directory=self.directory))
            if frontier.root == bytes(signed.root) and _tail_is_published(frontier):
                return frontier
            log.warning("the published tiles do not lead to the signed root; making them anew from the leaves")
        except (OSError, TileError, MalformedProofError, IndexError) as error:
            log.warning("a published tile is missing or damaged (%s); making the tiles anew from the leaves", error)
        return self.rebuild(size=size)

    def rebuild(self, *, size: int) -> Frontier:
        """Write every file of the first `size` leaves anew from the database, those of every older checkpoint too.

        The checkpoint is left alone.
        """
        frontier = Frontier()
        for end in _stops(size):
            batch = sequencing.advance(frontier=frontier, entries=_entries(frontier.size, end), origin=self.key.name)
            publish_files(directory=self.directory, files=batch.files)
            frontier = batch.frontier
        return frontier

    def write_anew(self) -> int:
        """All published files from the database, on an operator's word; returns the size. Raises ForkError."""
        signed = Checkpoint.objects.order_by("-size").first()
        if signed is None:
            return 0
        self.frontier = self.rebuild(size=signed.size)
        self._frontier_at(signed.size, signed)
        self._publish_newest()
        return signed.size

    def heal(self) -> None:
        """At start: the checkpoint that the database knows is published whole, tiles before it. Raises ForkError."""
        self.witnesses.begin()
        signed = Checkpoint.objects.order_by("-size").first()
        self._check_age()
        if signed is not None:
            self._frontier_at(signed.size, signed)
        self.witnesses.check_memory(key=self.key.verifier, newest=self._newest_tree)
        self._publish_newest()

    def _newest_tree(self) -> tuple[int, Callable[[int], bytes]]:
        """The size that is signed now, and the root of any smaller tree, from the files."""
        size = Checkpoint.objects.order_by("-size").values_list("size", flat=True).first() or 0
        reader = tiles.node_reader(size=size, read=file_reader(directory=self.directory))
        return size, lambda smaller: merkle.range_from(size=smaller, read=reader).root


def assign_indexes(*, limit: int = BATCH) -> int:
    """Give waiting leaves the next indexes, without a gap; returns how many got one."""
    with transaction.atomic():
        _lock()
        return change(_NEXT, [limit])


def _lock() -> None:
    """Sequencers take turns; PostgreSQL releases the lock with the transaction, also when the process dies."""
    fetch("SELECT pg_advisory_xact_lock($1)", [LOCK])


def _size() -> int:
    rows = _LAST.rows()
    return int(rows[0][0]) + 1 if rows else 0


def _stops(size: int) -> list[int]:
    """Sizes at which a rebuild pauses: those of all checkpoints, and no step longer than 4,096 leaves."""
    signed = Checkpoint.objects.filter(size__lte=size).values_list("size", flat=True)
    return sorted({*signed, *range(_REBUILD, size, _REBUILD), size})


def _entries(start: int, end: int) -> list[bytes]:
    bodies = Leaf.objects.filter(index__gte=start, index__lt=end).order_by("index").values_list("body", flat=True)
    entries = [bytes(body) for body in bodies.iterator(chunk_size=2_000)]
    if len(entries) != end - start:
        raise ForkError(f"the leaves {start} to {end - 1} have a gap: {len(entries)} of {end - start} are there")
    return entries


def _tail_is_published(frontier: Frontier) -> bool:
    """The newest leaves of the database are those of the open bundle: a changed row at the edge is found at once."""
    start = frontier.size - len(frontier.entries)
    return tuple(_entries(start, frontier.size)) == frontier.entries


def _wake(start: int, end: int) -> None:
    """Audits that waited for their leaf to be in the ledger go on."""
    waiting = Leaf.objects.filter(index__gte=start, index__lt=end, kind__in=_WAKES)
    for audit in set(waiting.values_list("audit", flat=True)):  # "computer": the queue of short machine work
        dispatch.enqueue("auditing.advance_audit", audit, queue="computer")
