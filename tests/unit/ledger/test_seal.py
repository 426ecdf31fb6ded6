"""Openings sealed to the reveal key."""

from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from auditing.core.values import Choice
from auditing.core.voting import seal
from auditing.core.voting.commitment import Opening, opening_bytes

REVEAL = ec.derive_private_key(12345, ec.SECP256R1())
SEAT, COMMITMENT = UUID(int=3), b"c" * 32
UNSEALED = seal.Unsealed(
    opening=Opening(choice=Choice.FAIL, confidence_bp=8_000, rationale_digest=b"d" * 32, nonce=bytes(range(32))),
    rnonce=b"r" * 32,
    rationale="step 3 divides by zero",
)


def sealed_by(number: int = 7, unsealed: seal.Unsealed = UNSEALED) -> bytes:
    ephemeral = ec.derive_private_key(number, ec.SECP256R1())
    return seal.seal(
        reveal_key=REVEAL.public_key(), ephemeral=ephemeral, seat_id=SEAT, commitment=COMMITMENT, unsealed=unsealed
    )


def test_the_reveal_key_opens_what_was_sealed():
    assert seal.open_sealed(private_key=REVEAL, sealed=sealed_by(), seat_id=SEAT, commitment=COMMITMENT) == UNSEALED


@pytest.mark.parametrize(
    ("key", "seat", "commitment"),
    [
        (ec.derive_private_key(9, ec.SECP256R1()), SEAT, COMMITMENT),
        (REVEAL, UUID(int=4), COMMITMENT),
        (REVEAL, SEAT, b"e" * 32),
    ],
)
def test_a_sealed_opening_opens_for_its_own_seat_vote_and_key_only(key, seat, commitment):
    with pytest.raises(seal.ForeignSealError):
        seal.open_sealed(private_key=key, sealed=sealed_by(), seat_id=seat, commitment=commitment)


def test_a_flipped_bit_anywhere_is_found():
    sealed = sealed_by()
    for position in range(0, len(sealed) * 8, 7):
        bad = bytearray(sealed)
        bad[position // 8] ^= 1 << position % 8
        with pytest.raises(seal.SealError):
            seal.open_sealed(private_key=REVEAL, sealed=bytes(bad), seat_id=SEAT, commitment=COMMITMENT)


def test_the_length_of_a_sealed_opening_does_not_tell_the_length_of_the_rationale():
    short = seal.Unsealed(opening=UNSEALED.opening, rnonce=b"r" * 32, rationale="")
    assert len(sealed_by(unsealed=short)) == len(sealed_by()) == 1 + 65 + 256 + 16


@pytest.mark.parametrize("sealed", [b"", bytes(65), b"\x02" + sealed_by()[1:], sealed_by()[:-1] + b"", bytes(200_000)])
def test_a_sealed_opening_of_the_wrong_form_is_refused(sealed):
    with pytest.raises(seal.SealError):
        seal.open_sealed(private_key=REVEAL, sealed=sealed, seat_id=SEAT, commitment=COMMITMENT)


@pytest.mark.parametrize(
    "tail", [b"\x00\x00\x00\x01a" + bytes(150) + b"x", b"\x00\x00\x01\x00" + bytes(152), bytes(100)]
)
def test_nothing_can_hide_behind_the_rationale(tail):
    plain = opening_bytes(opening=UNSEALED.opening) + b"r" * 32 + tail
    ephemeral = ec.derive_private_key(7, ec.SECP256R1())
    point = seal.public_point(key=ephemeral.public_key())
    secret = ephemeral.exchange(ec.ECDH(), REVEAL.public_key())
    key, iv = seal.key_and_iv(secret=secret, ephemeral=point, reveal=seal.public_point(key=REVEAL.public_key()))
    sealed = b"\x01" + point + AESGCM(key).encrypt(iv, plain, SEAT.bytes + COMMITMENT)
    with pytest.raises(seal.MalformedSealError, match="padding"):
        seal.open_sealed(private_key=REVEAL, sealed=sealed, seat_id=SEAT, commitment=COMMITMENT)
