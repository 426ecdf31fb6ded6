"""How parameters of a policy are written on its page."""

from typing import Any

from django import template
from django.forms import BoundField, ChoiceField

from auditing.research.policy_lab.selectors.words import duration

register = template.Library()


@register.filter
def in_words(bound: BoundField) -> str:
    """The value of a parameter: choices by their words, seconds also in days or hours, yes and no."""
    value = bound.value()
    if isinstance(bound.field, ChoiceField):
        choices: Any = bound.field.choices  # a list of pairs: forms here never group their choices
        return str(dict(choices).get(value, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if bound.name.endswith("_seconds"):
        return f"{value} ({duration(int(value))})"
    return str(value)
