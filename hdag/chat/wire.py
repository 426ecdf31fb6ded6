"""One call through the `openai` client, with its own retries, redirects, proxies and environment switched off."""

import logging
import time
from datetime import UTC, datetime
from typing import Any

import httpx2
import openai

from hdag.chat.address import Origin, check_base_url
from hdag.chat.attempt import Attempt, Reply, read_reply
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import AddressRefusedError, Failure, KeyUnavailableError
from hdag.chat.rejections import is_filtered, is_out_of_quota, name_rejection, read_body_delay
from hdag.chat.retries import read_retry_after
from hdag.chat.transport import BodyTooLarge, PinnedTransport, deadline

__all__ = ["Wire", "read_status"]

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
        # never None, or the client would read OPENAI_API_KEY and its siblings from the environment
        self._client = openai.OpenAI(
            api_key="set at each call",
            organization="",
            project="",
            base_url=endpoint.base_url,
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
        try:
            raw = self._client.chat.completions.with_raw_response.create(
                model=body["model"],
                messages=body["messages"],
                # Fields that the library does not know are fields of some server.
                extra_body={key: value for key, value in body.items() if key not in ("model", "messages")},
                timeout=seconds,
                extra_headers={"Authorization": f"Bearer {key}", "OpenAI-Organization": "", "OpenAI-Project": ""},
            )
        except (openai.OpenAIError, AddressRefusedError, ValueError) as error:
            # the error holds the request and with it the key: only its kind leaves this function
            return _read_error(error)
        content = raw.http_response.content
        return read_reply(body=content, model=self._endpoint.model, answers_as=self._endpoint.answers_as)

    def close(self) -> None:
        """Close the pool."""
        self._http.close()


def _read_error(error: Exception) -> Attempt:
    """What went wrong, by the kind of the library's exception; its text is never passed on."""
    if isinstance(error, AddressRefusedError):
        return Attempt(Failure.REFUSED_ADDRESS, str(error), sent=False)
    if isinstance(error, openai.APIStatusError):
        return read_status(error.status_code, error.response)
    if isinstance(error, openai.APITimeoutError):
        return Attempt(Failure.TIMED_OUT, "the server did not answer in time")
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__
        if isinstance(cause, BodyTooLarge):
            return Attempt(Failure.TOO_LARGE, str(cause))
        return Attempt(Failure.UNREACHABLE, "the connection failed", sent=not isinstance(cause, httpx2.ConnectError))
    return Attempt(Failure.GARBAGE, "the server's answer cannot be read")


def read_status(status: int, response: httpx2.Response) -> Attempt:
    """What an answer with another status than 200 says; none of its words are passed on."""
    if 300 <= status < 400:
        return Attempt(Failure.REDIRECTED, f"the server redirects ({status}), which is never followed")
    text = response.text
    if status == 429 and is_out_of_quota(text=text):
        return Attempt(Failure.REJECTED, "the server says that the account's quota is spent (429)")
    # Only these and 5xx may pass by themselves; any other status is about the request.
    if status in (408, 425, 429):
        wait = _read_wait(response.headers, text)
        return Attempt(Failure.RATE_LIMITED, f"the server asks to wait ({status})", retry_after=wait)
    if status >= 500:
        wait = _read_wait(response.headers, text)
        return Attempt(Failure.SERVER_ERROR, f"the server failed ({status})", retry_after=wait)
    if is_filtered(text=text):
        return Attempt(Failure.FILTERED, f"a content filter of the server refuses the text ({status})")
    return Attempt(Failure.REJECTED, name_rejection(status=status, text=text))


def _read_wait(headers: httpx2.Headers, text: str) -> float | None:
    """Seconds to wait as the server says: in milliseconds (OpenAI, Azure), as HTTP does, or in its body (Google)."""
    milliseconds = read_retry_after(value=headers.get("retry-after-ms"), now=datetime.now(UTC))
    if milliseconds is not None:
        return milliseconds / 1000
    wait = read_retry_after(value=headers.get("retry-after"), now=datetime.now(UTC))
    return read_body_delay(text=text) if wait is None else wait
