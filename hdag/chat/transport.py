"""The HTTP transport of model calls: connects to checked addresses only, never waits or reads past its limits."""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from contextvars import ContextVar
from typing import Any

import httpcore2
import httpx2

from hdag.chat.address import Origin, Resolver, resolve_checked
from hdag.chat.errors import AddressRefusedError

__all__ = ["BodyTooLarge", "PinnedTransport", "deadline"]

# Moment (time.monotonic) by which the current call must be over; a server that drips a byte a second hits it too.
deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class BodyTooLarge(httpx2.RequestError):
    """The answer is larger than the endpoint allows."""


class PinnedTransport(httpx2.BaseTransport):
    """Speaks HTTP/1.1 to one origin through a pool whose every socket goes to an address that was checked."""

    def __init__(
        self, *, origin: Origin, allowed: frozenset[Origin], max_bytes: int, resolve: Resolver | None = None
    ) -> None:
        self._max_bytes = max_bytes
        backend = _CheckedBackend(origin, allowed, resolve)
        self._pool = httpcore2.ConnectionPool(network_backend=backend, max_connections=32, keepalive_expiry=20.0)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; the body is read whole, up to the limit."""
        url = request.url
        target = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        inner = httpcore2.Request(
            request.method, target, headers=request.headers.raw, content=request.read(), extensions=request.extensions
        )
        try:
            with closing(self._pool.handle_request(inner)) as answer:
                body = b"".join(self._limited(answer.iter_stream(), request))
                return httpx2.Response(answer.status, headers=_plain(answer.headers, request), content=body)
        except httpcore2.TimeoutException:
            failure: Exception = httpx2.ReadTimeout("timed out", request=request)
        except (httpcore2.ConnectError, httpcore2.ProtocolError, httpcore2.NetworkError) as error:
            error_class = httpx2.ConnectError if isinstance(error, httpcore2.ConnectError) else httpx2.ReadError
            failure = error_class(type(error).__name__, request=request)
        # Outside the except blocks, so that no inner exception with its request hangs on the one that is raised.
        raise failure

    def _limited(self, chunks: Iterable[bytes], request: httpx2.Request) -> Iterator[bytes]:
        total = 0
        for chunk in chunks:
            total += len(chunk)
            if total > self._max_bytes:
                raise BodyTooLarge(f"more than {self._max_bytes} bytes", request=request)
            yield chunk

    def close(self) -> None:
        """Close the pool."""
        self._pool.close()


def _plain(headers: list[tuple[bytes, bytes]], request: httpx2.Request) -> list[tuple[bytes, bytes]]:
    """Headers without those about the wire. We ask for no compression and accept none: a bomb stays packed."""
    if any(name.lower() == b"content-encoding" and value.lower() != b"identity" for name, value in headers):
        raise httpx2.ReadError("compressed against our wish", request=request)
    return [(name, value) for name, value in headers if name.lower() not in {b"transfer-encoding", b"content-length"}]


class _CheckedBackend(httpcore2.NetworkBackend):
    """Opens sockets to checked addresses only."""

    def __init__(self, origin: Origin, allowed: frozenset[Origin], resolve: Resolver | None) -> None:
        self._origin, self._allowed, self._resolve = origin, allowed, resolve
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to the pinned address of the one host that this pool is for."""
        # The pool is for one origin; a redirect or a proxy setting that asked for another ends here.
        if (host.strip("[]"), port) != (self._origin.host, self._origin.port):
            raise AddressRefusedError(f"{host}:{port} is not where this endpoint lives")
        # Resolved at every connection: the address checked is the address connected to.
        address = resolve_checked(origin=self._origin, allowed=self._allowed, resolve=self._resolve)
        stream = self._inner.connect_tcp(address, port, _left(timeout), local_address, socket_options)
        return _TimedStream(stream)


class _TimedStream(httpcore2.NetworkStream):
    """A socket whose every wait ends at the call's deadline."""

    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _TimedStream(self._inner.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _left(timeout: float | None) -> float | None:
    """The shorter of `timeout` and what is left of the deadline. Raises when nothing is left."""
    end = deadline.get()
    if end is None:
        return timeout
    left = end - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the total deadline has passed")
    return left if timeout is None else min(timeout, left)
