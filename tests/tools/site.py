"""A live server for tests: our own uvicorn in a thread, on the test database; at rest between two tests."""

import asyncio
import contextlib
import socket
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn
from asgiref.sync import SyncToAsync
from django.db import connections

from tests.tools.patience import PATIENCE, PAUSE, wait_for
from trustweb.serve.http_reader import BoundedHttp
from trustweb.serve.web import LiveSocket


class _Server(uvicorn.Server):
    """A server that knows its loop, so that other threads can ask something of it."""

    loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        """Serve until `should_exit`."""
        self.loop = asyncio.get_running_loop()
        await super().main_loop()

    async def end_everything(self) -> None:
        """Close every connection once its answer is sent, and wait for the end of what runs for them.

        A task of uvicorn ends after the application has returned, and Django's handler returns only when the thread
        of its request is done, also when the browser has hung up in the middle.
        """
        state, told = self.server_state, set[Any]()
        while state.connections or state.tasks:
            for connection in state.connections - told:
                connection.shutdown()
                told.add(connection)
            await asyncio.sleep(PAUSE)


@dataclass(frozen=True, slots=True)
class Site:
    """Where the live server listens."""

    port: int
    server: _Server

    @property
    def url(self) -> str:
        """Address of the start page, without the slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        """The same for websockets."""
        return f"ws://127.0.0.1:{self.port}"

    def rest(self) -> None:
        """Return when no request, no socket and no thread of either is left: now the database may be emptied."""
        wait_for(lambda: self.server.loop)
        assert self.server.loop
        end = asyncio.run_coroutine_threadsafe(self.server.end_everything(), self.server.loop)
        try:
            end.result(PATIENCE)
        except TimeoutError:
            state = self.server.server_state
            raise AssertionError(f"still at work: {state.connections} {state.tasks}") from None
        # The one thread that does the sockets' queries keeps its connection to the database.
        SyncToAsync.single_thread_executor.submit(connections.close_all).result(PATIENCE)


@contextlib.contextmanager
def served_site() -> Iterator[Site]:
    """Serve the ASGI application until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener, warnings.catch_warnings():
        config = uvicorn.Config(
            "trustweb.asgi:application",
            http=BoundedHttp,
            ws=LiveSocket,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        server = _Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="site", daemon=True)
        thread.start()
        try:
            # the socket listens already; a first request waits in its queue
            yield Site(listener.getsockname()[1], server)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
