"""The forms of a person's own pages and of the admin's roles page."""

import re
from functools import cache, lru_cache
from html import escape
from typing import Any
from zoneinfo import available_timezones

from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django import forms
from django.db import models
from django.utils.safestring import SafeString, mark_safe

from accounts.models import Profile, Role, Scope
from accounts.parameters import DAY, DECIMAL, MOMENT, WHOLE_NUMBER, Spelling
from accounts.services.recovery_codes import stored_form

_LISTED = re.compile(r"[,;\n]")
_CONTINENTS = (
    "Africa/",
    "America/",
    "Antarctica/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)


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
        # "law,  Tax law;law" -> ["law", "Tax law"]: a dict keeps the order typed and forgets what came twice.
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


class QuickSelect(forms.Select):
    """A choice, drawn in one go: Django takes a template for each entry, and a tenth of a second for a world of clocks.

    Its entries stand in no groups.
    """

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """As Django draws it."""
        chosen = self.format_value(value)
        options = _options(tuple((str(key), str(label), str(key) in chosen) for key, label in self.choices))
        given = _attributes({"name": name} | self.build_attrs(self.attrs, attrs))
        return mark_safe(f"<select{given}>\n{options}\n</select>")  # noqa: S308  both escaped


class _Spelt(forms.Field):
    """A field that reads one spelling: Django's own also take 1_0 for ten, and the digits of every script."""

    spelling: Spelling

    def to_python(self, value: Any) -> Any:
        """The value. Raises ValidationError."""
        if isinstance(value, str) and value not in self.empty_values and (refusal := self.spelling.refusal(value)):
            raise forms.ValidationError(refusal, code="invalid")
        return super().to_python(value)


class WholeNumberField(_Spelt, forms.IntegerField):
    """A whole number in plain digits."""

    spelling = WHOLE_NUMBER


class DecimalNumberField(_Spelt, forms.DecimalField):
    """A number in plain digits, with or without a point."""

    spelling = DECIMAL


class DayField(_Spelt, forms.DateField):
    """A day, year first: 03/04/2026 is another day in London than in New York."""

    spelling = DAY


class MomentField(_Spelt, forms.DateTimeField):
    """A day with its time."""

    spelling = MOMENT


def spelt_field(column: Any, **given: Any) -> Any:
    """The form field of a model's column, for `formfield_callback`: numbers and days as they are spelt here."""
    spelt = next((field for kind, field in _SPELT if isinstance(column, kind)), None)
    return column.formfield(**({"form_class": spelt} if spelt else {}), **given)


_SPELT = (
    (models.IntegerField, WholeNumberField),
    (models.DecimalField, DecimalNumberField),
    (models.DateTimeField, MomentField),
    (models.DateField, DayField),
)


class QuickInput(forms.TextInput):
    """A line of text, for forms of hundreds of them."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """As Django draws it."""
        shown = self.format_value(value)
        given = {"type": "text", "name": name} | ({} if shown is None else {"value": shown})
        return mark_safe(f"<input{_attributes(given | self.build_attrs(self.attrs, attrs))}>")  # noqa: S308  escaped


# The same few lists stand in hundreds of places of one page.
@lru_cache(maxsize=256)
def _options(listed: tuple[tuple[str, str, bool], ...]) -> str:
    return "\n".join(
        f'<option value="{escape(key)}"{" selected" if is_chosen else ""}>{escape(label)}</option>'
        for key, label, is_chosen in listed
    )


def _attributes(given: dict[str, Any]) -> str:
    """As Django's flatatt, in a fifth of its time."""
    shown = ((name, value) for name, value in given.items() if value is not None and value is not False)
    return "".join(f" {name}" if value is True else f' {name}="{escape(str(value))}"' for name, value in shown)


@cache
def time_zones() -> list[tuple[str, str]]:
    """The places by whose clock quiet hours may be kept."""
    # The tz database also holds "EST5EDT", "Etc/GMT+3" (whose sign is reversed) and old aliases; places mislead nobody.
    named = (name for name in available_timezones() if name.startswith(_CONTINENTS))
    return [(name, name.replace("_", " ")) for name in ("UTC", *sorted(named))]


def _hour(label: str) -> forms.TypedChoiceField:
    hours = [("", "never"), *((hour, f"{hour:02d}:00") for hour in range(24))]
    return forms.TypedChoiceField(label=label, choices=hours, coerce=int, empty_value=None, required=False)


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
        help_text="E-mail addresses, domains (acme.com) or names, one a line or with commas: co-authors, your lab, "
        "your employer. Names as they give them themselves; Inc., GmbH and the like make no difference.",
    )
    languages = WordList(
        label="Languages you read well",
        longest=40,
        required=False,
        help_text="A campaign may be in one language: you are drawn when you name it, or none at all.",
    )
    time_zone = forms.ChoiceField(label="Your time zone", choices=time_zones, required=False, widget=QuickSelect)
    quiet_from = _hour("No mail from")
    quiet_until = _hour("No mail until")

    class Meta:
        model = Profile
        fields = (
            "domains",
            "organisation",
            "conflicts",
            "languages",
            "weekly_capacity",
            "digest",
            "time_zone",
            "quiet_from",
            "quiet_until",
            "lends_gold",
        )
        formfield_callback = spelt_field
        labels = {
            "weekly_capacity": "Segments a week, at most",
            "organisation": "Organisation you work for",
            "digest": "Mail with your news",
            "lends_gold": "Passages of my traces may become gold",
        }
        help_texts = {
            "organisation": "Nobody is handed a trace whose provider names the same one: neither you, nor they yours.",
            "weekly_capacity": "Once that many were offered to you within seven days, the draw passes you over.",
            "lends_gold": "A passage, as it is or with an error planted in it, is put before other reviewers, masked, "
            "to learn how well they judge. It is erased with your trace.",
        }

    def clean_time_zone(self) -> str:
        """UTC when nothing was chosen."""
        return self.cleaned_data["time_zone"] or "UTC"

    def clean(self) -> dict[str, Any]:
        """Quiet hours are two hours of the day, or none."""
        fields = super().clean() or {}
        if [fields.get("quiet_from"), fields.get("quiet_until")].count(None) == 1:
            self.add_error("quiet_until", "Give both hours, or neither.")
        return fields


class TokenForm(forms.Form):
    """A name by which the person will know the token again, what it may be used for, and until when."""

    name = forms.CharField(label="What is it for?", max_length=80, help_text="For example: nightly import.")
    scopes = forms.MultipleChoiceField(
        label="What may it be used for?",
        choices=Scope.choices,
        initial=[Scope.READ.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick at least one."},
    )
    days = forms.TypedChoiceField(
        label="How long is it good?",
        choices=((7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "one year")),
        initial=90,
        coerce=int,
        help_text="It is refused after that; make another one before.",
    )


class RoleForm(forms.Form):
    """Give a role to, or take it from, one person; close an account or open it again."""

    person = forms.UUIDField(widget=forms.HiddenInput)
    role = forms.ChoiceField(choices=Role.choices)
    verb = forms.ChoiceField(
        choices=(
            ("grant", "Give"),
            ("revoke", "Take away"),
            ("close", "Close account"),
            ("reopen", "Open again"),
            ("end", "End sessions"),
        )
    )
    note = forms.CharField(label="Why", max_length=200, required=False)


class _StoredCode:
    """Turns what was typed into what is stored, for allauth's forms of the second factor."""

    cleaned_data: dict[str, Any]

    def clean_code(self) -> str:
        """Ask allauth with the stored form of a recovery code; codes of an app are left as they are."""
        self.cleaned_data["code"] = stored_form(typed=self.cleaned_data["code"])
        code: str = super().clean_code()  # type: ignore[misc]
        return code


class SignInCodeForm(_StoredCode, AuthenticateForm):  # type: ignore[misc]
    """The code at sign-in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Say what opens beside the app, to whoever has lost it."""
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = "Of your app, or one of your recovery codes, each of which opens once."


class SignInAgainCodeForm(_StoredCode, ReauthenticateForm):  # type: ignore[misc]
    """The code before something that asks for it once more."""
