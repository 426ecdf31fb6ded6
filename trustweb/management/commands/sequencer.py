"""The sequencer: the one process that holds the ledger's signing key; orders leaves and signs checkpoints."""

import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, close_old_connections

from accounts import broadcast
from auditing import dispatch
from auditing.core.ledger.rotation import rotation_leaf
from auditing.selectors.ledger.signing import REFUSAL
from auditing.services.ledger import leaves
from auditing.services.ledger.announcing import LEDGER, LEDGER_ML_DSA, announce
from auditing.services.ledger.publishing import write_file
from auditing.services.ledger.rotation import check_key
from auditing.services.ledger.sequencing import BATCH, Sequencer
from auditing.services.ledger.witnesses import Witnesses
from auditing.translog import note
from auditing.translog.checkpoint import ForkError
from auditing.translog.note import SigningKey, signing_key
from trustweb import env
from trustweb.serve.stopping import StopSignal

PAUSE = 1.0  # seconds: under a stream of votes each checkpoint covers what came meanwhile, and costs the same


def read_key() -> SigningKey:
    """The Ed25519 key of LEDGER_SIGNING_KEY: 64 hexadecimal digits."""
    try:
        return signing_key(name=settings.LEDGER_ORIGIN, seed=bytes.fromhex(env.find_text("LEDGER_SIGNING_KEY") or "-"))
    except ValueError:
        raise CommandError("LEDGER_SIGNING_KEY must be 64 hex digits; only the sequencer may hold it.") from None


def find_second_key() -> SigningKey | None:
    """The ML-DSA-44 key of LEDGER_ML_DSA_KEY, another 64 hexadecimal digits; None where the option is off."""
    text = env.find_text("LEDGER_ML_DSA_KEY")
    if not text:
        return None
    try:
        return signing_key(name=settings.LEDGER_ORIGIN, seed=bytes.fromhex(text), kind=note.ML_DSA)
    except ValueError:
        raise CommandError("LEDGER_ML_DSA_KEY must be 64 hex digits; only the sequencer may hold it.") from None


class Command(BaseCommand):
    """Number waiting leaves and sign checkpoints, then wait; --once stops after one look."""

    help = __doc__ or ""
    # `migrate` has made them. They look at every model, form and address, and so cost a fork 10 MB of its own.
    requires_system_checks = ()

    def add_arguments(self, parser: Any) -> None:
        """Options."""
        parser.add_argument("--once", action="store_true", help="look once and stop")
        parser.add_argument("--rebuild", action="store_true", help="write all published files anew, and stop")
        parser.add_argument("--hand-over-to", metavar="VKEY", help="write the leaf that installs a new key, and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until told to stop. Raises CommandError when signing would fork the ledger."""
        key, stop = read_key(), StopSignal()
        stop.listen(signal.SIGTERM, signal.SIGINT)
        witnesses = Witnesses(addresses=settings.WITNESSES)
        sequencer = Sequencer.at(
            key=key, directory=settings.LEDGER_DIR, witnesses=witnesses, second_key=find_second_key()
        )
        try:
            if options["rebuild"]:
                check_key(key=key.verifier)
                return self.stdout.write(f"Every file of {sequencer.write_anew()} leaves is written anew.")
            if options["hand_over_to"]:
                self.hand_over(key, options["hand_over_to"])
                return self.work(sequencer, stop, once=True)
            if not options["once"]:
                broadcast.gather()  # a Redis that hangs holds up no signature
                dispatch.gather()
            self.work(sequencer, stop, once=options["once"])
        except ForkError as error:
            # The web servers read it: every page says that nothing is signed, and nothing is promised.
            write_file(path=sequencer.directory / REFUSAL, data=f"Nothing is signed any more: {error}.\n".encode())
            raise CommandError(f"Nothing is signed any more: {error}.") from error

    def work(self, sequencer: Sequencer, stop: StopSignal, *, once: bool) -> None:
        """Take up what a crash left, then step by step."""
        is_healed = False
        while True:
            try:
                if not is_healed:
                    check_key(key=sequencer.key.verifier)
                    announce(purpose=LEDGER, value=sequencer.key.verifier.vkey.encode())
                    self.announce_second(sequencer)
                    write_file(path=sequencer.directory / "vkey", data=f"{sequencer.key.verifier.vkey}\n".encode())
                    sequencer.heal()
                    is_healed = True
                    (sequencer.directory / REFUSAL).unlink(missing_ok=True)
                # Without pause only while whole batches wait, so that steady votes do not get a signature each.
                while (signed := sequencer.step()) and (once or signed >= BATCH) and not stop.is_set():
                    pass
            except (OperationalError, InterfaceError) as error:
                self.stderr.write(f"The database is away ({type(error).__name__}); trying again.")
                close_old_connections()
            if once or stop.wait(PAUSE):
                return

    def announce_second(self, sequencer: Sequencer) -> None:
        """Show the ML-DSA-44 key, where there is one; its file goes when the option is turned off."""
        if sequencer.second_key is None:
            (sequencer.directory / "vkey-ml-dsa").unlink(missing_ok=True)
            return
        vkey = sequencer.second_key.verifier.vkey
        announce(purpose=LEDGER_ML_DSA, value=vkey.encode())
        write_file(path=sequencer.directory / "vkey-ml-dsa", data=f"{vkey}\n".encode())

    def hand_over(self, key: SigningKey, text: str) -> None:
        """Write the leaf, signed with this key, that hands the ledger over to another one."""
        try:
            new = note.parse_vkey(text=text)
        except note.NoteError as error:
            raise CommandError(f"--hand-over-to: {error}") from None
        if new.name != key.name:
            raise CommandError(f"--hand-over-to: the new key must be named {key.name}, not {new.name}.")
        leaves.write(audit=None, leaves=[rotation_leaf(old=key, new=new)])
        self.stdout.write(f"The ledger goes on under {text}. Give that key to the sequencer now.")
