"""Reputation after each settled audit, and the suspensions that follow.

There are two columns: against gold, and against final outcomes. Each judged vote is one step of an exponential moving
average with factor gamma (docs/formulas.md); steps against gold that was overturned are taken back. Reads the judged
seats of an audit; writes ReputationStep, Auditor.suspended_until, Leaf, AuditEvent.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from auditing.core.events import EventKind
from auditing.core.ledger import leaves
from auditing.core.ledger.leaves import Column
from auditing.core.ledger.leaves.fields import Digest
from auditing.core.points.reputation import (
    Standing,
    decide_standing,
    next_reputation,
    published,
    replay,
    standard_error,
)
from auditing.core.policy import Policy
from auditing.models import Audit, Auditor, ReputationStep, Seat
from auditing.selectors.points.reputations import chain_of, newest_steps, no_shows_of, reputation_of
from auditing.selectors.points.settlement import JudgedSeat
from auditing.selectors.policy.versions import latest_policy, load_policy
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger

PLACES = Decimal("1e-12")  # of the value that the chain goes on from


def update(*, audit: Audit, judged: Sequence[JudgedSeat], policy: Policy) -> list[ReputationStep]:
    """One step for each judged vote in each column. An adjudicator is judged by gold alone: its word is the outcome."""
    keys = sorted({vote.seat.auditor_id for vote in judged}, key=str)
    # Locked in one order: two audits that settle at once move one auditor's reputation one after the other.
    auditors = list(Auditor.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    steps: list[ReputationStep] = []
    for column in Column:
        newest = newest_steps(auditors=auditors, column=column)
        for vote in judged:
            correct = _correct(vote, column)
            if correct is not None:
                key = vote.seat.auditor_id
                newest[key] = _step(vote, column, correct, newest.get(key), policy)
                steps.append(newest[key])
    ReputationStep.objects.bulk_create(steps)
    by_seat = {vote.seat.pk: vote.seat for vote in judged}
    ledger.write(audit=audit, leaves=[_leaf(audit, step, by_seat[step.seat_id]) for step in steps])
    return steps


def take_back(*, segment: UUID) -> int:
    """Take the steps against the gold of a segment out of their chains, each by a row; returns how many.

    No leaf of its own: `gold.overturn` says that they count no more, and what follows from it can be recomputed.
    """
    steps = ReputationStep.objects.filter(
        seat__round__segment=segment, column=Column.GOLD, takes_back__isnull=True, taken_back_by__isnull=True
    )
    keys = sorted(set(steps.values_list("auditor", flat=True)), key=str)
    # Locked in the order of `update`: a settlement meanwhile goes on from the corrected value.
    list(Auditor.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    rows = [_taken_back(step) for step in steps.select_related("auditor").order_by("auditor", "votes")]
    return len(rows)


def _taken_back(step: ReputationStep) -> ReputationStep:
    """The chain without one step, replayed from its beginning: what came after a step depends on all before it."""
    newest = newest_steps(auditors=[step.auditor], column=Column(step.column))[step.auditor_id]
    start, links = chain_of(auditor=step.auditor, column=Column(step.column))
    remaining = [(correct, gamma) for key, correct, gamma in links if key != step.pk]
    value = replay(start=start, steps=remaining)
    return ReputationStep.objects.create(
        auditor=step.auditor,
        seat=step.seat,
        column=step.column,
        prior=exact_decimal(published(reputation=Fraction(newest.value))),
        correct=step.correct,
        after=exact_decimal(published(reputation=value)),
        value=exact_decimal(value).quantize(PLACES),
        votes=newest.votes + 1,
        takes_back=step,
        standard_error=standard_error(reputation=value, votes=len(remaining), gamma=links[-1][2]),
    )


def review_standing(*, auditor: Auditor, policy: Policy, now: datetime) -> bool:
    """Suspend or bring back one auditor by the policy's rules; True when it changed."""
    suspended = auditor.suspended_until is not None and auditor.suspended_until > now
    standing = decide_standing(
        reputation=reputation_of(auditor=auditor, policy=policy),
        no_shows=no_shows_of(auditor=auditor),
        now=now,
        policy=policy,
        suspended=suspended,
    )
    until = now + timedelta(days=policy.no_show_days) if standing is Standing.SUSPENDED else None
    if (until is None) == (not suspended):
        return False  # suspended and to be suspended, or neither: nothing changes
    moved = Auditor.objects.filter(pk=auditor.pk, suspended_until=auditor.suspended_until).update(suspended_until=until)
    if moved:
        event = EventKind.AUDITOR_SUSPENDED if until else EventKind.AUDITOR_RETURNED
        record_event(audit=None, kind=event, auditor=str(auditor.pk), until=until.isoformat() if until else None)
    return bool(moved)


def review_suspended(*, now: datetime) -> int:
    """Look again at everybody who is suspended, under the newest policy; returns how many came back."""
    version = latest_policy()
    if version is None:
        return 0
    policy = load_policy(version=version)
    suspended = Auditor.objects.filter(suspended_until__gt=now)
    return sum(review_standing(auditor=auditor, policy=policy, now=now) for auditor in suspended)


def _correct(vote: JudgedSeat, column: Column) -> bool | None:
    if column is Column.GOLD:
        return vote.against_gold
    # An adjudicator's word is the outcome; comparing it with itself would teach nothing.
    return None if vote.seat.round.adjudicates else vote.against_outcome


def _step(
    vote: JudgedSeat, column: Column, correct: bool, before: ReputationStep | None, policy: Policy
) -> ReputationStep:
    """The exact chain goes on from the exact value; what is published starts from the value rounded to .01."""
    gamma = Fraction(policy.gamma)
    exact = Fraction(before.value) if before is not None else Fraction(policy.initial_reputation)
    prior = published(reputation=exact)
    value = next_reputation(reputation=exact, correct=correct, gamma=gamma)
    votes = before.votes + 1 if before is not None else 1
    return ReputationStep(
        auditor=vote.seat.auditor,
        seat=vote.seat,
        column=column,
        prior=exact_decimal(prior),
        correct=correct,
        after=exact_decimal(next_reputation(reputation=prior, correct=correct, gamma=gamma)),
        value=exact_decimal(value).quantize(PLACES),
        votes=votes,
        standard_error=standard_error(reputation=value, votes=votes, gamma=gamma),
    )


def _leaf(audit: Audit, step: ReputationStep, seat: Seat) -> leaves.ReputationUpdate:
    return leaves.ReputationUpdate(
        audit=audit.pk,
        segment=seat.round.segment_id,
        round=seat.round.number,
        auditor=Digest(bytes(seat.pseudonym)),
        column=Column(step.column),
        prior=step.prior,
        correct=step.correct,
        after=step.after,
    )


def exact_decimal(value: Fraction | int) -> Decimal:
    """A fraction whose denominator divides a power of ten, as the decimal number it is.

    >>> exact_decimal(Fraction(3, 8))
    Decimal('0.375')
    """
    return Decimal(value.numerator) / Decimal(value.denominator)
