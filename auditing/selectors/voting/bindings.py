"""What a vote is bound to, and the salts and pseudonyms in it, computed from the tables and never sent by a client.

Reads Seat, Segment and its block.
"""

import hmac
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from auditing.core.voting.commitment import Binding, auditor_pseudonym, log_id, pad32, segment_digest
from auditing.models import Audit, Auditor, Round, Seat
from hdag.models import Segment
from hdag.store import content
from hdag.store.content import ContentGoneError


def current_reasoning(*, seat: Seat) -> str:
    """The text under Current Reasoning exactly as served; the segment digest covers this."""
    texts: dict[str, str] = content.read_json(seat.round.segment.block)
    return texts["own"]


def salt_of(*, segment: Segment) -> bytes:
    """The salt of a segment's digest. Raises ContentGoneError: it was erased with the text."""
    # Without its salt nobody can check a guess of the erased text against the published digest.
    if segment.salt is None:
        raise ContentGoneError("This text was erased.")
    return bytes(segment.salt)


def binding_of(*, seat: Seat, text: str | None = None) -> Binding:
    """The public half of a seat's vote. `text`: the current reasoning, when the caller has read it already."""
    segment = seat.round.segment
    return Binding(
        log_id=log_id(origin=settings.LEDGER_ORIGIN),
        audit_id=seat.round.audit_id,
        segment_id=segment.pk,
        round=seat.round.number,
        seat_id=seat.pk,
        auditor_id=bytes(seat.pseudonym),
        segment_digest=segment_digest(
            salt=salt_of(segment=segment), text=current_reasoning(seat=seat) if text is None else text
        ),
    )


def segment_digest_of(*, segment: Segment, text: str | None = None) -> bytes:
    """The salted digest of what auditors of a segment are shown, `text` where the caller has read it already."""
    if text is None:
        texts: dict[str, str] = content.read_json(segment.block)
        text = texts["own"]
    return segment_digest(salt=salt_of(segment=segment), text=text)


def pseudonym_key() -> bytes:
    """The key of all pseudonyms. Raises ImproperlyConfigured in a program that was not given it."""
    if settings.PSEUDONYM_KEY is None:
        raise ImproperlyConfigured("This program names no auditors: it was not given PSEUDONYM_KEY.")
    return bytes(settings.PSEUDONYM_KEY)


def pseudonym(*, audit: Audit, auditor: Auditor) -> bytes:
    """The name of an auditor within one audit: 32 bytes that tell a stranger nothing."""
    return auditor_pseudonym(key=pseudonym_key(), audit_id=audit.pk, auditor=auditor.pk)


def assignment_salt(*, round: Round, draw: int) -> bytes:
    """Hides who was drawn until phase.reveal publishes it; derived, so that there is nothing to lose."""
    return _derived("TRUST/assign-salt/v1", round.pk, draw.to_bytes(4))


def gold_salt(*, audit: Audit, segment: UUID) -> bytes:
    """Hides what was known of a segment beforehand until gold.reveal publishes it."""
    return _derived("TRUST/gold-salt/v1", audit.pk, segment.bytes)


def weight_salt(*, seat: UUID) -> bytes:
    """Hides from what older leaves the weight of a seat came; its auditor is shown it."""
    return _derived("TRUST/weight-salt/v1", seat, b"")


def conduct_case(*, case: UUID) -> bytes:
    """The name of a case about a reviewer in the ledger; it tells a stranger nothing of the person."""
    return _derived("TRUST/conduct-case/v1", case, b"")


def conduct_salt(*, case: UUID) -> bytes:
    """Hides what a decision about a reviewer rests on; the person is shown it."""
    return _derived("TRUST/conduct-salt/v1", case, b"")


def _derived(label: str, name: UUID, detail: bytes) -> bytes:
    # One key, many purposes: the padded label keeps a value of one from being valid as another's.
    return hmac.digest(pseudonym_key(), pad32(label=label) + name.bytes + detail, "sha256")
