"""Figures of soundness beside what the computer tier has refuted: a proof goes before a figure.

Reads SegmentOutcome.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields

from auditing.core.values import Outcome, Tier
from auditing.models import Audit, SegmentOutcome
from auditing.selectors.soundness import SAYS, ClaimLine, Soundness

REFUTED = "refuted"
SAYS_REFUTED = (
    "A computer check refuted it when it was audited, and a proof goes before a figure: this entailment model reads "
    "the whole of it as one claim, and could not tell."
)


@dataclass(frozen=True, slots=True)
class ShownClaim(ClaimLine):
    """One claim as pages show it; data keeps the model's own word."""

    is_refuted: bool = False  # by the computer tier, when its segment was audited

    @property
    def is_overtaken(self) -> bool:
        """Whether the figure would say "open" or "sound" of what a check has refuted."""
        return self.is_refuted and not self.is_unsound

    @property
    def shown(self) -> str:
        """The word that pages show."""
        return REFUTED if self.is_overtaken else self.word

    @property
    def says(self) -> str:
        """The word in a sentence."""
        return SAYS_REFUTED if self.is_overtaken else SAYS[self.word]


@dataclass(frozen=True, slots=True)
class ShownSoundness(Soundness):
    """A certificate as pages show it."""

    @property
    def shown_claims(self) -> dict[str, ShownClaim]:
        """The claims that are shown, by their names."""
        return {label: line for label, line in self.claims.items() if isinstance(line, ShownClaim)}

    @property
    def overtaken(self) -> list[str]:
        """Claims that a check has refuted, whatever this entailment model says of them."""
        return [label for label, line in self.shown_claims.items() if line.is_overtaken]

    @property
    def shown_counts(self) -> dict[str, int]:
        """How many claims stand under each word as pages show it."""
        by_word = dict.fromkeys((REFUTED, "sound", "open", "local error", "propagated error"), 0)
        for line in self.shown_claims.values():
            by_word[line.shown] = by_word.get(line.shown, 0) + 1
        return by_word


def beside(*, soundness: Soundness, refuted: Collection[str]) -> ShownSoundness:
    """The same certificate beside what the computer tier has refuted."""
    names = [field.name for field in fields(ClaimLine)]
    claims = {
        label: ShownClaim(**{name: getattr(line, name) for name in names}, is_refuted=label in refuted)
        for label, line in soundness.claims.items()
    }
    return ShownSoundness(soundness.run, soundness.threshold, claims)


def refuted_labels(*, audit: Audit) -> set[str]:
    """The segments that fail by a certain finding of the computer tier."""
    outcomes = SegmentOutcome.objects.filter(audit=audit, outcome=Outcome.FAIL)
    by_computer = outcomes.filter(
        segment__rounds__audit=audit, segment__rounds__tier=Tier.COMPUTER, segment__rounds__outcome=Outcome.FAIL
    )
    return set(by_computer.values_list("segment__label", flat=True))
