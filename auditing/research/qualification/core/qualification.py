"""Whether a model judges well enough for a seat: sensitivity and specificity on labelled steps, by domain.

A model is refused where it is measured and not shown to be better than a coin: where the lower bounds of both rates
together (Wilson, 95 %) do not exceed 1 (Youden's J = sensitivity + specificity - 1). Below LEAST steps of either sort
nothing is claimed. Sources: Wilson 1927; Youden 1950.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from auditing.core.consensus.proportions import Rate, wilson_interval

__all__ = ["LEAST", "DomainCounts", "as_json", "read_domains", "reason_to_refuse", "whole"]

LEAST = 30  # right steps, and wrong ones, of a domain


@dataclass(frozen=True, slots=True)
class DomainCounts:
    """Votes of one model on the labelled steps of a domain; an abstention is neither right nor wrong."""

    right: int = 0  # right steps with a vote
    passed: int = 0  # of those, passed
    wrong: int = 0  # wrong steps with a vote
    failed: int = 0  # of those, failed
    abstained: int = 0

    def __add__(self, more: "DomainCounts") -> "DomainCounts":
        """Both together."""
        mine, theirs = asdict(self), asdict(more)
        return DomainCounts(**{key: mine[key] + theirs[key] for key in mine})

    @property
    def sensitivity(self) -> Rate:
        """Share of right steps that it passes, as the house reads sensitivity."""
        return wilson_interval(count=self.passed, of=self.right)

    @property
    def specificity(self) -> Rate:
        """Share of wrong steps that it fails."""
        return wilson_interval(count=self.failed, of=self.wrong)

    @property
    def is_testable(self) -> bool:
        """Whether there are enough steps of both sorts."""
        return self.right >= LEAST and self.wrong >= LEAST

    @property
    def is_better_than_a_coin(self) -> bool:
        """Whether the lower bounds of both rates exceed 1 together.

        >>> DomainCounts(100, 90, 50, 30).is_better_than_a_coin, DomainCounts(100, 100, 50, 2).is_better_than_a_coin
        (True, False)
        """
        low = (self.sensitivity.low or 0.0) + (self.specificity.low or 0.0)
        return low > 1.0


def whole(*, domains: Mapping[str, DomainCounts]) -> DomainCounts:
    """All domains together."""
    return sum(domains.values(), DomainCounts())


def reason_to_refuse(*, domains: Mapping[str, DomainCounts]) -> str:
    """Why the model gets no seat, in a sentence; empty where it does, or where too little was measured.

    >>> reason_to_refuse(domains={"gsm8k": DomainCounts(100, 100, 50, 2)})
    'it is not shown to be better than a coin: passes 100 % of 100 right steps, fails 4 % of 50 wrong ones'
    """
    counts = whole(domains=domains)
    if not counts.is_testable or counts.is_better_than_a_coin:
        return ""
    passed, failed = counts.sensitivity.share or 0.0, counts.specificity.share or 0.0
    return (
        f"it is not shown to be better than a coin: passes {100 * passed:.0f} % of {counts.right} right steps, "
        f"fails {100 * failed:.0f} % of {counts.wrong} wrong ones"
    )


def as_json(*, domains: Mapping[str, DomainCounts], data: str, **further: Any) -> dict[str, Any]:
    """What an endpoint keeps of its qualification; `further`: its votes, and what they took."""
    return {
        "data": data,
        "domains": {name: asdict(counts) for name, counts in domains.items()},
        "refused": reason_to_refuse(domains=domains),
        **further,
    }


def read_domains(*, values: Mapping[str, Any]) -> dict[str, DomainCounts]:
    """The counts that as_json gave."""
    return {name: DomainCounts(**counts) for name, counts in values.get("domains", {}).items()}
