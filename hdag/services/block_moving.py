"""Moving blocks into the chosen store: copied there, read back, compared with their address, then dropped from the row.

Reads and writes Block. May be stopped at any point and run again: a block is looked for in every store that the
settings name (BLOCK_STORE, then BLOCK_STORES_BEFORE and the database), so that it can be read before, while and after.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hdag.core import cid as cids_of
from hdag.models import Block
from hdag.store import blocks as stores

BATCH = 100  # blocks of at most 256 KiB: 25 MiB in hand


@dataclass(frozen=True, slots=True)
class Moved:
    """One batch: how many blocks were looked at, copied into the chosen store, and found whole nowhere."""

    seen: int
    copied: int
    lost: tuple[str, ...]


def move() -> Iterator[Moved]:
    """Go through all blocks by key, a batch at a time.

    Raises StoreAwayError, StoreRefusedError: what was moved until then is moved.
    """
    rows, last = Block.objects.order_by("pk").values_list("pk", flat=True), ""
    while batch := list(rows.filter(pk__gt=last)[:BATCH]):
        last = batch[-1]
        yield _move(batch)


def _move(cids: list[str]) -> Moved:
    """Bring one batch of blocks into the chosen store."""
    target = stores.chosen()
    # 1. what the chosen store has already; 2. the missing ones from the earlier stores; 3. copy; 4. read back.
    there = _whole(target.find(cids=cids))
    missing = [cid for cid in cids if cid not in there]
    by_cid: dict[str, bytes] = {}
    for store in stores.earlier():
        by_cid |= _whole(store.find(cids=[cid for cid in missing if cid not in by_cid]))
    if by_cid and stores.is_database(target):
        for cid, data in by_cid.items():
            Block.objects.filter(pk=cid, ciphertext__isnull=True).update(ciphertext=data)
    elif by_cid:
        target.take(rows=[Block(cid=cid, ciphertext=data) for cid, data in by_cid.items()])
    arrived = _whole(target.find(cids=list(by_cid)))
    if not stores.is_database(target):
        # 5. Only what was read back whole leaves the database: a crash before this line loses nothing.
        Block.objects.filter(pk__in=[*there, *arrived], ciphertext__isnull=False).update(ciphertext=None)
    return Moved(len(cids), len(arrived), tuple(cid for cid in missing if cid not in arrived))


def _whole(by_cid: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those that hash to their address."""
    return {cid: data for cid, data in by_cid.items() if cids_of.of(data=data) == cid}
