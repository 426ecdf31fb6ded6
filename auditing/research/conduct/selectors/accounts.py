"""Pairs of accounts that move together: votes at one moment, reasons in nearly the same words. Neither decides.

Reads Vote, Commitment, Auditor, and the blocks of reasons.
"""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from auditing.core.values import Tier
from auditing.core.voting import rationale
from auditing.core.voting.rationale import BadRationaleError
from auditing.models import Auditor, Vote
from auditing.research.conduct.core import LEAST_REASONS, Copied, Together, at_one_moment, copied_reasons
from auditing.research.conduct.selectors.signs import OPENED
from auditing.selectors.gold.repeats import first_votes
from hdag.store import content
from hdag.store.content import ContentDamagedError, ContentGoneError

MOMENTS, REASONS = 5_000, 600  # newest votes that are looked at; a reason is decrypted, a moment is not
SEED = 19  # of the shifts: the same votes show the same figures to everybody


@dataclass(frozen=True, slots=True)
class Linked:
    """Two accounts, and what links them."""

    members: tuple[Auditor, Auditor]
    together: Together | None
    copied: Copied | None


def linked_accounts() -> list[Linked]:
    """Pairs beyond chance in either, over the newest votes of people; those linked by both first."""
    moments = _moments()
    together = {frozenset((pair.first, pair.second)): pair for pair in _together(moments)}
    # Two alone are compared with nobody: no reason is decrypted for them.
    can_compare = sum(len(own) >= LEAST_REASONS for own in moments.values()) > 2
    copied = {frozenset((pair.first, pair.second)): pair for pair in (_copied() if can_compare else [])}
    if not (together or copied):
        return []
    pairs = sorted({*together, *copied}, key=lambda pair: (pair not in together or pair not in copied, sorted(pair)))
    people = Auditor.objects.select_related("user").in_bulk([UUID(key) for pair in pairs for key in pair])
    named = [(pair, [people[UUID(key)] for key in sorted(pair)]) for pair in pairs]
    return [Linked((who[0], who[1]), together.get(pair), copied.get(pair)) for pair, who in named]


def _votes() -> QuerySet[Vote]:
    votes = Vote.objects.filter(
        seat__round__tier=Tier.HUMAN, seat__round__adjudicates=False, seat__round__audit__stage__in=OPENED
    )
    return first_votes(votes=votes).order_by("-revealed_at", "-pk")


def _moments() -> dict[str, list[float]]:
    moments: dict[str, list[float]] = defaultdict(list)
    rows = _votes().values_list("seat__auditor", "seat__commitment__committed_at")
    for auditor, moment in rows[:MOMENTS]:
        moments[str(auditor)].append(moment.timestamp())
    return moments


def _together(moments: dict[str, list[float]]) -> list[Together]:
    return at_one_moment(moments=moments, rng=np.random.default_rng(SEED))


def _copied() -> list[Copied]:
    votes = list(_votes().select_related("rationale", "seat__round")[:REASONS])
    content.fetch(vote.rationale for vote in votes)
    reasons = ((vote.seat.round.segment_id, str(vote.seat.auditor_id), _reason(vote)) for vote in votes)
    return copied_reasons(reasons=reasons)


def _reason(vote: Vote) -> str:
    """What was written; nothing where it was erased, lost, or is none."""
    try:
        return rationale.read(text=content.read(vote.rationale)).reason
    except (BadRationaleError, ContentGoneError, ContentDamagedError):
        return ""
