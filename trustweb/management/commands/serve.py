"""`manage.py serve`: the whole system on this machine; listed here for `manage.py help`, run by manage.py itself."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from trustweb.serve.command import add_arguments, say
from trustweb.serve.system import Machine


class Command(BaseCommand):
    """Starts PostgreSQL, Redis, the web server, the worker, beat, the sequencer and the revealer."""

    help = "Run the whole system: services, migration, demo, web server, worker, beat, sequencer and revealer."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The options of trustweb/serve/command.py."""
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until Ctrl-C."""
        Machine(host=options["host"], port=options["port"], empty=options["empty"], say=say).run()
