"""Bring every stored block into the store that BLOCK_STORE names; BLOCK_STORES_BEFORE names where it may lie still."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from hdag.services.block_moving import move
from hdag.store.blocks import StoreAwayError, StoreRefusedError


class Command(BaseCommand):
    """Move stored texts into BLOCK_STORE; may be stopped and run again. An error while one is whole nowhere."""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was done. Raises CommandError for lost blocks and a store that fails."""
        seen, copied, lost = 0, 0, list[str]()
        try:
            for moved in move():
                seen, copied, lost = seen + moved.seen, copied + moved.copied, [*lost, *moved.lost]
                self.stdout.write(f"{seen:,} blocks looked at, {copied:,} copied and read back")
        except (StoreAwayError, StoreRefusedError) as error:
            raise CommandError(f"{error} What was moved until here is moved; run the command again.") from error
        if lost:
            some = ", ".join(lost[:3])
            raise CommandError(f"{len(lost):,} blocks are whole in no store ({some}): put them back and run it again.")
        self.stdout.write(f"All {seen:,} blocks lie in the store “{settings.BLOCK_STORE}”, each whole.")
