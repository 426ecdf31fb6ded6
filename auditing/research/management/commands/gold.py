"""Gold: import a set, draft gold about wholes, plant what is due among the audits, and say how much there is."""

import os
import random
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from auditing.models import Campaign
from auditing.selectors.gold.decoys import seats_placed, truths_placed
from auditing.services.gold import BadGoldError
from auditing.services.gold.decoys import place_due
from auditing.services.gold.reviews import import_file
from auditing.services.gold.wholes import draft_everywhere
from hdag.core.errors import HdagError


class Command(BaseCommand):
    """manage.py gold import FILE --by E-MAIL [--from TEXT] | draft --by E-MAIL [--most N] | place | show"""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """The verb, and what it needs."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        reading = verbs.add_parser("import", help="store a JSONL file of gold segments: all lines or none")
        reading.add_argument("file", type=Path)
        reading.add_argument("--by", required=True, help="e-mail of the admin who hands it in")
        reading.add_argument("--from", dest="source", default="", help="where the file comes from")
        drafting = verbs.add_parser(
            "draft", help="draft gold about readings, plans and answers, for editors to confirm"
        )
        drafting.add_argument("--by", required=True, help="e-mail of the admin who asks for it, and confirms none")
        drafting.add_argument("--most", type=int, default=10, help="drafts of each open campaign (10)")
        verbs.add_parser("place", help="plant the decoys that are due now, as beat does every 20 seconds")
        verbs.add_parser("show", help="seats on gold and on ordinary passages, by campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        """One of the four."""
        verbs = {"import": self._import, "draft": self._draft, "place": self._place, "show": self._show}
        verbs[options["verb"]](options)

    def _import(self, options: dict[str, Any]) -> None:
        actor = _find_person(options["by"])
        try:
            with options["file"].open("rb") as lines:
                count = import_file(lines=lines, author=actor, provenance=options["source"])
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        except (BadGoldError, HdagError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} gold segments stored, in use once another editor has confirmed them.")

    def _draft(self, options: dict[str, Any]) -> None:
        count = draft_everywhere(by=_find_person(options["by"]), most=options["most"], rng=random.SystemRandom())
        self.stdout.write(
            f"{count} drafts about readings, plans and answers, in use once another editor has confirmed them."
        )

    def _place(self, options: dict[str, Any]) -> None:
        count = place_due(seed=os.urandom(32))
        self.stdout.write(f"{count} decoys planted.")

    def _show(self, options: dict[str, Any]) -> None:
        for campaign in Campaign.objects.order_by("created"):
            placed, truths = seats_placed(campaign=campaign), truths_placed(campaign=campaign)
            self.stdout.write(
                f"{campaign.title}: {placed.gold} of {placed.all} seats on gold ({placed.share:.1%}), "
                f"{placed.misleading} of them on gold that models fail on ({placed.misleading_share:.1%}); "
                f"{truths['pass']} right and {truths['fail']} wrong decoys"
            )


def _find_person(email: str) -> User:
    person = User.objects.filter(email=email.lower()).first()
    if person is None:
        raise CommandError(f"There is no person with the e-mail {email}.")
    return person
