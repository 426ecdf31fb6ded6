"""One pass over the ledger that several invariants share: its order, and its root at every size that was ever signed.

Reads Leaf, Checkpoint, the head file; writes nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from auditing.models import Checkpoint, Leaf
from auditing.services.ledger.publishing import HeadFile
from auditing.translog import checkpoint as checkpoints
from auditing.translog.checkpoint import Checkpoint as Head
from auditing.translog.merkle import CompactRange, leaf_hash

ROWS = 2_000  # fetched at once


@dataclass
class Survey:
    """What is looked at, and what one pass over all leaves found."""

    now: datetime
    directory: Path = field(default_factory=lambda: Path(settings.LEDGER_DIR))

    @cached_property
    def heads(self) -> list[tuple[str, Head]]:
        """Heads remembered outside the checkpoint table: (who remembers it, head)."""
        last = HeadFile.beside(directory=self.directory).last()
        heads = [("the file of the last signed head", last)] if last is not None else []
        rows = Leaf.objects.filter(kind="anchor").order_by("id").values_list("id", "body")
        for number, body in rows:
            anchor = json.loads(bytes(body))
            head = Head(origin=settings.LEDGER_ORIGIN, size=anchor["size"], root=bytes.fromhex(anchor["root"]))
            heads.append((f"the anchor in entry {number}", head))
        return heads

    @cached_property
    def walked(self) -> "Walked":
        """All leaves with an index, hashed in order, with the roots at the sizes that somebody signed."""
        sizes = {size for size in Checkpoint.objects.values_list("size", flat=True)}
        return _walk(sizes | {head.size for _, head in self.heads})


@dataclass(frozen=True, slots=True)
class Walked:
    """size: leaves in a row from 0; roots: by size, as far as there are leaves; faults: in words."""

    size: int
    roots: dict[int, bytes]
    faults: tuple[str, ...]


def _walk(sizes: set[int]) -> Walked:
    rows = Leaf.objects.filter(index__isnull=False).order_by("index").values_list("index", "kind", "body")
    frontier, waiting, faults, size = CompactRange(), [], [], 0
    roots = {0: frontier.root} if 0 in sizes else {}
    for index, leaf_type, body in rows.iterator(chunk_size=ROWS):
        if index != size:
            faults.append(f"leaf {size} is missing: the next one is {index}")
            break
        entry = bytes(body)
        # The column `kind` only finds leaves; what was signed is the entry.
        if f'"t":"{leaf_type}"'.encode() not in entry:
            faults.append(f"leaf {index} is filed as {leaf_type} and says something else")
        waiting.append(leaf_hash(entry=entry))
        size += 1
        # Hashes are merged in batches, and at every size whose root is asked for.
        if size in sizes or len(waiting) == ROWS:
            frontier, waiting = frontier.extend(leaves=waiting), []
        if size in sizes:
            roots[size] = frontier.root
    return Walked(size, roots, tuple(faults))


def read_leaves(*kinds: str) -> Iterator[tuple[UUID | None, dict[str, Any]]]:
    """(audit, fields) of every leaf of these types, in the order of writing."""
    rows = Leaf.objects.filter(kind__in=kinds).order_by("id").values_list("audit", "body")
    for audit, body in rows.iterator(chunk_size=ROWS):
        yield audit, json.loads(bytes(body))


def head_error(*, data: bytes, keys: list[Any]) -> str:
    """Why a signed checkpoint is not one by any of `keys`; "" when it is."""
    why = "no key of the ledger is known"
    for key in keys:
        try:
            checkpoints.open_checkpoint(data=data, key=key)
        except ValueError as error:
            why = str(error)
        else:
            return ""
    return why
