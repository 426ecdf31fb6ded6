"""Disputes of gold: a reviewer says that a truth is wrong, somebody else decides, overturned gold judges nobody.

1. `dispute_vote`, `dispute_answer`: whoever voted on gold, in a decoy or in calibration, says why it is wrong.
2. `decide`: an adjudicator or admin who did neither says whether it stands.
3. Overturned gold is paid anew where its points are still held, its steps of reputation are taken out of their chains,
   and skills forget it; so are all decoys of the same text (`overturn_copies`, which a task repeats).

Reads Seat, GoldAnswer, Decoy; writes GoldDispute, GoldOverturn, GoldSegment, Transfer,
ReputationStep, Leaf, AuditEvent.
"""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Role, User
from accounts.permissions import has_role
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import Truth
from auditing.core.values import Choice
from auditing.models import Audit, GoldDispute, GoldOverturn, GoldSegment, GoldTruth, Notice, Seat
from auditing.selectors.gold.disputes import audits_of, copies_of, has_judged, named_judges, standing_copies
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.points import reputation, settlement
from hdag.store import content

Decision = GoldDispute.Decision
LONGEST = 2_000  # characters of what a reviewer writes
CAUSE = "gold"  # in the keys of postings that a dispute corrected


class DisputeRefusedError(Exception):
    """This gold cannot be disputed, or not decided about."""


def dispute_vote(*, seat: Seat, by: User, text: str) -> GoldDispute:
    """Dispute the truth of the passage of one's own seat, once its audit is settled. Raises DisputeRefusedError."""
    truth = GoldTruth.objects.filter(segment=seat.round.segment_id, overturn__isnull=True).first()
    if truth is None or seat.round.audit not in audits_of(truth=truth):
        raise DisputeRefusedError("Only gold that was shown to you can be disputed.")
    with transaction.atomic():
        # Against the release of its points: they stay held until somebody has decided.
        for audit in audits_of(truth=truth):
            Audit.objects.select_for_update(of=("self",), no_key=True).get(pk=audit.pk)
        return _dispute(by=by, text=text, truth=truth)


def dispute_answer(*, gold: GoldSegment, by: User, text: str) -> GoldDispute:
    """Dispute a gold segment that one has answered in calibration. Raises DisputeRefusedError."""
    if gold.is_overturned or not gold.answers.filter(auditor__user=by).exists():
        raise DisputeRefusedError("Only gold that was shown to you can be disputed.")
    with transaction.atomic():
        return _dispute(by=by, text=text, gold=gold)


def _dispute(*, by: User, text: str, **of: Any) -> GoldDispute:
    if not text.strip():
        raise DisputeRefusedError("Say why it is wrong: nobody can decide about nothing.")
    try:
        with transaction.atomic():  # a savepoint: a refusal must not undo the caller's work
            row = GoldDispute.objects.create(by=by, block=content.store_one(text.strip()[:LONGEST]), **of)
    except IntegrityError:
        raise DisputeRefusedError("You have disputed this gold already.") from None
    record_event(audit=None, actor=by, kind=EventKind.GOLD_DISPUTED, dispute=row.pk)
    judges = Q(grants__role=Role.ADJUDICATOR)
    if (named := named_judges(dispute=row)) is not None:
        judges &= Q(pk__in=named)
    people = User.objects.filter(Q(grants__role=Role.ADMIN) | judges, is_active=True).exclude(pk=by.pk)
    tell_people(
        people=people.distinct(),
        kind=Notice.Kind.DECISION,
        key=f"dispute:{row.pk}",
        text="A reviewer disputes a gold item.",
        link="/gold/disputes",
    )
    return row


def decide(*, dispute: GoldDispute, decision: str, why: str, by: User, now: datetime) -> None:
    """Whether disputed gold stands; overturned gold takes effect at once. Raises DisputeRefusedError.

    Nobody decides about the own dispute, about gold they wrote, or about gold they were judged by.
    """
    if decision not in Decision.values:
        raise DisputeRefusedError("A dispute is decided by one of three words.")
    if dispute.by_id == by.pk or has_judged(dispute=dispute, user=by):
        raise DisputeRefusedError("You voted on this gold, or wrote it: somebody else decides.")
    named = named_judges(dispute=dispute)
    if named is not None and not has_role(by, Role.ADMIN) and not named.filter(pk=by.pk).exists():
        raise DisputeRefusedError("The campaign of this gold names who decides about it.")
    with transaction.atomic():
        # One of two who decide at once changes the row; the other counts none.
        row = GoldDispute.objects.filter(pk=dispute.pk, decision="")
        if not row.update(decision=decision, decided_by=by, why=why[:300], decided_at=now):
            raise DisputeRefusedError("This dispute is decided already.")
        if decision != Decision.UPHELD:
            _overturn(dispute, decision, by)
        record_event(
            audit=None, actor=by, kind=EventKind.GOLD_JUDGED, dispute=dispute.pk, decision=decision, why=why[:300]
        )
        text = f"Your dispute of a gold item is decided: {Decision(decision).label}."
        tell_people(
            people=[dispute.by],
            kind=Notice.Kind.DECISION,
            key=f"dispute-decided:{dispute.pk}",
            text=f"{text} {why}"[:300],
            link="/record",
        )


def _overturn(dispute: GoldDispute, decision: str, by: User) -> None:
    """Overturn the disputed gold, the set's item behind it, and every settled decoy of the same text."""
    gold = dispute.gold
    if dispute.truth is not None:
        stands = _stands(dispute.truth.truth, decision)
        _overturn_truth(dispute.truth, stands, by)
        gold = next((copy.gold for copy in copies_of(truth=dispute.truth) if copy.gold is not None), None)
    if gold is not None:
        stands = _stands(gold.truth, decision)
        GoldSegment.objects.filter(pk=gold.pk).update(is_overturned=True, is_active=False)
        gold.is_overturned = True
    for truth in standing_copies(truth=dispute.truth, gold=gold):
        _overturn_truth(truth, stands, None)


def _stands(truth: str, decision: str) -> Truth:
    if decision == Decision.UNCLEAR:
        return Truth.NONE
    return Truth.PASS if truth == Choice.FAIL else Truth.FAIL


def overturn_copies() -> int:
    """Overturn settled decoys whose text was overturned while they were under way; returns how many."""
    count = 0
    for row in GoldOverturn.objects.filter(by__isnull=False).select_related("truth").order_by("created", "pk"):
        for truth in standing_copies(truth=row.truth, gold=None):
            with transaction.atomic():
                _overturn_truth(truth, Truth(row.stands), None)
            count += 1
    return count


def _overturn_truth(truth: GoldTruth, stands: Truth, by: User | None) -> None:
    """One truth: its leaf, its held points anew, its steps of reputation taken back; call inside a transaction."""
    audits = audits_of(truth=truth)
    for audit in audits:
        # Locked against the release of its points meanwhile; the row below is what decides a race.
        Audit.objects.select_for_update(of=("self",), no_key=True).get(pk=audit.pk)
    _, is_new = GoldOverturn.objects.get_or_create(truth=truth, defaults={"stands": stands, "by": by})
    if not is_new:
        return
    for audit in audits:
        ledger.overturn_gold(audit=audit, segment=truth.segment_id, stands=stands)
        audit.refresh_from_db(fields=["released_at"])
        if audit.released_at is None:
            settlement.correct(audit=audit, cause=CAUSE)
    reputation.take_back(segment=truth.segment_id)
