"""Entailment models as configured: the checkers first, then the endpoints. Reads Endpoint; writes nothing itself."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from auditing.core.soundness.entailment import Confirmed, EntailmentModel, Panel, Proved
from auditing.services.model_tier.judges.entailment import ModelEntailment
from auditing.services.soundness.proofs import prove
from hdag.chat.address import Origin
from hdag.chat.client import ChatClient
from hdag.models import Endpoint
from hdag.services.answer_cache import configured_cache
from hdag.services.call_book import client_for


@contextmanager
def entailment_of(
    *, endpoints: Sequence[Endpoint], account: str, allowed: frozenset[Origin]
) -> Iterator[EntailmentModel]:
    """The checkers; what they neither prove nor refute goes to the endpoints, asked again in other words, averaged.

    `account` pays. Without an endpoint the computer tier answers alone and leaves the rest at .5.
    """
    with ExitStack() as opened:
        clients = [
            opened.enter_context(client_for(row=row, allowed=allowed, cache=configured_cache())) for row in endpoints
        ]
        yield entailment_by(clients=clients, account=account)


def entailment_by(*, clients: Sequence[ChatClient], account: str) -> EntailmentModel:
    """The checkers, then these clients; the caller opens and closes them."""
    # Confirmed: asked again in other words, so that one lucky answer weighs less.
    members = tuple(Confirmed(ModelEntailment(client, account)) for client in clients)
    return Proved(prove, Panel(members) if len(members) > 1 else next(iter(members), None))
