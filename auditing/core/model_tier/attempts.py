"""What follows a model's attempt without a vote: the model is asked again, or the seat goes to the next auditor."""

from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_ATTEMPTS = 3
PAUSE = timedelta(seconds=15)  # before the second attempt; doubled before each one after it


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedAttempt:
    """An attempt without a vote, and who else could be asked."""

    number: int  # 1 is the first
    is_passing: bool  # waiting can help: the endpoint was busy, slow or away
    has_successor: bool  # somebody else of the draw has not been asked yet
    paused_until: datetime | None  # as the endpoint itself asked for


def find_retry_time(*, attempt: FailedAttempt, now: datetime) -> datetime | None:
    """When the same model is asked again; None where its seat is passed on.

    Another auditor of the draw is always better than waiting for one that failed.
    """
    if not attempt.is_passing or attempt.has_successor or attempt.number >= MAX_ATTEMPTS:
        return None
    pause: timedelta = PAUSE * 2 ** (attempt.number - 1)
    return max(now + pause, attempt.paused_until or now)
