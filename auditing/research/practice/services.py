"""Calibration: reviewers answer gold segments of a domain, with feedback at once, before they get live seats there.

An attempt asks up to ten segments that this person was never told the truth of, and waits for more gold where too few
are left; eight right answers of ten pass it. Whoever is later wrong on gold, or disagrees with final outcomes, too
often loses the domain and calibrates again. Practice stores nothing.

Reads GoldSegment, Vote, SegmentOutcome; writes GoldAnswer, Qualification, Notice, AuditEvent.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlencode
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.events import EventKind
from auditing.core.values import Choice
from auditing.models import Auditor, GoldAnswer, GoldSegment, Notice, Qualification
from auditing.research.practice.selectors.attempts import Attempt, attempt_in
from auditing.research.practice.selectors.own_gold import gold_votes_since
from auditing.selectors.gold.lookup import practice_set
from auditing.selectors.points.record import last_votes
from auditing.selectors.seating.eligible import needs_calibration
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event

ENOUGH_GOLD = 10  # votes on gold since the calibration, before they say anything
ENOUGH_VOTES = 20  # judged votes since the calibration, before agreement says anything
AGREEMENT_FLOOR = 0.6  # a qualification lapses when even the upper end of the interval lies below


class AlreadyAnsweredError(Exception):
    """This segment is not asked of you, or you have been told its truth already."""


def progress_of(*, auditor: Auditor, domain: str) -> Attempt:
    """How far a reviewer is in a domain; the first look begins the first attempt."""
    row, _ = Qualification.objects.select_related("auditor").get_or_create(auditor=auditor, domain=domain)
    return attempt_in(row=row)


def next_question(*, auditor: Auditor, domain: str) -> GoldSegment | None:
    """The next segment of this attempt, in an order of the reviewer's own; none whose truth they were ever told."""
    progress = progress_of(auditor=auditor, domain=domain)
    if not progress.askable:
        return None
    first = min(progress.askable, key=lambda key: _lot(auditor, progress.attempt, key))
    return GoldSegment.objects.select_related("block").get(pk=first)


def _lot(auditor: Auditor, attempt: int, gold: UUID) -> bytes:
    """An order that looks random, differs between reviewers and attempts, and is the same when the page is reloaded."""
    return sha256(auditor.pk.bytes + attempt.to_bytes(4) + gold.bytes).digest()


def conclude(*, auditor: Auditor, domain: str) -> Attempt:
    """Judge an attempt that is over, also one that ended because the rest of its set was retired."""
    with transaction.atomic():
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=domain)
        if row.state != Qualification.State.PASSED:
            _judge(row, progress_of(auditor=auditor, domain=domain))
    return progress_of(auditor=auditor, domain=domain)


def answer(
    *, auditor: Auditor, gold: GoldSegment, choice: Choice, confidence: int | None = None, step: int | None = None
) -> GoldAnswer:
    """Record one answer; the last one of the set decides the attempt. Raises AlreadyAnsweredError.

    confidence: basis points, 5000 to 10000; step: named as the first wrong one, from 1.
    """
    with transaction.atomic():
        # The lock makes two tabs take turns; the unique constraint refuses the second answer to one segment.
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=gold.domain)
        if gold.pk not in attempt_in(row=row).askable:
            raise AlreadyAnsweredError(AlreadyAnsweredError.__doc__)
        try:
            with transaction.atomic():
                stored = GoldAnswer.objects.create(
                    auditor=auditor,
                    gold=gold,
                    attempt=row.attempt,
                    choice=choice,
                    confidence=confidence,
                    step=step,
                    is_right=choice == gold.truth,
                )
        except IntegrityError:
            raise AlreadyAnsweredError(AlreadyAnsweredError.__doc__) from None
        _judge(row, progress_of(auditor=auditor, domain=gold.domain))
    return stored


def start_again(*, auditor: Auditor, domain: str) -> None:
    """A new attempt after a failed one, once there is gold enough for it; the earlier answers stay.

    Only first attempts count for skills.
    """
    with transaction.atomic():
        row, _ = Qualification.objects.select_for_update().get_or_create(auditor=auditor, domain=domain)
        now = attempt_in(row=row)
        if row.state != Qualification.State.PASSED and now.is_over and not now.missing:
            Qualification.objects.filter(pk=row.pk).update(attempt=row.attempt + 1, state=Qualification.State.STARTED)


def lapse_poor_performers() -> int:
    """Recalibration: who agrees with outcomes too rarely in a domain loses its live seats until it is passed again."""
    lapsed = 0
    for row in Qualification.objects.filter(state=Qualification.State.PASSED).select_related("auditor__user"):
        why = _drift_of(row)
        if why:
            lapsed += _move(row, Qualification.State.LAPSED, why, row.attempt + 1)
            _say_lapsed(row, why)
    return lapsed


def ask_again(*, auditor: Auditor, why: str, at: datetime) -> int:
    """A reviewer calibrates again before the next seat, wherever a set stands; returns in how many fields.

    A field that was never passed opens no seat anyway. at: by which `ask_no_more` knows what was asked.
    """
    passed = Qualification.objects.filter(auditor=auditor, state=Qualification.State.PASSED)
    rows = [row for row in passed.select_related("auditor__user") if needs_calibration(domain=row.domain)]
    for row in rows:
        _move(row, Qualification.State.LAPSED, why[:200], row.attempt + 1, at)
    return len(rows)


def ask_no_more(*, auditor: Auditor, why: str, at: datetime) -> int:
    """What `ask_again` asked at this moment counts as passed, unless it was passed anew; returns in how many fields.

    An attempt that was begun stays where it is: its answers were given.
    """
    asked = Qualification.objects.filter(auditor=auditor, at=at).exclude(state=Qualification.State.PASSED)
    return sum(_move(row, Qualification.State.PASSED, why, row.attempt) for row in asked)


def _drift_of(row: Qualification) -> str:
    """Why a reviewer should calibrate again, by gold or by outcomes since the calibration; "" where nothing says so."""
    on_gold = gold_votes_since(auditor=row.auditor, domain=row.domain, since=row.at)
    if _is_below(on_gold, ENOUGH_GOLD):
        return f"Right on {sum(on_gold)} of {len(on_gold)} gold passages."
    judged = [
        vote.agrees
        for vote in last_votes(auditor=row.auditor, most=100)
        if vote.domain == row.domain and vote.agrees is not None and vote.committed_at > row.at
    ]
    if _is_below(judged, ENOUGH_VOTES):
        return f"Agreed with {sum(judged)} of the last {len(judged)} outcomes."
    return ""


def _is_below(rights: Sequence[bool], enough: int) -> bool:
    """The interval, not the rate: 11 of 20 may be chance, 55 of 100 hardly."""
    rate = wilson_interval(count=sum(rights), of=len(rights))
    return len(rights) >= enough and (rate.high or 0.0) < AGREEMENT_FLOOR


def next_exercise(*, auditor: Auditor, domain: str, after: UUID | None) -> GoldSegment | None:
    """The next segment of the sandbox, round and round: practice gold, and what the reviewer has calibrated on.

    Calibration gold that was never shown to this reviewer stays out, or the sandbox would give its truths away.
    """
    usable = practice_set(auditor=auditor).filter(domain=domain)
    keys = sorted(set(usable.values_list("pk", flat=True)), key=lambda key: _lot(auditor, 0, key))
    if not keys:
        return None
    number = (keys.index(after) + 1) % len(keys) if after in keys else 0
    return GoldSegment.objects.select_related("block").get(pk=keys[number])


def _say_lapsed(row: Qualification, why: str) -> None:
    tell_people(
        people=[row.auditor.person],
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
    return -(-of * 8 // 10)  # 80 %, rounded up


def _judge(row: Qualification, progress: Attempt) -> None:
    if progress.is_over and progress.right >= needed(of=progress.total):
        _move(row, Qualification.State.PASSED, f"{progress.right} of {progress.total} right", row.attempt)


def _move(row: Qualification, state: str, why: str, attempt: int, at: datetime | None = None) -> int:
    Qualification.objects.filter(pk=row.pk).update(state=state, why=why, attempt=attempt, at=at or Now())
    event = EventKind(f"calibration.{state}")
    record_event(audit=None, kind=event, auditor=str(row.auditor_id), domain=row.domain, why=why)
    return 1
