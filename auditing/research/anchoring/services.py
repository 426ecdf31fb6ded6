"""Anchoring: the newest signed head is written to a chain that we do not run, and a leaf says so.

Reads Checkpoint and the chain; writes Anchoring, Leaf, AuditEvent.

Each step looks at the chain first: what stands in the contract decides, never what we remember of sending. A node that
is down, a stuck nonce, too little gas or a reorganised chain cost a step; the ledger goes on without waiting for it.
"""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from auditing.core.events import EventKind
from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Digest, Name
from auditing.models import Anchoring, Checkpoint
from auditing.research.anchoring.chain import Chain, ChainAwayError, ChainRefusedError
from auditing.services.events import record_event
from auditing.services.ledger import leaves

LEASE = timedelta(minutes=3)
PATIENCE = timedelta(minutes=10)  # for a transaction that nobody mines


def step(*, chain: Chain, now: datetime, confirmations: int) -> str:
    """One step of the open anchoring, or the first of a new one; says what happened. Never raises for the chain."""
    row = _open(chain) or _begin(chain)
    if row is None:
        return "nothing to do"
    if not _claim(row, now):
        return "somebody is at it"
    try:
        report = _advance(row, chain, now, confirmations)
    except (ChainAwayError, ChainRefusedError) as error:
        Anchoring.objects.filter(pk=row.pk).update(trouble=str(error)[:300], lease_until=None)
        return "trouble"
    Anchoring.objects.filter(pk=row.pk).update(lease_until=None, trouble="")
    return report


def _advance(row: Anchoring, chain: Chain, now: datetime, confirmations: int) -> str:
    # 1. The contract has this head: wait until it lies deep enough.
    root = chain.root_at(row.size)
    if root is not None:
        return _confirm(row, chain, root, confirmations)
    # 2. The contract takes growing sizes only, and has a larger one.
    if chain.size() >= row.size:
        row.delete()  # the contract has gone on without it; the next step anchors the newest head
        return "passed by"
    # 3. A transaction is under way, and not for too long.
    sent = chain.find(row.transaction) if row.transaction else None
    if sent is not None and not sent.confirmations and row.sent_at is not None and now - row.sent_at < PATIENCE:
        return "not mined yet"
    # 4. Send, or send again at a higher fee. The attempt is counted first: a crash may cost a fee, never a nonce.
    attempt = row.attempts
    Anchoring.objects.filter(pk=row.pk).update(attempts=F("attempts") + 1)
    name = chain.send(size=row.size, root=bytes(row.root), attempt=attempt)
    Anchoring.objects.filter(pk=row.pk).update(transaction=name, sent_at=Now())
    return "sent"


def _confirm(row: Anchoring, chain: Chain, root: bytes, confirmations: int) -> str:
    if root != bytes(row.root):
        raise ChainRefusedError(f"The contract holds another root for {row.size} leaves: {root.hex()}.")
    # The contract's own event, not our memory: a replaced attempt may be the one that was mined.
    name = chain.transaction_of(row.size) or row.transaction
    sent = chain.find(name)
    if sent is None or sent.confirmations < confirmations:
        return "not deep enough yet"
    with transaction.atomic():
        if not Anchoring.objects.filter(pk=row.pk, confirmed_at__isnull=True).update(
            confirmed_at=Now(), transaction=name
        ):
            return "confirmed"
        leaf = kinds.Anchor(
            chain=Name(chain.name),
            contract=Name(chain.contract),
            transaction=Name(name),
            size=row.size,
            root=Digest(root),
        )
        (written,) = leaves.write(audit=None, leaves=[leaf])
        Anchoring.objects.filter(pk=row.pk).update(leaf=written)
        record_event(audit=None, kind=EventKind.LEDGER_ANCHORED, size=row.size, chain=chain.name, transaction=name)
    return "confirmed"


def _open(chain: Chain) -> Anchoring | None:
    return Anchoring.objects.filter(chain=chain.name, contract=chain.contract, confirmed_at__isnull=True).first()


def _begin(chain: Chain) -> Anchoring | None:
    """A row for the newest head, if the ledger holds more than anchors since the last one."""
    head = Checkpoint.objects.order_by("-size").first()
    if head is None:
        return None
    last = Anchoring.objects.filter(chain=chain.name, contract=chain.contract).order_by("-size").first()
    grown = head.size - (last.size if last is not None else 0)
    if grown <= (1 if last is not None else 0):  # nothing but the leaf of the last anchor
        return None
    try:
        with transaction.atomic():
            return Anchoring.objects.create(
                size=head.size, root=bytes(head.root), chain=chain.name, contract=chain.contract
            )
    except IntegrityError:  # another worker began at the same moment
        return _open(chain)


def _claim(row: Anchoring, now: datetime) -> bool:
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    return bool(Anchoring.objects.filter(free, pk=row.pk).update(lease_until=now + LEASE))
