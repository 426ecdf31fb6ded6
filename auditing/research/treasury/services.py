"""Grants: the treasury gives points to a provider, who pays traces with them, or to the pool, which pays reviewers.

An admin grants by hand, with a reason; who, whom, how many and why stand in the transfer and in the history of events.
Reads Posting, RoleGrant; writes Account, Transfer, Posting, AuditEvent.
"""

from uuid import UUID

from django.db import IntegrityError, transaction

from accounts.models import Role, User
from accounts.permissions import has_role
from auditing.core.events import EventKind
from auditing.models import Account, Transfer
from auditing.selectors.points.credit import balance_of
from auditing.services.events import record_event
from auditing.services.points.prices import lock_credit
from auditing.services.points.transfers import Movement, post, system_account

MOST_POINTS = 10**9
LONGEST_REASON = 300


class GrantRefusedError(ValueError):
    """These points cannot be granted."""


def grant(*, to: User | None, points: int, reason: str, by: User, key: UUID) -> Transfer:
    """Points from the treasury to a provider, or to the pool (None); a negative number takes credit back.

    key: made by the form, so that a form sent twice grants once. Raises GrantRefusedError.
    """
    _check(to, points, reason)
    with transaction.atomic():
        account = system_account(name=Account.Name.POOL) if to is None else lock_credit(provider=to)
        if to is not None and (credit := balance_of(account=account)) + points < 0:
            raise GrantRefusedError(f"Their credit is {credit}: no more than that can be taken back.")
        movement = Movement(
            key=f"grant:{key}",
            kind=Transfer.Kind.GRANT,
            points=points,
            source=system_account(name=Account.Name.TREASURY),
            target=account,
            reason=reason.strip()[:LONGEST_REASON],
            by=by,
        )
        try:
            with transaction.atomic():
                (transfer,) = post(movements=[movement])
        except IntegrityError:
            raise GrantRefusedError("This form was sent before; its points were granted once.") from None
        whom = "pool" if to is None else str(to.pk)
        record_event(audit=None, kind=EventKind.POINTS_GRANTED, actor=by, to=whom, points=points, why=reason)
    return transfer


def _check(to: User | None, points: int, reason: str) -> None:
    if not reason.strip():
        raise GrantRefusedError("Say why: the reason stays with the points.")
    if not points or abs(points) > MOST_POINTS:
        raise GrantRefusedError(f"Grant 1 to {MOST_POINTS} points, or take as many back.")
    if to is None and points < 0:
        raise GrantRefusedError("What the pool has is paid out to reviewers; nothing is taken from it.")
    if to is not None and points > 0 and not has_role(to, Role.PROVIDER):
        raise GrantRefusedError("Only a provider has a use for credit.")
