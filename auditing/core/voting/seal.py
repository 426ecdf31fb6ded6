"""Hybrid encryption (P-256, HKDF, AES-GCM) of openings to the reveal key: a vote opens without its auditor.

Layout of a sealed opening (all lengths in bytes; WebCrypto alone can make it):

    0    1      version, 0x01
    1    65     ephemeral public key, P-256, uncompressed point (0x04 || x || y)
    66   n + 16 AES-256-GCM ciphertext and tag

    key (32) || iv (12) = HKDF-SHA-256(ikm  = ECDH(ephemeral, reveal key), the x coordinate, 32 bytes,
                                       salt = empty,
                                       info = pad32("TRUST/seal/v1") || ephemeral point || reveal key's point, 44 bytes)
    AAD       = seat_id (16) || commitment (32)
    plaintext = opening (68, bytes 180 to 247 of the vote's preimage) || rnonce (32)
                || length of the rationale (4, big endian) || rationale, UTF-8, NFC || zeros up to a multiple of 256

The iv may be derived because every sealing has its own ephemeral key. The padding hides how long the rationale is.
Limit: whoever holds the reveal key can read votes early; that it waits for the phase.reveal leaf is procedure. That
nobody can change a vote is mathematics. Source: docs/protocol.md section 2.3.
"""

import unicodedata
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from auditing.core.voting.commitment import (
    OPENING_BYTES,
    MalformedOpeningError,
    Opening,
    opening_bytes,
    pad32,
    read_opening,
)

VERSION = 1
POINT_BYTES = 65
PADDING = 256
LONGEST_RATIONALE = 65_536
_TEXT_START = OPENING_BYTES + 32 + 4  # opening, rnonce, length
LARGEST_SEALED = 1 + POINT_BYTES + 16 + _TEXT_START + LONGEST_RATIONALE + PADDING


class SealError(ValueError):
    """This sealed opening cannot be opened."""


class MalformedSealError(SealError):
    """The sealed opening does not have its fixed layout."""


class ForeignSealError(SealError):
    """The sealed opening was altered, or made for another seat, another vote or another reveal key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsealed:
    """What was inside: the opening, and the rationale with the nonce that hides it."""

    opening: Opening
    rnonce: bytes
    rationale: str


def public_point(*, key: ec.EllipticCurvePublicKey) -> bytes:
    """The 65 bytes of a P-256 public key, as WebCrypto's "raw" format."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def read_point(*, point: bytes) -> ec.EllipticCurvePublicKey:
    """The P-256 public key of its 65 bytes. Raises: MalformedSealError (also for a point off the curve)."""
    if len(point) != POINT_BYTES or point[0] != 4:
        raise MalformedSealError("a public key is an uncompressed point of 65 bytes")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise MalformedSealError("the public key is not a point of P-256") from None


def seal(
    *,
    reveal_key: ec.EllipticCurvePublicKey,
    ephemeral: ec.EllipticCurvePrivateKey,
    seat_id: UUID,
    commitment: bytes,
    unsealed: Unsealed,
) -> bytes:
    """The sealed opening. `ephemeral` must be fresh for every call: it decides key and iv.

    Raises: MalformedOpeningError, MalformedSealError for a rationale beyond 65,536 bytes.
    """
    text = unicodedata.normalize("NFC", unsealed.rationale).encode("utf-8")
    if len(text) > LONGEST_RATIONALE or len(unsealed.rnonce) != 32:
        raise MalformedSealError(f"a rationale has at most {LONGEST_RATIONALE} bytes, its nonce exactly 32")
    # 1. The plaintext, padded to a multiple of 256 bytes.
    plain = opening_bytes(opening=unsealed.opening) + unsealed.rnonce + len(text).to_bytes(4) + text
    plain += bytes(-len(plain) % PADDING)
    # 2. A key that only the holder of the reveal key can compute again.
    point = public_point(key=ephemeral.public_key())
    key, iv = key_and_iv(
        secret=ephemeral.exchange(ec.ECDH(), reveal_key), ephemeral=point, reveal=public_point(key=reveal_key)
    )
    # 3. Seat and commitment are authenticated with it, so that it opens nowhere else.
    return bytes((VERSION,)) + point + AESGCM(key).encrypt(iv, plain, seat_id.bytes + commitment)


def open_sealed(
    *, private_key: ec.EllipticCurvePrivateKey, sealed: bytes, seat_id: UUID, commitment: bytes
) -> Unsealed:
    """What `sealed` holds for this seat and commitment. The opening must still pass commitment.check_opening.

    Raises: MalformedSealError, ForeignSealError.
    """
    if not 1 + POINT_BYTES + 16 + _TEXT_START <= len(sealed) <= LARGEST_SEALED:
        raise MalformedSealError(f"a sealed opening cannot have {len(sealed)} bytes")
    if sealed[0] != VERSION:
        raise MalformedSealError(f"unknown version {sealed[0]} of the sealed opening")
    point = sealed[1 : 1 + POINT_BYTES]
    secret = private_key.exchange(ec.ECDH(), read_point(point=point))
    key, iv = key_and_iv(secret=secret, ephemeral=point, reveal=public_point(key=private_key.public_key()))
    try:
        plain = AESGCM(key).decrypt(iv, sealed[1 + POINT_BYTES :], seat_id.bytes + commitment)
    except InvalidTag:
        raise ForeignSealError(ForeignSealError.__doc__) from None
    return _read_plain(plain)


def _read_plain(plain: bytes) -> Unsealed:
    """Opening, rnonce and rationale of the decrypted bytes. Raises: MalformedSealError."""
    end = _TEXT_START + int.from_bytes(plain[_TEXT_START - 4 : _TEXT_START])
    # Padding that is not zero could carry a message past everybody who checks the vote.
    if len(plain) % PADDING or end > len(plain) or any(plain[end:]):
        raise MalformedSealError("the padding of the sealed opening is wrong")
    try:
        opening, text = read_opening(data=plain[:OPENING_BYTES]), plain[_TEXT_START:end].decode("utf-8")
    except (MalformedOpeningError, UnicodeDecodeError) as error:
        raise MalformedSealError(f"the sealed opening holds no vote: {error}") from None
    return Unsealed(opening=opening, rnonce=plain[OPENING_BYTES : OPENING_BYTES + 32], rationale=text)


def key_and_iv(*, secret: bytes, ephemeral: bytes, reveal: bytes) -> tuple[bytes, bytes]:
    """(key, iv) from the shared secret; both public points go in, so that neither can be exchanged for another."""
    info = pad32(label="TRUST/seal/v1") + ephemeral + reveal
    derived = HKDF(algorithm=SHA256(), length=44, salt=None, info=info).derive(secret)
    return derived[:32], derived[32:]
