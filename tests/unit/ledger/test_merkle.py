"""The Merkle tree against public vectors, known values, and itself."""

import json
from base64 import b64decode
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.translog import merkle

VECTORS = Path(__file__).resolve().parents[4] / "shared" / "vectors" / "rfc6962" / "testdata"
CASES = sorted(VECTORS.rglob("*.json"))
RFC_LEAVES = [bytes.fromhex(text) for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657")]
RFC_LEAVES.append(bytes(range(0x60, 0x70)))


def hashes_of(size: int) -> list[bytes]:
    return [merkle.leaf_hash(entry=b"%d" % number) for number in range(size)]


def reader_of(leaves: list[bytes]) -> merkle.NodeReader:
    """The tree by its definition (RFC 6962 section 2.1), not by the code under test."""

    @cache
    def read(level: int, index: int) -> bytes:
        if level == 0:
            return leaves[index]
        return sha256(b"\x01" + read(level - 1, 2 * index) + read(level - 1, 2 * index + 1)).digest()

    return read


def root_by_definition(leaves: list[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + root_by_definition(leaves[:split]) + root_by_definition(leaves[split:])).digest()


def check_vector(case: dict) -> None:
    proof = [b64decode(text) for text in case["proof"] or ()]
    if "leafIdx" in case:
        merkle.verify_inclusion(
            leaf=b64decode(case["leafHash"] or ""),
            index=case["leafIdx"],
            size=case["treeSize"],
            proof=proof,
            root=b64decode(case["root"] or ""),
        )
    else:
        merkle.verify_consistency(
            size1=case["size1"],
            size2=case["size2"],
            root1=b64decode(case["root1"] or ""),
            root2=b64decode(case["root2"] or ""),
            proof=proof,
        )


@pytest.mark.skipif(not CASES, reason="../shared/vectors/rfc6962 is absent")
def test_all_196_public_vectors_are_judged_as_their_authors_say():
    wrong = []
    for path in CASES:
        case = json.loads(path.read_text())
        try:
            check_vector(case)
            accepted = True
        except merkle.ProofError:
            accepted = False
        if accepted == case["wantErr"]:
            wrong.append(path.name)
    assert (len(CASES), wrong) == (196, [])


def test_known_values():
    assert merkle.EMPTY_ROOT.hex().startswith("e3b0c442")
    assert merkle.leaf_hash(entry=b"").hex().startswith("6e340b9c")
    assert merkle.leaf_hash(entry=b"L123456").hex().startswith("395aa064")
    assert merkle.node_hash(left=b"N123", right=b"N456").hex().startswith("aa217fe8")
    root = merkle.root(leaves=[merkle.leaf_hash(entry=entry) for entry in RFC_LEAVES]).hex()
    assert (root[:8], root[-7:]) == ("5dc9da79", "4604328")


@given(size=st.integers(0, 130))
def test_the_compact_range_has_the_root_of_the_definition(size):
    assert merkle.root(leaves=hashes_of(size)) == root_by_definition(hashes_of(size))


@given(first=st.integers(0, 90), more=st.integers(0, 90))
def test_extending_a_range_is_the_same_as_building_it_at_once(first, more):
    leaves = hashes_of(first + more)
    grown = merkle.CompactRange().extend(leaves=leaves[:first]).extend(leaves=leaves[first:])
    assert grown == merkle.CompactRange().extend(leaves=leaves)
    assert grown == merkle.range_from(size=first + more, read=reader_of(leaves))


@given(data=st.data(), size=st.integers(1, 130))
def test_every_inclusion_proof_verifies_and_only_at_its_own_place(data, size):
    leaves = hashes_of(size)
    index = data.draw(st.integers(0, size - 1))
    proof = merkle.inclusion_proof(index=index, size=size, read=reader_of(leaves))
    root = root_by_definition(leaves)
    merkle.verify_inclusion(leaf=leaves[index], index=index, size=size, proof=proof, root=root)
    for other in set(range(size)) - {index}:
        with pytest.raises(merkle.ProofError):
            merkle.verify_inclusion(leaf=leaves[index], index=other, size=size, proof=proof, root=root)


@given(data=st.data(), size2=st.integers(1, 130))
def test_every_consistency_proof_verifies_and_a_changed_past_does_not(data, size2):
    leaves = hashes_of(size2)
    size1 = data.draw(st.integers(1, size2))
    root1, root2 = root_by_definition(leaves[:size1]), root_by_definition(leaves)
    proof = merkle.consistency_proof(size1=size1, size2=size2, read=reader_of(leaves))
    merkle.verify_consistency(size1=size1, size2=size2, root1=root1, root2=root2, proof=proof)
    forked = root_by_definition([merkle.leaf_hash(entry=b"another past"), *leaves[1:size1]])
    with pytest.raises(merkle.ProofError):
        merkle.verify_consistency(size1=size1, size2=size2, root1=forked, root2=root2, proof=proof)


def test_nothing_is_proved_from_the_empty_tree():
    with pytest.raises(merkle.MalformedProofError):
        merkle.verify_consistency(size1=0, size2=5, root1=merkle.EMPTY_ROOT, root2=bytes(32), proof=())


def test_a_range_with_the_wrong_number_of_subtrees_is_refused():
    with pytest.raises(merkle.MalformedProofError, match="cannot make a tree of 3"):
        merkle.CompactRange(3, (bytes(32),))
