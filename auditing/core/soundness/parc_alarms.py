"""How many right steps are called unsound on PARC, by what a claim may lean on: it stands beside every threshold.

Measured by `manage.py study soundness --option dataset=parc --full` at threshold .5 (docs/measurements.md). The judge
is simulated: it answers by PARC's annotation, without an error or with the rates recorded for GPT-4o-mini.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

__all__ = ["PARC_ALARMS", "RIGHT_STEPS", "ParcAlarms", "parc_alarms"]

RIGHT_STEPS = 1_114


@dataclass(frozen=True, slots=True)
class ParcAlarms:
    """Shares of right steps called unsound: by a judge without errors, and by one that errs alike in other words."""

    perfect: float
    erring: float  # .6 % and, where a premise is missing, 17.6 % of its answers; correlation .7

    @property
    def sentence(self) -> str:
        """In words, for pages and commands."""
        return (
            f"On {RIGHT_STEPS:,} right steps of PARC, with these premises and at threshold 0.5, a simulated judge "
            f"calls {100 * self.perfect:.1f} % unsound where it makes no mistakes, {100 * self.erring:.1f} % with the "
            "mistakes recorded for GPT-4o-mini."
        )

    def as_json(self) -> dict[str, float]:
        """For reports as data."""
        return asdict(self)


PARC_ALARMS: Mapping[str, ParcAlarms] = {
    "declared": ParcAlarms(0.277, 0.234),
    "declared first": ParcAlarms(0.0, 0.009),
    "all": ParcAlarms(0.0, 0.014),
}
"""By the premises of a certificate (soundness/core/second_look.py, Premises)."""


def parc_alarms(*, premises: str | None) -> ParcAlarms | None:
    """What was measured for these premises; None for any others.

    >>> parc_alarms(premises="all").perfect
    0.0
    """
    return PARC_ALARMS.get(premises or "")
