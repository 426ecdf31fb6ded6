"""manage.py check_endpoint: tries an endpoint and says what it can do."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from hdag.chat.address import read_allowlist
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import AddressRefusedError
from hdag.chat.probing.trial import try_modes
from hdag.models import Endpoint
from hdag.services.call_book import DatabaseBook
from hdag.services.endpoint_settings import settings_of


class Command(BaseCommand):
    """Sends up to three small questions, paid from the endpoint's own caps."""

    help = "Try an endpoint by name and say what it can do."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """NAME."""
        parser.add_argument("name", help="name of the endpoint")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line a mode; exit 1 when no mode works."""
        row = Endpoint.objects.filter(name=options["name"]).first()
        if row is None:
            names = ", ".join(Endpoint.objects.order_by("name").values_list("name", flat=True)) or "none"
            raise CommandError(f"there is no endpoint named {options['name']!r}; there are: {names}")
        try:
            allowed = read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
        except AddressRefusedError as error:
            raise CommandError(f"TRUST_CHAT_ALLOWED_ORIGINS: {error}") from None

        def client_of(settings: EndpointSettings) -> ChatClient:
            return ChatClient(settings, DatabaseBook(), allowed=allowed)

        trials = try_modes(endpoint=settings_of(row=row), client_of=client_of)
        for trial in trials:
            self.stdout.write(f"{trial.mode:<12} {'works' if trial.works else 'does not work'}: {trial.sentence}")
        self.stdout.write(f"may see: {row.may_see}; family: {row.family or 'not stated'}; enabled: {row.enabled}")
        if not any(trial.works for trial in trials):
            raise CommandError(f"{row.name} gave no usable answer")
