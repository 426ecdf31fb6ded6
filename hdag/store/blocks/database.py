"""The default: a block's bytes lie in its own row, in PostgreSQL."""

from collections.abc import Collection, Sequence

from hdag.models import Block


class DatabaseStore:
    """Nothing to carry: the insert of the row keeps its bytes, a join brings them along."""

    def take(self, *, rows: Sequence[Block]) -> None:
        """The rows keep what they hold."""

    def find(self, *, cids: Collection[str]) -> dict[str, bytes]:
        """The bytes of the rows that hold theirs: one query."""
        if not cids:
            return {}
        rows = Block.objects.filter(pk__in=list(cids), ciphertext__isnull=False).values_list("pk", "ciphertext")
        return {cid: bytes(data) for cid, data in rows if data is not None}
