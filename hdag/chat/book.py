"""The book of calls: every attempt reserves its dearest price and a place before it goes out, and is settled after.

Whatever happens in between, spend stays under its caps and no endpoint sees more calls at once than it allows.
One Protocol; in memory here, in PostgreSQL in hdag/services/call_book.py (across workers).
"""

import threading
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import Busy, CapReached
from hdag.chat.usage import NOTHING_USED, Usage

__all__ = ["THREAD_PREFIX", "CallBook", "Entry", "MemoryBook", "Settlement", "check_caps"]

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
    """How the call ended. `cost` is never above the reserve; `error` is a Failure value or empty."""

    usage: Usage = NOTHING_USED
    cost: Decimal = Decimal(0)
    took_ms: int = 0
    error: str = ""


class CallBook(Protocol):
    """Where calls are reserved and settled."""

    def open_call(self, *, endpoint: EndpointSettings, entry: Entry) -> str:
        """A ticket. Raises CapReached when the reserve would break a cap, Busy when no place is free."""
        ...

    def close_call(self, *, ticket: str, settlement: Settlement) -> None:
        """Settle a ticket, once; a second settlement changes nothing."""
        ...


class MemoryBook:
    """A book for one process: tests, commands and studies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, tuple[EndpointSettings, Entry]] = {}
        self._by_account: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._by_endpoint: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._count = 0

    def open_call(self, *, endpoint: EndpointSettings, entry: Entry) -> str:
        """Reserve under both caps and take a place."""
        with self._lock:
            if sum(owner.name == endpoint.name for owner, _ in self._open.values()) >= endpoint.max_concurrency:
                raise Busy(f"{endpoint.name} already has {endpoint.max_concurrency} calls")
            check_caps(
                endpoint=endpoint,
                entry=entry,
                spent_account=self._by_account[entry.account],
                spent_day=self._by_endpoint[endpoint.name],
            )
            self._add(endpoint, entry, entry.reserve)
            self._count += 1
            ticket = str(self._count)
            self._open[ticket] = endpoint, entry
            return ticket

    def close_call(self, *, ticket: str, settlement: Settlement) -> None:
        """Replace the reserve by the cost."""
        with self._lock:
            found = self._open.pop(ticket, None)
            if found:
                self._add(*found, settlement.cost - found[1].reserve)

    def spent(self, account: str) -> Decimal:
        """What `account` has spent or reserved."""
        with self._lock:
            return self._by_account[account]

    def _add(self, endpoint: EndpointSettings, entry: Entry, amount: Decimal) -> None:
        self._by_account[entry.account] += amount
        self._by_endpoint[endpoint.name] += amount


def check_caps(*, endpoint: EndpointSettings, entry: Entry, spent_account: Decimal, spent_day: Decimal) -> None:
    """Raise CapReached when this call could carry an account or a day over its cap."""
    if spent_account + entry.reserve > endpoint.account_cap:
        raise CapReached(
            f"{entry.account} has spent {spent_account:f} of {endpoint.account_cap:f}; "
            f"this call could cost {entry.reserve:f}"
        )
    if spent_day + entry.reserve > endpoint.daily_cap:
        raise CapReached(f"{endpoint.name} has spent {spent_day:f} of {endpoint.daily_cap:f} today")
