"""How parameters of a policy are written on its page."""

from typing import Any

from django import template
from django.forms import BoundField, ChoiceField
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

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


@register.simple_tag
def in_a_cell(bound: BoundField) -> SafeString:
    """A field in a table, whose label only a screen reader says: in one go, for a page has hundreds of them."""
    errors = format_html_join(
        "", '<div class="error" id="{}_error">{}</div>', ((bound.auto_id, error) for error in bound.errors)
    )
    label = format_html('<label class="visually-hidden" for="{}">{}</label>', bound.id_for_label, bound.label)
    return format_html("{}{}{}", label, bound, errors)
