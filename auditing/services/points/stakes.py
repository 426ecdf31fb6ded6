"""Points at stake: an auditor puts released points there, and takes them back after notice.

1. `put`: released points go to the stake.
2. `give_notice`: they count in no draw any more, and stay at stake until the notice ends: they can still be lost.
3. `take_back`: the notice is taken back.
4. `pay_due`: the notice has ended; what is left goes back to the released points.
What the treasury gave a newcomer is never withdrawn. Two that arrive at once take turns at the account; a trigger
refuses whoever does not (0002_guards).

Reads Posting; writes Withdrawal, Transfer, Posting, AuditEvent.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction

from auditing.core.events import EventKind
from auditing.models import Account, Auditor, Transfer, Withdrawal
from auditing.selectors.points.credit import balance_of
from auditing.selectors.points.stakes import OPEN, stakes_of
from auditing.selectors.policy.versions import latest_policy, load_policy
from auditing.services.events import record_event
from auditing.services.points.transfers import Movement, accounts_of, post

BATCH = 200  # notices that one sweep pays


class StakeRefusedError(ValueError):
    """These points cannot be put at stake, or taken back."""


def put(*, auditor: Auditor, points: int, key: UUID) -> Transfer:
    """Released points go to the stake; key: made by the form, so that one sent twice counts once.

    Raises StakeRefusedError.
    """
    if points < 1:
        raise StakeRefusedError("Put at least one point at stake.")
    with transaction.atomic():
        source = _lock(auditor, Account.Name.POINTS)
        if (released := balance_of(account=source)) < points:
            raise StakeRefusedError(f"You have {released} released points; held ones cannot be put at stake yet.")
        target = accounts_of(auditors=[auditor], name=Account.Name.STAKE)[auditor.pk]
        movement = Movement(
            key=f"staking:{key}", kind=Transfer.Kind.STAKING, points=points, source=source, target=target
        )
        try:
            with transaction.atomic():
                (transfer,) = post(movements=[movement])
        except IntegrityError:
            raise StakeRefusedError("This form was sent before; its points were put at stake once.") from None
        _record(auditor, EventKind.STAKE_ADDED, points)
    return transfer


def give_notice(*, auditor: Auditor, points: int, now: datetime) -> Withdrawal:
    """Notice of points at stake, by the newest policy's days. Raises StakeRefusedError."""
    if points < 1:
        raise StakeRefusedError("Give notice of at least one point.")
    with transaction.atomic():
        _lock(auditor, Account.Name.STAKE)
        stake = stakes_of(auditors=[auditor])[auditor.pk]
        if points > stake.withdrawable:
            raise StakeRefusedError(
                f"{stake.withdrawable} points can be withdrawn: what you put at stake yourself, less what is lost and "
                "what you gave notice of already."
            )
        due_at = now + timedelta(days=notice_days())
        withdrawal = Withdrawal.objects.create(auditor=auditor, points=points, due_at=due_at)
        _record(auditor, EventKind.STAKE_NOTICED, points)
    return withdrawal


def take_back(*, withdrawal: Withdrawal, now: datetime) -> None:
    """The points stay at stake, and count in draws again. Raises StakeRefusedError where the notice has ended."""
    with transaction.atomic():
        if not Withdrawal.objects.filter(OPEN, pk=withdrawal.pk).update(taken_back_at=now):
            raise StakeRefusedError("This notice has ended already.")
        _record(withdrawal.auditor, EventKind.STAKE_KEPT, withdrawal.points)


def pay_due(*, now: datetime) -> int:
    """Pay every notice that has ended; returns how many."""
    due = Withdrawal.objects.filter(OPEN, due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    return sum(pay(key=key, now=now) for key in due[:BATCH])


def pay(*, key: UUID, now: datetime) -> bool:
    """Pay one notice that has ended, with what is left of its points; False when another worker was first."""
    with transaction.atomic():
        row = Withdrawal.objects.select_for_update(of=("self",)).filter(OPEN, pk=key, due_at__lte=now).first()
        if row is None:
            return False
        source = _lock(row.auditor, Account.Name.STAKE)
        # Lost meanwhile: first what one put there oneself, then the treasury's.
        points = min(row.points, max(0, stakes_of(auditors=[row.auditor])[row.auditor_id].own))
        transfer = None
        if points:
            target = accounts_of(auditors=[row.auditor], name=Account.Name.POINTS)[row.auditor_id]
            movement = Movement(
                key=f"withdrawal:{row.pk}", kind=Transfer.Kind.WITHDRAWAL, points=points, source=source, target=target
            )
            (transfer,) = post(movements=[movement])
        Withdrawal.objects.filter(pk=row.pk).update(paid_at=now, transfer=transfer)
        _record(row.auditor, EventKind.STAKE_WITHDRAWN, points)
    return True


def notice_days() -> int:
    """Days from notice to payment, under the newest policy."""
    version = latest_policy()
    return 0 if version is None else load_policy(version=version).notice_days


def _lock(auditor: Auditor, name: str) -> Account:
    """One of an auditor's accounts, counted only by whoever may change it next."""
    account = accounts_of(auditors=[auditor], name=name)[auditor.pk]
    return Account.objects.select_for_update(no_key=True).get(pk=account.pk)


def _record(auditor: Auditor, kind: EventKind, points: int) -> None:
    record_event(audit=None, kind=kind, actor=auditor.user, auditor=str(auditor.pk), points=points)
