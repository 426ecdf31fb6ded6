"""Django's handle on this app."""

import hashlib
import hmac

from django.apps import AppConfig
from django.conf import settings

from hdag.chat.fence import use_key


class HdagConfig(AppConfig):
    """The hdag app."""

    name = "hdag"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """All workers of a server draw the same borders around the text of a trace."""
        if settings.SECRET_KEY:
            use_key(hmac.new(settings.SECRET_KEY.encode(), b"fence", hashlib.sha256).digest())
