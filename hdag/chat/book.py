"""The book of calls: an attempt reserves the most it can cost, and a place, before it goes out; it is settled after.

Whatever happens in between, spend stays under its caps, no endpoint sees more calls at once than it allows, and one
that has been failing is left alone by everybody who shares the book (a circuit breaker, chat/retries.py).
One Protocol; in memory here, in PostgreSQL in hdag/services/call_book.py (across workers).

Example: with 1.00 of its cap spent out of 1.20, an account opens a call that may cost 0.15 (1.15 reserved); a second
one of 0.15 is refused. The first settles at 0.02: 1.02 spent, and the second may go out.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import TRANSIENT, CapReachedError, CircuitOpenError, EndpointBusyError, Failure
from hdag.chat.usage import NOTHING_USED, Usage

__all__ = [
    "INTERRUPTED",
    "LONGEST_PAUSE",
    "THREAD_PREFIX",
    "CallBook",
    "Entry",
    "MemoryBook",
    "Settlement",
    "check_caps",
    "check_circuit",
    "check_pause",
]

INTERRUPTED = "interrupted"
LONGEST_PAUSE = 300.0  # seconds; no server can silence itself for longer by one header
THREAD_PREFIX = "chat-call"  # threads that ask in parallel carry it; a book in a database closes its connection there


@dataclass(frozen=True, slots=True)
class Entry:
    """A call about to go out: who pays (`account`), what for, and the most it can cost."""

    account: str
    purpose: str
    reserve: Decimal
    bytes_sent: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the call ended. `cost` is never above the reserve; `error` is a Failure value, "interrupted" or empty.

    `pause`: seconds for which the server asked everybody to wait (429 with Retry-After), else None.
    """

    usage: Usage = NOTHING_USED
    cost: Decimal = Decimal(0)
    took_ms: int = 0
    error: str = ""
    pause: float | None = None

    @property
    def is_paced(self) -> bool:
        """Whether a working server said when to come back: all who share the book wait; it is no failure."""
        return self.error == Failure.RATE_LIMITED and self.pause is not None

    @property
    def is_failure(self) -> bool:
        """Whether it speaks against the server's health. What was interrupted or paced speaks neither for nor against.

        A 429 that does not say until when counts: a spent quota answers so for ever, and nothing else would end it.
        """
        return self.error in TRANSIENT and not self.is_paced

    @property
    def is_success(self) -> bool:
        """Whether the server was there and did its part, even if what it said could not be used."""
        return not self.is_failure and not self.is_paced and self.error != INTERRUPTED


class CallBook(Protocol):
    """Where calls are reserved and settled."""

    def open_call(self, *, endpoint: EndpointSettings, entry: Entry) -> str:
        """A ticket.

        Raises CapReachedError where the reserve would break a cap, EndpointBusyError where no place is free,
        CircuitOpenError while the endpoint is left alone.
        """
        ...

    def close_call(self, *, ticket: str, settlement: Settlement) -> None:
        """Settle a ticket, once; a second settlement changes nothing."""
        ...


class MemoryBook:
    """A book for one process: tests, commands and studies."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock, self._clock = threading.Lock(), clock
        self._failures: defaultdict[str, int] = defaultdict(int)
        self._opened: dict[str, float] = {}
        self._paused: dict[str, float] = {}
        self._open: dict[str, tuple[EndpointSettings, Entry]] = {}
        self._by_account: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._by_endpoint: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._count = 0

    def open_call(self, *, endpoint: EndpointSettings, entry: Entry) -> str:
        """Reserve under both caps and take a place."""
        with self._lock:
            opened = self._opened.get(endpoint.name)
            # 1. may anybody call? 2. is a place free? 3. can the account and the day afford the most it can cost?
            check_circuit(endpoint=endpoint, since=None if opened is None else self._clock() - opened)
            check_pause(endpoint=endpoint, left=self._paused.get(endpoint.name, 0.0) - self._clock())
            if sum(owner.name == endpoint.name for owner, _ in self._open.values()) >= endpoint.max_concurrency:
                raise EndpointBusyError(f"{endpoint.name} already has {endpoint.max_concurrency} calls")
            check_caps(
                endpoint=endpoint,
                entry=entry,
                spent_account=self._by_account[entry.account],
                spent_day=self._by_endpoint[endpoint.name],
            )
            if opened is not None:
                self._opened[endpoint.name] = self._clock()  # this call is the trial; the next one waits for it
            # 4. reserve
            self._add(endpoint, entry, entry.reserve)
            self._count += 1
            ticket = str(self._count)
            self._open[ticket] = endpoint, entry
            return ticket

    def close_call(self, *, ticket: str, settlement: Settlement) -> None:
        """Replace the reserve by the cost."""
        with self._lock:
            if ticket not in self._open:
                return
            endpoint, entry = self._open.pop(ticket)
            # The reserve was booked at opening: only the difference is left, never above zero.
            self._add(endpoint, entry, settlement.cost - entry.reserve)
            self._note_health(endpoint, settlement)

    def spent(self, account: str) -> Decimal:
        """What `account` has spent or reserved."""
        with self._lock:
            return self._by_account[account]

    def _note_health(self, endpoint: EndpointSettings, settlement: Settlement) -> None:
        """Pause the endpoint, close its circuit, or count a failure and open it at the last one that it bears."""
        name = endpoint.name
        if settlement.is_paced:
            until = self._clock() + min(settlement.pause or 0.0, LONGEST_PAUSE)
            # A shorter pause that arrives later does not end a longer one.
            self._paused[name] = max(self._paused.get(name, until), until)
        elif settlement.is_success:
            self._failures.pop(name, None)
            self._opened.pop(name, None)
        elif settlement.is_failure:
            self._failures[name] += 1
            if self._failures[name] >= endpoint.circuit.limit:
                self._opened[name] = self._clock()

    def _add(self, endpoint: EndpointSettings, entry: Entry, amount: Decimal) -> None:
        self._by_account[entry.account] += amount
        self._by_endpoint[endpoint.name] += amount


def check_circuit(*, endpoint: EndpointSettings, since: float | None) -> None:
    """Raise CircuitOpenError while the endpoint rests, `since` seconds after its circuit opened (None: closed)."""
    if not endpoint.circuit.allows(since=since):
        raise CircuitOpenError(f"{endpoint.name} has been failing; it is left alone")


def check_pause(*, endpoint: EndpointSettings, left: float) -> None:
    """Raise EndpointBusyError while the server wants nobody to ask: for `left` more seconds, none from 0 down."""
    if left > 0:
        raise EndpointBusyError(f"{endpoint.name} asked everybody to wait for another {left:.0f} s", wait=left)


def check_caps(*, endpoint: EndpointSettings, entry: Entry, spent_account: Decimal, spent_day: Decimal) -> None:
    """Raise CapReachedError when this call could carry an account or a day over its cap."""
    if spent_account + entry.reserve > endpoint.account_cap:
        raise CapReachedError(
            f"{entry.account} has spent {spent_account:f} of {endpoint.account_cap:f}; "
            f"this call could cost {entry.reserve:f}"
        )
    if spent_day + entry.reserve > endpoint.daily_cap:
        raise CapReachedError(f"{endpoint.name} has spent {spent_day:f} of {endpoint.daily_cap:f} today")
