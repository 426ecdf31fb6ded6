"""TLS before a server that speaks none: how PostgreSQL and Redis on another machine are reached. Plain text is cut off.

Written from "Message Flow: SSL Session Encryption" of the PostgreSQL manual, where a client asks before it encrypts,
and from the TLS page of Redis' documentation, where it encrypts from the first byte.
"""

import asyncio
import contextlib
import ssl
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

_GSS_REQUEST, _SSL_REQUEST = 80877104, 80877103  # codes of eight bytes, length first (PostgreSQL, "Message Formats")
_CHUNK = 65_536

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class TlsFront:
    """Listens on a port of 127.0.0.1 and passes what it decrypts on to a server, by Unix socket or (host, port)."""

    def __init__(self, *, certificate: Path, behind: str | tuple[str, int], is_asked_first: bool) -> None:
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.behind, self.is_asked_first = behind, is_asked_first
        self.versions: list[str] = []  # of each connection that got through
        self.refused = 0  # connections that asked for no TLS, or broke it off
        self.port = 0

    @contextlib.contextmanager
    def running(self) -> Iterator["TlsFront"]:
        """Serve in a thread of its own until the block ends."""
        loop = asyncio.new_event_loop()
        server = loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        try:
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(_end(server), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._encrypt(reader, writer)
        except (OSError, EOFError, ConnectionError):
            self.refused += 1
            writer.transport.abort()
            return
        self.versions.append(writer.get_extra_info("ssl_object").version())
        with contextlib.suppress(OSError):
            beyond = await self._reach()
            await asyncio.gather(_pass_on(reader, beyond[1]), _pass_on(beyond[0], writer))

    async def _encrypt(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while self.is_asked_first:
            length, code = struct.unpack("!II", await reader.readexactly(8))
            if code == _SSL_REQUEST:
                writer.write(b"S")
                break
            if (length, code) != (8, _GSS_REQUEST):
                raise ConnectionError("plain text")
            writer.write(b"N")
        await writer.start_tls(self.context)

    async def _reach(self) -> Stream:
        if isinstance(self.behind, str):
            return await asyncio.open_unix_connection(self.behind)
        return await asyncio.open_connection(*self.behind)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until either side has had enough, and then both."""
    with contextlib.suppress(OSError):
        while chunk := await reader.read(_CHUNK):
            writer.write(chunk)
            await writer.drain()
    writer.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
