"""manage.py check_endpoint: tries an endpoint and says what it can do."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from auditing.services.model_tier.endpoints import try_out
from hdag.chat.errors import AddressRefusedError
from hdag.models import Endpoint


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
            trials = try_out(row=row)
        except AddressRefusedError as error:
            raise CommandError(f"TRUST_CHAT_ALLOWED_ORIGINS: {error}") from None
        for trial in trials:
            self.stdout.write(f"{trial.mode:<12} {'works' if trial.works else 'does not work'}: {trial.sentence}")
        self.stdout.write(f"may see: {row.may_see}; family: {row.family or 'not stated'}; enabled: {row.enabled}")
        if not any(trial.works for trial in trials):
            raise CommandError(f"{row.name} gave no usable answer")
