"""Groups of reviewers who agree beyond chance, each with what independent votes would show; and those flagged.

Reads Vote, GoldTruth, CollusionRing.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import F

from auditing.core.consensus.ballots import ballots_from_votes
from auditing.core.consensus.two_coin import Priors, gold_initialised_em
from auditing.core.policy import DEFAULT
from auditing.core.values import Choice, Tier
from auditing.models import Auditor, CollusionRing, Vote
from auditing.research.conduct.core import (
    ALPHA,
    Pair,
    RingNull,
    clustered,
    fitted_skills,
    pairs_beyond_chance,
    ring_null,
)
from auditing.research.conduct.selectors.signs import MOST, OPENED
from auditing.selectors.gold.repeats import first_votes
from auditing.selectors.gold.truths import standing_truth

SEED = 19  # of the null distribution: the same votes show the same figures to everybody
SHOWN = 40  # flags on the page


@dataclass(frozen=True, slots=True)
class Ring:
    """Reviewers who are linked by pairs that agree beyond chance, given the truth, with the pairs behind it."""

    members: tuple[Auditor, ...]
    pairs: tuple[tuple[Auditor, Auditor, Pair], ...]
    null: RingNull

    @property
    def evidence(self) -> dict[str, Any]:
        """What is kept with a flag: pseudonyms and counts, no vote."""
        pairs = [
            {
                "members": [_name(first), _name(second)],
                "shared": pair.shared,
                "agreed": pair.agreed,
                "expected": round(pair.expected, 1),
                "z": round(pair.z, 2),
            }
            for first, second, pair in self.pairs
        ]
        null = self.null
        drawn = {"low": null.low, "high": null.high, "most": null.most, "draws": null.draws}
        return {
            "agreed": null.agreed,
            "of": null.of,
            "null": drawn,
            "chance": null.chance,
            "level": ALPHA,
            "pairs": pairs,
        }


def rings() -> list[Ring]:
    """Groups of reviewers who agree beyond chance, over the newest votes of people; largest first.

    The truth is what EM learns from the same votes, skills are as they show in them: a ring that is the majority is
    believed, and not found.
    """
    votes = Vote.objects.filter(
        seat__round__tier=Tier.HUMAN, seat__round__adjudicates=False, seat__round__audit__stage__in=OPENED
    ).exclude(choice=Choice.ABSTAIN)
    newest = first_votes(votes=votes).annotate(truth=standing_truth()).order_by("-revealed_at", "-pk")
    rows = list(newest.values_list("seat__round__segment", "seat__auditor", "choice", "truth")[:MOST])
    # An appeal may bring the same pair together again: the newest vote counts.
    choices = {(segment, auditor): choice == Choice.PASS for segment, auditor, choice, _ in reversed(rows)}
    truths: dict[Hashable, bool] = {segment: truth == Choice.PASS for segment, _, _, truth in rows if truth}
    if not choices:
        return []
    triples = ((segment, auditor, passed) for (segment, auditor), passed in choices.items())
    ballots, _, names = ballots_from_votes(votes=triples, gold=truths)
    # Votes of several policies stand together; what is believed before any vote moves the truth of few passages.
    rules, base = DEFAULT.tier(Tier.HUMAN), float(DEFAULT.base_rate)
    priors = Priors(float(rules.prior_right), float(rules.prior_wrong), base)
    learned = gold_initialised_em(ballots=ballots, priors=priors)
    skills = fitted_skills(ballots=ballots, valid=learned.posterior)
    pairs = pairs_beyond_chance(ballots=ballots, valid=learned.posterior, skills=skills)
    if not pairs:
        return []
    people = Auditor.objects.select_related("user").in_bulk(list(names))
    who = [people[name] for name in names]
    rng = np.random.default_rng(SEED)
    return [
        Ring(
            tuple(who[member] for member in sorted(ring)),
            tuple((who[pair.first], who[pair.second], pair) for pair in pairs if pair.first in ring),
            ring_null(ballots=ballots, valid=learned.posterior, skills=skills, members=sorted(ring), rng=rng),
        )
        for ring in clustered(pairs=pairs)
    ]


def find_ring(*, members: set[UUID]) -> Ring | None:
    """The group of exactly these reviewers, if their votes still show one."""
    return next((ring for ring in rings() if {member.pk for member in ring.members} == members), None)


def flagged_rings() -> Sequence[CollusionRing]:
    """What admins flagged: standing ones first, then the newest that were taken back."""
    newest = F("cleared_at").desc(nulls_first=True)
    return list(CollusionRing.objects.prefetch_related("members__user").order_by(newest, "-pk")[:SHOWN])


def find_flagged(*, number: int) -> CollusionRing | None:
    """A flagged ring by its number."""
    return CollusionRing.objects.filter(pk=number).first()


def _name(auditor: Auditor) -> str:
    return auditor.person.pseudonym
