"""Which windows of people a version that is to be published makes too short (auditing/core/policy/windows.py)."""

from collections.abc import Iterator

from auditing.core.errors import BadPolicyError
from auditing.core.policy import Policy, TierRules, for_domain
from auditing.core.policy.windows import LEAST_WINDOW

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
