"""Connections to addresses that the operator's environment names (witnesses, the mail server), by the same guard.

Such an address may be private. It is resolved once, judged, and the connection goes to the address that was judged.
"""

import contextlib
import http.client
import socket
import urllib.request
from typing import Any

from hdag.chat.address import Origin, resolve_all_checked
from hdag.chat.errors import AddressRefusedError

__all__ = ["connect_named", "guarded_opener"]


def connect_named(
    address: tuple[str, int], timeout: float | None = None, source_address: tuple[str, int] | None = None
) -> socket.socket:
    """Like socket.create_connection. Raises OSError, also for an address that is never called."""
    host, port = address
    origin = Origin("tcp", host, port)
    try:
        addresses = resolve_all_checked(origin=origin, allowed=frozenset({origin}))
    except AddressRefusedError as error:
        # Libraries above know how to go on after an OSError; to them a refusal is a server that is away.
        raise ConnectionRefusedError(str(error)) from None
    # One after the other, as create_connection does: "localhost" is often ::1 first, and a server may know one of them.
    for checked in addresses[:-1]:
        with contextlib.suppress(OSError):
            return socket.create_connection((checked, port), timeout, source_address)
    return socket.create_connection((addresses[-1], port), timeout, source_address)


class _Http(http.client.HTTPConnection):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._create_connection = connect_named


class _Https(http.client.HTTPSConnection):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._create_connection = connect_named


class _HttpHandler(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Http, request)


class _HttpsHandler(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Https, request)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Whoever is asked answers where it was asked."""


def guarded_opener() -> urllib.request.OpenerDirector:
    """http and https, without proxies of the environment, without redirects, without any other scheme."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        _HttpHandler(),
        _HttpsHandler(),
        _NoRedirects(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener
