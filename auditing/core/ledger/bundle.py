"""Audit bundles: everything a stranger needs to check one audit offline, in one file.

    {"format": "trust-audit-bundle/v1", "vkey": ..., "checkpoint": signed note,
     "leaves": [{"index", "entry": its JSON as text, "proof": [base64]}], in log order
     "segments": [rosters.SegmentLine], "eligible": [rosters.EligibleLine],
     "draw": {"consistency": [base64]}, from trace.outcome's draw_size to the checkpoint;
             "extensions": [[base64]] likewise, from each of its extensions, when there are any
     "witnesses": [vkey], optional: the keys of those who cosigned the checkpoint, so that a changed line is seen
     "later": {"checkpoint", "consistency"}} optional: a newer checkpoint that continues this one

auditing/verifier/verify_audit.py reads it with nothing but the standard library and `cryptography`.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from auditing.core.ledger import leaves
from auditing.core.ledger.leaves.fields import to_fields
from auditing.core.seating.rosters import EligibleLine, SegmentLine
from auditing.translog import merkle, note
from auditing.translog.checkpoint import open_checkpoint
from auditing.translog.merkle import NodeReader
from hdag.core import canonical

FORMAT = "trust-audit-bundle/v1"


class BundleError(ValueError):
    """These values do not make a bundle that would verify."""


def build(
    *,
    vkey: str,
    checkpoint: str,
    entries: Mapping[int, bytes],
    read: NodeReader,
    segments: Sequence[SegmentLine],
    eligible: Sequence[EligibleLine],
) -> dict[str, Any]:
    """The bundle of one audit under a signed checkpoint.

    entries: leaf index -> entry, all leaves of the audit; read: nodes of the tree at the checkpoint's size.
    Each proof is verified before it is handed out. Raises: BundleError, NoteError, CheckpointError, LeafError.
    """
    head = open_checkpoint(data=checkpoint.encode(), key=note.parse_vkey(text=vkey))
    placed = []
    for index, entry in sorted(entries.items()):
        proof = merkle.inclusion_proof(index=index, size=head.size, read=read)
        # A damaged tile gives a wrong path: better refused here than found by the stranger.
        try:
            merkle.verify_inclusion(
                leaf=merkle.leaf_hash(entry=entry), index=index, size=head.size, proof=proof, root=head.root
            )
        except merkle.ProofError as error:
            raise BundleError(f"leaf {index} is not the one in the ledger: {error}") from None
        placed.append({"index": index, "entry": entry.decode("utf-8"), "proof": _base64(proof)})
    return {
        "format": FORMAT,
        "vkey": vkey,
        "checkpoint": checkpoint,
        "leaves": placed,
        "segments": [to_fields(value=line) for line in segments],
        "eligible": [to_fields(value=line) for line in eligible],
        "draw": _draw_proofs(entries.values(), head.size, read),
    }


def encode(*, bundle: Mapping[str, Any]) -> bytes:
    """The file. Raises: NotCanonicalError."""
    return canonical.encode(value=bundle)


def _draw_proofs(entries: Iterable[bytes], size: int, read: NodeReader) -> dict[str, Any]:
    for entry in entries:
        leaf = leaves.decode(entry=entry)
        if isinstance(leaf, leaves.TraceOutcome):
            # One proof for each checkpoint that seeded a draw: the heads that the draws used belong to this ledger.
            sizes = [leaf.draw_size, *(extension.size for extension in leaf.extensions or ())]
            first, *more = (
                _base64(merkle.consistency_proof(size1=size_at_draw, size2=size, read=read)) for size_at_draw in sizes
            )
            return {"consistency": first} | ({"extensions": more} if more else {})
    return {"consistency": []}


def _base64(hashes: Iterable[bytes]) -> list[str]:
    return [b64encode(node).decode() for node in hashes]
