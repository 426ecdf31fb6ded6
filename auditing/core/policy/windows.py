"""The least time of people to seal and to open a vote, apart from `check_policy`: versions from before it are read."""

from auditing.core.policy.parameters import Policy
from auditing.core.values import Tier

LEAST_WINDOW = 3600  # seconds: the least of the lab's slider, and twice what a lease of a seat lasts


def has_short_windows(*, policy: Policy) -> bool:
    """Whether people are given less than that to seal or to open, as only older versions do."""
    return min(policy.human.commit_seconds, policy.human.reveal_seconds) < LEAST_WINDOW


def window_of(*, tier: Tier, seconds: int) -> int:
    """Seconds that a window is really open, of those that a policy gives it."""
    return max(seconds, LEAST_WINDOW) if tier is Tier.HUMAN else seconds
