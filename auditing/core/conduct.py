"""What can be decided about a reviewer after a person has looked at the votes, and what an appeal can make of it."""

from enum import StrEnum


class ConductStep(StrEnum):
    """One step of a case, as the ledger tells it: it begins with a decision, and ends at the latest with a ruling."""

    CLEARED = "cleared"
    WARNED = "warned"
    RETRAIN = "retrain"  # calibration is asked again before the next seat
    GOLD_ONLY = "gold-only"  # seats in decoys alone, for a while
    SUSPENDED = "suspended"  # no seats, for a while
    SLASHED = "slashed"  # points are taken
    APPEALED = "appealed"  # by the person
    STANDS = "stands"  # somebody else decided so
    LIFTED = "lifted"  # ... or that it never should have been: what was taken is given back


DECISIONS = tuple(ConductStep)[:6]
RULINGS = (ConductStep.STANDS, ConductStep.LIFTED)
TIMED = (ConductStep.GOLD_ONLY, ConductStep.SUSPENDED)  # they end by themselves
APPEALABLE = tuple(step for step in DECISIONS if step is not ConductStep.CLEARED)
