"""Model servers at private or plain-http addresses that the operator permits. Reads the environment; writes nothing."""

import os

from hdag.chat.address import Origin, read_allowlist


def allowed_origins() -> frozenset[Origin]:
    """The origins that TRUST_CHAT_ALLOWED_ORIGINS lists; every other private address is refused."""
    return read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
