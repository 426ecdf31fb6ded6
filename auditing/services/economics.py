"""Rewards, penalties and reputation of a decided audit, double entry that sums to zero. Writes Transfer, Posting."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from auditing.core.stages import AuditStage, SeatStage
from auditing.core.values import Outcome, Tier
from auditing.models import Account, Audit, Auditor, Posting, Seat, SegmentOutcome, Transfer
from auditing.selectors.policies import load_policy
from auditing.services import ledger
from auditing.services.doors import advance_audit

POOL = "pool"


def settle(*, audit: Audit) -> bool:
    """Post what each person's seat earned or lost, held until the appeal window closes."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    outcomes = dict(SegmentOutcome.objects.filter(audit=audit).values_list("segment_id", "outcome"))
    seats = (
        Seat.objects.filter(round__audit=audit, round__tier=Tier.HUMAN, auditor__is_simulated=False)
        .filter(stage__in=(SeatStage.REVEALED, SeatStage.SILENT))
        .select_related("round", "auditor", "vote")
        .order_by("pk")
    )
    with transaction.atomic():
        if not advance_audit(audit=audit, to=AuditStage.SETTLED):
            return False
        lines = [(seat, *_earned(seat, outcomes[seat.round.segment_id], policy)) for seat in seats]
        _post(audit, [(seat, kind, points) for seat, kind, points in lines if points])
    return True


def account_of(*, auditor: Auditor) -> Account:
    """The auditor's account, opened at first use."""
    return Account.objects.get_or_create(auditor=auditor)[0]


def pool() -> Account:
    """The account that pays rewards and takes penalties."""
    return Account.objects.get_or_create(name=POOL)[0]


def balance(*, accounts: Iterable[Account]) -> int:
    """Points held: a sum over postings, never a stored truth."""
    from django.db.models import Sum

    total = Posting.objects.filter(account__in=list(accounts)).aggregate(total=Sum("amount"))["total"]
    return int(total or 0)


def _earned(seat: Seat, outcome: str, policy: object) -> tuple[str, int]:
    """(kind, points) of one seat against the final outcome; an undecided segment and an abstention earn nothing."""
    from auditing.core.policy import Policy

    assert isinstance(policy, Policy)
    if seat.stage == SeatStage.SILENT:
        return "no_show", -policy.no_show_penalty
    choice = seat.vote.choice
    if choice == "abstain" or outcome not in (Outcome.PASS, Outcome.FAIL):
        return "", 0
    return ("reward", policy.reward) if choice == outcome else ("slash", -policy.penalty)


def _post(audit: Audit, lines: Sequence[tuple[Seat, str, int]]) -> None:
    if not lines:
        return
    house = pool()
    transfers = Transfer.objects.bulk_create(
        Transfer(key=f"seat:{seat.pk}", kind=kind, audit=audit, seat=seat, policy_id=audit.policy_id, is_held=True)
        for seat, kind, _ in lines
    )
    Posting.objects.bulk_create(
        posting
        for transfer, (seat, _, points) in zip(transfers, lines, strict=True)
        for posting in (
            Posting(transfer=transfer, account=account_of(auditor=seat.auditor), amount=points),
            Posting(transfer=transfer, account=house, amount=-points),
        )
    )
    ledger.append_all(
        kind="payout",
        audit=audit,
        bodies=[{"seat": seat.pk.hex, "kind": kind, "points": points} for seat, kind, points in lines],
    )
