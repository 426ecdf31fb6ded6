"""A reviewer passes the calibration set of a domain before live seats there, with feedback at once.

Reads GoldSegment, Vote, SegmentOutcome; writes GoldAnswer, Qualification.
"""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from auditing.core.faithfulness import wilson_interval
from auditing.core.values import Choice
from auditing.models import Auditor, GoldAnswer, GoldSegment, Qualification
from auditing.selectors.record import last_votes
from auditing.services.doors import note

PASS_SHARE = 0.8
ENOUGH_VOTES = 20
AGREEMENT_FLOOR = 0.6


class AlreadyAnswered(Exception):
    """This calibration segment was answered already in this attempt."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a calibration stands: questions answered and right of all, and whether it is over."""

    right: int
    answered: int
    total: int
    state: str
    attempt: int

    @property
    def is_over(self) -> bool:
        """Every question of this attempt is answered."""
        return self.answered >= self.total > 0


def standing(*, auditor: Auditor, domain: str) -> Standing:
    """Where a reviewer stands in a domain."""
    row, _ = Qualification.objects.get_or_create(auditor=auditor, domain=domain)
    counts = GoldAnswer.objects.filter(auditor=auditor, gold__in=_set_of(domain), attempt=row.attempt).aggregate(
        answered=Count("pk"), right=Count("pk", filter=Q(is_right=True))
    )
    return Standing(counts["right"], counts["answered"], _set_of(domain).count(), row.state, row.attempt)


def next_question(*, auditor: Auditor, domain: str) -> GoldSegment | None:
    """The next segment of the set that this attempt has not answered."""
    row, _ = Qualification.objects.get_or_create(auditor=auditor, domain=domain)
    done = GoldAnswer.objects.filter(auditor=auditor, attempt=row.attempt).values("gold")
    return _set_of(domain).exclude(pk__in=done).select_related("block").order_by("pk").first()


def answer(*, auditor: Auditor, gold: GoldSegment, choice: Choice, confidence: int | None = None) -> GoldAnswer:
    """Record one answer; the last one of the set decides the attempt. Raises AlreadyAnswered."""
    with transaction.atomic():
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=gold.domain)
        try:
            with transaction.atomic():
                said = GoldAnswer.objects.create(
                    auditor=auditor, gold=gold, attempt=row.attempt, choice=choice, confidence=confidence,
                    is_right=choice == gold.truth,
                )  # fmt: skip
        except IntegrityError:
            raise AlreadyAnswered(AlreadyAnswered.__doc__) from None
        _judge(row, standing(auditor=auditor, domain=gold.domain))
    return said


def start_again(*, auditor: Auditor, domain: str) -> None:
    """A new attempt after a failed one; the earlier answers stay."""
    with transaction.atomic():
        row = Qualification.objects.select_for_update().get(auditor=auditor, domain=domain)
        if row.state != Qualification.State.PASSED and standing(auditor=auditor, domain=domain).is_over:
            Qualification.objects.filter(pk=row.pk).update(attempt=row.attempt + 1, state=Qualification.State.STARTED)


def lapse_poor_performers() -> int:
    """Recalibration: who agrees with outcomes too rarely in a domain loses its live seats until it is passed again."""
    lapsed = 0
    for row in Qualification.objects.filter(state=Qualification.State.PASSED).select_related("auditor"):
        judged = [one.agrees for one in last_votes(auditor=row.auditor, most=100)
                  if one.domain == row.domain and one.agrees is not None and one.committed_at > row.at]  # fmt: skip
        if len(judged) < ENOUGH_VOTES:
            continue
        rate = wilson_interval(count=sum(judged), of=len(judged))
        if (rate.high or 0.0) < AGREEMENT_FLOOR:
            why = f"Agreed with {sum(judged)} of the last {len(judged)} outcomes."
            lapsed += _move(row, Qualification.State.LAPSED, why, row.attempt + 1)
    return lapsed


def _judge(row: Qualification, now: Standing) -> None:
    if now.is_over and now.right >= PASS_SHARE * now.total:
        _move(row, Qualification.State.PASSED, f"{now.right} of {now.total} right", row.attempt)


def _move(row: Qualification, state: str, why: str, attempt: int) -> int:
    Qualification.objects.filter(pk=row.pk).update(state=state, why=why, attempt=attempt, at=Now())
    note(audit=None, kind=f"calibration.{state}", auditor=str(row.auditor_id), domain=row.domain, why=why)
    return 1


def _set_of(domain: str) -> QuerySet[GoldSegment]:
    return GoldSegment.objects.filter(domain=domain, purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
