"""Receipts: a signed promise that something handed in will stand in the ledger within the maximum merge delay.

The idea of a signed certificate timestamp (RFC 6962 section 3), in the form of a signed note.

A receipt whose leaf is missing from the ledger after its deadline proves that the operator broke its word.

    <host>/receipt/v1
    vote.commit | submission
    subject <UUID of the seat or of the trace>
    digest <hex of the commitment or of the content's digest>
    leaf <hex of the RFC 6962 hash of the leaf to come, zeros when it is not known yet>
    time <seconds>
    deadline <seconds>
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from auditing.translog import note as notes
from auditing.translog.note import Note, SigningKey, VerifierKey

# seconds
MAXIMUM_MERGE_DELAY = 60
_TEXT = re.compile(
    r"(?P<origin>[^\s+]{1,255})\n(?P<kind>[a-z.]{1,32})\nsubject (?P<subject>[0-9a-f-]{36})\n"
    r"digest (?P<digest>[0-9a-f]{64})\nleaf (?P<leaf>[0-9a-f]{64})\ntime (?P<time>[0-9]{1,15})\n"
    r"deadline (?P<deadline>[0-9]{1,15})\n"
)


class ReceiptError(ValueError):
    """This is not a receipt of this system."""


class Kind(StrEnum):
    """What was handed in."""

    COMMIT = "vote.commit"
    SUBMISSION = "submission"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What is promised. time: of the database, seconds since 1970."""

    kind: Kind
    subject: UUID
    digest: bytes
    leaf: bytes
    time: int
    deadline: int


def promise(*, kind: Kind, subject: UUID, digest: bytes, leaf: bytes = bytes(32), time: int) -> Receipt:
    """The receipt for something that arrived at `time`; due 60 s later."""
    return Receipt(kind=kind, subject=subject, digest=digest, leaf=leaf, time=time, deadline=time + MAXIMUM_MERGE_DELAY)


def sign(*, receipt: Receipt, key: SigningKey) -> Note:
    """The signed receipt; the receipt key's name, <host>/receipt/v1, is its first line."""
    text = (
        f"{key.name}\n{receipt.kind}\nsubject {receipt.subject}\ndigest {receipt.digest.hex()}\n"
        f"leaf {receipt.leaf.hex()}\ntime {receipt.time}\ndeadline {receipt.deadline}\n"
    )
    return notes.sign(text=text, key=key)


def open_receipt(*, data: bytes, key: VerifierKey) -> Receipt:
    """The receipt in a note that `key` signed. Raises: NoteError, ReceiptError."""
    note = notes.parse(data=data)
    notes.verify(note=note, keys=(key,))
    fields = _TEXT.fullmatch(note.text)
    # the origin in the text is the key's name, so a checkpoint signed by another key of ours is never taken for a
    # receipt
    if not fields or fields["origin"] != key.name or fields["kind"] not in list(Kind):
        raise ReceiptError("the note is signed, but it is no receipt")
    return Receipt(
        kind=Kind(fields["kind"]),
        subject=UUID(fields["subject"]),
        digest=bytes.fromhex(fields["digest"]),
        leaf=bytes.fromhex(fields["leaf"]),
        time=int(fields["time"]),
        deadline=int(fields["deadline"]),
    )
