"""Corruption replayed on recorded votes: single votes flipped, or auditors captured; nobody is asked again."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.recording import ArmVote, Case

__all__ = ["Corruption", "corrupt"]

_OTHER = {Choice.PASS: Choice.FAIL, Choice.FAIL: Choice.PASS, Choice.ABSTAIN: Choice.ABSTAIN}


class Corruption(StrEnum):
    """What is corrupted."""

    VOTES = "votes flipped"  # each vote on its own
    AUDITORS = "auditors captured"  # a captured auditor turns every vote of its own


def corrupt(
    *, cases: Sequence[Case], kind: Corruption, share: float, rng: np.random.Generator, spares: frozenset[Tier]
) -> list[Case]:
    """The cases with a share of votes, or of auditors, turned. spares: tiers whose votes anybody can recompute.

    An auditor is captured or not for all cases alike. Raises ValueError unless 0 <= share <= 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"{share} is no share")
    names = sorted({vote.auditor for case in cases for vote in case.votes if vote.tier not in spares})
    # Drawn once for all cases, and over sorted names: the same seed captures the same auditors in every arm.
    captured = {name for name, hit in zip(names, rng.random(len(names)) < share, strict=True) if hit}

    def turned(vote: ArmVote) -> ArmVote:
        hit = vote.auditor in captured if kind is Corruption.AUDITORS else rng.random() < share
        return replace(vote, choice=_OTHER[vote.choice]) if hit and vote.tier not in spares else vote

    return [replace(case, votes=tuple(turned(vote) for vote in case.votes)) for case in cases]
