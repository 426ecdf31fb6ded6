"""The policy lab for people: eight sliders first, everything else for experts, and where the six answers begin."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.forms import BoundField

from auditing.core.policy import Policy
from auditing.core.values import Tier
from auditing.research.policy_lab.core.guarantees import is_countable, policy_groups
from auditing.research.policy_lab.core.questions import QUESTIONS
from auditing.research.policy_lab.core.windows import short_windows
from auditing.research.policy_lab.selectors.words import duration
from auditing.research.policy_lab.views.forms import PolicyForm


@dataclass(frozen=True, slots=True)
class Slider:
    """A parameter as a slider: its words, bounds, step and unit, and what more of it does."""

    words: str
    least: str
    most: str
    step: str
    unit: str
    help: str


SLIDERS: Mapping[str, Slider] = {
    "human.k": Slider(
        "People a passage, without waves", "1", "15", "1", "", "An odd number: an even one can fall half and half."
    ),
    "human.commit_seconds": Slider(
        "A round of people is open for", "3600", "604800", "3600", "seconds", "Longer finds more people, and is slower."
    ),
    "cost_miss": Slider("Cost of passing a wrong trace", "2", "100", "1", "looks", "In units of one more human look."),
    "cost_false_alarm": Slider(
        "Cost of failing a right trace", "2", "100", "1", "looks", "In units of one more human look."
    ),
    "honeypot_share": Slider(
        "Seats on gold", "0", "0.5", "0.01", "share", "Segments whose truth is known: they tell readers from stampers."
    ),
    "reward": Slider("A vote as the outcome earns", "0", "30", "1", "points", "Honest work has to pay."),
    "penalty": Slider("A vote other than the outcome may cost", "0", "40", "1", "points", "Guessing must not pay."),
    "disclosure_share": Slider(
        "One reviewer reads at most", "0.1", "1", "0.05", "share", "Of a trace; less needs more people."
    ),
}


class LabForm(PolicyForm):
    """The form of every parameter with eight of them as sliders."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, base: Policy) -> None:
        super().__init__(data, base=base)
        for key, slider in SLIDERS.items():
            field = self.fields[key]
            field.label, field.help_text = slider.words, slider.help
            # A browser moves a value to the nearest step by itself: what stands between two steps stays a text.
            if _is_on_grid(self[key].value(), slider):
                attrs = {"min": slider.least, "max": slider.most, "step": slider.step, "data-unit": slider.unit}
                widget = forms.NumberInput(attrs=attrs)
                widget.input_type = "range"
                field.widget = widget
        for key, field in self.fields.items():
            if key.endswith("_seconds") and key not in SLIDERS:
                field.help_text = f"In seconds; {in_words(self[key].value(), 'seconds')} now."

    def clean(self) -> dict[str, Any]:
        """Weights that have no common unit to sum over exactly would leave the lab without a figure."""
        cleaned = super().clean()
        if not self.errors:
            for error in short_windows(policy=self.policy):
                is_own = error.field in self.fields
                told = f"M{error.problem[1:]}" if is_own else f"{error.field.removeprefix('domains.')} {error.problem}"
                self.add_error(error.field if is_own else "domains", told)
        if not self.errors and not is_countable(groups=policy_groups(policy=self.policy, counts=self.mix.counts)):
            weights = {tier: (self.policy.tier(tier).weight, self.base.tier(tier).weight) for tier in Tier}
            changed = [tier for tier, (own, before) in weights.items() if own != before]
            for tier in changed or Tier:
                self.add_error(
                    f"{tier}.weight", "Differs too much from the other tiers' weights, or has too many decimals."
                )
        return cleaned

    @property
    def sliders(self) -> Iterator[tuple[BoundField, str]]:
        """The eight with their values in words."""
        for key, slider in SLIDERS.items():
            yield self[key], in_words(self[key].value(), slider.unit)

    @property
    def tier_rows(self) -> Iterator[tuple[str, list[Any]]]:
        """The table of the tiers; None where a slider stands for a cell."""
        for words, bounds in super().tier_rows:
            yield words, [None if bound.name in SLIDERS else bound for bound in bounds]

    @property
    def groups(self) -> Iterator[tuple[str, list[BoundField]]]:
        """The other parameters by group, without those that are sliders."""
        for title, bounds in super().groups:
            yield title, [bound for bound in bounds if bound.name not in SLIDERS]

    @property
    def expert_is_wrong(self) -> bool:
        """Whether an error lies in the folded part."""
        return any(name not in SLIDERS and name != "name" for name in self.errors)


def in_words(value: object, unit: str) -> str:
    """A value with its unit.

    >>> in_words("0.15", "share"), in_words(172800, "seconds"), in_words("x", "share"), in_words(7, "")
    ('15 %', '2 days', 'x', '7')
    """
    number = _find_number(value)
    if number is None:
        return str(value)
    if unit == "share" and abs(number) < 10:
        return f"{(100 * number).normalize():f} %"
    if unit == "seconds" and number == number.to_integral_value() and 0 <= number < 10**9:
        return duration(int(number))
    return f"{value} {unit}".strip()


class QuestionsForm(forms.Form):
    """The six questions."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        for name, question, answers in QUESTIONS:
            self.fields[name] = forms.ChoiceField(
                label=question, choices=answers, initial=answers[0][0], widget=forms.RadioSelect, required=False
            )


def _is_on_grid(value: object, slider: Slider) -> bool:
    number, least = _find_number(value), Decimal(slider.least)
    if number is None or not least <= number <= Decimal(slider.most):
        return False
    return (number - least) % Decimal(slider.step) == 0


def _find_number(value: object) -> Decimal | None:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    # NaN is a Decimal too, and compares with nothing.
    return number if number.is_finite() else None
