"""Fines of silence are given back where a policy from before the floor of windows left people no time to come.

The fine itself stands: every verifier computes it anew from the policy, and the ledger states it. What is given back is
a movement of its own, from the pool, when the fine becomes final. Reads Transfer, the policy; writes Transfer, Posting.
"""

from collections.abc import Sequence

from auditing.core.policy import has_short_windows
from auditing.models import Account, Audit, Transfer
from auditing.selectors.policy.versions import load_policy
from auditing.services.points.transfers import Movement, accounts_of, post, system_account


def give_back(*, audit: Audit, released: Sequence[Transfer]) -> int:
    """Return the fines among the held transfers that are released now; how many."""
    fines = [row for row in released if row.kind == Transfer.Kind.NO_SHOW and row.seat is not None]
    if not fines or not has_short_windows(policy=load_policy(version=audit.policy, domain=audit.trace.domain)):
        return 0
    pool = system_account(name=Account.Name.POOL)
    people = [row.seat.auditor for row in fines if row.seat is not None]
    accounts = accounts_of(auditors=people, name=Account.Name.POINTS)
    post(
        movements=[
            Movement(
                key=f"returned:{row.pk}",
                kind=Transfer.Kind.RETURNED,
                points=-sum(line.amount for line in row.postings.all() if line.account.auditor_id is not None),
                source=pool,
                target=accounts[auditor.pk],
                audit=audit,
                seat=row.seat,
                policy=row.policy,
            )
            for row, auditor in zip(fines, people, strict=True)
        ]
    )
    return len(fines)
