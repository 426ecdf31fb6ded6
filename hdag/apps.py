"""Django's handle on this app."""

from django.apps import AppConfig


class HdagConfig(AppConfig):
    """The hdag app."""

    name = "hdag"
    default_auto_field = "django.db.models.BigAutoField"
