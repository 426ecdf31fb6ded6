"""Named crash points: tests kill a worker exactly where TRUST_CRASH_AT says; nothing happens in production."""

import os
import signal

from django.conf import settings


def crash_at(point: str) -> None:
    """End this process like a power cut when `point` is the one that TRUST_CRASH_AT names."""
    if os.environ.get("TRUST_CRASH_AT") == point and not settings.PRODUCTION:
        os.kill(os.getpid(), signal.SIGKILL)
