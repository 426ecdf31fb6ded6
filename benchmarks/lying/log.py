"""The leaves of one audit as a liar with a signing key rewrites them, with a tree and proofs of its own."""

import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from typing import Any

from auditing.translog import checkpoint, merkle, note
from auditing.verifier import verify_audit as verifier

Leaf = dict[str, Any]
Lied = Callable[[Leaf, str], bool]  # (record, field): whether this is the lie itself


class Log:
    """The leaves of one audit as a liar rewrites them."""

    def __init__(self, bundle: Leaf) -> None:
        self.origin = bundle["vkey"].split("+")[0]
        self.key = note.signing_key(name=self.origin, seed=b"liar" * 8)
        entries = sorted(bundle["leaves"], key=lambda leaf: leaf["index"])
        self.leaves: list[Leaf] = [json.loads(leaf["entry"]) for leaf in entries]
        self.segments: list[Leaf] = bundle["segments"]
        self.eligible: list[Leaf] = bundle["eligible"]
        end = self.first("trace.outcome")
        sizes = [end["draw_size"], *(head["size"] for head in end.get("extensions", []))] if end else []
        # A draw used the first checkpoint after its list: as many leaves of this audit lay under it.
        self.sizes = [sum(leaf["index"] < size for leaf in entries) for size in sizes]

    def first(self, kind: str) -> Leaf | None:
        return next((leaf for leaf in self.leaves if leaf["t"] == kind), None)

    def audit(self) -> verifier.Audit:
        """What the verifier would read, without proofs."""
        leaves = [{"index": at, "entry": json.dumps(leaf), "proof": []} for at, leaf in enumerate(self.leaves)]
        bundle = {"vkey": self.key.verifier.vkey, "leaves": leaves, "segments": self.segments}
        return verifier.Audit(bundle | {"eligible": self.eligible})

    def bundle(self) -> bytes:
        """The log with a tree, proofs and a signature of the liar's own."""
        entries = [verifier.canonical(leaf) for leaf in self.leaves]
        hashes = [verifier.leaf_hash(entry) for entry in entries]
        read = node_reader(hashes)
        size = len(hashes)
        head = checkpoint.Checkpoint(origin=self.origin, size=size, root=verifier.tree_root(hashes))

        def base64(nodes: tuple[bytes, ...]) -> list[str]:
            return [b64encode(node).decode() for node in nodes]

        proofs = [base64(merkle.consistency_proof(size1=old, size2=size, read=read)) for old in self.sizes]
        draw: Leaf = {"consistency": proofs[0] if proofs else []}
        return verifier.canonical(
            {
                "format": verifier.FORMAT,
                "vkey": self.key.verifier.vkey,
                "checkpoint": str(checkpoint.sign(checkpoint=head, key=self.key)),
                "leaves": [
                    {
                        "index": at,
                        "entry": entry.decode(),
                        "proof": base64(merkle.inclusion_proof(index=at, size=size, read=read)),
                    }
                    for at, entry in enumerate(entries)
                ],
                "segments": self.segments,
                "eligible": self.eligible,
                "draw": draw | ({"extensions": proofs[1:]} if proofs[1:] else {}),
            }
        )


def node_reader(hashes: list[bytes]) -> Callable[[int, int], bytes]:
    return cache(lambda level, index: verifier.tree_root(hashes[index << level : (index + 1) << level]))
