"""A reviewer passes the calibration set of a domain before live seats there, with feedback at once.

Reads GoldSegment, Vote, SegmentOutcome; writes GoldAnswer, Qualification, Notice.
"""

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlencode
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.values import Choice
from auditing.models import Auditor, GoldAnswer, GoldSegment, Notice, Qualification
from auditing.selectors.points.record import last_votes
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event

ASKED = 10  # segments of one attempt, or all of a smaller set
ENOUGH_VOTES = 20
AGREEMENT_FLOOR = 0.6


class AlreadyAnsweredError(Exception):
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
    said = GoldAnswer.objects.filter(auditor=auditor, gold__domain=domain, attempt=row.attempt)
    counts = said.aggregate(answered=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
    total = max(counts["answered"], min(ASKED, _set_of(domain).count()))
    return Standing(counts["right"], counts["answered"], total, row.state, row.attempt)


def next_question(*, auditor: Auditor, domain: str) -> GoldSegment | None:
    """The next segment of this attempt: those never shown to this reviewer first, in an order of their own.

    So a second attempt asks what the first did not, as far as the set reaches.
    """
    now = standing(auditor=auditor, domain=domain)
    if now.is_over:
        return None
    shown = GoldAnswer.objects.filter(auditor=auditor, gold__domain=domain).values_list("gold", "attempt")
    earlier = Counter(gold for gold, attempt in shown if attempt < now.attempt)
    answered = {gold for gold, attempt in shown if attempt == now.attempt}
    left = [key for key in _set_of(domain).values_list("pk", flat=True) if key not in answered]
    if not left:
        return None
    first = min(left, key=lambda key: (earlier[key], _lot(auditor, now.attempt, key)))
    return GoldSegment.objects.select_related("block").get(pk=first)


def _lot(auditor: Auditor, attempt: int, gold: UUID) -> bytes:
    return sha256(auditor.pk.bytes + attempt.to_bytes(4) + gold.bytes).digest()


def settle(*, auditor: Auditor, domain: str) -> Standing:
    """Judge an attempt that is over, also one that ended because the rest of its set was retired."""
    with transaction.atomic():
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=domain)
        if row.state != Qualification.State.PASSED:
            _judge(row, standing(auditor=auditor, domain=domain))
    return standing(auditor=auditor, domain=domain)


def answer(*, auditor: Auditor, gold: GoldSegment, choice: Choice, confidence: int | None = None) -> GoldAnswer:
    """Record one answer; the last one of the set decides the attempt. Raises AlreadyAnsweredError."""
    with transaction.atomic():
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=gold.domain)
        try:
            with transaction.atomic():
                said = GoldAnswer.objects.create(
                    auditor=auditor,
                    gold=gold,
                    attempt=row.attempt,
                    choice=choice,
                    confidence=confidence,
                    is_right=choice == gold.truth,
                )
        except IntegrityError:
            raise AlreadyAnsweredError(AlreadyAnsweredError.__doc__) from None
        _judge(row, standing(auditor=auditor, domain=gold.domain))
    return said


def start_again(*, auditor: Auditor, domain: str) -> None:
    """A new attempt after a failed one; the earlier answers stay, and only first attempts count for skills."""
    with transaction.atomic():
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=domain)
        if row.state != Qualification.State.PASSED and standing(auditor=auditor, domain=domain).is_over:
            Qualification.objects.filter(pk=row.pk).update(attempt=row.attempt + 1, state=Qualification.State.STARTED)


def lapse_poor_performers() -> int:
    """Recalibration: who agrees with outcomes too rarely in a domain loses its live seats until it is passed again."""
    lapsed = 0
    for row in Qualification.objects.filter(state=Qualification.State.PASSED).select_related("auditor__user"):
        judged = [
            one.agrees
            for one in last_votes(auditor=row.auditor, most=100)
            if one.domain == row.domain and one.agrees is not None and one.committed_at > row.at
        ]
        if len(judged) < ENOUGH_VOTES:
            continue
        rate = wilson_interval(count=sum(judged), of=len(judged))
        if (rate.high or 0.0) < AGREEMENT_FLOOR:
            why = f"Agreed with {sum(judged)} of the last {len(judged)} outcomes."
            lapsed += _move(row, Qualification.State.LAPSED, why, row.attempt + 1)
            _say_lapsed(row, why)
    return lapsed


def _say_lapsed(row: Qualification, why: str) -> None:
    tell_people(
        people=[row.auditor.user],
        kind=Notice.Kind.DECISION,
        key=f"lapsed:{row.pk}:{row.attempt}",
        text=f"Calibration in {row.domain} is asked of you again before the next live seat there. {why}",
        link=f"/calibration?{urlencode({'domain': row.domain})}",
    )


def needed(*, of: int) -> int:
    """Right answers that an attempt of so many segments needs.

    >>> needed(of=10), needed(of=7)
    (8, 6)
    """
    return -(-of * 8 // 10)


def _judge(row: Qualification, now: Standing) -> None:
    if now.is_over and now.right >= needed(of=now.total):
        _move(row, Qualification.State.PASSED, f"{now.right} of {now.total} right", row.attempt)


def _move(row: Qualification, state: str, why: str, attempt: int) -> int:
    Qualification.objects.filter(pk=row.pk).update(state=state, why=why, attempt=attempt, at=Now())
    record_event(audit=None, kind=f"calibration.{state}", auditor=str(row.auditor_id), domain=row.domain, why=why)
    return 1


def _set_of(domain: str) -> QuerySet[GoldSegment]:
    return GoldSegment.objects.filter(domain=domain, purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
