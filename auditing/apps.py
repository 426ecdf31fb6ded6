"""Django's handle on this app."""

from django.apps import AppConfig


class AuditingConfig(AppConfig):
    """The auditing app."""

    name = "auditing"
    default_auto_field = "django.db.models.BigAutoField"
