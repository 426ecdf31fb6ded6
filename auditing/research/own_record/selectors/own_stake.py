"""An auditor's own stake, with the tickets that it gives under the newest policy.

Reads Posting, Withdrawal, ReputationStep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from auditing.models import Auditor, Withdrawal
from auditing.selectors.points.reputations import START, StatedReputation, published_reputations
from auditing.selectors.points.stakes import Stake, stake_tickets, stakes_of
from auditing.selectors.points.statement import Balances, balances_of
from auditing.selectors.policy.versions import latest_policy, load_policy

MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class OwnStake:
    """Everything on the page "My stake". ticket_stake, notice_days: the newest policy's."""

    balances: Balances
    stake: Stake
    withdrawals: Sequence[Withdrawal]
    reputation: StatedReputation | None
    ticket_stake: int
    notice_days: int
    tickets: int

    @property
    def is_judged(self) -> bool:
        """Whether any vote was judged: before that, stake gives no ticket."""
        return self.reputation is not None and self.reputation.against != START


def own_stake(*, auditor: Auditor) -> OwnStake:
    """Read it. Campaigns may run under older policies, which count by their own numbers."""
    version = latest_policy()
    policy = None if version is None else load_policy(version=version)
    reputations = {} if policy is None else published_reputations(auditors=[auditor], policy=policy)
    tickets = {} if policy is None else stake_tickets(policy=policy, auditors=[auditor], reputations=reputations)
    return OwnStake(
        balances=balances_of(auditors=[auditor])[auditor.pk],
        stake=stakes_of(auditors=[auditor])[auditor.pk],
        withdrawals=withdrawals_of(auditor=auditor),
        reputation=reputations.get(auditor.pk),
        ticket_stake=policy.ticket_stake if policy else 0,
        notice_days=policy.notice_days if policy else 0,
        tickets=tickets.get(auditor.pk, 1),
    )


def withdrawals_of(*, auditor: Auditor) -> Sequence[Withdrawal]:
    """Own notices, the newest first."""
    rows = Withdrawal.objects.filter(auditor=auditor).order_by("-asked_at", "pk")[:MOST_SHOWN]
    return list(rows.prefetch_related("transfer__postings"))


def find_withdrawal(*, auditor: Auditor, key: UUID) -> Withdrawal | None:
    """One of the own notices."""
    return Withdrawal.objects.filter(auditor=auditor, pk=key).first()
