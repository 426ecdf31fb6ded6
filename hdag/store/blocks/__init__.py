"""Block stores: where ciphertexts lie. One plug-in a place, chosen by settings.BLOCK_STORE; no store ever sees a key.

What was stored before another one was chosen is still found: in the stores that settings.BLOCK_STORES_BEFORE names and
in the rows of the database; `manage.py move_blocks` brings it over.
"""

import os
from functools import lru_cache

from django.conf import settings

from hdag.store.blocks.database import DatabaseStore
from hdag.store.blocks.files import FileStore
from hdag.store.blocks.kubo import KuboStore
from hdag.store.blocks.protocol import BlockStore, StoreAwayError, StoreRefusedError

__all__ = ["BlockStore", "StoreAwayError", "StoreRefusedError", "chosen", "earlier", "is_database", "named"]

NAMES = ("database", "files", "ipfs")


def chosen() -> BlockStore:
    """The store that settings.BLOCK_STORE names."""
    return named(name=settings.BLOCK_STORE)


def earlier() -> list[BlockStore]:
    """The other stores in which a block may lie, in the order in which they are asked."""
    names = dict.fromkeys([*settings.BLOCK_STORES_BEFORE, "database"])
    return [named(name=name) for name in names if name != settings.BLOCK_STORE]


def is_database(store: BlockStore) -> bool:
    """Whether blocks lie in their rows there."""
    return isinstance(store, DatabaseStore)


def named(*, name: str) -> BlockStore:
    """The store of that name, as the settings describe it. Raises ValueError."""
    if name == "database":
        return DatabaseStore()
    if name == "files":
        return FileStore(str(settings.BLOCK_DIR))
    if name == "ipfs":
        return _kubo(settings.IPFS_API_URL, os.getpid())
    raise ValueError(f"BLOCK_STORE={name!r} is unknown; it is one of {', '.join(NAMES)}.")


@lru_cache(maxsize=4)
def _kubo(address: str, process: int) -> KuboStore:
    """One client a process: connections do not survive a fork."""
    return KuboStore(address)
