"""Django's handle on this app."""

from django import forms
from django.apps import AppConfig

_AGAIN = "is not to be chosen here, or not any more: choose one of the list."
# The value is shown up to 60 characters; a row is shown by no name, for what was sent is its key.
CHOICE_ERRORS: tuple[tuple[type[forms.Field], str], ...] = (
    (forms.ChoiceField, f"“%(value).60s” {_AGAIN}"),
    (forms.MultipleChoiceField, f"“%(value).60s” {_AGAIN}"),
    (forms.ModelChoiceField, f"This {_AGAIN}"),
    (forms.ModelMultipleChoiceField, f"One of these {_AGAIN}"),
)


class AccountsConfig(AppConfig):
    """The accounts app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Give every form the words of this house for a choice that there is not."""
        # On Django's classes, so that no form can forget them. A field copies its words when it is made: no form
        # may be loaded before this, which is why the modules of models import none.
        for kind, words in CHOICE_ERRORS:
            kind.default_error_messages = {**kind.default_error_messages, "invalid_choice": words}
