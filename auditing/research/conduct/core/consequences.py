"""What may follow from which evidence: one table. Gold decides what hurts; what is content-blind decides nothing.

A flag stands on bets about the content of votes (bets.py); that somebody reads fast, or votes in runs, is in none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.core.conduct import ConductStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks against a reviewer, as far as consequences rest on it."""

    is_flagged: bool = False  # by the bets over all votes
    is_flagged_on_gold: bool = False  # by the bets over votes on gold alone
    in_ring: bool = False  # an admin has flagged a ring of which this is a member


LABELS = {
    ConductStep.CLEARED: "Nothing to object",
    ConductStep.WARNED: "Warn",
    ConductStep.RETRAIN: "Calibrate again",
    ConductStep.GOLD_ONLY: "Gold only",
    ConductStep.SUSPENDED: "Suspend",
    ConductStep.SLASHED: "Take points",
    ConductStep.STANDS: "It stands",
    ConductStep.LIFTED: "Lift it",
}
DONE = {  # what was decided, as pages say it of the person; the others are their own words
    ConductStep.CLEARED: "nothing to object",
    ConductStep.RETRAIN: "to calibrate again",
    ConductStep.GOLD_ONLY: "gold only",
    ConductStep.SLASHED: "points taken",
}
ALWAYS = (ConductStep.CLEARED, ConductStep.WARNED)
ON_A_FLAG = (ConductStep.RETRAIN, ConductStep.GOLD_ONLY)
ON_GOLD = (ConductStep.SUSPENDED, ConductStep.SLASHED)


def open_decisions(*, evidence: Evidence) -> Sequence[ConductStep]:
    """What an admin may decide, from the mildest on.

    Words need nothing. To learn again, or to sit on gold, needs a flag or a ring. Suspension and a slash need votes
    that were wrong on passages whose truth is known: elsewhere the others may be the ones who err.

    >>> [str(step) for step in open_decisions(evidence=Evidence(is_flagged=True))]
    ['cleared', 'warned', 'retrain', 'gold-only']
    """
    steps: tuple[ConductStep, ...] = ALWAYS
    if evidence.is_flagged or evidence.in_ring:
        steps += ON_A_FLAG
    if evidence.is_flagged_on_gold:
        steps += ON_GOLD
    return steps
