"""A model is asked about the segment of its seat: what it is shown, in which form, and for how long at most.

Reads Seat, Endpoint, ModelConsent, Document, the segment and what surrounds it; writes Seat.shown, and through the
endpoint's client its budget, batches and the answer cache.
"""

from datetime import timedelta

from auditing.models import Seat
from auditing.selectors.clock import database_now
from auditing.selectors.model_tier.consents import is_agreed
from auditing.selectors.voting.desk import desk_of
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.judges.answer import JudgeAnswer, NoVote
from auditing.services.model_tier.judges.audit_model import AuditAnswer, audit_with_tools
from auditing.services.model_tier.judges.entailment import ask_entailment
from auditing.services.model_tier.judges.injection import find_signs
from auditing.services.model_tier.judges.judge import ask_judge
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from auditing.services.model_tier.judges.tools import Toolbox
from auditing.services.model_tier.origins import allowed_origins
from auditing.services.seating.disclosure import open_panes
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import MaySee
from hdag.chat.usage import NOTHING_SPENT
from hdag.models import Endpoint
from hdag.services.answer_cache import configured_cache
from hdag.services.batches import BatchedClient
from hdag.services.call_book import DatabaseBook, client_for
from hdag.services.endpoint_settings import settings_of

SECONDS = 1_200  # a task's whole time: several turns of a slow model
TURNS = 6
SLACK = 1.7  # over the time of its calls: retries, and the pauses between them
SAMPLE_TEMPERATURE = 0.7  # where one model fills several seats, all but the first are drawn at random

BATCH_WINDOW = timedelta(hours=25)  # a batch is answered within 24
LAST_CALL = timedelta(minutes=45)  # before the window closes: whoever still waits for a batch is called for at once
NO_CONSENT = "no_consent"  # the failure of an attempt that was not made

Answer = JudgeAnswer | AuditAnswer


def ask(*, seat: Seat) -> Answer | NoVote:
    """Ask the model that holds `seat`, in the form that its endpoint is set to; the reason where it gives no vote."""
    endpoint, account = endpoint_of(seat=seat), f"audit:{seat.round.audit_id}"
    # Asked here as well as at the draw: it may have been withdrawn since, or the endpoint moved to another server.
    if not is_agreed(audit=seat.round.audit, endpoint=endpoint):
        return NoVote(f"nobody agreed that texts of this audit go to {endpoint.name}", NO_CONSENT, NOTHING_SPENT)
    context, sample = shown_to(seat=seat), seat.auditor.sample
    if context.scope is MaySee.SEGMENTS and not context.reasoning.strip():
        return NoVote("there is nothing to judge", "empty", NOTHING_SPENT, find_signs(context.text))
    with _client_of(seat) as client:
        if endpoint.asks == Endpoint.Asks.TOOLS:
            toolbox = Toolbox(search=DocumentSearch() if endpoint.searches else None)
            return audit_with_tools(client=client, shown=context, account=account, toolbox=toolbox, turns=TURNS)
        if endpoint.asks == Endpoint.Asks.ENTAILS:
            return ask_entailment(client=client, shown=context, account=account, sample=sample)
        temperature = SAMPLE_TEMPERATURE if sample else 0.0
        return ask_judge(client=client, shown=context, account=account, sample=sample, temperature=temperature)


def _client_of(seat: Seat) -> ChatClient:
    """A client that asks in batches where the endpoint is set to it and the round's window is long enough."""
    endpoint, due = endpoint_of(seat=seat), seat.round.due_at
    # Several turns would take several days.
    if not endpoint.batches or endpoint.asks == Endpoint.Asks.TOOLS or due is None:
        return client_for(row=endpoint, allowed=allowed_origins(), cache=configured_cache())
    left = due - database_now()
    return BatchedClient(
        settings_of(row=endpoint),
        DatabaseBook(),
        configured_cache(),
        allowed_origins(),
        gathers=left > BATCH_WINDOW,
        patient=left > LAST_CALL,
    )


def shown_to(*, seat: Seat) -> ShownContext:
    """What a person on this seat would see. Without the provider's consent the disclosure budget holds here as well."""
    endpoint, audit = endpoint_of(seat=seat), seat.round.audit
    sees_all = (
        endpoint.may_see == Endpoint.MaySee.TRACES
        and audit.trace.whole_to_models
        and is_agreed(audit=audit, endpoint=endpoint, whole=True)
    )
    # Opening panes spends budget that is shared with people: not spent where the provider lets the model see it all.
    if not sees_all:
        open_panes(seat=seat)
    desk = desk_of(seat=seat, is_drawn=False)
    return ShownContext(
        context=desk.problem,
        reasoning=desk.text,
        dependencies=tuple(Dependency(pane.label, pane.text, pane.words) for pane in desk.dependencies if pane.text),
        implications=tuple(pane.text for pane in desk.implications if pane.text),
        focus=desk.unit.question if desk.unit else desk.focus,
        scope=MaySee.TRACES if sees_all else MaySee.SEGMENTS,
        guidelines=desk.guidelines.text if desk.guidelines else "",
    )


def longest_attempt(*, endpoint: Endpoint) -> float:
    """Seconds that an attempt may take before its worker counts as dead."""
    turns = TURNS if endpoint.asks == Endpoint.Asks.TOOLS else 1
    return min(SECONDS, turns * endpoint.timeout_seconds * SLACK) + 30


def endpoint_of(*, seat: Seat) -> Endpoint:
    """The endpoint that holds a seat of the model tier."""
    assert seat.auditor.endpoint is not None
    return seat.auditor.endpoint
