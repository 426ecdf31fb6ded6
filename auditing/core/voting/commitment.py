"""Commit-reveal: a commitment binds a vote to its seat, and says nothing about it until it is opened.

The preimage has a fixed width of 248 bytes (format v1), so no two votes share one and nothing can be appended:

    off len field            off len field             off len field
      0  32 "TRUST/vote-commit/v1"   100  16 seat_id             181   1 flags = 0
     32  32 log_id                   116  32 auditor_id          182   2 confidence, basis points; 0xFFFF none
     64  16 audit_id                 148  32 segment_digest      184  32 rationale_digest
     80  16 segment_id               180   1 vote 0/1/2          216  32 nonce
     96   4 round, big endian

commitment = SHA-256(preimage). The first 180 bytes are the `Binding`: the system computes them from the seat and never
takes them from a client. The last 68 bytes are the `Opening`: the auditor's secret until the reveal.

A vote has so few values that only the nonce hides it: without it anyone could hash all of them (see recover_opening).
Seat and auditor in the binding keep a commitment from being copied to another seat and opened there.
Source: docs/protocol.md section 2.2.
"""

import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from auditing.core.values import Choice

OPENING_BYTES = 68
NO_CONFIDENCE = 0xFFFF
LOWEST_CONFIDENCE, HIGHEST_CONFIDENCE = 5_000, 10_000  # below one half a vote would be for the other side
_CHOICES = {choice.code: choice for choice in Choice}
_HEX_32 = re.compile(r"[0-9a-f]{64}")
_OPENING_KEYS = frozenset({"vote", "confidence_bp", "rationale_digest", "nonce"})


class OpeningError(ValueError):
    """The opening cannot be accepted."""


class MalformedOpeningError(OpeningError):
    """The opening does not have the form that a vote has."""


class ConfidenceError(OpeningError):
    """A pass or fail vote states a confidence from 50 to 100 per cent; an abstention states none."""


class WeakNonceError(OpeningError):
    """The nonce of this vote could be guessed."""


class CommitmentMismatchError(OpeningError):
    """This opening does not match the sealed vote of this seat."""


class RationaleMismatchError(OpeningError):
    """This text is not the rationale that was sealed with the vote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What a vote is bound to: everything of the preimage that is no secret."""

    log_id: bytes  # 32: of this deployment's ledger
    audit_id: UUID
    segment_id: UUID
    round: int
    seat_id: UUID
    auditor_id: bytes  # 32: the auditor's pseudonym in this audit
    segment_digest: bytes  # 32: of the text that the auditor was shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The secret part of a sealed vote. confidence_bp: basis points 5,000 to 10,000, None for an abstention."""

    choice: Choice
    confidence_bp: int | None
    rationale_digest: bytes  # 32
    nonce: bytes  # 32, random: what hides the vote
    flags: int = 0  # reserved by format v1


def pad32(*, label: str) -> bytes:
    """The ASCII label, zero-padded to 32 bytes: the domain of a hash."""
    return label.encode("ascii").ljust(32, b"\x00")


def log_id(*, origin: str) -> bytes:
    """SHA-256 of the ledger's origin line: no vote is valid in another deployment."""
    return sha256(origin.encode("utf-8")).digest()


def auditor_pseudonym(*, key: bytes, audit_id: UUID, auditor: UUID) -> bytes:
    """HMAC-SHA-256(key, audit_id || auditor): another pseudonym in every audit.

    >>> len(auditor_pseudonym(key=b"k" * 32, audit_id=UUID(int=1), auditor=UUID(int=2)))
    32
    """
    _check_length("pseudonym key", key, 32)  # keyed: without the key nobody can try all auditors' ids
    return hmac.digest(key, audit_id.bytes + auditor.bytes, "sha256")


def segment_digest(*, salt: bytes, text: str) -> bytes:
    """SHA-256("TRUST/segment/v1" || salt || text), text being the Current Reasoning as served: masked, unrendered.

    Raises: MalformedOpeningError for a salt that is not 32 bytes or a lone surrogate.
    """
    return _salted_digest("TRUST/segment/v1", salt, text)


def rationale_digest(*, rnonce: bytes, text: str) -> bytes:
    """SHA-256("TRUST/rationale/v1" || rnonce || NFC(text)).

    Raises: MalformedOpeningError for an rnonce that is not 32 bytes or a lone surrogate.
    """
    return _salted_digest("TRUST/rationale/v1", rnonce, unicodedata.normalize("NFC", text))


def derive_nonce(*, key: bytes, log_id: bytes, seat_id: UUID, round: int) -> bytes:
    """HMAC-SHA-256(key, "TRUST/nonce/v1" || log_id || seat_id || round): the nonce a browser can compute again."""
    _check_length("log_id", log_id, 32)
    return hmac.digest(key, pad32(label="TRUST/nonce/v1") + log_id + seat_id.bytes + _uint(round, 4, "round"), "sha256")


def binding_bytes(*, binding: Binding) -> bytes:
    """Bytes 0 to 179 of the preimage, shape as in the module's table. Raises: MalformedOpeningError."""
    for name in ("log_id", "auditor_id", "segment_digest"):
        _check_length(name, getattr(binding, name), 32)
    return b"".join(
        (
            pad32(label="TRUST/vote-commit/v1"),
            binding.log_id,
            binding.audit_id.bytes,
            binding.segment_id.bytes,
            _uint(binding.round, 4, "round"),
            binding.seat_id.bytes,
            binding.auditor_id,
            binding.segment_digest,
        )
    )


def opening_bytes(*, opening: Opening) -> bytes:
    """Bytes 180 to 247 of the preimage. Raises: MalformedOpeningError."""
    _check_length("rationale_digest", opening.rationale_digest, 32)
    _check_length("nonce", opening.nonce, 32)
    confidence = NO_CONFIDENCE if opening.confidence_bp is None else opening.confidence_bp
    head = bytes((opening.choice.code,)) + _uint(opening.flags, 1, "flags") + _uint(confidence, 2, "confidence_bp")
    return head + opening.rationale_digest + opening.nonce


def read_opening(*, data: bytes) -> Opening:
    """The opening of its 68 bytes. Raises: MalformedOpeningError."""
    _check_length("opening", data, OPENING_BYTES)
    confidence = int.from_bytes(data[2:4])
    return Opening(
        choice=_choice(data[0]),
        flags=data[1],
        confidence_bp=None if confidence == NO_CONFIDENCE else confidence,
        rationale_digest=data[4:36],
        nonce=data[36:68],
    )


def preimage(*, binding: Binding, opening: Opening) -> bytes:
    """The 248 bytes of format v1. Raises: MalformedOpeningError."""
    return binding_bytes(binding=binding) + opening_bytes(opening=opening)


def commitment(*, binding: Binding, opening: Opening) -> bytes:
    """SHA-256 of the preimage. Raises: MalformedOpeningError."""
    return sha256(preimage(binding=binding, opening=opening)).digest()


def check_opening(*, binding: Binding, opening: Opening, commitment: bytes) -> None:
    """Check that `opening` may be accepted for the seat of `binding`, which handed in `commitment`.

    Raises: MalformedOpeningError, ConfidenceError, WeakNonceError (all bytes equal), CommitmentMismatchError.
    """
    # The hash alone would accept a malformed vote that was sealed as such; the form is checked first.
    data = preimage(binding=binding, opening=opening)
    if opening.flags:
        raise MalformedOpeningError(f"flags must be 0, not {opening.flags}")
    _check_confidence(opening)
    if len(set(opening.nonce)) == 1:
        raise WeakNonceError(WeakNonceError.__doc__)
    if not hmac.compare_digest(sha256(data).digest(), commitment):
        raise CommitmentMismatchError(CommitmentMismatchError.__doc__)


def check_rationale(*, opening: Opening, rnonce: bytes, text: str) -> None:
    """Accept `text` as the rationale sealed in `opening`. Raises: MalformedOpeningError, RationaleMismatchError."""
    if not hmac.compare_digest(rationale_digest(rnonce=rnonce, text=text), opening.rationale_digest):
        raise RationaleMismatchError(RationaleMismatchError.__doc__)


def parse_commitment(*, text: object) -> bytes:
    """The 32 bytes of a commitment from its 64 lower-case hex digits. Raises: MalformedOpeningError."""
    digest = _hex32("commitment", text)
    if not any(digest):
        raise MalformedOpeningError("a commitment of zeros hides no vote")
    return digest


def parse_opening(*, fields: Mapping[str, object]) -> Opening:
    """The opening that a client sent: vote (0, 1, 2), confidence_bp, rationale_digest and nonce (64 hex digits each).

    An absent or null confidence_bp, or 65535, means none. `flags`, if sent, must be 0. Nothing is coerced.
    Raises: MalformedOpeningError naming the field.
    """
    unknown = fields.keys() - _OPENING_KEYS - {"flags"}
    if unknown:
        raise MalformedOpeningError(f"unknown field {min(unknown)[:80]!r} in the opening")
    confidence, flags = fields.get("confidence_bp"), fields.get("flags", 0)
    for name, value in (("confidence_bp", 0 if confidence is None else confidence), ("flags", flags)):
        if type(value) is not int:  # isinstance would let true and false pass as 1 and 0
            raise MalformedOpeningError(f"{name} must be an integer")
    if flags != 0:
        raise MalformedOpeningError("flags must be 0")
    opening = Opening(
        choice=_choice(fields.get("vote")),
        confidence_bp=None if confidence in (None, NO_CONFIDENCE) else confidence,  # type: ignore[arg-type]
        rationale_digest=_hex32("rationale_digest", fields.get("rationale_digest")),
        nonce=_hex32("nonce", fields.get("nonce")),
    )
    _check_confidence(opening)
    return opening


def recover_opening(*, binding: Binding, commitment: bytes, rationale_digest: bytes, nonce: bytes) -> Opening | None:
    """The opening of a lost tab, by trying 3 votes x 10,002 confidences; None when the nonce is not the right one."""
    _check_length("rationale_digest", rationale_digest, 32)
    _check_length("nonce", nonce, 32)
    # 30,006 hashes at most: the binding is hashed once, and the likeliest confidences are tried first.
    start, tail = sha256(binding_bytes(binding=binding)), rationale_digest + nonce
    for confidence in (NO_CONFIDENCE, *range(HIGHEST_CONFIDENCE, -1, -1)):
        for code in _CHOICES:
            trial = start.copy()
            trial.update(bytes((code, 0)) + confidence.to_bytes(2) + tail)
            if trial.digest() == commitment:
                return read_opening(data=bytes((code, 0)) + confidence.to_bytes(2) + tail)
    return None


def _check_confidence(opening: Opening) -> None:
    stated = opening.confidence_bp
    if opening.choice is Choice.ABSTAIN:
        if stated is not None:
            raise ConfidenceError("an abstention states no confidence")
    elif stated is None or not LOWEST_CONFIDENCE <= stated <= HIGHEST_CONFIDENCE:
        raise ConfidenceError(f"confidence_bp must be {LOWEST_CONFIDENCE} to {HIGHEST_CONFIDENCE}, not {stated}")


def _choice(code: object) -> Choice:
    if type(code) is not int or code not in _CHOICES:
        raise MalformedOpeningError("vote must be 0 (fail), 1 (pass) or 2 (abstain)")
    return _CHOICES[code]


def _hex32(name: str, text: object) -> bytes:
    if not isinstance(text, str) or not _HEX_32.fullmatch(text):
        raise MalformedOpeningError(f"{name} must be 64 lower-case hexadecimal digits")
    return bytes.fromhex(text)


def _salted_digest(label: str, salt: bytes, text: str) -> bytes:
    _check_length("salt", salt, 32)
    try:
        return sha256(pad32(label=label) + salt + text.encode("utf-8")).digest()
    except UnicodeEncodeError:
        raise MalformedOpeningError("the text holds a lone surrogate") from None


def _uint(number: int, width: int, name: str) -> bytes:
    if not 0 <= number < 1 << 8 * width:
        raise MalformedOpeningError(f"{name} does not fit into {width} bytes")
    return number.to_bytes(width)


def _check_length(name: str, data: bytes, length: int) -> None:
    if len(data) != length:
        raise MalformedOpeningError(f"{name} has {len(data)} bytes; {length} are needed")
