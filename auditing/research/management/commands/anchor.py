"""Write the newest signed head of the ledger to the chain that the environment names (docs/guides/ledger.md)."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from auditing.research.anchoring import chain as anchor
from auditing.research.anchoring import services as anchoring
from auditing.research.anchoring.chain import ChainAwayError, ChainRefusedError
from auditing.selectors.clock import database_now


class Command(BaseCommand):
    """Write the newest signed head to the chain, by one step; --deploy puts the contract there and prints where."""

    help = __doc__ or ""

    def add_arguments(self, parser: Any) -> None:
        """Options."""
        parser.add_argument("--deploy", action="store_true", help="deploy the contract with ANCHOR_KEY and stop")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what happened. Raises CommandError when anchoring is off or the chain fails."""
        try:
            if options["deploy"]:
                # Only --deploy names a particular chain; everything later goes through the configured one.
                from auditing.research.anchoring.chain.ethereum import connect

                chain = connect(url=settings.ANCHOR_RPC_URL, key=settings.ANCHOR_KEY, contract="")
                self.stdout.write(f"ANCHOR_CONTRACT={chain.deploy()}")
                return
            chosen = anchor.chosen()
        except (ChainAwayError, ChainRefusedError) as error:
            raise CommandError(str(error)) from error
        if chosen is None:
            raise CommandError("Anchoring is off: set ANCHOR_BACKEND=eth, ANCHOR_RPC_URL, ANCHOR_KEY, ANCHOR_CONTRACT.")
        sentence = anchoring.step(chain=chosen, now=database_now(), confirmations=settings.ANCHOR_CONFIRMATIONS)
        self.stdout.write(sentence)
