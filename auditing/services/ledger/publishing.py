"""Files outside the database: the published tiles and checkpoint, and the last signed head that forbids a fork.

Every file is written beside its place, synced, and renamed over it: a crash leaves the old file or the new one, never
half of one. Reads and writes files; no table.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from auditing.translog import checkpoint as checkpoints
from auditing.translog.checkpoint import Checkpoint
from auditing.translog.tiles import FileReader, parse_path


class HeadFile:
    """The last checkpoint that was signed, kept where no database restore reaches it.

    Order of a step: database row, `check`, `remember`, sign, publish. A crash after `remember` costs nothing: the
    next step signs the same head or a later one.
    """

    def __init__(self, *, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, *, directory: Path) -> "HeadFile":
        """The one that lies beside the published files, under a name that is never served."""
        return cls(path=directory / ".last-signed-head")

    def last(self) -> Checkpoint | None:
        """The head remembered; None before the first. Raises: CheckpointError for a damaged file."""
        try:
            return checkpoints.parse_body(text=self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def remember(self, *, checkpoint: Checkpoint) -> None:
        """Write the head, synced to disk. Raises: ForkError when it would go back or to another ledger."""
        last = self.last()
        if last is not None and (checkpoint.origin != last.origin or checkpoint.size < last.size):
            raise checkpoints.ForkError(
                f"{checkpoint.origin} {checkpoint.size} cannot follow {last.origin} {last.size}"
            )
        # Two roots of one size, both signed, would prove to everybody that this log is forked.
        if last is not None and checkpoint.size == last.size and checkpoint.root != last.root:
            raise checkpoints.ForkError(f"a second root for size {checkpoint.size}")
        write_file(path=self.path, data=checkpoint.body.encode())


def publish_files(*, directory: Path, files: Mapping[str, bytes]) -> None:
    """Write bundles and tiles that are not there yet, or not whole. Raises: TileError for a path that is no tile's."""
    for path, data in files.items():
        parse_path(path=path)
        target = directory / path
        # Tiles never change: a file that is there and right is left alone.
        if not (target.is_file() and target.read_bytes() == data):
            write_file(path=target, data=data)


def file_reader(*, directory: Path) -> FileReader:
    """Reads published tiles. The reader raises TileError for another path, FileNotFoundError for a lost file."""

    def read(path: str) -> bytes:
        parse_path(path=path)
        return (directory / path).read_bytes()

    return read


def write_file(*, path: Path, data: bytes) -> None:
    """Replace `path` by `data` at once, synced with its directory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.new")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())  # the content before the name, or a crash could leave an empty file
    temporary.replace(path)
    # The rename itself is on disk only once its directory is.
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
