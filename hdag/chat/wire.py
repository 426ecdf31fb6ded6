"""One call through the `openai` client, with its own retries, redirects, proxies and environment switched off."""

import logging
import time
from typing import Any

import httpx2
import openai

from hdag.chat.address import Origin, base_of, check_base_url
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import AddressRefusedError, Failure, KeyUnavailableError
from hdag.chat.replies.reading import read_reply
from hdag.chat.replies.reply import Attempt, Reply
from hdag.chat.replies.responses import read_response
from hdag.chat.replies.statuses import read_status
from hdag.chat.transport import BodyTooLarge, PinnedTransport, deadline

__all__ = ["Wire"]

# Its debug lines carry whole requests, trace text included.
logging.getLogger("openai").setLevel(logging.WARNING)
logging.getLogger("httpx2").setLevel(logging.WARNING)  # a line for every call


class Wire:
    """A pool of connections to one endpoint. The key is read at each call and kept nowhere."""

    def __init__(self, endpoint: EndpointSettings, allowed: frozenset[Origin]) -> None:
        self._endpoint = endpoint
        origin = check_base_url(url=endpoint.base_url, allowed=allowed)
        transport = PinnedTransport(origin=origin, allowed=allowed, max_bytes=endpoint.max_answer_bytes)
        headers = {"accept-encoding": "identity"}
        self._http = httpx2.Client(transport=transport, trust_env=False, follow_redirects=False, headers=headers)
        base_url, _, version = base_of(url=endpoint.base_url).partition("?api-version=")
        self._version = version
        # never None, or the client would read OPENAI_API_KEY and its siblings from the environment
        self._client = openai.OpenAI(
            api_key="set at each call",
            organization="",
            project="",
            base_url=base_url,
            default_query={"api-version": version} if version else None,
            http_client=self._http,
            max_retries=0,
        )

    def call(self, *, body: dict[str, Any], seconds: float) -> Reply | Attempt:
        """Send `body`; every wait together takes at most `seconds`."""
        try:
            key = self._endpoint.key.get_key()
        except KeyUnavailableError as error:
            return Attempt(Failure.MISCONFIGURED, str(error), sent=False)
        # A context variable reaches every wait of the sockets below; the client's own timeout is for one read only.
        mark = deadline.set(time.monotonic() + seconds)
        try:
            return self._call(body, key, seconds)
        finally:
            deadline.reset(mark)

    def _call(self, body: dict[str, Any], key: str, seconds: float) -> Reply | Attempt:
        is_response = "input" in body
        try:
            raw = self._send(body, key, seconds)
        except (openai.OpenAIError, AddressRefusedError, ValueError) as error:
            # the error holds the request and with it the key: only its kind leaves this function
            return _read_error(error)
        read = read_response if is_response else read_reply
        content = raw.http_response.content
        return read(body=content, model=self._endpoint.model, answers_as=self._endpoint.answers_as)

    def _send(self, body: dict[str, Any], key: str, seconds: float) -> Any:
        """The answer as it came: `messages` go to chat completions, `input` to the Responses API."""
        name = "input" if "input" in body else "messages"
        door = self._client.responses if name == "input" else self._client.chat.completions
        return door.with_raw_response.create(
            model=body["model"],
            **{name: body[name]},
            # Fields that the library does not know are fields of some server.
            extra_body={key: value for key, value in body.items() if key not in ("model", name)},
            timeout=seconds,
            extra_headers={**self._credentials(key), "OpenAI-Organization": "", "OpenAI-Project": ""},
        )

    def _credentials(self, key: str) -> dict[str, Any]:
        """Azure's addresses with a version take a key in a header of their own; a bearer there is a token of Entra."""
        if self._version:
            return {"api-key": key, "Authorization": openai.omit}
        return {"Authorization": f"Bearer {key}"}

    def close(self) -> None:
        """Close the pool."""
        self._http.close()


def _read_error(error: Exception) -> Attempt:
    """What went wrong, by the kind of the library's exception; its text is never passed on."""
    if isinstance(error, AddressRefusedError):
        return Attempt(Failure.REFUSED_ADDRESS, str(error), sent=False)
    if isinstance(error, openai.APIStatusError):
        response = error.response
        return read_status(status=error.status_code, text=response.text, headers=response.headers)
    if isinstance(error, openai.APITimeoutError):
        return Attempt(Failure.TIMED_OUT, "the server did not answer in time")
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        if isinstance(cause, BodyTooLarge):
            return Attempt(Failure.TOO_LARGE, str(cause))
        return Attempt(Failure.UNREACHABLE, "the connection failed", sent=not isinstance(cause, httpx2.ConnectError))
    return Attempt(Failure.GARBAGE, "the server's answer cannot be read")
