"""A vote sealed as docs/protocol.md sections 2.2 and 2.3 say, from what the desk's `sealing` states.

Written anew from the documents: whoever doubts a seal can compare it with the vectors of docs/vectors/votes.json.
"""

import hashlib
import json
import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CODES = {"fail": 0, "pass": 1, "abstain": 2}
NO_CONFIDENCE = 0xFFFF
BLOCK = 256  # a sealed opening is padded to a multiple of it, so that its length tells little


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedVote:
    """What is sent (commitment, rationale_digest, sealed), and the opening, which its owner keeps."""

    commitment: str
    rationale_digest: str
    sealed: bytes
    opening: dict[str, Any]


def seal_vote(
    *, sealing: Mapping[str, Any], vote: str, confidence_bp: int | None, rationale: Mapping[str, Any]
) -> SealedVote:
    """Seal one vote. sealing: as POST /desk/next states it; vote: pass, fail or abstain; confidence in basis points.

    Raises KeyError for a vote of another name or a `sealing` that lacks a field.
    """
    text = unicodedata.normalize(
        "NFC", json.dumps(rationale, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    ).encode()
    nonce, rnonce = os.urandom(32), os.urandom(32)
    # 1. The rationale has a digest of its own, so that the vote opens even where its text was lost.
    reasons = _sha(_pad("TRUST/rationale/v1"), rnonce, text)
    stated = None if vote == "abstain" else confidence_bp
    confidence = NO_CONFIDENCE if stated is None else stated
    opening = bytes((CODES[vote], 0)) + confidence.to_bytes(2) + reasons + nonce
    # 2. The commitment binds the opening to the seat and to the text as it was served.
    commitment = _sha(_binding(sealing), opening)
    # 3. The opening goes along under the revealer's key.
    body = opening + rnonce + len(text).to_bytes(4) + text
    context = UUID(sealing["seatId"]).bytes + commitment
    return SealedVote(
        commitment=commitment.hex(),
        rationale_digest=reasons.hex(),
        sealed=_sealed(bytes.fromhex(sealing["revealPoint"]), body, context),
        opening={
            "vote": CODES[vote],
            "confidence_bp": stated,
            "rationale_digest": reasons.hex(),
            "nonce": nonce.hex(),
            "rnonce": rnonce.hex(),
            "rationale": text.decode(),
        },
    )


def _binding(sealing: Mapping[str, Any]) -> bytes:
    """Bytes 0 to 179 of the preimage."""
    return b"".join(
        (
            _pad("TRUST/vote-commit/v1"),
            _sha(sealing["origin"].encode()),
            UUID(sealing["auditId"]).bytes,
            UUID(sealing["segmentId"]).bytes,
            int(sealing["round"]).to_bytes(4),
            UUID(sealing["seatId"]).bytes,
            bytes.fromhex(sealing["auditorId"]),
            _sha(_pad("TRUST/segment/v1"), bytes.fromhex(sealing["salt"]), sealing["text"].encode()),
        )
    )


def _sealed(point: bytes, body: bytes, context: bytes) -> bytes:
    """Version byte, ephemeral point, AES-256-GCM ciphertext and tag. context: seat and commitment."""
    ephemeral = ec.generate_private_key(ec.SECP256R1())
    mine = ephemeral.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    info = _pad("TRUST/seal/v1") + mine + point
    derived = HKDF(algorithm=SHA256(), length=44, salt=None, info=info).derive(ephemeral.exchange(ec.ECDH(), theirs))
    plain = body + bytes(-len(body) % BLOCK)
    return b"\x01" + mine + AESGCM(derived[:32]).encrypt(derived[32:], plain, context)


def _pad(label: str) -> bytes:
    return label.encode("ascii").ljust(32, b"\0")


def _sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
