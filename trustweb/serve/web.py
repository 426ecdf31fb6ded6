"""The web process: uvicorn on a socket that its supervisor keeps open, so that a restart refuses nobody."""

import socket
import sys

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from accounts import broadcast
from auditing import dispatch
from trustweb.serve.http_reader import BoundedHttp


class LiveSocket(WebSocketsSansIOProtocol):
    """uvicorn's websocket, whose end does not depend on what the browser is doing at that moment."""

    def shutdown(self) -> None:
        """Close; also a socket whose browser is taking leave, which may be sent no close frame any more.

        uvicorn 0.54 lets the refusal out of its loop over all connections: those after this one would not be closed,
        and the server would end with a traceback instead of its shutdown.
        """
        try:
            super().shutdown()
        except InvalidState:
            self.transport.close()


def configuration() -> uvicorn.Config:
    """How uvicorn serves the ASGI application."""
    return uvicorn.Config(
        "trustweb.asgi:application",
        http=BoundedHttp,
        ws=LiveSocket,
        lifespan="off",  # Django answers no ASGI lifespan events
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # who asks is decided by TRUST_PROXIES alone, never by a header anybody can send
        timeout_graceful_shutdown=5,
        # Messages of our sockets are short notices; a larger one is refused before it fills memory.
        ws_max_size=64 * 1024,
    )


def main(descriptor: int) -> None:
    """Serve on an inherited listening socket."""
    broadcast.gather()
    dispatch.gather()
    uvicorn.Server(configuration()).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
