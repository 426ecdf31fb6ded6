"""Named crash points: tests kill a worker exactly where TRUST_CRASH_AT says; nothing happens in production.

This is how the tests show that a process may die between any two steps without losing or doubling a vote or a leaf.
"""

import os
import signal
from pathlib import Path

from django.conf import settings


def crash_at(point: str) -> None:
    """End this process like a power cut when `point` is among those that TRUST_CRASH_AT names.

    With TRUST_CRASH_MARKS, a directory, each point strikes once: whoever comes first leaves its mark there and dies.
    """
    if settings.PRODUCTION or point not in os.environ.get("TRUST_CRASH_AT", "").split(","):
        return
    marks = os.environ.get("TRUST_CRASH_MARKS")
    if marks is None or _is_first(Path(marks) / point):
        os.kill(os.getpid(), signal.SIGKILL)  # no handler, no finally, no flush: as when the power fails


def _is_first(mark: Path) -> bool:
    try:
        # Creating a file that must not exist is atomic: of several workers exactly one is first.
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
