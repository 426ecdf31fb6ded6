"""The revealer: the one process that holds the reveal key; opens sealed votes once their closing is in the log."""

import signal
from functools import partial
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, close_old_connections

from accounts import broadcast
from auditing import dispatch
from auditing.core.voting.seal import public_point
from auditing.selectors.seating.rounds import rounds_to_open
from auditing.services.intake import damage
from auditing.services.ledger import announcing
from auditing.services.voting import reveal
from auditing.services.voting.reveal import RevealRefusedError
from hdag.store.blocks import StoreAwayError
from hdag.store.content import ContentDamagedError, ContentGoneError
from trustweb import env
from trustweb.serve.stopping import StopSignal

PAUSE = 0.5  # seconds between two looks when nothing was due
TALLIED_TOGETHER = 8  # rounds of one message: each message costs as much as a third of a tally, and workers share them


def read_key() -> ec.EllipticCurvePrivateKey:
    """The P-256 key of REVEAL_KEY: 64 hexadecimal digits, any number in the group's range."""
    # From the environment and not from settings, which every program loads.
    text = env.find_text("REVEAL_KEY")
    try:
        return ec.derive_private_key(int(text or "", 16), ec.SECP256R1())
    except ValueError:
        raise CommandError("REVEAL_KEY must be 64 hexadecimal digits; only the revealer may hold it.") from None


class Command(BaseCommand):
    """Open sealed votes whose window has closed, then wait; --once stops after one look."""

    help = __doc__ or ""
    # `migrate` has made them. They look at every model, form and address, and so cost a fork 10 MB of its own.
    requires_system_checks = ()

    def add_arguments(self, parser: Any) -> None:
        """Options."""
        parser.add_argument("--once", action="store_true", help="look once and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Announce the public key and work until told to stop."""
        key, stop = read_key(), StopSignal()
        stop.listen(signal.SIGTERM, signal.SIGINT)
        if not options["once"]:
            broadcast.gather()  # a Redis that hangs holds up no opening
            dispatch.gather()
        while True:
            try:
                announcing.announce(purpose=announcing.REVEAL, value=public_point(key=key.public_key()))
                while not self.open_due(key) and not options["once"] and not stop.wait(PAUSE):
                    pass
            # It goes on: votes stay sealed for as long as no revealer runs.
            except (OperationalError, StoreAwayError) as error:
                self.stderr.write(f"The database or the block store is away ({type(error).__name__}); trying again.")
                close_old_connections()
            if options["once"] or stop.wait(PAUSE):
                return

    def open_due(self, key: ec.EllipticCurvePrivateKey) -> bool:
        """Open every round that is due; False when there was none."""
        rounds = rounds_to_open()
        try:
            reveal.open_votes(rounds=rounds, private_key=key)
        except (ContentDamagedError, ContentGoneError, RevealRefusedError):
            # A damaged text pauses its own audit; the other rounds are opened all the same.
            for round in rounds:
                damage.pausing_on_damage(partial(reveal.open_votes, rounds=[round], private_key=key), otherwise=0)
        for start in range(0, len(rounds), TALLIED_TOGETHER):
            dispatch.enqueue(
                "auditing.advance_round", *(round.pk for round in rounds[start : start + TALLIED_TOGETHER])
            )
        return bool(rounds)
