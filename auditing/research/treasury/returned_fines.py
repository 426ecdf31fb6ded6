"""Fines that were final before the house knew that they were its own fault are given back.

1. Of silence, where a policy from before the floor of windows left people no time to come.
2. Of a vote on gold that was overturned after its points were released; what is still held is reversed (settlement).

The fine itself stands: every verifier computes it anew, and the ledger states it. What is given back is a movement of
its own, from the pool. Reads PolicyVersion, Transfer; writes Transfer, Posting.
"""

from collections.abc import Iterator
from itertools import islice

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from auditing.core.policy.windows import has_short_windows
from auditing.models import Account, PolicyVersion, Transfer
from auditing.research.policy_lab.core.windows import short_windows
from auditing.selectors.policy.versions import load_policy
from auditing.services.points.transfers import Movement, accounts_of, post, system_account

Kind = Transfer.Kind
MOST = 500  # in one sweep


def give_back_due() -> int:
    """Return every fine that was released and is the house's fault, once; how many were returned now."""
    return _give_back_silence() + _give_back_gold()


def _give_back_silence() -> int:
    versions = PolicyVersion.objects.defer("body")
    short = [version for version in versions if any(short_windows(policy=load_policy(version=version)))]
    if not short:
        return 0
    fines = _final_fines(Kind.NO_SHOW).filter(policy__in=short).select_related("audit__policy", "audit__trace")
    # those that stay fines are passed over, however many there are
    return sum(1 for _ in islice(filter(_give_back, filter(_left_no_time, _oldest(fines))), MOST))


def _give_back_gold() -> int:
    overturned = _final_fines(Kind.SLASH).filter(seat__round__segment__gold_truth__overturn__isnull=False)
    return sum(1 for _ in islice(filter(_give_back, _oldest(overturned)), MOST))


def _final_fines(kind: Kind) -> QuerySet[Transfer]:
    """Released fines that were not returned yet; one that was reversed is never released."""
    returned = Transfer.objects.filter(kind=Kind.RETURNED, seat=OuterRef("seat"))
    return Transfer.objects.filter(~Exists(returned), kind=kind, released_by__isnull=False)


def _oldest(fines: QuerySet[Transfer]) -> Iterator[Transfer]:
    rows = fines.select_related("seat__auditor", "audit", "policy").prefetch_related("postings__account")
    return rows.order_by("created").iterator(chunk_size=MOST)


def _left_no_time(fine: Transfer) -> bool:
    """A version may be short in one field alone."""
    assert fine.audit is not None
    return has_short_windows(policy=load_policy(version=fine.audit.policy, domain=fine.audit.trace.domain))


def _give_back(fine: Transfer) -> bool:
    assert fine.seat is not None
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
