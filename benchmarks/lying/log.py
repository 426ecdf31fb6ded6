"""The leaves of one audit as a liar with a signing key rewrites them, with a tree and proofs of its own."""

import json
import marshal
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
        self.learn()
        self.frozen: list[verifier.Head] | None = None  # seeds as the audit's own ledger fixed them
        end = self.first("trace.outcome")
        sizes = [end["draw_size"], *(head["size"] for head in end.get("extensions", []))] if end else []
        # A draw used the first checkpoint after its list: as many leaves of this audit lay under it.
        self.sizes = [sum(leaf["index"] < size for leaf in entries) for size in sizes]

    def learn(self) -> None:
        """Remember the entries as they are now: an honest one has its form, and need not be read again."""
        self.known = {verifier.canonical(leaf) for leaf in self.leaves}

    def copied(self) -> "Log":
        """The same log, to be lied in."""
        twin = Log.__new__(Log)
        twin.origin, twin.key, twin.sizes, twin.known = self.origin, self.key, self.sizes, self.known
        twin.frozen = self.frozen
        twin.leaves, twin.segments, twin.eligible = marshal.loads(  # copy.deepcopy is slow
            marshal.dumps((self.leaves, self.segments, self.eligible))
        )
        return twin

    def freeze(self) -> None:
        """Keep the seeds of the ledger in which the audit stood: the liar lies about what came after the draw."""
        end = self.first("trace.outcome") or {}
        roots = [end["draw_root"], *(head["root"] for head in end.get("extensions", []))]
        lists = [leaf for leaf in self.leaves if leaf["t"] in ("audit.open", "eligible.extend")]
        label, secret = verifier.pad32("TRUST/draw/v1"), bytes.fromhex(end["seed"])
        self.frozen = []
        for size, root, leaf in zip(self.sizes, roots, lists, strict=False):
            parts = (secret, verifier.leaf_hash(verifier.canonical(leaf)), bytes.fromhex(root), bytes(32))
            self.frozen.append((size, verifier.sha(label, *parts)))

    def first(self, kind: str) -> Leaf | None:
        return next((leaf for leaf in self.leaves if leaf["t"] == kind), None)

    def audit(self, report: verifier.Report | None = None, more: Leaf | None = None) -> verifier.Audit:
        """What the verifier would read, without proofs. more: further keys of the bundle."""
        bundle = {"vkey": self.key.verifier.vkey, "segments": self.segments, "eligible": self.eligible}
        leaves = [leaf | {"index": at} for at, leaf in enumerate(self.leaves)]
        return verifier.Audit(bundle | (more or {}), report, leaves)

    def heads(self, entries: list[bytes]) -> tuple[verifier.Head, Leaf]:
        """The newest head of the liar's own tree, and the proofs that the draws' heads are older ones of it."""
        hashes = [verifier.leaf_hash(entry) for entry in entries]
        read = node_reader(hashes)
        proofs = [base64_of(merkle.consistency_proof(size1=old, size2=len(hashes), read=read)) for old in self.sizes]
        draw: Leaf = {"consistency": proofs[0] if proofs else []}
        draw |= {"extensions": proofs[1:]} if proofs[1:] else {}
        # the node over all leaves, of which only the right edge is computed anew
        return (len(hashes), merkle.range_from(size=len(hashes), read=read).root), draw

    def bundle(self) -> bytes:
        """The log with a tree, proofs and a signature of the liar's own."""
        entries = [verifier.canonical(leaf) for leaf in self.leaves]
        read = node_reader([verifier.leaf_hash(entry) for entry in entries])
        (size, root), draw = self.heads(entries)
        head = checkpoint.Checkpoint(origin=self.origin, size=size, root=root)
        return verifier.canonical(
            {
                "format": verifier.FORMAT,
                "vkey": self.key.verifier.vkey,
                "checkpoint": str(checkpoint.sign(checkpoint=head, key=self.key)),
                "leaves": [
                    {
                        "index": at,
                        "entry": entry.decode(),
                        "proof": base64_of(merkle.inclusion_proof(index=at, size=size, read=read)),
                    }
                    for at, entry in enumerate(entries)
                ],
                "segments": self.segments,
                "eligible": self.eligible,
                "draw": draw,
            }
        )


def node_reader(hashes: list[bytes]) -> Callable[[int, int], bytes]:
    """The nodes of a tree over perfect subtrees, each computed once."""

    @cache
    def read(level: int, index: int) -> bytes:
        if level == 0:
            return hashes[index]
        return verifier.sha(b"\1", read(level - 1, 2 * index), read(level - 1, 2 * index + 1))

    return read


def base64_of(nodes: tuple[bytes, ...]) -> list[str]:
    return [b64encode(node).decode() for node in nodes]
