"""The least time that people are given to seal and to open a vote: who had no time to come is at no fault for silence.

Apart from the checks of a policy: versions that were published before this floor are still read, replayed and verified.
"""

from auditing.core.policy.parameters import Policy
from auditing.core.values import Tier

LEAST_WINDOW = 3600  # seconds: the least of the lab's slider, and twice what a lease of a seat lasts


def has_short_windows(*, policy: Policy) -> bool:
    """Whether people are given less than LEAST_WINDOW to seal or to open, as only older versions do."""
    return min(policy.human.commit_seconds, policy.human.reveal_seconds) < LEAST_WINDOW


def window_of(*, tier: Tier, seconds: int) -> int:
    """Seconds that a window is really open, of those that a policy gives it: people have LEAST_WINDOW at least.

    >>> window_of(tier=Tier.HUMAN, seconds=1), window_of(tier=Tier.LLM, seconds=1)
    (3600, 1)
    """
    return max(seconds, LEAST_WINDOW) if tier is Tier.HUMAN else seconds
