"""What an answer with another status than 200 says, as a named failure; none of its words are passed on."""

from collections.abc import Mapping
from datetime import UTC, datetime

from hdag.chat.errors import Failure
from hdag.chat.replies.rejections import (
    is_filtered,
    is_of_template,
    is_out_of_quota,
    name_rejection,
    read_body_delay,
    read_refusal,
)
from hdag.chat.replies.reply import Attempt
from hdag.chat.retries import read_retry_after

__all__ = ["read_status"]

_NO_HEADERS: Mapping[str, str] = {}


def read_status(*, status: int, text: str, headers: Mapping[str, str] = _NO_HEADERS) -> Attempt:
    """The failure that `status` with the body `text` is; names of `headers` in lower case."""
    if 300 <= status < 400:
        return Attempt(Failure.REDIRECTED, f"the server redirects ({status}), which is never followed")
    # 400: Anthropic (anthropics/claude-code 66314, 2026-06-08); 403: OpenRouter (MCPJam/inspector 1287, 2026-01-26).
    if status in (400, 402, 403, 429) and is_out_of_quota(text=text):
        return Attempt(Failure.REJECTED, f"the server says that the account's quota is spent ({status})")
    # Only these and 5xx may pass by themselves; any other status is about the request. 498: Groq has no room at the
    # moment for service_tier flex (console.groq.com/docs/flex-processing, 2026-11-29).
    if status in (408, 425, 429, 498):
        wait = _read_wait(headers, text)
        return Attempt(Failure.RATE_LIMITED, f"the server asks to wait ({status})", retry_after=wait)
    # A template that takes no system message raises a 500 (ggml-org/llama.cpp 19851, 2026-02-24): other terms do.
    if status >= 500 and not is_of_template(text=text):
        wait = _read_wait(headers, text)
        return Attempt(Failure.SERVER_ERROR, f"the server failed ({status})", retry_after=wait)
    # The model wrote no JSON where the server held it to some: another try may do (Groq, Cerebras).
    if "json_validate_failed" in text or "wrong_api_format" in text:
        return Attempt(Failure.GARBAGE, f"the server could not read its model's answer ({status})")
    if is_filtered(text=text):
        return Attempt(Failure.FILTERED, f"a content filter of the server refuses the text ({status})")
    refusal = read_refusal(text=text)
    return Attempt(Failure.REJECTED, name_rejection(status=status, text=text), refusal=refusal)


def _read_wait(headers: Mapping[str, str], text: str) -> float | None:
    """Seconds to wait as the server says: in milliseconds (OpenAI, Azure), as HTTP does, or in its body (Google)."""
    milliseconds = read_retry_after(value=headers.get("retry-after-ms"), now=datetime.now(UTC))
    if milliseconds is not None:
        return milliseconds / 1000
    wait = read_retry_after(value=headers.get("retry-after"), now=datetime.now(UTC))
    return read_body_delay(text=text) if wait is None else wait
