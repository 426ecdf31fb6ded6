"""What auditors have at stake: of the treasury, of their own, under notice; and the tickets that follow.

Reads Posting, Withdrawal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, Sum

from auditing.core.policy import Policy
from auditing.core.seating.tickets import tickets_by_stake
from auditing.models import Account, Auditor, Posting, Transfer, Withdrawal
from auditing.selectors.points.reputations import START, StatedReputation

OPEN = Q(paid_at__isnull=True, taken_back_at__isnull=True)


@dataclass(frozen=True, slots=True)
class Stake:
    """Points at stake of one auditor. own: put there by oneself, less what was lost; under_notice: of those."""

    total: int = 0
    own: int = 0
    under_notice: int = 0

    @property
    def withdrawable(self) -> int:
        """What notice can still be given of: never what the treasury gave."""
        return max(0, self.own - self.under_notice)

    @property
    def counting(self) -> int:
        """What counts in draws: from the notice on, points buy no ticket."""
        return max(0, self.total - self.under_notice)


def stakes_of(*, auditors: Iterable[Auditor]) -> dict[UUID, Stake]:
    """Stakes by auditor, in two statements."""
    keys = [auditor.pk for auditor in auditors]
    lines = Posting.objects.filter(account__auditor__in=keys, account__name=Account.Name.STAKE).order_by()
    own = Sum("amount", filter=~Q(transfer__kind=Transfer.Kind.STAKE), default=0)
    sums = lines.values_list("account__auditor").annotate(total=Sum("amount"), own=own)
    notices = Withdrawal.objects.filter(OPEN, auditor__in=keys).order_by().values_list("auditor")
    noticed = dict(notices.annotate(points=Sum("points")))
    stakes = dict.fromkeys(keys, Stake())
    return stakes | {key: Stake(total, mine, noticed.get(key, 0)) for key, total, mine in sums}


def stake_tickets(
    *, policy: Policy, auditors: Sequence[Auditor], reputations: Mapping[UUID, StatedReputation]
) -> dict[UUID, int]:
    """Tickets of those who have more than one; nobody, and no statement, where the policy asks for no stake.

    Who was never judged has one: the reputation of a beginning is nobody's skill.
    """
    if not policy.ticket_stake:
        return {}
    judged = [auditor for auditor in auditors if reputations[auditor.pk].against != START]
    stakes = stakes_of(auditors=judged)
    tickets = {
        auditor.pk: tickets_by_stake(
            stake=stakes[auditor.pk].counting,
            reputation=reputations[auditor.pk].value,
            per_ticket=policy.ticket_stake,
        )
        for auditor in judged
    }
    return {key: count for key, count in tickets.items() if count > 1}
