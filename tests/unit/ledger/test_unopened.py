"""A seal that does not hold what was committed to is shown with its key, and nobody can show a wrong key."""

from dataclasses import replace
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from auditing.core.values import Choice
from auditing.core.voting import curve, seal, unopened
from auditing.core.voting.commitment import Opening

REVEAL = ec.derive_private_key(7**50, ec.SECP256R1())
SEAT, COMMITMENT = UUID(int=5), b"c" * 32
OPENING = Opening(choice=Choice.PASS, confidence_bp=9_000, rationale_digest=b"r" * 32, nonce=bytes(range(32)))


def sealed(ephemeral: int = 11**40) -> bytes:
    return seal.seal(
        reveal_key=REVEAL.public_key(),
        ephemeral=ec.derive_private_key(ephemeral, ec.SECP256R1()),
        seat_id=SEAT,
        commitment=COMMITMENT,
        unsealed=seal.Unsealed(opening=OPENING, rnonce=b"n" * 32, rationale="because"),
    )


def test_the_beginning_of_a_seal_opens_without_its_end() -> None:
    damaged = sealed()[:-1] + b"x"
    with pytest.raises(seal.ForeignSealError):
        seal.open_sealed(private_key=REVEAL, sealed=damaged, seat_id=SEAT, commitment=COMMITMENT)
    assert unopened.open_head(private_key=REVEAL, sealed=damaged) == OPENING


@pytest.mark.parametrize("ephemeral", [1, 2, curve.ORDER - 1, curve.ORDER - 2, 11**40])
def test_the_secret_that_is_shown_is_the_reveal_key_times_the_point(ephemeral: int) -> None:
    """Also where the point is the base or its opposite, for which adding the base to it needs care."""
    made = unopened.prove(private_key=REVEAL, sealed=sealed(ephemeral), seat_id=SEAT, commitment=COMMITMENT, k=99)
    product = ephemeral * 7**50 % curve.ORDER
    assert made.secret == curve.to_bytes(point=curve.times(number=product))


def test_no_two_seals_share_a_digest_and_their_ends_are_not_in_it() -> None:
    assert unopened.escrow_digest(sealed=sealed()) != unopened.escrow_digest(sealed=sealed(13))
    assert unopened.escrow_digest(sealed=sealed()) == unopened.escrow_digest(sealed=sealed()[:-1] + b"x")


@pytest.mark.parametrize("data", [b"", b"\2" + sealed()[1:], sealed()[:133], b"\1" + bytes(133)])
def test_what_is_no_seal_is_refused(data: bytes) -> None:
    with pytest.raises(seal.MalformedSealError):
        unopened.check_head(sealed=data)


def test_the_group_is_the_one_of_the_library() -> None:
    numbers = ec.derive_private_key(7**50 % curve.ORDER, ec.SECP256R1()).public_key().public_numbers()
    assert curve.times(number=7**50 % curve.ORDER) == (numbers.x, numbers.y)
    with pytest.raises(ValueError, match="no point"):
        curve.with_x(x=5 if pow((125 - 15 + curve._B), (curve.FIELD - 1) // 2, curve.FIELD) != 1 else 1)


def test_a_proof_belongs_to_its_vote() -> None:
    made = unopened.prove(private_key=REVEAL, sealed=sealed(), seat_id=SEAT, commitment=COMMITMENT, k=99)
    other = unopened.prove(private_key=REVEAL, sealed=sealed(), seat_id=UUID(int=6), commitment=COMMITMENT, k=99)
    assert replace(made, challenge=other.challenge, response=other.response) == other != made
