"""Checkpoints: the signed size and root of the ledger, and the rule that it never forks.

Source: C2SP tlog-checkpoint v1.0.0. Body = origin, size, base64 of the root, each on a line of its own.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditing.translog import note as notes
from auditing.translog.merkle import EMPTY_ROOT, HASH_BYTES
from auditing.translog.note import Note, SigningKey, VerifierKey

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class CheckpointError(ValueError):
    """This is not a checkpoint of this ledger."""


class ForkError(ValueError):
    """The database does not continue the last checkpoint that was signed; signing would fork the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The ledger at one moment."""

    origin: str
    size: int
    root: bytes

    def __post_init__(self) -> None:
        """Raises: CheckpointError."""
        if self.size < 0 or len(self.root) != HASH_BYTES or not self.origin or "\n" in self.origin:
            raise CheckpointError("a checkpoint has an origin, a size of at least 0 and a root of 32 bytes")

    @property
    def body(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


def parse_body(*, text: str) -> Checkpoint:
    """The checkpoint of a note's text; extension lines are allowed and passed over. Raises: CheckpointError."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise CheckpointError("a checkpoint has at least three lines: origin, size, root")
    if not _SIZE.fullmatch(lines[1]):
        raise CheckpointError(f"the size is not a decimal number: {lines[1][:32]!r}")
    try:
        root = b64decode(lines[2], validate=True)
    except ValueError:
        root = b""
    if len(root) != HASH_BYTES or b64encode(root).decode() != lines[2]:
        raise CheckpointError("the root is not the base64 of 32 bytes")
    return Checkpoint(origin=lines[0], size=int(lines[1]), root=root)


def sign(*, checkpoint: Checkpoint, key: SigningKey) -> Note:
    """The signed checkpoint; the key's name is the origin. Raises: CheckpointError."""
    if key.name != checkpoint.origin:
        raise CheckpointError(f"the key {key.name} may not sign for {checkpoint.origin}")
    return notes.sign(text=checkpoint.body, key=key)


def open_checkpoint(*, data: bytes, key: VerifierKey) -> Checkpoint:
    """The checkpoint in a note that `key` signed; its origin is the key's name.

    Raises: NoteError (form, signature), CheckpointError (body, origin).
    """
    note = notes.parse(data=data)
    notes.verify(note=note, keys=(key,))
    found = parse_body(text=note.text)
    if found.origin != key.name:
        raise CheckpointError(f"the checkpoint is of {found.origin!r}, the key of {key.name!r}")
    return found


def check_head(*, last: Checkpoint | None, size: int, root_at: Callable[[int], bytes]) -> None:
    """Allow the next signature only if the tree of `size` leaves continues `last`, the last checkpoint signed.

    last comes from outside the database (a file, a witness, an anchor); root_at(n) is the database's root over
    its first n leaves. To be called at start and before each signature: a restored backup is caught here.
    Raises: ForkError.
    """
    if last is None:
        return
    if size < last.size:
        raise ForkError(
            f"the database holds {size} leaves, but size {last.size} was signed already: "
            "it is older than the last checkpoint (a restored backup?); restore the newest copy"
        )
    found = root_at(last.size) if last.size else EMPTY_ROOT
    if found != last.root:
        raise ForkError(
            f"at size {last.size} the database has root {found.hex()}, but {last.root.hex()} was signed: "
            "a leaf was changed or the history is another one"
        )


def proof_text(*, index: int, proof: Sequence[bytes], checkpoint: Note) -> str:
    """A proof that verifies offline: C2SP tlog-proof v1 (index, audit path, signed checkpoint)."""
    path = "".join(f"{b64encode(part).decode()}\n" for part in proof)
    return f"c2sp.org/tlog-proof@v1\nindex {index}\n{path}\n{checkpoint}"


def parse_proof(*, data: bytes) -> tuple[int, tuple[bytes, ...], bytes]:
    """(leaf index, audit path, signed checkpoint) of a tlog-proof; an "extra" line is passed over.

    Raises: CheckpointError.
    """
    head, separator, signed = data.partition(b"\n\n")
    lines = head.decode("utf-8", "replace").split("\n")
    if not separator or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise CheckpointError("not a proof of the form c2sp.org/tlog-proof@v1")
    if lines and lines[0].startswith("extra "):
        lines.pop(0)
    word, _, number = lines.pop(0).partition(" ") if lines else ("", "", "")
    if word != "index" or not _SIZE.fullmatch(number):
        raise CheckpointError("the proof lacks its index line")
    if len(lines) > 63:
        raise CheckpointError("the audit path is longer than any tree is high")
    return int(number), tuple(_proof_hash(line) for line in lines), signed


def _proof_hash(line: str) -> bytes:
    try:
        found = b64decode(line, validate=True)
    except ValueError:
        found = b""
    if len(found) != HASH_BYTES:
        raise CheckpointError(f"not the base64 of a hash: {line[:64]!r}")
    return found
