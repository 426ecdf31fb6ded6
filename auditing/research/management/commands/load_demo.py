"""Load the demo: twenty traces, two campaigns, one login a role, simulated reviewers. Does nothing the second time."""

from typing import Any

from django.core.management.base import BaseCommand

from auditing.research.population import demo


class Command(BaseCommand):
    """manage.py load_demo"""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        """Load and say so."""
        loaded = demo.load(say=self.stdout.write)
        self.stdout.write("The demo is loaded." if loaded else "The demo was loaded before; nothing changed.")
