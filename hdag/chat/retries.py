"""How long to wait before trying again, and when to stop trying for a while."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["Backoff", "Circuit", "read_retry_after"]


@dataclass(frozen=True, slots=True)
class Backoff:
    """Full jitter: uniform between 0 and min(longest, first * 2^attempt), never below what the server asked for.

    Source: the "full jitter" rule of the AWS Architecture Blog, 2015.
    """

    first: float = 0.5
    longest: float = 20.0

    def wait(self, *, attempt: int, rng: float, retry_after: float | None = None) -> float:
        """Seconds before attempt `attempt + 1`; `rng` is uniform in [0, 1).

        >>> Backoff().wait(attempt=2, rng=0.5), Backoff().wait(attempt=0, rng=0.5, retry_after=7.0)
        (1.0, 7.25)
        """
        # 2.0 ** 30 seconds is beyond any `longest`; the bound keeps the power from overflowing
        own = rng * min(self.longest, self.first * 2.0 ** min(attempt, 30))
        return own if retry_after is None else retry_after + rng * self.first


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
        moment = parsedate_to_datetime(value)
        # The old forms of a date name no zone: HTTP knows none but GMT (RFC 9110 section 5.6.7).
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class Circuit:
    """When an endpoint is left alone: after `limit` failures in a row, for `rest_seconds`, then one call tries it.

    Closed -> (limit failures) -> open -> (rest_seconds) -> half open: one trial closes it or opens it again. The rules
    alone; a book of calls keeps the state, so that all who share the book share the circuit.
    """

    limit: int = 8
    rest_seconds: float = 30.0

    def allows(self, *, since: float | None) -> bool:
        """Whether a call may go out, `since` seconds after the circuit opened (None: it is closed).

        A caller that an open circuit lets through is its trial and must open it anew, so that the next caller waits.

        >>> [Circuit().allows(since=since) for since in (None, 29.0, 30.0)]
        [True, False, True]
        """
        return since is None or since >= self.rest_seconds
