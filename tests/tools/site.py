"""A live server for tests: our own uvicorn in a thread, on the test database."""

import contextlib
import socket
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import uvicorn


@dataclass(frozen=True, slots=True)
class Site:
    """Where the live server listens."""

    port: int

    @property
    def url(self) -> str:
        """Address of the start page, without the slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        """The same for websockets."""
        return f"ws://127.0.0.1:{self.port}"


@contextlib.contextmanager
def served_site() -> Iterator[Site]:
    """Serve the ASGI application until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener, warnings.catch_warnings():
        config = uvicorn.Config(
            "trustweb.asgi:application",
            ws="websockets-sansio",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="site")
        thread.start()
        try:
            yield Site(listener.getsockname()[1])  # the socket listens already; a first request waits in its queue
        finally:
            server.should_exit = True
            thread.join(15)
