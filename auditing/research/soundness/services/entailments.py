"""Entailment models as configured: the checkers first, then the endpoints. Reads Endpoint; writes nothing itself."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal

from auditing.core.soundness.entailment import Confirmed, EntailmentModel, Panel, Proved
from auditing.research.soundness.core.temperature import at_temperature
from auditing.research.soundness.services.proofs import prove
from auditing.services.model_tier.judges.entailment import AnswerTally, ModelEntailment
from hdag.chat.address import Origin
from hdag.chat.client import ChatClient
from hdag.models import Endpoint
from hdag.services.answer_cache import configured_cache
from hdag.services.call_book import client_for


@dataclass(frozen=True, slots=True)
class Asking:
    """How endpoints are asked: again in other words until the odds are decisive; in seven words, or yes and no.

    weighed: an endpoint that gives log-probabilities is asked for yes or no, once; its odds are the probability.
    tally: where one is given, a question without an answer is nan, and the tally has the reason.
    temperature: what the log-odds of each answer are divided by; 1 leaves them. Study `wordings` fits it.
    """

    again: bool = True
    granular: bool = True
    weighed: bool = True
    tally: AnswerTally | None = None
    temperature: float = 1.0


@contextmanager
def entailment_of(
    *,
    endpoints: Sequence[Endpoint],
    account: str,
    allowed: frozenset[Origin],
    asking: Asking = Asking(),
    cap: Decimal | None = None,
) -> Iterator[EntailmentModel]:
    """The checkers; what they neither prove nor refute goes to the endpoints, asked again in other words, averaged.

    `account` pays, up to `cap` over all endpoints where that is below their own. Without an endpoint the computer tier
    answers alone and leaves the rest at .5.
    """
    with ExitStack() as opened:
        clients = [
            opened.enter_context(client_for(row=row, allowed=allowed, cache=configured_cache())) for row in endpoints
        ]
        for client in clients if cap is not None else ():
            client.endpoint = replace(client.endpoint, account_cap=min(client.endpoint.account_cap, cap or Decimal(0)))
        yield entailment_by(clients=clients, account=account, asking=asking)


def entailment_by(*, clients: Sequence[ChatClient], account: str, asking: Asking = Asking()) -> EntailmentModel:
    """The checkers, then these clients; the caller opens and closes them."""
    members = tuple(_member(client, account, asking) for client in clients)
    return Proved(prove, Panel(members) if len(members) > 1 else next(iter(members), None))


def _member(client: ChatClient, account: str, asking: Asking) -> EntailmentModel:
    is_weighed = asking.weighed and client.endpoint.gives_logprobs
    asked = ModelEntailment(client, account, asking.granular and not is_weighed, asking.tally)
    # Each answer by itself: what is asked again is combined from odds that are already scaled.
    model = at_temperature(model=asked, temperature=asking.temperature)
    if is_weighed:
        return model
    # Confirmed: asked again in other words, so that one lucky answer weighs less.
    return Confirmed(model) if asking.again else model
