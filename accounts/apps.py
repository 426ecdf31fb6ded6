"""Django's handle on this app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts app."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
