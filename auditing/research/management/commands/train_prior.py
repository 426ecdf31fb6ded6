"""manage.py train_prior: trains a prior over steps, orders the steps of traces by one, or a campaign's queues."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from auditing.core.errors import CoreError
from auditing.research.prior.features import features_of
from auditing.research.prior.services import set_prior, take_prior_off
from auditing.research.prior.training import as_bytes, read_labelled, read_prior, trained
from auditing.selectors.campaigns.lookup import find_campaign
from hdag.core.errors import HdagError
from hdag.readers.records import read_record


class Command(BaseCommand):
    """Files in, files out, without PostgreSQL and Redis; with --campaign the prior's file goes into the database."""

    help = "Train a prior over steps from labelled traces (never a vote), or order the steps of traces by one."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """LABELS --output PRIOR [--seed 1]; TRACES --prior PRIOR --output ORDER; PRIOR --campaign ID [--off]."""
        parser.add_argument("input", help="labelled traces (set, problem, steps, error), traces to order, or a prior")
        parser.add_argument("--output", default="", help="the file to write")
        parser.add_argument("--seed", type=int, default=1, help="of the rows that each tree sees")
        parser.add_argument("--prior", default="", help="a prior's file: order the steps of the traces by it")
        parser.add_argument("--campaign", default="", help="order the queues of this campaign by the prior, or")
        parser.add_argument("--off", action="store_true", help="order them by none any more")

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file and prints its tables. Raises CommandError (exit 1) for what cannot be read."""
        try:
            if options["campaign"]:
                self._use(options["campaign"], Path(options["input"]), is_off=options["off"])
            elif not options["output"]:
                raise CommandError("--output is missing: the file to write", returncode=1)
            elif options["prior"]:
                self._order(Path(options["input"]), Path(options["prior"]), Path(options["output"]))
            else:
                self._train(Path(options["input"]), Path(options["output"]), options["seed"])
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}", returncode=1) from None
        except (CoreError, HdagError) as error:
            raise CommandError(str(error), returncode=1) from None

    def _use(self, campaign_id: str, source: Path, *, is_off: bool) -> None:
        try:
            campaign = find_campaign(key=UUID(campaign_id))
        except ValueError:
            campaign = None
        if campaign is None:
            raise CommandError(f"There is no campaign {campaign_id}.", returncode=1)
        if is_off:
            was_on = take_prior_off(campaign=campaign)
            self.stdout.write("Its queues are ordered by no prior any more." if was_on else "It had no prior.")
            return
        prior = set_prior(campaign=campaign, text=source.read_text(encoding="utf-8"))
        self.stdout.write(f"Queues of {campaign.title} are ordered by prior {prior.sha256} from now on.")

    def _train(self, source: Path, target: Path, seed: int) -> None:
        with source.open("rb") as lines:
            prior = trained(data=read_labelled(lines=lines), seed=seed)
        target.write_bytes(as_bytes(prior))
        for table in ("in_domain", "left_out"):
            for name, figures in prior[table].items():
                summary = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in figures.items())
                self.stdout.write(f"{table.replace('_', ' ')}: {name or 'no set'}: {summary}")

    def _order(self, source: Path, prior: Path, target: Path) -> None:
        """One line a trace: the chance of each step, and the steps in the order in which to look at them."""
        model = read_prior(text=prior.read_text(encoding="utf-8"))
        with source.open(encoding="utf-8-sig") as lines, target.open("w", encoding="utf-8") as out:
            for number, line in enumerate(filter(str.strip, lines), 1):
                trace = read_record(json.loads(line), where=f"line {number}", needs_id=True)
                chances = [round(float(chance), 4) for chance in model.probabilities(features_of(trace))]
                order = sorted(range(len(chances)), key=lambda step: (-chances[step], step))
                out.write(json.dumps({"id": json.loads(line)["id"], "prior": chances, "order": order}) + "\n")
