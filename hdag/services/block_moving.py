"""Blocks follow the store that was chosen: copied there, read back, compared with their address, then the row lets go.

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
    """Walk all blocks by key, a batch at a time.

    Raises StoreAwayError, StoreRefusedError: what was moved until then is moved.
    """
    rows, last = Block.objects.order_by("pk").values_list("pk", flat=True), ""
    while names := list(rows.filter(pk__gt=last)[:BATCH]):
        last = names[-1]
        yield _move(names)


def _move(names: list[str]) -> Moved:
    target = stores.chosen()
    there = _whole(target.find(cids=names))
    missing = [name for name in names if name not in there]
    found: dict[str, bytes] = {}
    for store in stores.earlier():
        found |= _whole(store.find(cids=[name for name in missing if name not in found]))
    if found and stores.is_database(target):
        for name, data in found.items():
            Block.objects.filter(pk=name, ciphertext__isnull=True).update(ciphertext=data)
    elif found:
        target.take(rows=[Block(cid=name, ciphertext=data) for name, data in found.items()])
    arrived = _whole(target.find(cids=list(found)))
    if not stores.is_database(target):
        Block.objects.filter(pk__in=[*there, *arrived], ciphertext__isnull=False).update(ciphertext=None)
    return Moved(len(names), len(arrived), tuple(name for name in missing if name not in arrived))


def _whole(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those that hash to their address."""
    return {name: data for name, data in found.items() if cids_of.of(data=data) == name}
