"""Endpoints as auditors: which may judge a trace, which are rested after failures, which segments look injected.

Reads Endpoint, Auditor, SeatAttempt, ModelConsent.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.prepared import PreparedQuery, PreparedRows, among
from auditing.core.model_tier.families import is_own_family
from auditing.models import Audit, Auditor, Round, SeatAttempt
from auditing.selectors.clock import database_now
from auditing.selectors.model_tier.consents import agreed_endpoints, refusal_of
from hdag.chat.retries import Circuit
from hdag.models import Endpoint
from hdag.selectors import load_trace


def family_name(endpoint: Endpoint) -> str:
    """Its family as one word, as the ledger names it; an endpoint that states none is a family of its own."""
    return family_word(family=endpoint.family, name=endpoint.name)


def family_word(*, family: str, name: str) -> str:
    """The same of an endpoint of which only these two are known."""
    return re.sub(r"[^a-z0-9._-]", "-", (family or name).casefold())


def endpoints_for(*, audit: Audit) -> list[Endpoint]:
    """Enabled endpoints that may judge this audit's trace: texts may go there, none of its family, none refused a seat.

    "Its family" is the family of models that wrote the trace.
    """
    seatable = [endpoint for endpoint in _ENABLED.rows() if not refusal_of(endpoint=endpoint)]
    rows = agreed_endpoints(audit=audit, rows=seatable)
    author = load_trace(audit.trace).model_name if rows else ""
    return [
        endpoint for endpoint in rows if not is_own_family(family=endpoint.family, model=endpoint.model, author=author)
    ]


_ENABLED = PreparedQuery(lambda: Endpoint.objects.filter(enabled=True).order_by("created", "pk"))


def model_auditors(*, round: Round) -> list[Auditor]:
    """Who is drawn for a model round: every family once before any twice, and k at least where that can be.

    Whoever sat on this segment before is left out, and endpoints that have been failing while others are there.
    """
    allowed = endpoints_for(audit=round.audit)
    if not allowed:
        return []
    now = database_now()
    # Failing endpoints are drawn only where there are no others: a round should not wait for them.
    well = [endpoint for endpoint in allowed if not is_left_alone(endpoint=endpoint, now=now)]
    audits = [key for key in (round.audit_id, round.audit.follows_id) if key]
    sat = Auditor.objects.filter(seats__round__audit__in=audits, seats__round__segment=round.segment_id)
    rows = (
        Auditor.objects.filter(endpoint__in=well or allowed, sample__lt=round.k)
        .filter(Q(suspended_until__isnull=True) | Q(suspended_until__lt=round.stage_since))
        .exclude(pk__in=sat.values("pk"))
        .select_related("endpoint")
        .order_by("sample", "endpoint__created", "pk")
    )
    return in_turn(auditors=list(rows), seats=round.k)


def in_turn(*, auditors: Sequence[Auditor], seats: int) -> list[Auditor]:
    """Auditors so that every family comes once before any comes twice, cut where seats and families are served."""
    seen: dict[tuple[int, str], int] = defaultdict(int)
    turns = []
    for position, auditor in enumerate(auditors):
        assert auditor.endpoint is not None
        key = (auditor.sample, family_name(auditor.endpoint))
        turns.append((auditor.sample, seen[key], position))
        seen[key] += 1
    families = {family_name(auditor.endpoint) for auditor in auditors if auditor.endpoint is not None}
    return [auditors[position] for *_, position in sorted(turns)][: max(seats, len(families))]


def is_left_alone(*, endpoint: Endpoint, now: datetime) -> bool:
    """Whether its circuit is open, for all workers: its last calls failed a moment ago."""
    opened = endpoint.circuit_opened
    return opened is not None and not Circuit().allows(since=(now - opened).total_seconds())


def is_suspect(*, audit: UUID, segment: UUID) -> bool:
    """Whether a model found signs of prompt injection in this segment, or in what it was shown beside it."""
    return bool(_suspect.rows(audit=audit, segment=segment))


@PreparedRows
def _suspect(audit: UUID, segment: UUID) -> QuerySet[SeatAttempt, Any]:
    attempts = SeatAttempt.objects.filter(seat__round__audit=audit, seat__round__segment=segment, is_suspect=True)
    return attempts.values_list("pk")[:1]


def suspects_of(*, audits: Sequence[UUID]) -> set[tuple[UUID, UUID]]:
    """Audits with those of their segments in which a model found such signs."""
    return set(_suspects.rows(audits=list(audits)))


@PreparedRows
def _suspects() -> QuerySet[SeatAttempt, Any]:
    attempts = SeatAttempt.objects.filter(among("auditing_round.audit_id", "audits"), is_suspect=True)
    return attempts.values_list("seat__round__audit", "seat__round__segment")
