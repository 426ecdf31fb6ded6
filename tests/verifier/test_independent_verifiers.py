"""Verifiers that nobody here wrote accept a log of 1,000 entries and reject 100 tamperings."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from auditing.core.ledger import leaves
from auditing.translog import checkpoint, merkle, note, sequencing, tiles
from tests.unit.ledger.examples import EXAMPLES

SIZE = 1_000
KEY = note.signing_key(name="trust.example/ledger/v1", seed=b"k" * 32)
ENTRIES = [leaves.encode(leaf=replace(EXAMPLES["vote.commit"], round=number)) for number in range(SIZE)]
BATCH = sequencing.advance(frontier=sequencing.Frontier(), entries=ENTRIES, origin=KEY.name)
READ = tiles.node_reader(size=SIZE, read=BATCH.files.__getitem__)
ROOT = BATCH.checkpoint.root
CLAIMS = [(index, ENTRIES[index], merkle.inclusion_proof(index=index, size=SIZE, read=READ)) for index in range(SIZE)]


def tampered(number: int) -> tuple[int, bytes, tuple[bytes, ...]]:
    """A wrong claim: bit flips in entry or proof, another index, a proof cut short, swapped or too long."""
    rng = random.Random(number)
    index, entry, proof = CLAIMS[rng.randrange(SIZE)]
    at, bit = rng.randrange(len(proof)), 1 << rng.randrange(8)
    flip = proof[at][:5] + bytes([proof[at][5] ^ bit]) + proof[at][6:]
    return [
        (index, entry[:9] + bytes([entry[9] ^ bit]) + entry[10:], proof),
        (index, entry, (*proof[:at], flip, *proof[at + 1 :])),
        ((index + 1) % SIZE, entry, proof),
        (index, entry, proof[:-1]),
        (index, entry, (*proof, proof[0])),
        (index, entry, (proof[1], proof[0], *proof[2:])),
        (index, ENTRIES[(index + 1) % SIZE], proof),
    ][number % 7]


def sigstore_accepts(index: int, entry: bytes, proof: tuple[bytes, ...]) -> bool:
    internal = pytest.importorskip("sigstore._internal.merkle")
    errors = pytest.importorskip("sigstore.errors")
    claim = SimpleNamespace(log_index=index, tree_size=SIZE, hashes=list(proof), root_hash=ROOT)
    inner = SimpleNamespace(inclusion_proof=claim, canonicalized_body=entry)
    try:
        internal.verify_merkle_inclusion(SimpleNamespace(_inner=inner))
    except errors.VerificationError:
        return False
    return True


def pymerkle_accepts(index: int, entry: bytes, proof: tuple[bytes, ...]) -> bool:
    pymerkle, core = pytest.importorskip("pymerkle"), pytest.importorskip("pymerkle.core")
    rule, _ = core._inclusion_path_layout(index + 1, SIZE)
    leaf = merkle.leaf_hash(entry=entry)
    claim = pymerkle.InclusionProof("sha256", True, SIZE, index + 1, rule, [leaf, *proof])
    try:
        pymerkle.verify_inclusion(leaf, ROOT, claim, index=index + 1, size=SIZE)
    except pymerkle.InvalidProof:
        return False
    return True


@pytest.mark.parametrize("accepts", [sigstore_accepts, pymerkle_accepts])
def test_every_entry_of_our_log_is_accepted(accepts):
    assert all(accepts(*claim) for claim in CLAIMS)


@pytest.mark.parametrize("accepts", [sigstore_accepts, pymerkle_accepts])
def test_each_of_100_tamperings_is_rejected(accepts):
    assert not any(accepts(*tampered(number)) for number in range(100))


def test_another_program_finds_the_same_root_at_every_size():
    pymerkle = pytest.importorskip("pymerkle")
    tree, frontier = pymerkle.InmemoryTree(algorithm="sha256"), merkle.CompactRange()
    for entry in ENTRIES[:300]:
        tree.append_entry(entry)
        frontier = frontier.append(leaf=merkle.leaf_hash(entry=entry))
        assert tree.get_root() == frontier.root


def test_another_program_reads_our_checkpoint():
    parser = pytest.importorskip("sigstore._internal.rekor.checkpoint")
    read = parser.SignedCheckpoint.from_text(str(checkpoint.sign(checkpoint=BATCH.checkpoint, key=KEY)))
    assert (read.checkpoint.origin, read.checkpoint.log_size) == (KEY.name, SIZE)
    assert read.checkpoint.log_hash == ROOT.hex()
    assert read.signed_note.signatures[0].sig_hash == KEY.verifier.id
