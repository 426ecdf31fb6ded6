"""Blocks as files: DIRECTORY/<end of the CID>/<CID>, each written whole and synced before it gets its name."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from hdag.core import cid as cids_of
from hdag.models import Block
from hdag.store.blocks.protocol import StoreAwayError


class FileStore:
    """A directory that all processes share; as durable as its file system."""

    def __init__(self, directory: str) -> None:
        self.directory = Path(directory)

    def take(self, *, rows: Sequence[Block]) -> None:
        """Write each block to its file, then sync the directories that changed. Raises StoreAwayError."""
        try:
            changed = {self._write(row.cid, bytes(row.ciphertext)) for row in rows if row.ciphertext is not None}
            # The rename itself lasts only once its directory is synced.
            for directory in changed:
                _sync(directory)
        except OSError as error:
            raise StoreAwayError(f"The block directory cannot be written ({error.strerror}).") from error
        # The file has the bytes now; the row goes into the database without them.
        for row in rows:
            row.ciphertext = None

    def find(self, *, cids: Collection[str]) -> dict[str, bytes]:
        """Read each file that is there. Raises StoreAwayError."""
        by_cid = {}
        for cid in cids:
            try:
                by_cid[cid] = self._path(cid).read_bytes()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreAwayError(f"The block directory cannot be read ({error.strerror}).") from error
        return by_cid

    def _path(self, cid: str) -> Path:
        """Where a block lies. Raises CidError for anything but a CID: no name leads out of the directory."""
        cids_of.parse(text=cid)
        # The end of a CID is random, its beginning is the same for all: 256 directories at most.
        return self.directory / cid[-2:] / cid

    def _write(self, cid: str, data: bytes) -> Path:
        path = self._path(cid)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written under another name, synced, then renamed: after a crash a block is whole or absent.
        fresh = path.with_name(f"{cid}.{os.getpid()}.new")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        return path.parent


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
