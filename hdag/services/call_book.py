"""The book of model calls in PostgreSQL: caps and places hold across all workers.

Reads Endpoint; writes ChatCall: a row stands before the call goes out, with the most it can cost, and is settled once
after. A worker that dies leaves its row open: it keeps its reserve (the money may be spent) and frees its place when
the endpoint's deadline has passed. The circuit of an endpoint stands in its row: who opens or tries it does so for all;
so does the moment until which it asked to be left in peace (429 with Retry-After).
"""

import threading
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_CEILING, Decimal

from django.db import connection, transaction
from django.db.models import Case, DecimalField, F, Q, Sum, When
from django.db.models.functions import Coalesce, Greatest, Now, TruncDay

from hdag.chat.address import Origin
from hdag.chat.book import LONGEST_PAUSE, THREAD_PREFIX, Entry, Settlement, check_caps, check_circuit, check_pause
from hdag.chat.cache import AnswerCache, NoCache
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings, KeyProvider
from hdag.chat.errors import EndpointBusyError
from hdag.chat.retries import Circuit
from hdag.models import ChatCall, Endpoint
from hdag.services.endpoint_settings import settings_of

__all__ = ["DatabaseBook", "client_for", "rounded", "spent_by"]

_SMALLEST = Decimal("0.00000001")


@dataclass(frozen=True, slots=True)
class DatabaseBook:
    """A CallBook on the ChatCall table. Two callers of one endpoint queue on its row while one of them reserves."""

    def open_call(self, *, endpoint: EndpointSettings, entry: Entry) -> str:
        """Reserve under both caps and take a place.

        Raises CapReachedError, EndpointBusyError or CircuitOpenError; nothing is written then.
        """
        try:
            return self._opened(endpoint, entry, rounded(entry.reserve))
        # Also where the caps turn it away.
        finally:
            _close_own_connection()

    def close_call(self, *, ticket: str, settlement: Settlement) -> None:
        """Replace the reserve by the cost, if this ticket is still open."""
        settled = ChatCall.objects.filter(pk=ticket, state="open").update(
            state="failed" if settlement.error else "done",
            tokens_in=settlement.usage.tokens_in,
            tokens_out=settlement.usage.tokens_out,
            tokens_cached=settlement.usage.tokens_cached,
            tokens_thinking=settlement.usage.tokens_thinking,
            cost=rounded(settlement.cost),
            took_ms=settlement.took_ms,
            error=settlement.error[:200],
        )
        if settled:
            _note_health(ticket, settlement)
        _close_own_connection()

    def _opened(self, endpoint: EndpointSettings, entry: Entry, reserve: Decimal) -> str:
        with transaction.atomic():
            # 1. One caller at a time for an endpoint; the database's clock is the only one that all workers share.
            row = Endpoint.objects.select_for_update().annotate(now=Now()).get(name=endpoint.name)
            since = None if row.circuit_opened is None else (row.now - row.circuit_opened).total_seconds()
            check_circuit(endpoint=endpoint, since=since)
            pause = 0.0 if row.paused_until is None else (row.paused_until - row.now).total_seconds()
            check_pause(endpoint=endpoint, left=pause)
            # 2. A place is free: calls open for longer than any call may last belong to dead workers and hold none.
            calls = ChatCall.objects.filter(endpoint=row)
            patience = timedelta(seconds=endpoint.timeout_seconds + 5)
            if calls.filter(state="open", created__gt=Now() - patience).count() >= endpoint.max_concurrency:
                raise EndpointBusyError(f"{endpoint.name} already has {endpoint.max_concurrency} calls")
            # 3. The most it can cost stays within the caps of account and day; 4. then the row of the call reserves it.
            check_caps(
                endpoint=endpoint,
                entry=entry,
                spent_account=spent_by(Q(account=entry.account)),
                spent_day=spent_by(Q(endpoint=row, created__gte=TruncDay(Now()))),
            )
            if since is not None:
                Endpoint.objects.filter(pk=row.pk).update(circuit_opened=Now())  # this call is the trial
            call = ChatCall.objects.create(
                endpoint=row,
                account=entry.account,
                purpose=entry.purpose,
                cost=reserve,
                bytes_sent=entry.bytes_sent,
            )
        return str(call.pk)


def _note_health(ticket: str, settlement: Settlement) -> None:
    """Close the circuit, or count a failure and open it at the last one that it bears, or pause all: one UPDATE."""
    row = Endpoint.objects.filter(calls__pk=ticket)
    if settlement.is_paced:
        until = Now() + timedelta(seconds=min(settlement.pause or 0.0, LONGEST_PAUSE))
        row.update(paused_until=Greatest(F("paused_until"), until))  # PostgreSQL's GREATEST passes over NULL
    elif settlement.is_success:
        ill = Q(failures_in_a_row__gt=0) | Q(circuit_opened__isnull=False)
        row.filter(ill).update(failures_in_a_row=0, circuit_opened=None)
    elif settlement.is_failure:
        last = When(failures_in_a_row__gte=Circuit().limit - 1, then=Now())
        row.update(failures_in_a_row=F("failures_in_a_row") + 1, circuit_opened=Case(last, default=F("circuit_opened")))


def client_for(
    *, row: Endpoint, allowed: frozenset[Origin], cache: AnswerCache | None = None, key: KeyProvider | None = None
) -> ChatClient:
    """A client whose spend and places stand in the database. The caller closes it."""
    return ChatClient(settings_of(row=row, key=key), DatabaseBook(), cache or NoCache(), allowed)


def _close_own_connection() -> None:
    """Close this thread's connection if the thread lives for one question only: nobody else would."""
    if threading.current_thread().name.startswith(THREAD_PREFIX):
        connection.close()


def spent_by(condition: Q) -> Decimal:
    """What the calls that meet a condition cost or have reserved."""
    money = DecimalField(max_digits=14, decimal_places=8)
    total = ChatCall.objects.filter(condition).aggregate(total=Coalesce(Sum("cost"), Decimal(0), output_field=money))
    return Decimal(total["total"])


def rounded(amount: Decimal) -> Decimal:
    """Up to the last place that the column holds: rounding must not undercut a cap."""
    return amount.quantize(_SMALLEST, rounding=ROUND_CEILING)
