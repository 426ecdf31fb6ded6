"""Checkpoints: the signed size and root of the ledger, and the rule that it never forks.

Source: C2SP tlog-checkpoint v1.0.0, sections "Note text" (origin, size and base64 of the root, each on a line of its
own) and "Signatures" (a log never signs two checkpoints that contradict each other). Proofs in text form: C2SP
tlog-proof v1.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditing.translog import note as notes
from auditing.translog.merkle import EMPTY_ROOT, HASH_BYTES
from auditing.translog.note import Note, SigningKey, VerifierKey

# no leading zeros, and at most 19 digits: a size fits into 64 bits
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
    # three lines, each ended by a newline, make four pieces, the last one empty
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise CheckpointError("a checkpoint has at least three lines: origin, size, root")
    if not _SIZE.fullmatch(lines[1]):
        raise CheckpointError(f"the size is not a decimal number: {lines[1][:32]!r}")
    try:
        root = b64decode(lines[2], validate=True)
    except ValueError:
        root = b""
    # encoded again, for base64 may hide bits that decoding drops: one root has one spelling
    if len(root) != HASH_BYTES or b64encode(root).decode() != lines[2]:
        raise CheckpointError("the root is not the base64 of 32 bytes")
    return Checkpoint(origin=lines[0], size=int(lines[1]), root=root)


def sign(*, checkpoint: Checkpoint, key: SigningKey, also: SigningKey | None = None) -> Note:
    """The signed checkpoint; the keys' name is the origin. Raises: CheckpointError.

    also: an ML-DSA-44 key of the log, which cosigns beside the Ed25519 key that tlog-tiles asks for; its time is 0,
    for it states no time at which it looked for larger trees (C2SP tlog-cosignature).
    """
    # section "Signatures": a log's key is named after its origin, so a key cannot sign for another log by accident
    if any(signer.name != checkpoint.origin for signer in (key, also or key)):
        raise CheckpointError(f"the key {(also or key).name} may not sign for {checkpoint.origin}")
    note = notes.sign(text=checkpoint.body, key=key)
    more = () if also is None else (notes.cosign(text=checkpoint.body, key=also, time=0),)
    return notes.with_signatures(note=note, more=more)


def open_checkpoint(*, data: bytes, key: VerifierKey, also: VerifierKey | None = None) -> Checkpoint:
    """The checkpoint in a note that `key` signed, and `also` where one is given; its origin is the keys' name.

    Raises: NoteError (form, signature), CheckpointError (body, origin).
    """
    note = notes.parse(data=data)
    for verifier_key in filter(None, (key, also)):
        notes.verify(note=note, keys=(verifier_key,))
    checkpoint = parse_body(text=note.text)
    if checkpoint.origin != key.name:
        raise CheckpointError(f"the checkpoint is of {checkpoint.origin!r}, the key of {key.name!r}")
    return checkpoint


def check_head(*, last: Checkpoint | None, size: int, root_at: Callable[[int], bytes]) -> None:
    """Allow the next signature only if the tree of `size` leaves continues `last`, the last checkpoint signed.

    last comes from outside the database (a file, a witness, an anchor); root_at(n) is the database's root over
    its first n leaves. To be called at start and before each signature: a restored backup is caught here.
    Raises: ForkError.
    """
    if last is None:
        return
    # 1. Fewer leaves than were signed: leaves are gone.
    if size < last.size:
        raise ForkError(
            f"the database holds {size} leaves, but size {last.size} was signed already: "
            "it is older than the last checkpoint (a restored backup?); restore the newest copy"
        )
    # 2. As many or more: the first ones must be those that were signed. Signing would give witnesses and auditors two
    # ledgers that contradict each other, and no later checkpoint could mend that.
    root = root_at(last.size) if last.size else EMPTY_ROOT
    if root != last.root:
        raise ForkError(
            f"at size {last.size} the database has root {root.hex()}, but {last.root.hex()} was signed: "
            "a leaf was changed or the history is another one"
        )


def proof_text(*, index: int, proof: Sequence[bytes], checkpoint: Note) -> str:
    """A proof that verifies offline: C2SP tlog-proof v1 (index, audit path, signed checkpoint)."""
    path = "".join(f"{b64encode(sibling).decode()}\n" for sibling in proof)
    return f"c2sp.org/tlog-proof@v1\nindex {index}\n{path}\n{checkpoint}"


def parse_proof(*, data: bytes) -> tuple[int, tuple[bytes, ...], bytes]:
    """(leaf index, audit path, signed checkpoint) of a tlog-proof; an "extra" line is passed over.

    Raises: CheckpointError.
    """
    # the proof ends at the first blank line; the checkpoint behind it holds a blank line of its own
    head, separator, signed = data.partition(b"\n\n")
    lines = head.decode("utf-8", "replace").split("\n")
    if not separator or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise CheckpointError("not a proof of the form c2sp.org/tlog-proof@v1")
    if lines and lines[0].startswith("extra "):
        lines.pop(0)
    word, _, number = lines.pop(0).partition(" ") if lines else ("", "", "")
    if word != "index" or not _SIZE.fullmatch(number):
        raise CheckpointError("the proof lacks its index line")
    # a tree whose size fits into 63 bits is at most 63 levels high
    if len(lines) > 63:
        raise CheckpointError("the audit path is longer than any tree is high")
    return int(number), tuple(_proof_hash(line) for line in lines), signed


def _proof_hash(line: str) -> bytes:
    try:
        digest = b64decode(line, validate=True)
    except ValueError:
        digest = b""
    if len(digest) != HASH_BYTES:
        raise CheckpointError(f"not the base64 of a hash: {line[:64]!r}")
    return digest
