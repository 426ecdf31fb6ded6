"""The form that asks for the soundness of a trace."""

from typing import Any

from django import forms

from accounts.forms import DecimalNumberField
from auditing.research.soundness.core.second_look import Premises
from hdag.models import Endpoint

WORDS = {
    Premises.DECLARED_FIRST: "Declared premises first",
    Premises.ALL: "Everything earlier (as the paper)",
    Premises.DECLARED: "Declared premises only",
}


class SoundnessForm(forms.Form):
    """Who answers where the computer tier is silent, and by which premises a claim is judged."""

    endpoints = forms.ModelMultipleChoiceField(
        Endpoint.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Language models to ask where the computer tier is silent",
        help_text="With several, their answers are averaged. With none, the computer tier answers alone.",
    )

    premises = forms.ChoiceField(
        choices=[(str(mode), words) for mode, words in WORDS.items()],
        required=False,
        label="What a claim may lean on",
        help_text="First: no claim is called unsound before everything earlier was granted to it as well.",
    )

    limit_money = DecimalNumberField(
        min_value=0,
        max_digits=12,
        decimal_places=4,
        required=False,
        label="Limit of money",
        help_text="No call goes out that could carry this run over it. Empty: the caps of the endpoints alone.",
    )

    def __init__(self, *args: Any, rows: list[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["endpoints"]
        field.queryset = Endpoint.objects.filter(pk__in=[row.pk for row in rows])
