"""The forms of a person's own pages and of the admin's roles page."""

import re
from typing import Any

from django import forms

from accounts.models import Profile, Role

_LISTED = re.compile(r"[,;\n]")


class WordList(forms.CharField):
    """A list typed with commas or line breaks."""

    def __init__(self, *, longest: int, most: int = 50, **options: Any) -> None:
        self.longest, self.most = longest, most
        super().__init__(**options)

    def prepare_value(self, value: Any) -> Any:
        """Show the list as it is typed."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Split, trim, drop what is blank or said twice."""
        words = [" ".join(word.split()) for word in _LISTED.split(super().to_python(value) or "")]
        return list(dict.fromkeys(word for word in words if word))

    def validate(self, value: Any) -> None:
        """Refuse long words and long lists by name."""
        super().validate(value)
        too_long = [word for word in value if len(word) > self.longest]
        if too_long:
            raise forms.ValidationError(f"'{too_long[0][:40]}...' is longer than {self.longest} characters.")
        if len(value) > self.most:
            raise forms.ValidationError(f"At most {self.most} entries; these are {len(value)}.")


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the type checker only
    """What a person says about themselves."""

    domains = WordList(
        label="Fields you can judge", longest=60, required=False, help_text="With commas: competition maths, medicine."
    )
    conflicts = WordList(
        label="People and organisations you must not judge",
        longest=120,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="E-mail addresses or names: co-authors, your lab, your employer.",
    )
    languages = WordList(label="Languages you read well", longest=40, required=False)

    class Meta:
        model = Profile
        fields = (
            "domains", "organisation", "conflicts", "languages", "weekly_capacity", "digest", "quiet_from",
            "quiet_until",
        )  # fmt: skip
        labels = {
            "weekly_capacity": "Segments a week, at most",
            "digest": "Mail with your news",
            "quiet_from": "No mail from (hour, UTC)",
            "quiet_until": "No mail until (hour, UTC)",
        }

    def clean(self) -> dict[str, Any]:
        """Quiet hours are two hours of the day, or none."""
        said = super().clean() or {}
        hours = [said.get("quiet_from"), said.get("quiet_until")]
        if hours.count(None) == 1:
            self.add_error("quiet_until", "Give both hours, or neither.")
        for name, hour in zip(("quiet_from", "quiet_until"), hours, strict=True):
            if hour is not None and hour > 23:
                self.add_error(name, "An hour is a number from 0 to 23.")
        return said


class TokenForm(forms.Form):
    """A name by which the person will know the token again."""

    name = forms.CharField(label="What is it for?", max_length=80, help_text="For example: nightly import.")


class RoleForm(forms.Form):
    """Give a role to, or take it from, one person."""

    person = forms.UUIDField(widget=forms.HiddenInput)
    role = forms.ChoiceField(choices=Role.choices)
    verb = forms.ChoiceField(choices=(("grant", "Give"), ("revoke", "Take away")))
    note = forms.CharField(label="Why", max_length=200, required=False)
