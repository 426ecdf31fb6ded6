"""Signed notes: a text, a blank line, and one line for each signature.

Source: C2SP signed-note v1.0.0, sections "Format" and "Signatures" (Ed25519, type 0x01), and C2SP tlog-cosignature
(Ed25519, type 0x04, and ML-DSA-44, type 0x06), text of July 2026.

    key id      = SHA-256(name || 0x0A || type || public key)[:4]
    vkey        = name "+" hex(key id) "+" base64(type || public key)
    line        = "— " name " " base64(key id || signature)
    cosignature = 8 bytes of time, big endian || Ed25519("cosignature/v1\\ntime " time "\\n" text), or
                  8 bytes of time || ML-DSA-44("subtree/v1\\n\\0" || name || time || origin || 0 || size || root)
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey, MLDSA44PublicKey

ED25519, COSIGNATURE, ML_DSA = 0x01, 0x04, 0x06
COSIGNING = (COSIGNATURE, ML_DSA)  # the types that sign a time along with a checkpoint
# section "Format": verifiers bound the number of signatures or the size of a note (16 signatures at least are accepted)
MOST_SIGNATURES = 100
LARGEST_NOTE = 1_000_000
_SIZES = {ED25519: 64, COSIGNATURE: 8 + 64, ML_DSA: 8 + 2420}  # bytes of a signature
_KEY_SIZES = {ED25519: 32, COSIGNATURE: 32, ML_DSA: 1312}
# no blanks and no plus sign: the one ends a field of a signature line, the other a field of a vkey
_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]{1,255}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")  # but the newline


class NoteError(ValueError):
    """This is not a note signed by a key that is trusted here."""


class MalformedNoteError(NoteError):
    """The note does not have the form of a signed note."""


class BadSignatureError(NoteError):
    """A signature by a trusted key does not belong to this text: the text was changed, or the signature was."""


class UnsignedNoteError(NoteError):
    """No trusted key signed this note."""


class MalformedKeyError(NoteError):
    """This is not a key of a signed note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierKey:
    """A name, a signature type, and the bytes of an Ed25519 or ML-DSA-44 public key."""

    name: str
    public: bytes
    kind: int = ED25519

    @property
    def id(self) -> bytes:
        """First four bytes of SHA-256(name, newline, type, public key)."""
        return sha256(self.name.encode() + b"\n" + bytes((self.kind,)) + self.public).digest()[:4]

    @property
    def vkey(self) -> str:
        """The key as one line of text."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes((self.kind,)) + self.public).decode()}"


@dataclass(frozen=True, kw_only=True)  # no slots: what is derived once is kept
class SigningKey:
    """A name and an Ed25519 or ML-DSA-44 private key; repr never shows it."""

    name: str
    private: Ed25519PrivateKey | MLDSA44PrivateKey
    kind: int = ED25519

    @cached_property
    def verifier(self) -> VerifierKey:
        """The public half."""
        return VerifierKey(name=self.name, public=self.private.public_key().public_bytes_raw(), kind=self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature line."""

    name: str
    key_id: bytes
    data: bytes

    @property
    def line(self) -> str:
        """The line as it stands in the note, newline included."""
        return f"\u2014 {self.name} {b64encode(self.key_id + self.data).decode()}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A text that ends with a newline, and its signatures."""

    text: str
    signatures: tuple[Signature, ...] = ()

    def __str__(self) -> str:
        """The note as it is published."""
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)

    def time_of(self, *, key: VerifierKey) -> int | None:
        """Seconds since 1970 at which the witness `key` cosigned; None when it did not. Verify the note first."""
        for signature in self.signatures:
            if (signature.name, signature.key_id) == (key.name, key.id) and key.kind in COSIGNING:
                return int.from_bytes(signature.data[:8])
        return None


def parse_vkey(*, text: str) -> VerifierKey:
    """The key of its line of text. Raises: MalformedKeyError.

    >>> parse_vkey(text="PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").kind
    1
    """
    name, _, after_name = text.strip().partition("+")
    # split at the first two plus signs only: base64 has plus signs of its own
    key_id, _, encoded = after_name.partition("+")
    try:
        data = _from_base64(encoded)
    except MalformedNoteError:
        data = b""
    # A lone surrogate is no text: the key id is computed over the name's UTF-8.
    is_text = not any(0xD800 <= ord(char) <= 0xDFFF for char in name)
    if not (is_text and _NAME.fullmatch(name)) or len(data) != 1 + _KEY_SIZES.get(data[0] if data else 0, len(data)):
        raise MalformedKeyError("a verifier key is name+key id+base64 of a type and an Ed25519 or ML-DSA-44 key")
    key = VerifierKey(name=name, public=data[1:], kind=data[0])
    if key.id.hex() != key_id:
        raise MalformedKeyError(f"the key id {key_id[:16]!r} does not belong to this name and key")
    return key


def signing_key(*, name: str, seed: bytes, kind: int = ED25519) -> SigningKey:
    """The signing key of a 32-byte seed. Raises: MalformedKeyError."""
    if not _NAME.fullmatch(name) or len(seed) != 32 or kind not in _SIZES:
        raise MalformedKeyError("a signing key has a name without spaces or plus signs, and a seed of 32 bytes")
    if kind == ML_DSA:
        return SigningKey(name=name, private=MLDSA44PrivateKey.from_seed_bytes(seed), kind=kind)
    return SigningKey(name=name, private=Ed25519PrivateKey.from_private_bytes(seed), kind=kind)


def parse(*, data: bytes) -> Note:
    """The note of its bytes. Raises: MalformedNoteError."""
    if len(data) > LARGEST_NOTE:
        raise MalformedNoteError(f"{len(data)} bytes are more than a note may have")
    try:
        whole = data.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedNoteError("a note is UTF-8") from None
    # a control character could make a person read another text than the one that was signed
    if _CONTROL.search(whole):
        raise MalformedNoteError("a note holds no control character but the newline")
    # section "Format": the *last* blank line separates, for the text may hold blank lines
    text, separator, tail = whole.rpartition("\n\n")
    if not separator or not tail.endswith("\n"):
        raise MalformedNoteError("a note is a text, a blank line and signature lines, each ended by a newline")
    lines = tail[:-1].split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise MalformedNoteError(f"more than {MOST_SIGNATURES} signatures")
    return Note(text=text + "\n", signatures=tuple(_parse_line(line) for line in lines))


def sign(*, text: str, key: SigningKey) -> Note:
    """The note with one Ed25519 signature of `text`, which must end with a newline.

    Raises: MalformedNoteError, MalformedKeyError for an ML-DSA key, whose type only cosigns checkpoints.
    """
    _check_text(text)
    if key.kind == ML_DSA:
        raise MalformedKeyError("an ML-DSA-44 key cosigns checkpoints, and signs no other note")
    return Note(text=text, signatures=(_signature(key, key.private.sign(text.encode())),))


def cosign(*, text: str, key: SigningKey, time: int) -> Signature:
    """A witness's statement that at `time` it knew of no other tree. Raises: MalformedNoteError."""
    _check_text(text)
    return _signature(key, time.to_bytes(8) + key.private.sign(_cosigned(text, time, key.verifier)))


def with_signatures(*, note: Note, more: Iterable[Signature]) -> Note:
    """The note with further signature lines; one that already stands there is not repeated."""
    lines = dict.fromkeys((*note.signatures, *more))
    return Note(text=note.text, signatures=tuple(lines))


def verify(*, note: Note, keys: Sequence[VerifierKey]) -> tuple[VerifierKey, ...]:
    """The trusted keys that signed `note`. Lines of unknown keys are passed over, as the specification demands.

    Raises: BadSignatureError when a line of a trusted key is wrong, UnsignedNoteError when there is none at all.
    """
    trusted = {(key.name, key.id): key for key in keys}
    signers = []
    for signature in note.signatures:
        key = trusted.get((signature.name, signature.key_id))
        # name and id must both fit; a wrong signature of a key that is not trusted here is none of our business
        if key is not None:
            _check_signature(note.text, signature.data, key)
            signers.append(key)
    if not signers:
        raise UnsignedNoteError(UnsignedNoteError.__doc__)
    return tuple(dict.fromkeys(signers))


def verify_detached(*, message: bytes, signature: bytes, key: VerifierKey) -> None:
    """Check a bare signature of the key's kind. Raises: BadSignatureError."""
    public_keys = MLDSA44PublicKey if key.kind == ML_DSA else Ed25519PublicKey
    try:
        public_keys.from_public_bytes(key.public).verify(signature, message)
    except InvalidSignature:
        raise BadSignatureError(f"the signature of {key.name} does not belong to this text") from None


def _check_signature(text: str, data: bytes, key: VerifierKey) -> None:
    if len(data) != _SIZES[key.kind]:
        raise BadSignatureError(f"the signature of {key.name} has {len(data)} bytes, not {_SIZES[key.kind]}")
    # a cosignature signs its time along with the text, and carries the time in its first eight bytes
    if key.kind == ED25519:
        verify_detached(message=text.encode(), signature=data, key=key)
        return
    try:
        message = _cosigned(text, int.from_bytes(data[:8]), key)
    except MalformedNoteError as error:
        raise BadSignatureError(f"{key.name} cannot have cosigned this: {error}") from None
    verify_detached(message=message, signature=data[8:], key=key)


def _cosigned(text: str, time: int, key: VerifierKey) -> bytes:
    if key.kind == ML_DSA:
        return subtree_message(text=text, time=time, name=key.name)
    # the header keeps this apart from the log's own signature: no witness can be tricked into signing a checkpoint as
    # a log
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def subtree_message(*, text: str, time: int, name: str) -> bytes:
    """What an ML-DSA-44 key signs of a checkpoint: `cosigned_message` of tlog-cosignature; extension lines stay out.

    Raises: MalformedNoteError for a text that is no checkpoint.
    """
    lines = text.split("\n")
    size = int(lines[1]) if len(lines) > 3 and re.fullmatch(r"0|[1-9][0-9]{0,18}", lines[1], re.ASCII) else -1
    root = _from_base64(lines[2]) if size >= 0 else b""
    names = [member.encode() for member in (name, lines[0])]
    if len(root) != 32 or not all(1 <= len(member) <= 255 for member in names) or time >= 1 << 63:
        raise MalformedNoteError("only a checkpoint is cosigned with ML-DSA-44")
    cosigner, origin = (bytes((len(member),)) + member for member in names)
    # from leaf 0 up to its size: a checkpoint is the subtree that begins with the log
    return b"subtree/v1\n\0" + cosigner + time.to_bytes(8) + origin + bytes(8) + size.to_bytes(8) + root


def _signature(key: SigningKey, data: bytes) -> Signature:
    return Signature(name=key.name, key_id=key.verifier.id, data=data)


def parse_signature(*, line: str) -> Signature:
    """One signature line, with or without its newline. Raises: MalformedNoteError."""
    return _parse_line(line.removesuffix("\n"))


def _parse_line(line: str) -> Signature:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014" or not _NAME.fullmatch(parts[1]):
        raise MalformedNoteError(f"not a signature line: {line[:80]!r}")
    data = _from_base64(parts[2])
    if len(data) < 5:
        raise MalformedNoteError("a signature has at least one byte after its key id")
    return Signature(name=parts[1], key_id=data[:4], data=data[4:])


def _from_base64(text: str) -> bytes:
    if not _BASE64.fullmatch(text):
        raise MalformedNoteError("not base64")
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise MalformedNoteError("not base64") from None
    # unused bits of the last character must be zero, or one signature had several spellings
    if b64encode(data).decode() != text:
        raise MalformedNoteError("base64 with stray bits")
    return data


def _check_text(text: str) -> None:
    if not text.endswith("\n") or _CONTROL.search(text):
        raise MalformedNoteError("the text of a note ends with a newline and holds no other control character")
