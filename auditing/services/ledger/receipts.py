"""Receipts: signed promises that what was handed in will stand in the ledger within the merge delay.

Reads PublicKey; writes Audit.receipt, PublicKey. (As a signed certificate timestamp does, RFC 6962 section 3.)

The receipt key is the web server's own, never the ledger's key. A process without it (a worker that simulates votes)
promises nothing and leaves the receipt empty. While the ledger is not signed, NotSigningError stops what is handed in.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from django.conf import settings

from auditing.core.ledger import leaves
from auditing.models import Audit, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.signing import check_signing
from auditing.services.ledger.announcing import RECEIPT, announce
from auditing.services.ledger.leaves import submission_leaf
from auditing.translog import receipt
from auditing.translog.merkle import leaf_hash
from auditing.translog.note import SigningKey, signing_key


# Derived once for each process: the key, and its public half as it is announced.
@lru_cache(maxsize=4)
def _key(seed: bytes, origin: str) -> tuple[SigningKey, bytes]:
    key = signing_key(name=origin.removesuffix("/ledger/v1") + "/receipt/v1", seed=seed)
    return key, key.verifier.vkey.encode()


def receipt_key(*, announced: bytes | None = None) -> SigningKey | None:
    """The key of this process, announced at first use; None where no key was handed out.

    announced: the receipt key in force, where the caller has read it already.
    """
    if settings.RECEIPT_KEY is None:
        return None
    key, value = _key(settings.RECEIPT_KEY, settings.LEDGER_ORIGIN)
    if announced != value:
        announce(purpose=RECEIPT, value=value)
    return key


def promise_vote(
    *, seat: Seat, digest: bytes, entry: bytes, now: datetime, announced: bytes | None = None, is_late: bool
) -> str:
    """The signed receipt of one sealed vote, for the row that is about to be inserted; "" without a key.

    entry: the leaf to come, whose hash the promise names, so that its holder can look it up alone. announced: the
    receipt key in force, where the caller has read it already. is_late: whether entries wait for the log too long.
    """
    key = receipt_key(announced=announced)
    if key is None:
        return ""
    # A promise that may not be kept is not given: nothing of what was handed in is stored then.
    check_signing(is_late=is_late)
    return _signed(key, receipt.Kind.COMMIT, seat.pk, digest, (leaf_hash(entry=entry), now))


def promise_submissions(*, audits: Sequence[Audit]) -> None:
    """Give audits that are about to be inserted their receipts: the submission of each will stand in the ledger."""
    key = receipt_key() if audits else None
    if key is None:
        return
    check_signing()
    now = database_now()
    for audit in audits:
        leaf = submission_leaf(audit=audit)
        promised = (leaf_hash(entry=leaves.encode(leaf=leaf)), now)
        audit.receipt = _signed(key, receipt.Kind.SUBMISSION, audit.pk, leaf.digest, promised)


def _signed(
    key: SigningKey, subject_kind: receipt.Kind, subject: UUID, digest: bytes, promised: tuple[bytes, datetime]
) -> str:
    leaf, now = promised
    made = receipt.promise(kind=subject_kind, subject=subject, digest=digest, leaf=leaf, time=int(now.timestamp()))
    return str(receipt.sign(receipt=made, key=key))
