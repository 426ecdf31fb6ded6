"""The sequencer's transaction: gap-free indexes under one advisory lock, the root, the signed checkpoint.

Reads and writes Leaf, Checkpoint. Only the sequencer process holds the signing key and calls this.
"""

from collections.abc import Callable

from django.db import connection, transaction

from auditing.core.merkle import CompactRange, leaf_hash
from auditing.models import Checkpoint, Leaf

LOCK = 0x7472757374  # "trust": the one key of pg_advisory_xact_lock
BATCH = 5_000


def sequence(*, sign: Callable[[int, bytes], str], limit: int = BATCH) -> int:
    """Give the next indexes to waiting leaves and sign the new head; returns how many were sequenced."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        waiting = list(Leaf.objects.filter(index__isnull=True).order_by("id")[:limit])
        if not waiting:
            return 0
        tree = load_range()
        for index, leaf in enumerate(waiting, start=tree.size):
            leaf.index = index
        tree = tree.extend(leaves=(leaf_hash(entry=bytes(leaf.body)) for leaf in waiting))
        Leaf.objects.bulk_update(waiting, ["index"], batch_size=1_000)
        Checkpoint.objects.create(size=tree.size, root=tree.root, note=sign(tree.size, tree.root))
    return len(waiting)


def load_range() -> CompactRange:
    """The compact range of everything sequenced so far."""
    bodies = Leaf.objects.filter(index__isnull=False).order_by("index").values_list("body", flat=True)
    return CompactRange().extend(leaves=(leaf_hash(entry=bytes(body)) for body in bodies.iterator()))
