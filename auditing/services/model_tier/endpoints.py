"""Endpoints as an admin sets them: saved, switched, tried. Keys go in and never come out.

Reads Endpoint; writes Endpoint, Auditor, AuditEvent.
"""

from collections.abc import Callable
from dataclasses import replace

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from auditing.core.events import EventKind
from auditing.selectors.clock import database_now
from auditing.services.events import record_event
from auditing.services.model_tier.origins import allowed_origins
from auditing.services.model_tier.questions import example_questions
from auditing.services.seating.auditors import seat_endpoints
from hdag.chat.address import leads_elsewhere
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.probing.probe import ProbeReport, probe
from hdag.chat.probing.trial import EndpointTrial, try_modes
from hdag.models import Endpoint
from hdag.services.call_book import DatabaseBook, spent_by
from hdag.services.endpoint_keys import wrap_key
from hdag.services.endpoint_settings import settings_of

USUAL_SEATS = 3  # auditors that one endpoint is made into; a round with more seats adds the others


def save_endpoint(*, row: Endpoint, key: str, actor: User | None) -> Endpoint:
    """Store an endpoint; a pasted `key` replaces the one it holds, "" leaves it; naming a variable drops it.

    A key that was pasted for one server is dropped, not sent, when the address leads to another one.
    """
    stored = Endpoint.objects.filter(pk=row.pk).values_list("base_url", flat=True).first()
    if row.key_variable or (stored is not None and leads_elsewhere(before=stored, after=row.base_url)):
        row.wrapped_key = None
    if key and not row.key_variable:
        row.wrapped_key = wrap_key(key=key)  # encrypted; the plain key is never stored
    row.failures_in_a_row, row.circuit_opened, row.paused_until = 0, None, None  # what is changed is tried anew
    with transaction.atomic():
        row.save()
        if row.enabled:
            seat_endpoints(seats=USUAL_SEATS)
        record_event(audit=None, kind=EventKind.ENDPOINT_SAVED, actor=actor, endpoint=str(row.pk), enabled=row.enabled)
    return row


def switch(*, row: Endpoint, enabled: bool, actor: User) -> None:
    """Let an endpoint take seats, or take none from now on; seats that it holds are passed on at their next attempt."""
    with transaction.atomic():
        Endpoint.objects.filter(pk=row.pk).update(
            enabled=enabled, failures_in_a_row=0, circuit_opened=None, paused_until=None
        )
        if enabled:
            seat_endpoints(seats=USUAL_SEATS)
        record_event(audit=None, kind=EventKind.ENDPOINT_SWITCHED, actor=actor, endpoint=str(row.pk), enabled=enabled)


def probe_endpoint(*, row: Endpoint, actor: User | None = None) -> ProbeReport:
    """Ask it every question of the product in each mode, paid from its own caps, and keep what works best."""
    report = probe(endpoint=settings_of(row=row), client_of=_clients_for("probe"), questions=example_questions())
    with transaction.atomic():
        _keep(row, report)
        record_event(audit=None, kind=EventKind.ENDPOINT_SAVED, actor=actor, endpoint=str(row.pk), enabled=row.enabled)
    return report


def _keep(row: Endpoint, report: ProbeReport) -> None:
    """The best terms into the row's own columns, so that no later change of a dialect undoes what was seen."""
    row.probe, row.probed_at = report.as_json(), database_now()
    # The calls that a probe saw fail say nothing about the server's health.
    row.failures_in_a_row, row.circuit_opened, row.paused_until = 0, None, None
    best = report.best
    if best is not None:
        row.answer_mode, row.limit_field = best.answer_mode.value, best.limit_field
        row.temperature = Endpoint.Sends.YES if best.sends_temperature else Endpoint.Sends.NO
        row.system_role = Endpoint.Sends.YES if best.takes_system else Endpoint.Sends.NO
        row.logprobs = Endpoint.Sends.YES if best.gives_logprobs else Endpoint.Sends.NO
        row.reasoning_effort, row.extra_body = best.reasoning_effort, dict(best.extra_body)
        row.thinking_tokens, row.most_tokens = best.thinking_tokens, best.most_tokens
        row.answers_as, row.context_tokens = best.answers_as, best.context_tokens
    row.save()


def try_out(*, row: Endpoint) -> tuple[EndpointTrial, ...]:
    """One small question in each answer mode, paid from the endpoint's own caps."""
    return try_modes(endpoint=settings_of(row=row), client_of=_clients_for("check_endpoint"))


def _clients_for(account: str) -> Callable[[EndpointSettings], ChatClient]:
    """Clients whose cap is of this trial alone: what earlier ones spent on the same account is no part of it."""
    before = spent_by(Q(account=account))

    def client_of(settings: EndpointSettings) -> ChatClient:
        roomy = replace(settings, account_cap=before + settings.account_cap)
        return ChatClient(roomy, DatabaseBook(), allowed=allowed_origins())

    return client_of
