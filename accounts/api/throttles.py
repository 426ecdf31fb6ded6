"""How many requests a minute the API answers: Django REST framework's limits, counted by Redis in one trip.

Its own throttles fetch a list of times, change it and send it back: two trips, and two requests that overtake each
other count as one. Here the list stays in Redis, where one command looks and counts.
"""

from typing import Any

from rest_framework import throttling
from rest_framework.request import Request

from accounts import pace


class OneTrip(throttling.SimpleRateThrottle):
    """The storage; rates, scopes and keys are those of the classes below it."""

    num_requests: int | None
    duration: int | None  # seconds
    left: float | None = None  # seconds until the next request is answered

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count this request, unless the limit is reached."""
        key = self.get_cache_key(request, view) if self.rate is not None else None
        if key is None:
            return True
        assert self.num_requests is not None
        assert self.duration is not None
        guesses = pace.take_postponed(request._request)
        self.left = pace.seconds_to_wait(key=key, most=self.num_requests, seconds=self.duration, guesses=guesses)
        return self.left is None

    def wait(self) -> float | None:
        """For Retry-After."""
        return self.left


class AnonRateThrottle(OneTrip, throttling.AnonRateThrottle):
    """Strangers, by address."""


class UserRateThrottle(OneTrip, throttling.UserRateThrottle):
    """People, whatever they use."""


class ScopedRateThrottle(throttling.ScopedRateThrottle, OneTrip):
    """What a view names as its scope."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """As Django REST framework has it, which reads the rate of the view's scope first."""
        self.scope = getattr(view, self.scope_attr, None)
        if not self.scope:
            return True
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return OneTrip.allow_request(self, request, view)

    def wait(self) -> float | None:
        """For Retry-After."""
        return self.left
