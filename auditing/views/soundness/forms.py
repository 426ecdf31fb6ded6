"""The form that asks for the soundness of a trace."""

from typing import Any

from django import forms

from hdag.models import Endpoint


class SoundnessForm(forms.Form):
    """Who answers where the computer tier is silent."""

    endpoints = forms.ModelMultipleChoiceField(
        Endpoint.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Language models to ask where the computer tier is silent",
        help_text="With several, their answers are averaged. With none, the computer tier answers alone.",
    )

    def __init__(self, *args: Any, rows: list[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["endpoints"]
        field.queryset = Endpoint.objects.filter(pk__in=[row.pk for row in rows])
