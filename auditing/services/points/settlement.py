"""Settlement: judged votes become points. Rewards, slashes and bonuses are posted, held, and released after appeals.

1. `settle`: each vote is judged (by gold where the segment is gold, else by the final outcome), paid into its auditor's
   held account, and moves its auditor's reputation.
2. `correct`: when a successor overturns an outcome, or a dispute gold, held postings are reversed and posted anew. No
   posting is ever edited.
3. `release`: once the appeal window has closed, held points move to the auditor's own account.

Reads the judged seats of an audit and Transfer; writes Audit, Transfer, Posting, ReputationStep, Leaf, AuditEvent.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from auditing.core.events import EventKind
from auditing.core.ledger import leaves
from auditing.core.ledger.leaves import Posting as PostingKind
from auditing.core.ledger.leaves.fields import Digest
from auditing.core.points import POOL, settle_votes, slash_probability
from auditing.core.points import Posting as CorePosting
from auditing.core.policy import Policy, digest
from auditing.core.stages import AuditStage
from auditing.core.values import Outcome, Tier
from auditing.models import Account, Audit, Auditor, GoldDispute, SegmentOutcome, Transfer
from auditing.selectors.gold.truths import chain_of, final_outcomes, predecessors_of, truths_of
from auditing.selectors.points.settlement import JudgedSeat, judged_seats
from auditing.selectors.policy.versions import load_policy
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.points import reputation
from auditing.services.points.transfers import Movement, accounts_of, post, system_account
from auditing.services.transitions import move_audit

Name, Kind = Account.Name, Transfer.Kind
WITHOUT_OUTCOME = (AuditStage.FAILED, AuditStage.WITHDRAWN)
BATCH = 200  # audits that one sweep releases


def settle(*, audit: Audit) -> bool:
    """decided -> settled: judge every vote, post what it earned or lost, correct the audits that this one follows."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    judged = judged_seats(audit=audit, policy=policy)
    with transaction.atomic():
        until = Now() + timedelta(seconds=policy.appeal_seconds)
        if not move_audit(audit=audit, to=AuditStage.SETTLED, appeals_until=until):
            return False
        audit.refresh_from_db(fields=["appeals_until"])  # the database computed it from its own clock
        # Truths before payouts: a stranger who reads the ledger in order can judge each vote when its payout comes.
        ledger.reveal_gold(audit=audit, truths=truths_of(audit=audit))
        _hold(audit, judged, policy, "")
        reputation.update(audit=audit, judged=judged, policy=policy)
        earlier = predecessors_of(audit=audit)
        _take_back(audit, earlier)
        for predecessor in earlier:
            correct(audit=predecessor)
    return True


def _take_back(audit: Audit, earlier: Sequence[Audit]) -> None:
    """Say in the ledger, for each audit before this one (newest first), which outcomes stand otherwise from now on."""
    for position, predecessor in enumerate(earlier):
        since = earlier[position::-1]  # oldest first: from this predecessor to the last one before `audit`
        # What stood until now, against what stands with this audit at the end of the chain.
        before, after = final_outcomes(audits=since), final_outcomes(audits=[*since, audit])
        moved = {segment: Outcome(word) for segment, word in after.items() if before.get(segment) != word}
        rows = SegmentOutcome.objects.filter(audit=predecessor, segment__in=moved).select_related("round")
        stands = [(row.round, moved[row.segment_id]) for row in rows if row.round is not None]
        ledger.roll_back(audit=predecessor, stands=stands, reason="successor")


def correct(*, audit: Audit, cause: str = "") -> int:
    """Post held postings anew by what is known now; returns how many changed. cause: in the keys of the new ones."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    judged = judged_seats(audit=audit, policy=policy, upto=chain_of(audit=audit)[1:])
    standing = _standing(audit)
    lines = _lines(audit, judged, policy)
    # Only seats whose pay differs are touched: what still stands keeps its postings and its leaves.
    changed = [vote for vote in judged if lines[vote.seat.pk] != standing.get(vote.seat.pk, {})]
    with transaction.atomic():
        seats = {vote.seat.pk for vote in changed}
        _reverse([row for row in _held(audit) if row.seat_id in seats])
        _hold(audit, changed, policy, f":{cause or len(chain_of(audit=audit))}")
        if changed:
            record_event(audit=audit, kind=EventKind.POSTINGS_CORRECTED, seats=len(changed))
    return len(changed)


def release_due(*, now: datetime) -> int:
    """Release the held postings of every audit whose appeal window has closed; returns how many audits."""
    due = Audit.objects.filter(stage=AuditStage.RECORDED, appeals_until__lte=now, released_at__isnull=True)
    return sum(release(audit=audit, now=now) for audit in due.order_by("appeals_until")[:BATCH])


def release(*, audit: Audit, now: datetime) -> bool:
    """Release the held postings of one audit, once; it waits for an appeal's successor, and for a dispute of its gold.

    The stage does not change: a recorded audit is never edited.
    """
    open_appeal = (
        Q(successor__isnull=False) & ~Q(successor__stage__in=WITHOUT_OUTCOME) & Q(successor__released_at__isnull=True)
    )
    waiting = Audit.objects.filter(open_appeal).values("pk")
    disputed = GoldDispute.objects.filter(decision="", truth__isnull=False).values("truth__segment__decomposition")
    with transaction.atomic():
        # Of several workers one changes the row; the others see that released_at is set.
        is_claimed = (
            Audit.objects.filter(
                pk=audit.pk, stage=AuditStage.RECORDED, appeals_until__lte=now, released_at__isnull=True
            )
            .exclude(Q(pk__in=waiting) | Q(decomposition__in=disputed))
            .update(released_at=now)
        )
        if not is_claimed:
            return False
        held = _held(audit)
        people = [row.seat.auditor for row in held if row.seat is not None]
        point_accounts = accounts_of(auditors=people, name=Name.POINTS)
        held_accounts = accounts_of(auditors=people, name=Name.HELD)
        post(
            movements=[
                Movement(
                    key=f"release:{row.pk}",
                    kind=Kind.RELEASE,
                    points=_points(row),
                    releases=row,
                    audit=audit,
                    seat=row.seat,
                    policy=row.policy,
                    source=held_accounts[_holder(row)],
                    target=point_accounts[_holder(row)],
                )
                for row in held
            ]
        )
        ledger.write(audit=audit, leaves=_payouts(audit, [(row, PostingKind.RELEASE) for row in held], False))
        _review(people, audit, now)
        record_event(audit=audit, kind=EventKind.POSTINGS_RELEASED, transfers=len(held))
    return True


def _hold(audit: Audit, judged: Sequence[JudgedSeat], policy: Policy, suffix: str) -> None:
    """Held transfers between the pool and each person's held account, with their leaves.

    suffix: makes the keys of a correction differ from those of the first settlement; a key is posted once.
    """
    paid = [vote for vote in judged if is_paid(vote)]
    lines = _lines(audit, paid, policy)
    by_seat = {vote.seat.pk: vote.seat for vote in paid}
    accounts = accounts_of(auditors=[vote.seat.auditor for vote in paid], name=Name.HELD)
    pool = system_account(name=Name.POOL)
    movements = [
        Movement(
            key=f"seat:{seat}:{posting}{suffix}",
            kind=posting,
            points=points,
            source=pool,
            target=accounts[by_seat[seat].auditor_id],
            audit=audit,
            seat=by_seat[seat],
            policy=audit.policy,
            is_held=True,
        )
        for seat, amounts in lines.items()
        for posting, points in amounts.items()
    ]
    post(movements=movements)
    ledger.write(audit=audit, leaves=_payout_leaves(audit, paid, lines, policy))


def is_paid(vote: JudgedSeat) -> bool:
    """People are paid in points; models cost money instead, and simulated reviewers work for nothing."""
    return vote.seat.round.tier == Tier.HUMAN and not vote.seat.auditor.is_simulated


def _lines(audit: Audit, judged: Sequence[JudgedSeat], policy: Policy) -> dict[UUID, dict[str, int]]:
    """kind -> points of each paid seat, by the one rule of core/points; a seat without pay has no entry."""
    paid = [vote for vote in judged if is_paid(vote)]
    by_seat: dict[UUID, dict[str, int]] = {vote.seat.pk: {} for vote in judged}
    postings: Iterable[CorePosting] = settle_votes(
        votes=[vote.value for vote in paid], policy=policy, policy_digest=digest(policy=policy), seed=bytes(audit.seed)
    )
    for line in postings:
        if line.account != POOL:  # every line has its counterpart in the pool, which `post` writes
            by_seat[UUID(line.vote)][line.kind] = line.amount
    return by_seat


def _held(audit: Audit) -> list[Transfer]:
    """Held transfers that were neither released nor reversed."""
    rows = Transfer.objects.filter(audit=audit, is_held=True, released_by__isnull=True, reversed_by__isnull=True)
    return list(
        rows.select_related("seat__auditor", "seat__round", "policy")
        .prefetch_related("postings__account")
        .order_by("seat__round__segment__position", "seat__round__number", "key")
    )


def _standing(audit: Audit) -> dict[UUID, dict[str, int]]:
    """kind -> points of each seat as it is held now."""
    by_seat: dict[UUID, dict[str, int]] = defaultdict(dict)
    for row in _held(audit):
        assert row.seat_id is not None
        by_seat[row.seat_id][row.kind] = _points(row)
    return by_seat


def _reverse(rows: Sequence[Transfer]) -> None:
    """Undo held transfers by transfers of the opposite sign, with their leaves."""
    if not rows:
        return
    people = [row.seat.auditor for row in rows if row.seat is not None]
    accounts = accounts_of(auditors=people, name=Name.HELD)
    pool = system_account(name=Name.POOL)
    post(
        movements=[
            Movement(
                key=f"reversal:{row.pk}",
                kind=Kind.REVERSAL,
                points=-_points(row),
                reverses=row,
                audit=row.audit,
                seat=row.seat,
                policy=row.policy,
                source=pool,
                target=accounts[_holder(row)],
            )
            for row in rows
        ]
    )
    audit = rows[0].audit
    assert audit is not None
    ledger.write(audit=audit, leaves=_payouts(audit, [(row, PostingKind.REVERSAL) for row in rows], True))


def _points(row: Transfer) -> int:
    """What a transfer moved onto its auditor's account."""
    return next(line.amount for line in row.postings.all() if line.account.auditor_id is not None)


def _holder(row: Transfer) -> UUID:
    assert row.seat is not None
    return row.seat.auditor_id


def _payouts(audit: Audit, rows: Sequence[tuple[Transfer, PostingKind]], held: bool) -> list[leaves.Payout]:
    """Payout leaves of releases and reversals, one a round."""
    by_round: dict[tuple[UUID, int], list[leaves.PayoutLine]] = defaultdict(list)
    for row, posting in rows:
        assert row.seat is not None
        # A reversal states what is taken back, a release what is paid out.
        points = -_points(row) if posting is PostingKind.REVERSAL else _points(row)
        by_round[row.seat.round.segment_id, row.seat.round.number].append(
            leaves.PayoutLine(
                seat=row.seat.pk, auditor=Digest(bytes(row.seat.pseudonym)), posting=posting, points=points
            )
        )
    return [_payout(audit, round_key, lines, held) for round_key, lines in by_round.items()]


def _payout_leaves(
    audit: Audit, paid: Sequence[JudgedSeat], lines: dict[UUID, dict[str, int]], policy: Policy
) -> list[leaves.Payout]:
    """Held payouts, one a round; a slash that the draw spared stands there with 0 points."""
    by_round: dict[tuple[UUID, int], list[leaves.PayoutLine]] = defaultdict(list)
    for vote in paid:
        amounts = dict(lines[vote.seat.pk])
        if vote.value.revealed and vote.value.correct is False:
            amounts.setdefault(Kind.SLASH, 0)
        # Wrong on gold is slashed for certain, elsewhere with the probability that the leaf states beside the draw.
        chance = 1 if vote.value.gold else slash_probability(reputation=vote.value.reputation, policy=policy)
        by_round[vote.seat.round.segment_id, vote.seat.round.number] += [
            leaves.PayoutLine(
                seat=vote.seat.pk,
                auditor=Digest(bytes(vote.seat.pseudonym)),
                posting=PostingKind(posting),
                points=points,
                p=reputation.exact_decimal(chance) if posting == Kind.SLASH else None,
            )
            for posting, points in amounts.items()
        ]
    return [_payout(audit, round_key, lines, True) for round_key, lines in by_round.items() if lines]


def _payout(audit: Audit, round_key: tuple[UUID, int], lines: list[leaves.PayoutLine], held: bool) -> leaves.Payout:
    pool = -sum(line.points for line in lines)  # a payout sums to zero: the pool pays and receives
    return leaves.Payout(
        audit=audit.pk, segment=round_key[0], round=round_key[1], held=held, pool=pool, lines=tuple(lines)
    )


def _review(people: Sequence[Auditor], audit: Audit, now: datetime) -> None:
    policy = load_policy(version=audit.policy)
    for auditor in {auditor.pk: auditor for auditor in people}.values():
        reputation.review_standing(auditor=auditor, policy=policy, now=now)
