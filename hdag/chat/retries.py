"""How long to wait before trying again, and when to stop trying for a while."""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime

__all__ = ["Backoff", "CircuitBreaker", "read_retry_after"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Full jitter: uniform between 0 and min(longest, first * 2^attempt), never below what the server asked for.

    Source: the "full jitter" rule of the AWS Architecture Blog, 2015.
    """

    first: float = 0.5
    longest: float = 20.0

    def wait(self, *, attempt: int, luck: float, retry_after: float | None = None) -> float:
        """Seconds before attempt `attempt + 1`; `luck` is uniform in [0, 1).

        >>> Backoff().wait(attempt=2, luck=0.5), Backoff().wait(attempt=0, luck=0.5, retry_after=7.0)
        (1.0, 7.25)
        """
        own = luck * min(self.longest, self.first * 2.0 ** min(attempt, 30))
        return own if retry_after is None else retry_after + luck * self.first


def read_retry_after(*, value: str | None, now: datetime) -> float | None:
    """Seconds in a Retry-After header (delta or HTTP date, RFC 9110 section 10.2.3); None for none or nonsense.

    >>> read_retry_after(value="3", now=datetime(2026, 1, 1))
    3.0
    """
    if value is None or len(value) > 40:
        return None
    try:
        seconds = float(value)
    except ValueError:
        return _until(value, now)
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _until(value: str, now: datetime) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (TypeError, ValueError):
        return None


@dataclass(slots=True)
class CircuitBreaker:
    """Stops calling an endpoint after `limit` failures in a row; after `rest` seconds lets one call try it.

    Closed -> (limit failures) -> open -> (rest seconds) -> half open: one trial closes it or opens it again.
    """

    clock: Callable[[], float]
    limit: int = 8
    rest: float = 30.0
    _failures: int = 0
    _opened: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def allows(self) -> bool:
        """Whether a call may go out now; in the half-open state exactly one caller hears yes."""
        with self._lock:
            if self._opened is None:
                return True
            if self.clock() - self._opened < self.rest:
                return False
            self._opened = self.clock()  # the next caller waits for this trial
            return True

    def note(self, *, healthy: bool) -> None:
        """Tell the breaker how a call ended."""
        with self._lock:
            self._failures = 0 if healthy else self._failures + 1
            self._opened = None if healthy else self.clock() if self._failures >= self.limit else self._opened
