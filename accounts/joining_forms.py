"""The forms of coming in: wishes at sign-up, an invitation, its acceptance, an admin's answer."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest

from accounts.models import JoiningRule, Role, User
from accounts.services import joining

_WISHES = [(role.value, role.label) for role in joining.WISHES]


class SignupWishes(forms.Form):
    """What allauth's sign-up form asks beside address and password."""

    wanted = forms.MultipleChoiceField(
        label="I would like to be", choices=_WISHES, required=False, widget=forms.CheckboxSelectMultiple
    )
    statement = forms.CharField(
        label="Tell the admins who you are",
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Your field, where you work, what you want to do here. Only admins read it.",
    )

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth when the account is made."""
        wishes = self.cleaned_data
        joining.ask_to_join(user=user, wanted=wishes.get("wanted", ()), statement=wishes.get("statement", ""))


class WayForm(forms.Form):
    """The rule for new accounts."""

    way = forms.ChoiceField(label="Who may make an account", choices=JoiningRule.Way.choices, widget=forms.RadioSelect)


class InvitationForm(forms.Form):
    """An address and the roles that wait for it."""

    email = forms.EmailField(label="E-mail address", max_length=254)
    roles = forms.MultipleChoiceField(label="Roles", choices=Role.choices, widget=forms.CheckboxSelectMultiple)


class AnswerForm(forms.Form):
    """An admin's answer to a request: roles to approve it, none to decline."""

    roles = forms.MultipleChoiceField(choices=Role.choices, required=False)
    answer = forms.CharField(max_length=300, required=False)
    verb = forms.ChoiceField(choices=(("approve", "Approve"), ("decline", "Decline")))

    def clean(self) -> dict[str, Any]:
        """Approval names a role; declining gives none, whatever is ticked."""
        fields = super().clean() or {}
        if fields.get("verb") == "approve" and not fields.get("roles"):
            raise forms.ValidationError("Tick at least one role to approve.")
        return fields | ({"roles": []} if fields.get("verb") == "decline" else {})


class AcceptanceForm(forms.Form):
    """The password of an invited person, twice."""

    password1 = forms.CharField(
        label="Choose a password", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), max_length=200
    )
    password2 = forms.CharField(
        label="The same again", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), max_length=200
    )

    def __init__(self, *args: Any, email: str, **options: Any) -> None:
        self.email = email
        super().__init__(*args, **options)

    def clean(self) -> dict[str, Any]:
        """Both the same, and strong enough for this address."""
        fields = super().clean() or {}
        if fields.get("password1") and fields.get("password2"):
            if fields["password1"] != fields["password2"]:
                self.add_error("password2", "The two passwords differ.")
            else:
                self._check_strength(fields["password1"])
        return fields

    def _check_strength(self, password: str) -> None:
        try:
            # An unsaved User, because one validator refuses passwords that resemble the person's e-mail address.
            validate_password(password, User(email=self.email))
        except forms.ValidationError as error:
            self.add_error("password1", error)
