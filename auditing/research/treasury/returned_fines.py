"""Fines of silence are given back where a policy from before the floor of windows left people no time to come.

The fine itself stands: every verifier computes it anew from the policy, and the ledger states it. What is given back is
a movement of its own, from the pool, once the fine is final. Reads PolicyVersion, Transfer; writes Transfer, Posting.
"""

from itertools import islice

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from auditing.core.policy.windows import has_short_windows
from auditing.models import Account, PolicyVersion, Transfer
from auditing.research.policy_lab.core.windows import short_windows
from auditing.selectors.policy.versions import load_policy
from auditing.services.points.transfers import Movement, accounts_of, post, system_account

Kind = Transfer.Kind
MOST = 500  # in one sweep


def give_back_due() -> int:
    """Return every fine of silence that was released under short windows, once; how many were returned now."""
    versions = PolicyVersion.objects.defer("body")
    short = [version for version in versions if any(short_windows(policy=load_policy(version=version)))]
    if not short:
        return 0
    returned = Transfer.objects.filter(kind=Kind.RETURNED, seat=OuterRef("seat"))
    fines = Transfer.objects.filter(~Exists(returned), kind=Kind.NO_SHOW, policy__in=short, released_by__isnull=False)
    rows = fines.select_related("seat__auditor", "audit__policy", "audit__trace", "policy")
    oldest = rows.prefetch_related("postings__account").order_by("created").iterator(chunk_size=MOST)
    # those that stay fines are passed over, however many there are
    return sum(1 for _ in islice(filter(_give_back, oldest), MOST))


def _give_back(fine: Transfer) -> bool:
    assert fine.seat is not None
    assert fine.audit is not None
    # A version may be short in one field alone.
    if not has_short_windows(policy=load_policy(version=fine.audit.policy, domain=fine.audit.trace.domain)):
        return False
    movement = Movement(
        key=f"returned:{fine.pk}",
        kind=Kind.RETURNED,
        points=-sum(line.amount for line in fine.postings.all() if line.account.auditor_id is not None),
        source=system_account(name=Account.Name.POOL),
        target=accounts_of(auditors=[fine.seat.auditor], name=Account.Name.POINTS)[fine.seat.auditor_id],
        audit=fine.audit,
        seat=fine.seat,
        policy=fine.policy,
    )
    try:
        with transaction.atomic():
            post(movements=[movement])
    except IntegrityError:  # another worker was first: the key is posted once
        return False
    return True
