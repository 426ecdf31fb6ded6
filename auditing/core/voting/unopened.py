"""Whose fault it is that a sealed vote was never opened: the seal's shared secret, with a proof that it is that.

When a vote is sealed, its leaf binds the first 134 bytes of the seal (version, ephemeral point E, encrypted opening).
When the revealer cannot open it, it publishes those bytes and the point S = d E of its reveal key d. Everybody derives
key and iv from S as the seal does, and decrypts the 68 bytes of the opening: AES-GCM encrypts in counter mode, so the
beginning opens without the tag and without the rationale, which stays secret. If that is not what was committed to, the
auditor sealed another thing; if it is, the revealer had the vote.

That S belongs to the reveal key P = d G is shown without showing d (Chaum and Pedersen, Wallet Databases with
Observers, 1992), over P-256 with order n, k a fresh secret number:

    A = k G, B = k E, c = SHA-256("TRUST/unopened/v1" || P || E || S || A || B || seat || commitment) mod n
    s = k + c d mod n;      holds when A = s G - c P and B = s E - c S give the same c

Python's integers take longer for some numbers than for others; so d itself is multiplied by `cryptography` alone, and k
is used once, in a process that answers nobody. Source: docs/protocol.md section 2.3.
"""

from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from auditing.core.voting import curve
from auditing.core.voting.commitment import OPENING_BYTES, Opening, pad32, read_opening
from auditing.core.voting.seal import POINT_BYTES, VERSION, key_and_iv, public_point, read_point

HEAD_BYTES = 1 + POINT_BYTES + OPENING_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Unopened:
    """What shows everybody that a seal holds another thing than was committed to. Points have 65 bytes."""

    reveal_key: bytes
    ephemeral: bytes
    cipher: bytes  # of the opening, 68 bytes
    secret: bytes  # the point S
    challenge: bytes
    response: bytes


def escrow_digest(*, sealed: bytes) -> bytes:
    """SHA-256("TRUST/escrow/v1" || the seal's first 134 bytes): which seal was handed in with a vote."""
    return sha256(pad32(label="TRUST/escrow/v1") + sealed[:HEAD_BYTES]).digest()


def key_digest(*, point: bytes) -> bytes:
    """SHA-256("TRUST/reveal-key/v1" || point): the reveal key that a round's votes are sealed to."""
    return sha256(pad32(label="TRUST/reveal-key/v1") + point).digest()


def check_head(*, sealed: bytes) -> None:
    """A seal begins as a seal does. Raises: MalformedSealError for a point off the curve, or too few bytes."""
    read_point(point=sealed[1 : 1 + POINT_BYTES] if sealed[:1] == bytes((VERSION,)) else b"")
    if len(sealed) < HEAD_BYTES:
        read_point(point=b"")


def open_head(*, private_key: ec.EllipticCurvePrivateKey, sealed: bytes) -> Opening:
    """The opening at the beginning of a seal whose end may be damaged. Raises: SealError, MalformedOpeningError."""
    check_head(sealed=sealed)
    point = sealed[1 : 1 + POINT_BYTES]
    secret = private_key.exchange(ec.ECDH(), read_point(point=point))
    key, iv = key_and_iv(secret=secret, ephemeral=point, reveal=public_point(key=private_key.public_key()))
    return read_opening(data=_decrypted(key, iv, sealed[1 + POINT_BYTES : HEAD_BYTES]))


def prove(
    *, private_key: ec.EllipticCurvePrivateKey, sealed: bytes, seat_id: UUID, commitment: bytes, k: int
) -> Unopened:
    """The shared secret of a seal with its proof. k: a secret number from 1 to n - 1, never used again.

    Raises: MalformedSealError.
    """
    check_head(sealed=sealed)
    ephemeral = sealed[1 : 1 + POINT_BYTES]
    reveal = public_point(key=private_key.public_key())
    secret = curve.to_bytes(point=_multiplied(private_key, ephemeral, reveal))
    first, second = curve.times(number=k), curve.times(number=k, point=curve.from_bytes(data=ephemeral))
    challenge = _challenge((reveal, ephemeral, secret), (first, second), seat_id.bytes + commitment)
    response = (k + challenge * private_key.private_numbers().private_value) % curve.ORDER
    return Unopened(
        reveal_key=reveal,
        ephemeral=ephemeral,
        cipher=sealed[1 + POINT_BYTES : HEAD_BYTES],
        secret=secret,
        challenge=challenge.to_bytes(32),
        response=response.to_bytes(32),
    )


def _multiplied(private_key: ec.EllipticCurvePrivateKey, ephemeral: bytes, reveal: bytes) -> curve.Point:
    """d E. ECDH tells its x alone; of the two points with it, the one is meant that gives the x of d (E + G)."""
    point, base = curve.from_bytes(data=ephemeral), curve.from_bytes(data=reveal)
    moved = curve.add(left=point, right=curve.BASE)
    x = int.from_bytes(private_key.exchange(ec.ECDH(), read_point(point=ephemeral)))
    candidates = curve.with_x(x=x)
    if moved is None:  # E = -G, so d E = -P
        return next(point for point in candidates if curve.add(left=point, right=base) is None)
    wanted = int.from_bytes(private_key.exchange(ec.ECDH(), read_point(point=curve.to_bytes(point=moved))))
    sums = [(candidate, curve.add(left=candidate, right=base)) for candidate in candidates]
    return next(candidate for candidate, total in sums if total is not None and total[0] == wanted)


def _challenge(points: tuple[bytes, bytes, bytes], sums: tuple[curve.Point, curve.Point], vote: bytes) -> int:
    told = b"".join((*points, *(curve.to_bytes(point=point) for point in sums)))
    return int.from_bytes(sha256(pad32(label="TRUST/unopened/v1") + told + vote).digest()) % curve.ORDER


def _decrypted(key: bytes, iv: bytes, cipher: bytes) -> bytes:
    # GCM's first block of data is counter 2 behind a 96-bit iv (NIST SP 800-38D section 7.1)
    return Cipher(algorithms.AES(key), modes.CTR(iv + (2).to_bytes(4))).decryptor().update(cipher)
