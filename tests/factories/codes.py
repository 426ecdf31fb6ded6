"""The code that an authenticator app shows now."""

import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

from tests.tools.patience import wait_for

PERIOD = 30  # seconds that a code lives


def code_of(secret: str, *, earlier: int = 0) -> str:
    """The code of this half minute, or of one so many before; taken with some seconds left, for a busy machine."""
    wait_for(lambda: time.time() % PERIOD < PERIOD - 8)
    return format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD - earlier))
