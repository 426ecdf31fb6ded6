"""Agreement of a campaign's people beyond chance, over all and by field. Reads Vote."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from auditing.core.stages import RoundStage
from auditing.core.values import Tier
from auditing.models import Campaign, Vote
from auditing.research.agreement.core import Coefficient, Estimate, estimate_agreement
from auditing.research.agreement.selectors.vote_counts import GROUPS, counts_by

RESAMPLES, SEED = 200, 6  # a fixed seed: the page shows the same interval until a vote is added


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of people beyond chance in one field, or over all under ""."""

    domain: str
    rounds: int
    ac1: Estimate
    alpha: Estimate

    @property
    def values(self) -> tuple[Estimate, Estimate]:
        """Both coefficients, in the order of the page."""
        return (self.ac1, self.alpha)


def agreement_of(*, campaign: Campaign) -> list[Agreement]:
    """Over all and by field, with 95 % bootstrap intervals, from the tallied rounds of people."""
    votes = Vote.objects.filter(
        seat__round__audit__campaign=campaign, seat__round__tier=Tier.HUMAN, seat__round__stage=RoundStage.TALLIED
    ).exclude(choice="abstain")
    tables = counts_by(votes=votes, item="seat__round", group=GROUPS["domain"])
    if len(tables) > 1:  # with one field only, "over all" would be the same line again
        tables = {"": np.concatenate(list(tables.values())), **tables}
    return [_agreement(name, counts) for name, counts in tables.items()]


def _agreement(domain: str, counts: Any) -> Agreement:
    ac1, alpha = _estimates(counts.astype(np.int64).tobytes(), counts.shape[1])
    return Agreement(domain, len(counts), ac1, alpha)


# The same votes have the same interval: it is drawn again when one is added, and not for each look.
@lru_cache(maxsize=64)
def _estimates(counts: bytes, width: int) -> tuple[Estimate, Estimate]:
    table = np.frombuffer(counts, dtype=np.int64).reshape(-1, width)
    estimates = estimate_agreement(counts=table, rng=np.random.default_rng(SEED), resamples=RESAMPLES)
    return estimates[Coefficient.GWET_AC1], estimates[Coefficient.ALPHA_NOMINAL]
