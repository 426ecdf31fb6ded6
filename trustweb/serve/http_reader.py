"""The reader of HTTP/1.1: llhttp under uvicorn, with a limit on what of a request it keeps and cannot use yet."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 64 * 1024  # bytes; also of trailers, and of the lines between the pieces of a body


class BoundedHttp(HttpToolsProtocol):
    """Refuses a head that does not end: llhttp hands nothing out before a header is whole, and has no limit itself."""

    unread = 0  # bytes since the last event that was of use

    def data_received(self, data: bytes) -> None:
        """Read on; what makes a request no more complete may be so long and not longer."""
        self.unread += len(data)
        super().data_received(data)
        if self.unread > LONGEST_HEAD and not self.transport.is_closing():
            self.logger.warning("A head does not end.")
            self.send_400_response("The head of this request is too long.")

    def on_headers_complete(self) -> None:
        """The head ends."""
        self.unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request ends."""
        self.unread = 0
        super().on_message_complete()
