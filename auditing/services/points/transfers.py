"""Double-entry bookkeeping: a movement of points is one transfer with two lines that sum to zero.

Accounts belong to an auditor (own points, held points, stake), to a provider (credit) or to the system (pool,
treasury). Balances are sums of lines; nothing stores one. Reads Auditor; writes Account, Transfer, Posting.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.prepared import PreparedQuery
from auditing.models import Account, Audit, Auditor, PolicyVersion, Posting, Seat, Transfer

Name = Account.Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """`points` (never 0) go from `source` to `target`; a negative number goes the other way."""

    key: str
    kind: str
    points: int
    source: Account
    target: Account
    audit: Audit | None = None
    seat: Seat | None = None
    policy: PolicyVersion | None = None
    reverses: Transfer | None = None
    releases: Transfer | None = None
    is_held: bool = False
    reason: str = ""
    by: User | None = None


def post(*, movements: Sequence[Movement]) -> list[Transfer]:
    """Write transfers with their lines; a key that stands already raises IntegrityError and writes nothing."""
    transfers = Transfer.objects.bulk_create(
        Transfer(
            key=movement.key,
            kind=movement.kind,
            audit=movement.audit,
            seat=movement.seat,
            policy=movement.policy,
            reverses=movement.reverses,
            releases=movement.releases,
            is_held=movement.is_held,
            reason=movement.reason,
            by=movement.by,
        )
        for movement in movements
    )
    Posting.objects.bulk_create(
        line
        for transfer, movement in zip(transfers, movements, strict=True)
        for line in (
            Posting(transfer=transfer, account=movement.target, amount=movement.points),
            Posting(transfer=transfer, account=movement.source, amount=-movement.points),
        )
    )
    return transfers


def system_account(*, name: str) -> Account:
    """One of the system's own accounts (pool, treasury), opened at first use."""
    return Account.objects.get_or_create(auditor=None, provider=None, name=name)[0]


def accounts_of(*, auditors: Iterable[Auditor], name: str) -> dict[object, Account]:
    """The named account of each auditor by id, opened at first use."""
    keys = {auditor.pk for auditor in auditors}
    # Sorted, so that two workers insert in one order and neither waits for the other in a circle.
    Account.objects.bulk_create(
        (Account(auditor_id=key, name=name) for key in sorted(keys, key=str)), ignore_conflicts=True
    )
    return {account.auditor_id: account for account in Account.objects.filter(auditor__in=keys, name=name)}


@PreparedQuery
def _without_stake() -> QuerySet[Auditor]:
    people = Auditor.objects.filter(user__isnull=False, is_simulated=False)
    return people.exclude(accounts__name=Name.STAKE).order_by("pk")


def without_stake() -> list[Auditor]:
    """People who were given no stake yet."""
    return list(_without_stake.rows())


def stake_newcomers(*, policy: PolicyVersion, stake: int) -> int:
    """Every person who can sit and has no stake yet is given the policy's, out of the treasury, once."""
    new = without_stake()
    if not stake or not new:
        return 0
    treasury = system_account(name=Name.TREASURY)
    with transaction.atomic():  # an account never stands without its stake
        # Two workers take turns at the treasury.
        Account.objects.select_for_update(no_key=True).get(pk=treasury.pk)
        accounts = accounts_of(auditors=new, name=Name.STAKE)
        # The other worker may have given some of them their stake meanwhile.
        fresh = [auditor for auditor in new if not Transfer.objects.filter(key=f"stake:{auditor.pk}").exists()]
        post(
            movements=[
                Movement(
                    key=f"stake:{auditor.pk}",
                    kind=Transfer.Kind.STAKE,
                    points=stake,
                    source=treasury,
                    target=accounts[auditor.pk],
                    policy=policy,
                )
                for auditor in fresh
            ]
        )
    return len(fresh)
