"""The least time that people are given to seal and to open a vote: who had no time to come is at no fault for silence.

Apart from auditing.core.policy: versions that were published before this floor are still read, replayed and verified.
"""

from collections.abc import Iterator

from auditing.core.errors import BadPolicyError
from auditing.core.policy import Policy, TierRules, for_domain

LEAST_WINDOW = 3600  # seconds: the least of the lab's slider, and twice what a lease of a seat lasts
_SENTENCE = (
    "must be at least {least} seconds (an hour), not {seconds}: whoever was drawn would be fined for a vote "
    "that there was no time to give. A round ends early where everybody has voted."
)


def short_windows(*, policy: Policy) -> Iterator[BadPolicyError]:
    """An error for each window of people below LEAST_WINDOW, those of a domain's overrides under its name."""
    for name in ("commit_seconds", "reveal_seconds"):
        seconds = getattr(policy.human, name)
        yield from _error(f"human.{name}", seconds)
        for override in policy.domains:
            theirs: TierRules = for_domain(policy=policy, domain=override.domain).human
            # What a domain only inherits is told once, where it stands.
            if getattr(theirs, name) != seconds:
                yield from _error(f"domains.{override.domain}.human.{name}", getattr(theirs, name))


def check_windows(*, policy: Policy) -> None:
    """Raise the first of short_windows."""
    for error in short_windows(policy=policy):
        raise error


def _error(field: str, seconds: int) -> Iterator[BadPolicyError]:
    if seconds < LEAST_WINDOW:
        yield BadPolicyError(field, _SENTENCE.format(least=LEAST_WINDOW, seconds=seconds))
