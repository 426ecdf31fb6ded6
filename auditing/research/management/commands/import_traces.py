"""Import a JSONL file of traces into a campaign: all lines or none, or the good lines and the bad ones as a file."""

import sys
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from accounts.models import User
from auditing.models import Campaign
from auditing.research.importing.services import ImportRefusedError, ignored_in_words, import_traces, survey_lines
from auditing.research.policy_lab.selectors.model_calls import forecast_traces
from auditing.selectors.campaigns.lookup import open_campaigns
from hdag.readers import FORMATS
from hdag.readers.archives.surveys import Survey
from hdag.readers.mapping import OURS, PRESETS
from hdag.selectors import known_traces


class Command(BaseCommand):
    """manage.py import_traces FILE --campaign ID --provider E-MAIL"""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """File, campaign, provider; whose fields are whose; what to do with bad lines."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--campaign", help="id of the campaign (may be left out where only one is open to them)")
        parser.add_argument("--format", default="", choices=["", *FORMATS], help="default: found for each record")
        parser.add_argument("--preset", default="", choices=["", *PRESETS], help="a known data set")
        parser.add_argument(
            "--map", action="append", default=[], metavar="OURS=THEIRS", help=f"one field: {', '.join(OURS)}"
        )
        parser.add_argument("--forecast", action="store_true", help="say what models will be asked, and import nothing")
        parser.add_argument("--provider", required=True, help="e-mail of the provider who hands the traces in")
        parser.add_argument("--bad", type=Path, metavar="FILE", help="take the good lines, write the bad ones there")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read every line, then store."""
        provider = User.objects.filter(email=options["provider"].lower()).first()
        if provider is None:
            raise CommandError(f"There is no person with the e-mail {options['provider']}.")
        survey = self._survey(options)
        for remark in _remarks(survey):
            self.stderr.write(remark)
        if options["dry_run"]:
            are_known = known_traces(provider=provider, traces=survey.traces)
            self.stdout.write(
                f"{are_known.count(False)} new, {are_known.count(True)} known, {len(survey.bad)} bad lines."
            )
            return
        # All or nothing, unless somebody says where the bad lines go: a half imported file is found by nobody.
        if survey.bad and options["bad"] is None:
            raise CommandError("Nothing was imported.\n" + "\n".join(line.problem for line in survey.bad[:20]))
        campaign = self._campaign(options["campaign"], provider)
        traces = survey.traces
        # Said before anything is stored: texts leave for a server as soon as an audit runs.
        for forecast in forecast_traces(traces=traces, campaign=campaign):
            self.stderr.write(f"forecast: {forecast.sentence}; texts go to {forecast.endpoint.base_url}")
        if options["forecast"]:
            return
        if options["bad"] is not None:
            options["bad"].write_bytes(survey.bad_file)
        with tqdm(total=len(traces), desc="import", disable=not sys.stderr.isatty()) as bar:
            done = import_traces(provider=provider, campaign=campaign, traces=traces, tell=lambda done: bar.update())
        self.stdout.write(done.sentence)

    def _survey(self, options: dict[str, Any]) -> Survey:
        pairs = [pair.partition("=")[::2] for pair in options["map"]]
        if unknown := [ours for ours, theirs in pairs if ours not in OURS or not theirs]:
            raise CommandError(f"--map takes OURS=THEIRS with one of {', '.join(OURS)}, not {unknown[0]}.")
        mapping = {**PRESETS.get(options["preset"], {}), **dict(pairs)}
        bad = options["bad"]
        if bad is not None and bad.exists() and options["file"].exists() and bad.samefile(options["file"]):
            raise CommandError(f"{bad} is the file itself, whose good lines would be lost: name another.")
        try:
            with options["file"].open("rb") as lines:
                return survey_lines(lines=lines, format=options["format"], mapping=mapping)
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        except ImportRefusedError as error:
            raise CommandError("Nothing was imported.\n" + "\n".join(error.problems)) from error

    def _campaign(self, name: str | None, provider: User) -> Campaign:
        campaigns = open_campaigns(user=provider)
        try:
            matches = list(campaigns.filter(pk=name) if name else campaigns[:2])
        except (ValueError, ValidationError):
            matches = []
        if len(matches) > 1:
            raise CommandError("Several campaigns are open to this provider: name one with --campaign.")
        if not matches:
            raise CommandError("There is no such open campaign." if name else "There is no open campaign yet.")
        return matches[0]


def _remarks(survey: Survey) -> list[str]:
    """Why lines cannot be read, and what was left alone in the others."""
    return [*(line.problem for line in survey.bad[:20]), *filter(None, [ignored_in_words(survey)])]
