"""What every block store does."""

from collections.abc import Collection, Sequence
from typing import Protocol

from hdag.models import Block


class StoreAwayError(Exception):
    """The store of texts cannot be reached at the moment."""


class StoreRefusedError(Exception):
    """The store of texts did not keep a block as it was given."""


class BlockStore(Protocol):
    """Keeps ciphertexts under their CID."""

    def take(self, *, rows: Sequence[Block]) -> None:
        """Keep the bytes of rows that are about to be inserted; a store elsewhere takes them off the rows.

        Durable when it returns. A roll-back afterwards leaves bytes that no row names and no key opens.
        Raises StoreAwayError, StoreRefusedError.
        """
        ...

    def find(self, *, cids: Collection[str]) -> dict[str, bytes]:
        """The bytes of these blocks, as stored; the caller checks them. What is not there is left out.

        Raises StoreAwayError.
        """
        ...
