"""Reputation after each settled audit, in both columns, and the suspensions that follow.

Reads JudgedSeat; writes ReputationStep, Auditor.suspended_until and the reputation.update leaves.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from auditing.core.ledger import leaves
from auditing.core.ledger.leaves import Column
from auditing.core.ledger.leaves.fields import Digest
from auditing.core.points.reputation import Standing, decide_standing, next_reputation, published, standard_error
from auditing.core.policy import Policy
from auditing.models import Audit, Auditor, ReputationStep, Seat
from auditing.selectors.points.reputations import newest_steps, no_shows_of, reputation_of
from auditing.selectors.points.settlement import JudgedSeat
from auditing.selectors.policy.versions import latest_policy, load_policy
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger

PLACES = Decimal("1e-12")


def update(*, audit: Audit, judged: Sequence[JudgedSeat], policy: Policy) -> list[ReputationStep]:
    """One step for each judged vote in each column. An adjudicator is judged by gold alone: its word is the outcome."""
    keys = sorted({one.seat.auditor_id for one in judged}, key=str)
    auditors = list(Auditor.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
    steps: list[ReputationStep] = []
    for column in Column:
        newest = newest_steps(auditors=auditors, column=column)
        for one in judged:
            correct = _correct(one, column)
            if correct is not None:
                key = one.seat.auditor_id
                newest[key] = _step(one, column, correct, newest.get(key), policy)
                steps.append(newest[key])
    ReputationStep.objects.bulk_create(steps)
    by_seat = {one.seat.pk: one.seat for one in judged}
    ledger.write(audit=audit, leaves=[_leaf(audit, step, by_seat[step.seat_id]) for step in steps])
    return steps


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
        return False
    moved = Auditor.objects.filter(pk=auditor.pk, suspended_until=auditor.suspended_until).update(suspended_until=until)
    if moved:
        kind = "auditor.suspended" if until else "auditor.returned"
        record_event(audit=None, kind=kind, auditor=str(auditor.pk), until=until.isoformat() if until else None)
    return bool(moved)


def review_suspended(*, now: datetime) -> int:
    """Look again at everybody who is suspended, under the newest policy; returns how many came back."""
    version = latest_policy()
    if version is None:
        return 0
    policy = load_policy(version=version)
    suspended = Auditor.objects.filter(suspended_until__gt=now)
    return sum(review_standing(auditor=auditor, policy=policy, now=now) for auditor in suspended)


def _correct(one: JudgedSeat, column: Column) -> bool | None:
    if column is Column.GOLD:
        return one.against_gold
    return None if one.seat.round.adjudicates else one.against_outcome


def _step(
    one: JudgedSeat, column: Column, correct: bool, before: ReputationStep | None, policy: Policy
) -> ReputationStep:
    """The exact chain goes on from the exact value; what is published starts from the value rounded to .01."""
    gamma = Fraction(policy.gamma)
    exact = Fraction(before.value) if before is not None else Fraction(policy.initial_reputation)
    shown = published(reputation=exact)
    value = next_reputation(reputation=exact, correct=correct, gamma=gamma)
    votes = before.votes + 1 if before is not None else 1
    return ReputationStep(
        auditor=one.seat.auditor,
        seat=one.seat,
        column=column,
        prior=exact_decimal(shown),
        correct=correct,
        after=exact_decimal(next_reputation(reputation=shown, correct=correct, gamma=gamma)),
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
    """A fraction whose denominator divides a power of ten, as the decimal number it is."""
    return Decimal(value.numerator) / Decimal(value.denominator)
