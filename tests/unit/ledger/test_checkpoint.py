"""Signed notes, checkpoints, cosignatures, proofs as text, receipts, and the ledger that never forks."""

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.ledger import leaves, rotation
from auditing.translog import checkpoint as cp
from auditing.translog import merkle, note, receipt, witnessing

ORIGIN = "trust.example/ledger/v1"
KEY = note.signing_key(name=ORIGIN, seed=b"k" * 32)
OTHER = note.signing_key(name=ORIGIN, seed=b"o" * 32)
WITNESS = note.signing_key(name="witness.example/w1", seed=b"w" * 32, kind=note.COSIGNATURE)
HEAD = cp.Checkpoint(origin=ORIGIN, size=3, root=merkle.root(leaves=[bytes(32)] * 3))
SIGNED = str(cp.sign(checkpoint=HEAD, key=KEY)).encode()
# The example note and key of the Go documentation of golang.org/x/mod/sumdb/note, data of a public specification.
GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def test_a_note_that_others_signed_is_accepted():
    key = note.parse_vkey(text=GO_VKEY)
    assert key.vkey == GO_VKEY
    assert note.verify(note=note.parse(data=GO_NOTE.encode()), keys=(key,)) == (key,)


def test_a_checkpoint_opens_under_its_key_and_no_other():
    assert cp.open_checkpoint(data=SIGNED, key=KEY.verifier) == HEAD
    with pytest.raises(note.UnsignedNoteError):
        cp.open_checkpoint(data=SIGNED, key=OTHER.verifier)


@given(position=st.integers(0, len(SIGNED) * 8 - 1))
def test_a_flipped_bit_anywhere_in_a_checkpoint_is_found(position):
    bad = bytearray(SIGNED)
    bad[position // 8] ^= 1 << position % 8
    with pytest.raises((note.NoteError, cp.CheckpointError)):
        cp.open_checkpoint(data=bytes(bad), key=KEY.verifier)


def test_a_wrong_line_of_a_known_key_spoils_the_whole_note():
    signed = note.parse(data=SIGNED)
    cosigned = note.cosign(text=HEAD.body, key=WITNESS, time=5)
    spoilt = replace(cosigned, data=cosigned.data[:-1] + bytes([cosigned.data[-1] ^ 1]))
    both = note.with_signatures(note=signed, more=(spoilt,))
    with pytest.raises(note.BadSignatureError):
        note.verify(note=both, keys=(KEY.verifier, WITNESS.verifier))
    assert note.verify(note=both, keys=(KEY.verifier,)) == (KEY.verifier,)


def test_twenty_signatures_of_strangers_do_no_harm():
    strangers = [note.signing_key(name=f"s{number}", seed=bytes([number]) * 32) for number in range(20)]
    lines = [note.sign(text=HEAD.body, key=stranger).signatures[0] for stranger in strangers]
    cosigned = note.with_signatures(note=note.parse(data=SIGNED), more=lines)
    assert cp.open_checkpoint(data=str(cosigned).encode(), key=KEY.verifier) == HEAD


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a\n",
        b"a\n\n",
        b"a\n\n- b AAAA\n",
        SIGNED[:-1],
        SIGNED.replace(b"\n\n", b"\n"),
        SIGNED + b"\n",
        b"\xff" + SIGNED,
        SIGNED.replace(b"\n", b"\r\n"),
        b"x" * 1_000_001,
        SIGNED + SIGNED.split(b"\n\n")[1] * 200,
    ],
)
def test_what_is_not_a_note_is_refused(data):
    with pytest.raises(note.NoteError):
        cp.open_checkpoint(data=data, key=KEY.verifier)


@pytest.mark.parametrize("size", ["03", "-1", "+3", "3 ", "", "9" * 20, "\u0663"])
def test_a_size_has_one_way_to_be_written(size):
    with pytest.raises(cp.CheckpointError):
        cp.parse_body(text=HEAD.body.replace("\n3\n", f"\n{size}\n"))


def test_a_key_signs_for_its_own_origin_only():
    with pytest.raises(cp.CheckpointError, match="may not sign"):
        cp.sign(checkpoint=replace(HEAD, origin="else.example/ledger/v1"), key=KEY)


@pytest.mark.parametrize(
    "text", ["", "a+b", GO_VKEY[:-1], GO_VKEY.replace("c74f20a3", "c74f20a4"), "a b+" + GO_VKEY[13:]]
)
def test_a_malformed_vkey_is_refused(text):
    with pytest.raises(note.MalformedKeyError):
        note.parse_vkey(text=text)


def test_a_witness_states_its_time():
    signed = note.with_signatures(
        note=note.parse(data=SIGNED), more=(note.cosign(text=HEAD.body, key=WITNESS, time=1_790_000_000),)
    )
    read = note.parse(data=str(signed).encode())
    assert set(note.verify(note=read, keys=(KEY.verifier, WITNESS.verifier))) == {KEY.verifier, WITNESS.verifier}
    assert read.time_of(key=WITNESS.verifier) == 1_790_000_000


def test_the_database_must_continue_the_last_signed_head():
    grown = [bytes(32)] * 5
    cp.check_head(last=HEAD, size=5, root_at=lambda size: merkle.root(leaves=grown[:size]))
    cp.check_head(last=None, size=0, root_at=lambda size: merkle.EMPTY_ROOT)
    with pytest.raises(cp.ForkError, match="restored backup"):
        cp.check_head(last=HEAD, size=2, root_at=lambda size: merkle.root(leaves=grown[:size]))
    with pytest.raises(cp.ForkError, match="a leaf was changed"):
        cp.check_head(last=HEAD, size=5, root_at=lambda size: merkle.root(leaves=[b"x" * 32] * size))


def test_a_key_hands_over_to_the_next_one():
    new = note.signing_key(name="trust.example/ledger/v2", seed=b"n" * 32)
    leaf = leaves.decode(entry=leaves.encode(leaf=rotation.rotation_leaf(old=KEY, new=new.verifier)))
    assert rotation.check_rotation(leaf=leaf, old=KEY.verifier) == new.verifier
    with pytest.raises(cp.CheckpointError):
        rotation.check_rotation(leaf=leaf, old=OTHER.verifier)
    with pytest.raises(note.BadSignatureError):
        rotation.check_rotation(leaf=replace(leaf, new=OTHER.verifier.vkey), old=KEY.verifier)


def test_a_proof_reads_back_from_its_text():
    path = (b"a" * 32, b"b" * 32)
    text = cp.proof_text(index=2, proof=path, checkpoint=note.parse(data=SIGNED))
    assert cp.parse_proof(data=text.encode()) == (2, path, SIGNED)
    extra = text.replace("index 2", "extra QUJD\nindex 2")
    assert cp.parse_proof(data=extra.encode()) == (2, path, SIGNED)
    for bad in (
        text[5:],
        text.replace("index 2", "index 02"),
        text.replace("index 2\n", ""),
        "c2sp.org/tlog-proof@v1\n\n",
    ):
        with pytest.raises(cp.CheckpointError):
            cp.parse_proof(data=bad.encode())


def test_a_receipt_is_a_signed_promise():
    key = note.signing_key(name="trust.example/receipt/v1", seed=b"r" * 32)
    given_out = receipt.promise(
        kind=receipt.Kind.COMMIT, subject=UUID(int=3), digest=b"c" * 32, leaf=b"l" * 32, time=1_790_000_000
    )
    data = str(receipt.sign(receipt=given_out, key=key)).encode()
    assert receipt.open_receipt(data=data, key=key.verifier) == given_out
    assert given_out.deadline - given_out.time == 60
    with pytest.raises(note.BadSignatureError):
        receipt.open_receipt(data=data.replace(b"deadline 1790000060", b"deadline 1790000061"), key=key.verifier)
    with pytest.raises(receipt.ReceiptError):
        receipt.open_receipt(data=str(note.sign(text="hello\n", key=key)).encode(), key=key.verifier)


def witness_keys(count: int) -> list[note.VerifierKey]:
    return [
        note.signing_key(name=f"w{n}", seed=bytes([n + 1]) * 32, kind=note.COSIGNATURE).verifier for n in range(count)
    ]


def test_a_witness_policy_counts_its_groups():
    lines = [f"witness w{number} {key.vkey}" for number, key in enumerate(witness_keys(4))]
    text = "\n".join(
        ["# ours", f"log {KEY.verifier.vkey}", *lines, "group a 2 w0 w1 w2", "group b all a w3", "quorum b", ""]
    )
    policy = witnessing.parse_policy(text=text)
    assert policy.is_met(cosigners={"w0", "w2", "w3"})
    assert not policy.is_met(cosigners={"w0", "w3"})
    assert not policy.is_met(cosigners={"w0", "w1", "w2"})
    assert witnessing.parse_policy(text=witnessing.policy_text(policy=policy)) == policy


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quorum x",
        "quorum none\nquorum none",
        "log x\nquorum none",
        f"log {GO_VKEY}\nlog {GO_VKEY}\nquorum none",
        f"witness a {GO_VKEY}\nquorum a",
        "group g 1 a\nquorum g",
        "hello\nquorum none",
    ],
)
def test_a_broken_witness_policy_is_refused(text):
    with pytest.raises(witnessing.PolicyFileError):
        witnessing.parse_policy(text=text)


def test_a_policy_names_who_cosigned():
    policy = witnessing.WitnessPolicy(logs=(KEY.verifier,), witnesses={"w": WITNESS.verifier}, quorum="w")
    signed = note.parse(data=SIGNED)
    assert policy.witnesses_of(note=signed) == ()
    cosigned = note.with_signatures(note=signed, more=(note.cosign(text=HEAD.body, key=WITNESS, time=1),))
    assert policy.is_met(cosigners=policy.witnesses_of(note=cosigned))
