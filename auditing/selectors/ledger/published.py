"""The ledger as it is published: signed tree head, proofs, bundles. Reads Leaf, Roster, PublicKey and its files."""

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from auditing.core.ledger import bundle
from auditing.models import Audit, Leaf, PublicKey
from auditing.selectors.ledger.witnesses import cosigning_keys
from auditing.selectors.seating.rosters import eligible_lines, segment_lines
from auditing.selectors.seating.rounds import newest_key
from auditing.translog import checkpoint, merkle, tiles, witnessing
from auditing.translog.merkle import NodeReader
from auditing.translog.note import NoteError, VerifierKey, parse, parse_vkey


class NotPublishedYetError(Exception):
    """The ledger has not published this yet; look again in a moment."""


class LedgerDamagedError(Exception):
    """A published file of the ledger is missing or damaged; an admin can run `manage.py ledger_fsck`."""


@dataclass(frozen=True, slots=True)
class Published:
    """The ledger at its newest published checkpoint."""

    note: str
    head: checkpoint.Checkpoint
    key: VerifierKey
    read: NodeReader


@dataclass(frozen=True, slots=True)
class Proof:
    """A leaf's inclusion in the newest checkpoint, verified when it was made."""

    index: int
    entry: bytes
    path: tuple[bytes, ...]
    published: Published

    @property
    def base64(self) -> dict[str, str]:
        """Entry, audit path and signed root in base64, for a page that lets the reader's browser check them."""
        parts = " ".join(b64encode(node).decode() for node in self.path)
        root = b64encode(self.published.head.root).decode()
        return {"entry": b64encode(self.entry).decode(), "path": parts, "root": root}

    @property
    def text(self) -> str:
        """As a .tlog-proof file."""
        return checkpoint.proof_text(
            index=self.index, proof=self.path, checkpoint=parse(data=self.published.note.encode())
        )


def ledger_key() -> VerifierKey | None:
    """The ledger's public key in force; None before the sequencer has run."""
    # Keys are added, never replaced: the row with the highest id is in force, the others still verify old heads.
    newest = PublicKey.objects.filter(purpose="ledger").order_by("-id").first()
    return None if newest is None else parse_vkey(text=bytes(newest.value).decode())


def ledger_keys() -> list[VerifierKey]:
    """Every key that the ledger was ever signed with, the newest first."""
    return _announced("ledger")


def second_key(*, note: str) -> VerifierKey | None:
    """The ledger's ML-DSA-44 key that signed this checkpoint; None where the option is off."""
    signers = witnessing.cosigners_of(note=parse(data=note.encode()), keys=_announced("ledger-ml-dsa"))
    return signers[0] if signers else None


def receipt_keys() -> list[VerifierKey]:
    """Every key that receipts were ever signed with, the newest first."""
    return _announced("receipt")


def _announced(purpose: str) -> list[VerifierKey]:
    rows = PublicKey.objects.filter(purpose=purpose).order_by("-id").values_list("value", flat=True)
    return [parse_vkey(text=bytes(value).decode()) for value in rows]


def read_file(path: str) -> bytes:
    """A published file: checkpoint, tile or entry bundle. Raises TileError for another path, FileNotFoundError."""
    if path != "checkpoint":
        tiles.parse_path(path=path)  # refuses everything else, "../" above all
    return (Path(settings.LEDGER_DIR) / path).read_bytes()


def published(*, key: VerifierKey | None = None) -> Published:
    """The newest checkpoint with a reader of its tree. Raises NotPublishedYetError, LedgerDamagedError.

    key: the ledger's in force, where it was read already.
    """
    key = key or ledger_key()
    try:
        data = read_file("checkpoint")
    except OSError:
        data = b""
    if key is None or not data:
        raise NotPublishedYetError(NotPublishedYetError.__doc__)
    try:
        head = checkpoint.open_checkpoint(data=data, key=key)
    except (NoteError, checkpoint.CheckpointError) as error:
        raise LedgerDamagedError(f"The published checkpoint does not verify: {error}") from error
    return Published(data.decode(), head, key, tiles.node_reader(size=head.size, read=read_file))


def prove(*, leaf: Leaf, at: Published | None = None) -> Proof:
    """A verified inclusion proof of one leaf. Raises NotPublishedYetError, LedgerDamagedError."""
    ledger = at or published()
    if leaf.index is None or leaf.index >= ledger.head.size:
        raise NotPublishedYetError(NotPublishedYetError.__doc__)
    entry = bytes(leaf.body)
    try:
        path = merkle.inclusion_proof(index=leaf.index, size=ledger.head.size, read=ledger.read)
        # Verified before it is shown: a proof from a damaged tile must end as our error, not as a stranger's suspicion.
        merkle.verify_inclusion(
            leaf=merkle.leaf_hash(entry=entry),
            index=leaf.index,
            size=ledger.head.size,
            proof=path,
            root=ledger.head.root,
        )
    except (OSError, tiles.TileError, merkle.ProofError) as error:
        raise LedgerDamagedError(f"Leaf {leaf.index} cannot be proved: {error}") from error
    return Proof(leaf.index, entry, path, ledger)


def outcome_proof(*, audit: Audit) -> Proof | None:
    """The proof of an audit's trace.outcome leaf; None while there is none. Raises LedgerDamagedError."""
    leaves: Any = Leaf.objects.filter(audit=audit, kind="trace.outcome", index__isnull=False)
    leaf = leaves.annotate(ledger_key=newest_key(purpose="ledger")).first()
    if leaf is None or leaf.ledger_key is None:
        return None
    try:
        return prove(leaf=leaf, at=published(key=parse_vkey(text=bytes(leaf.ledger_key).decode())))
    except NotPublishedYetError:
        return None


def bundle_of(*, audit: Audit, at: Published | None = None) -> dict[str, Any]:
    """Everything a stranger needs to check one audit. Raises NotPublishedYetError, LedgerDamagedError."""
    ledger = at or published()
    # Only leaves under this head: later ones could not be proved against the checkpoint in the same file.
    rows = Leaf.objects.filter(audit=audit, index__lt=ledger.head.size).order_by("index").values_list("index", "body")
    entries = {index: bytes(body) for index, body in rows if index is not None}
    if not entries:
        raise NotPublishedYetError(NotPublishedYetError.__doc__)
    try:
        built = bundle.build(
            vkey=ledger.key.vkey,
            checkpoint=ledger.note,
            entries=entries,
            read=ledger.read,
            segments=segment_lines(audit=audit),
            eligible=eligible_lines(audit=audit),
        )
    except (OSError, tiles.TileError, merkle.ProofError, bundle.BundleError) as error:
        raise LedgerDamagedError(f"This audit's leaves cannot be proved: {error}") from error
    # With the keys a changed line of a witness is seen; whether to trust the witness is the reader's affair.
    cosigned, second = cosigning_keys(note=ledger.note), second_key(note=ledger.note)
    named = {"witnesses": cosigned} if cosigned else {}
    return {**built, **named, **({"vkey_ml_dsa": second.vkey} if second else {})}
