"""Wrap every stored key anew with CONTENT_MASTER_KEY; the keys before it stand in CONTENT_MASTER_KEYS_BEFORE."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from hdag.services.key_rotation import rotate


class Command(BaseCommand):
    """Wrap every key anew with CONTENT_MASTER_KEY; may be stopped and run again. Fails while one cannot be opened."""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was done. Raises CommandError when something is left under a key that nobody gave."""
        totals: dict[str, list[int]] = {}
        for batch in rotate():
            line = totals.setdefault(batch.subject, [0, 0, 0])
            line[:] = [line[0] + batch.seen, line[1] + batch.changed, line[2] + batch.lost]
        for subject, (seen, changed, lost) in totals.items():
            self.stdout.write(f"{subject}: {seen:,} looked at, {changed:,} made anew, {lost:,} could not be opened")
        if any(lost for _, _, lost in totals.values()):
            raise CommandError("Some keys open with no key that was given: add the older one, do not destroy it.")
        self.stdout.write("Nothing is left under an earlier key.")
