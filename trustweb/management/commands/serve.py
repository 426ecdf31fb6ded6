"""`manage.py serve`: the whole system on this machine."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from trustweb.serve.system import Machine


class Command(BaseCommand):
    """Starts PostgreSQL, Redis, the web server, the worker, beat, the sequencer and the revealer."""

    help = "Run the whole system: services, migration, demo, web server, worker, beat, sequencer and revealer."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and whether to load the demo."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--empty", action="store_true", help="do not load the demo")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until Ctrl-C."""
        Machine(host=options["host"], port=options["port"], empty=options["empty"], say=self._say).run()

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
