"""The sequencer: the one process that holds the ledger's signing key; orders leaves and signs checkpoints."""

import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, close_old_connections

from auditing.core import checkpoint as checkpoints
from auditing.core.note import SigningKey, signing_key
from auditing.services import sequencing
from trustweb import env

PAUSE = 0.25


def read_key() -> SigningKey:
    """The Ed25519 key of LEDGER_SIGNING_KEY: 64 hexadecimal digits."""
    try:
        return signing_key(name=settings.LEDGER_ORIGIN, seed=bytes.fromhex(env.find_text("LEDGER_SIGNING_KEY") or "-"))
    except ValueError:
        raise CommandError("LEDGER_SIGNING_KEY must be 64 hex digits; only the sequencer may hold it.") from None


class Command(BaseCommand):
    """Sequence what waits, then wait; --once stops after one look."""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """Options."""
        parser.add_argument("--once", action="store_true", help="look once and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until told to stop."""
        key, stop = read_key(), threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())

        def sign(size: int, root: bytes) -> str:
            head = checkpoints.Checkpoint(origin=settings.LEDGER_ORIGIN, size=size, root=root)
            return str(checkpoints.sign(checkpoint=head, key=key))

        while True:
            try:
                while sequencing.sequence(sign=sign) and not stop.is_set():
                    pass
            except OperationalError as error:
                self.stderr.write(f"The database is away ({type(error).__name__}); trying again.")
                close_old_connections()
            if options["once"] or stop.wait(PAUSE):
                return
