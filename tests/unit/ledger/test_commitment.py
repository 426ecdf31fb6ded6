"""Sealed votes against the 50 public vectors, and against everyone who would like to cheat."""

import json
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.values import Choice
from auditing.core.voting import commitment as c

VECTORS = Path(__file__).resolve().parents[4] / "shared" / "vectors" / "commit_vectors.json"
BINDING = c.Binding(
    log_id=c.log_id(origin="trust.example/ledger/v1"),
    audit_id=UUID(int=1),
    segment_id=UUID(int=2),
    round=0,
    seat_id=UUID(int=3),
    auditor_id=b"\x07" * 32,
    segment_digest=c.segment_digest(salt=b"s" * 32, text="so x = 2"),
)
OPENING = c.Opening(
    choice=Choice.PASS,
    confidence_bp=9_000,
    nonce=bytes(range(32)),
    rationale_digest=c.rationale_digest(rnonce=b"r" * 32, text="cafe\u0301"),
)
FIELDS = {"vote": 1, "confidence_bp": 9_000, "rationale_digest": "ab" * 32, "nonce": "cd" * 32}


def vector_commitment(vector: dict) -> bytes:
    binding = c.Binding(
        **{name: bytes.fromhex(vector[name]) for name in ("log_id", "auditor_id", "segment_digest")},
        **{name: UUID(vector[name]) for name in ("audit_id", "segment_id", "seat_id")},
        round=vector["round"],
    )
    digest = c.rationale_digest(rnonce=bytes.fromhex(vector["rnonce"]), text=vector["rationale"])
    assert digest.hex() == vector["rationale_digest"]
    opening = c.Opening(
        choice=list(Choice)[vector["vote"]],
        confidence_bp=vector["confidence_bp"],
        rationale_digest=digest,
        nonce=bytes.fromhex(vector["nonce"]),
        flags=vector["flags"],
    )
    assert len(c.preimage(binding=binding, opening=opening)) == 248
    return c.commitment(binding=binding, opening=opening)


@pytest.mark.skipif(not VECTORS.exists(), reason="../shared/vectors/commit_vectors.json is absent")
def test_all_50_public_vectors_come_out_to_the_byte():
    vectors = json.loads(VECTORS.read_text())
    assert len(vectors) == 50
    assert [vector_commitment(vector).hex() for vector in vectors] == [vector["commitment"] for vector in vectors]


def test_an_honest_opening_is_accepted():
    c.check_opening(binding=BINDING, opening=OPENING, commitment=c.commitment(binding=BINDING, opening=OPENING))
    c.check_rationale(opening=OPENING, rnonce=b"r" * 32, text="caf\u00e9")


@pytest.mark.parametrize(
    "change",
    [
        {"choice": Choice.FAIL},
        {"confidence_bp": 9_001},
        {"nonce": bytes(range(1, 33))},
        {"rationale_digest": b"x" * 32},
    ],
)
def test_a_sealed_vote_cannot_be_changed(change):
    sealed = c.commitment(binding=BINDING, opening=OPENING)
    with pytest.raises(c.CommitmentMismatchError):
        c.check_opening(binding=BINDING, opening=replace(OPENING, **change), commitment=sealed)


@pytest.mark.parametrize(
    "change",
    [
        {"log_id": b"l" * 32},
        {"audit_id": UUID(int=9)},
        {"segment_id": UUID(int=9)},
        {"round": 1},
        {"seat_id": UUID(int=9)},
        {"auditor_id": b"\x08" * 32},
        {"segment_digest": b"d" * 32},
    ],
)
def test_a_copied_commitment_opens_at_no_other_place(change):
    sealed = c.commitment(binding=BINDING, opening=OPENING)
    with pytest.raises(c.CommitmentMismatchError):
        c.check_opening(binding=replace(BINDING, **change), opening=OPENING, commitment=sealed)


@pytest.mark.parametrize("nonce", [bytes(32), b"\x41" * 32])
def test_a_nonce_without_entropy_is_refused_at_the_reveal(nonce):
    weak = replace(OPENING, nonce=nonce)
    with pytest.raises(c.WeakNonceError):
        c.check_opening(binding=BINDING, opening=weak, commitment=c.commitment(binding=BINDING, opening=weak))


@pytest.mark.parametrize(
    ("choice", "confidence"),
    [(Choice.PASS, 4_999), (Choice.FAIL, 10_001), (Choice.PASS, None), (Choice.ABSTAIN, 9_000)],
)
def test_a_confidence_that_means_nothing_is_refused(choice, confidence):
    odd = replace(OPENING, choice=choice, confidence_bp=confidence)
    with pytest.raises(c.ConfidenceError):
        c.check_opening(binding=BINDING, opening=odd, commitment=c.commitment(binding=BINDING, opening=odd))


@pytest.mark.parametrize(
    "change",
    [
        {"vote": 3},
        {"vote": "1"},
        {"vote": True},
        {"vote": None},
        {"vote": 1.0},
        {"vote": -1},
        {"nonce": "cd" * 31},
        {"nonce": "CD" * 32},
        {"nonce": 5},
        {"rationale_digest": ""},
        {"confidence_bp": "9000"},
        {"confidence_bp": 10_001},
        {"confidence_bp": True},
        {"flags": 1},
        {"flags": "0"},
        {"weight": 3},
        {"vote": []},
    ],
)
def test_an_opening_of_the_wrong_form_is_refused(change):
    with pytest.raises(c.OpeningError):
        c.parse_opening(fields=FIELDS | change)


def test_an_opening_is_read_from_its_fields():
    opening = c.parse_opening(fields=FIELDS)
    assert (opening.choice, opening.confidence_bp, opening.nonce) == (Choice.PASS, 9_000, b"\xcd" * 32)
    assert c.parse_opening(fields=FIELDS | {"vote": 2, "confidence_bp": 65_535}).confidence_bp is None


@pytest.mark.parametrize("text", ["", "AB" * 32, "ab" * 31, "ab" * 33, "00" * 32, b"ab" * 32, None, "ab" * 31 + "a\n"])
def test_a_commitment_of_the_wrong_form_is_refused(text):
    with pytest.raises(c.MalformedOpeningError):
        c.parse_commitment(text=text)


def test_a_lost_tab_finds_its_vote_again_and_a_stranger_does_not():
    key = b"k" * 32
    nonce = c.derive_nonce(key=key, log_id=BINDING.log_id, seat_id=BINDING.seat_id, round=0)
    opening = replace(OPENING, choice=Choice.FAIL, confidence_bp=7_777, nonce=nonce)
    lost = {"binding": BINDING, "commitment": c.commitment(binding=BINDING, opening=opening)}
    assert c.recover_opening(**lost, rationale_digest=opening.rationale_digest, nonce=nonce) == opening
    assert c.recover_opening(**lost, rationale_digest=opening.rationale_digest, nonce=b"guess" + nonce[5:]) is None


@given(
    choice=st.sampled_from(Choice),
    confidence=st.integers(0, 0xFFFE) | st.none(),
    nonce=st.binary(min_size=32, max_size=32),
)
def test_the_68_secret_bytes_read_back_as_the_same_opening(choice, confidence, nonce):
    opening = c.Opening(choice=choice, confidence_bp=confidence, rationale_digest=b"d" * 32, nonce=nonce)
    assert c.read_opening(data=c.opening_bytes(opening=opening)) == opening


def test_an_auditor_has_another_pseudonym_in_every_audit():
    def pseudonym(audit: int, auditor: int) -> bytes:
        return c.auditor_pseudonym(key=b"k" * 32, audit_id=UUID(int=audit), auditor=UUID(int=auditor))

    assert len({pseudonym(1, 1), pseudonym(1, 2), pseudonym(2, 1)}) == 3


def test_digests_refuse_short_salts_and_broken_text():
    with pytest.raises(c.MalformedOpeningError, match="salt has 3 bytes"):
        c.segment_digest(salt=b"abc", text="x")
    with pytest.raises(c.MalformedOpeningError, match="lone surrogate"):
        c.rationale_digest(rnonce=b"r" * 32, text="\ud800")
