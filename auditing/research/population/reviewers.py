"""Simulated reviewers: they vote through the real services and are marked "simulated" everywhere. Demo and tests only.

Reads Seat, GoldTruth; writes votes through commitment.accept and marks the audit.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.models import RoleGrant, User
from auditing.core.values import Choice
from auditing.core.voting.rationale import Criterion, ErrorType, Mark, Rationale
from auditing.models import Audit, Commitment, GoldTruth, Seat
from auditing.selectors.clock import database_now
from auditing.selectors.seating.rounds import reveal_point
from auditing.selectors.voting.bindings import current_reasoning
from auditing.services.voting.commitment import accept
from auditing.services.voting.sealing import seal_vote
from hdag.core.units import find_step

NAMES = ("Ada", "Emmy", "Kurt", "Rosalind", "Alonzo", "Grace")


@dataclass(frozen=True, slots=True)
class Truth:
    """What the simulation knows: the planted sentence, if any."""

    planted: str = ""

    def is_wrong(self, text: str) -> bool:
        """Whether the text holds the planted error."""
        # A segment may hold the planted sentence or be a piece of it; pieces of 12 characters or less match by chance.
        return bool(self.planted) and (self.planted in text or (len(text) > 12 and text in self.planted))


def truth_of(*, seat: Seat, planted: Mapping[str, str]) -> Truth:
    """What a simulated reviewer could see of a seat: of a decoy the error in its gold, else what its title names."""
    gold = GoldTruth.objects.filter(segment=seat.round.segment_id).first()
    if gold is None:
        return Truth(planted.get(seat.round.audit.trace.title, ""))
    return Truth(current_reasoning(seat=seat) if gold.truth == Choice.FAIL else "")


def ensure_simulated_reviewers(*, count: int = 5) -> list[User]:
    """Reviewers that nobody can log in as. Refused in production."""
    if settings.PRODUCTION:
        raise ImproperlyConfigured("Simulated reviewers are refused in production.")
    return [_reviewer(number) for number in range(count)]


def vote(*, seat: Seat, truth: Truth, accuracy: float, rng: random.Random) -> Commitment | None:
    """One simulated vote on one seat: right with probability `accuracy`; None before the revealer has a key."""
    point = reveal_point()
    if point is None:
        return None
    text = current_reasoning(seat=seat)
    wrong = truth.is_wrong(text)
    says_wrong = wrong if rng.random() < accuracy else not wrong
    choice = Choice.FAIL if says_wrong else Choice.PASS
    sealed = seal_vote(
        seat=seat,
        choice=choice,
        confidence_bp=rng.randrange(7000, 9900, 100),
        rationale=_marked(_rationale(choice), seat, text, truth),
        point=point,
        text=text,
    )
    done = accept(seat_id=seat.pk, auditor=seat.auditor, vote=sealed, now=database_now())
    # One update that does nothing the second time: an audit with a single simulated vote is marked for ever.
    Audit.objects.filter(pk=seat.round.audit_id, is_simulated=False).update(is_simulated=True)
    return done


def _marked(rationale: Rationale, seat: Seat, text: str, truth: Truth) -> Rationale:
    """With the numbered step of a passage that a failing vote names: the planted one, else the first."""
    steps = seat.round.segment.numbered
    if not steps or rationale.error_type is None:
        return rationale
    planted = text.find(truth.planted) if truth.planted else -1
    number = find_step(steps=steps, start=max(0, planted)) or 1
    return replace(rationale, start=steps[number - 1].start, end=steps[number - 1].end)


def _rationale(choice: Choice) -> Rationale:
    failing = choice is Choice.FAIL
    return Rationale(
        reason="Simulated reviewer: this does not follow." if failing else "",
        criteria={
            criterion: Mark.NO if failing and criterion is Criterion.MATHS else Mark.YES
            for criterion in list(Criterion)[:4]
        },
        error_type=ErrorType.INVALID_DERIVATION if failing else None,
    )


def _reviewer(number: int) -> User:
    email = f"simulated{number}@demo.example"
    user = User.objects.filter(email=email).first()
    if user is None:
        name = f"Simulated {NAMES[number % len(NAMES)]} {number}"
        user = User.objects.create_user(email, None, pseudonym=name, is_simulated=True)
    RoleGrant.objects.get_or_create(user=user, role="reviewer")
    return user
