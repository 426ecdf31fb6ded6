"""Import a JSONL file of traces into a campaign: all lines or none."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from accounts.models import User
from auditing.models import Campaign
from auditing.selectors.model_tier.forecasts import forecast_traces
from auditing.services.intake.importing import ImportRefusedError, import_traces, read_lines
from hdag.readers import FORMATS


class Command(BaseCommand):
    """manage.py import_traces FILE --campaign ID --provider E-MAIL"""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """File, campaign, provider."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--campaign", help="id of the campaign (default: the newest open one)")
        parser.add_argument("--format", default="", choices=["", *FORMATS], help="default: found for each record")
        parser.add_argument("--forecast", action="store_true", help="say what models will be asked, and import nothing")
        parser.add_argument("--provider", required=True, help="e-mail of the provider who hands the traces in")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read every line, then store."""
        provider = User.objects.filter(email=options["provider"].lower()).first()
        if provider is None:
            raise CommandError(f"There is no person with the e-mail {options['provider']}.")
        try:
            with options["file"].open("rb") as lines:
                traces = read_lines(lines=lines, format=options["format"])
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        except ImportRefusedError as error:
            raise CommandError("Nothing was imported.\n" + "\n".join(error.problems)) from error
        campaign = self._campaign(options["campaign"])
        for forecast in forecast_traces(traces=traces, campaign=campaign):
            self.stderr.write(f"forecast: {forecast.sentence}; texts go to {forecast.endpoint.base_url}")
        if options["forecast"]:
            return
        with tqdm(total=len(traces), desc="import", disable=not sys.stderr.isatty()) as bar:
            done = import_traces(provider=provider, campaign=campaign, traces=traces, tell=lambda done: bar.update())
        self.stdout.write(f"{done.opened} audits opened, {done.known} traces were known already.")

    def _campaign(self, name: str | None) -> Campaign:
        open_campaigns = Campaign.objects.filter(state=Campaign.State.OPEN).order_by("-created")
        try:
            campaign = open_campaigns.filter(pk=name).first() if name else open_campaigns.first()
        except ValueError:
            campaign = None
        if campaign is None:
            raise CommandError("There is no such open campaign." if name else "There is no open campaign yet.")
        return campaign
