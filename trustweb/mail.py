"""Mail through the operator's server: the connection goes to the address that was judged (hdag/chat/outgoing.py)."""

import smtplib
import socket
from typing import Any

from django.core.mail.backends.smtp import EmailBackend

from hdag.chat.outgoing import connect_named


class _Smtp(smtplib.SMTP):
    def _get_socket(self, host: str, port: int, timeout: float | None) -> socket.socket:
        return connect_named((host, port), timeout, self.source_address)  # type: ignore[arg-type]  # stubs are wider


class _SmtpOverTls(smtplib.SMTP_SSL, _Smtp):
    """SMTP_SSL wraps the socket that the next class opens."""


class GuardedBackend(EmailBackend):
    """Django's SMTP backend with these connections."""

    @property
    def connection_class(self) -> Any:
        """Which of the two."""
        return _SmtpOverTls if self.use_ssl else _Smtp
