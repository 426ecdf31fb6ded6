"""Reading the body of a 200 answer: a chat completion, or what went wrong inside a success."""

import json
import re
from typing import Any

from hdag.chat.dialects.odds import read_tokens
from hdag.chat.errors import Failure
from hdag.chat.replies.reply import Attempt, Reply, is_same_model
from hdag.chat.replies.statuses import read_status
from hdag.chat.replies.thinking import read_content
from hdag.chat.usage import Usage
from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json

__all__ = ["NOT_AN_ANSWER", "SHAPES", "check_model", "read_error_inside", "read_reply", "read_usage"]

NOT_AN_ANSWER = "the server's answer is not a chat completion"
# The server broke off by itself: OpenRouter; DeepSeek (api-docs.deepseek.com/api/create-chat-completion, 2026-11-23);
# vLLM and SGLang (vllm-project/vllm 57082, 2026-09-15; radixark/miles 3337, 2026-09-20).
_BROKE_OFF = frozenset({"error", "insufficient_system_resource", "abort"})
_STATUS, _BAD_GATEWAY = re.compile(r"[45][0-9]{2}\Z"), 502
SHAPES = (BadRecordError, KeyError, IndexError, TypeError, AttributeError)


def read_reply(*, body: bytes, model: str, answers_as: str = "") -> Reply | Attempt:
    """The reply in the body of a 200 answer; anything that is not a chat completion by `model` is a failure.

    answers_as: another name that the answer may carry; ANY_NAME for whatever name.
    """
    # Any shape but the protocol's, wherever it breaks off, is one failure: nothing is guessed from half an answer.
    try:
        whole = read_json(body, where="the server's answer")
        # A router passes on with status 200 what went wrong behind it: beside the choices or inside the first one
        # (openrouter.ai/docs/api/reference/errors-and-debugging, 2026-11-23).
        error = whole.get("error") or (whole["choices"][0].get("error") if whole.get("choices") else None)
        if error:
            return read_error_inside(error)
        choice = whole["choices"][0]
        finish = str(choice.get("finish_reason")).lower()
        if finish in _BROKE_OFF:
            return Attempt(Failure.SERVER_ERROR, "the server broke the answer off")
        reply = _read_choice(choice, finish, whole)
    except SHAPES:
        return Attempt(Failure.GARBAGE, NOT_AN_ANSWER)
    return check_model(reply=reply, model=model, answers_as=answers_as)


def check_model(*, reply: Reply, model: str, answers_as: str) -> Reply | Attempt:
    """The reply, unless another model than the one that was asked for gave it."""
    if not isinstance(reply.model, str):
        return Attempt(Failure.GARBAGE, NOT_AN_ANSWER)
    if reply.model and not is_same_model(asked=model, named=reply.model, answers_as=answers_as):
        return Attempt(Failure.WRONG_MODEL, f"asked for {model[:80]}, another model answered")
    return reply


def read_error_inside(error: Any) -> Attempt:
    """An error object in the body of a success, read as the status that its code names; a server error without one.

    >>> read_error_inside({"code": 429, "message": "slow down"}).failure.value, read_error_inside("oops").failure.value
    ('rate_limited', 'server_error')
    """
    code = str(error.get("code")) if isinstance(error, dict) else ""
    return read_status(status=int(code) if _STATUS.match(code) else _BAD_GATEWAY, text=json.dumps(error))


def _read_choice(choice: dict[str, Any], finish: str, whole: dict[str, Any]) -> Reply:
    message = choice["message"]
    text, thinking = read_content(message)
    calls: list[Any] = message.get("tool_calls") or []
    # Gateways that know no schemas let the model call a tool of theirs with the answer: the only call, no other words.
    written = calls[0]["function"]["arguments"] if len(calls) == 1 and not text.strip() else ""
    is_answer = isinstance(written, str) and written.strip().startswith("{") and written.strip() != "{}"
    return Reply(
        text=written if is_answer else text,
        model=whole.get("model") or "",
        usage=read_usage(whole.get("usage")),
        finish=finish,
        refused=bool(message.get("refusal")),
        called_tool=bool(calls or message.get("function_call")) and not is_answer,
        tokens=read_tokens(choice),
        thinking=thinking,
    )


def read_usage(value: Any) -> Usage | None:
    """Tokens as the server counted them, in the forms that servers use; None without a usable count.

    Cached: cached_tokens in prompt_tokens_details or input_tokens_details, or beside them (Moonshot),
    prompt_cache_hit_tokens (DeepSeek), cache_read_input_tokens (Anthropic, whose input_tokens leaves them and
    cache_creation_input_tokens out). Thinking that some servers count in total_tokens alone (Gemini) is counted as
    tokens out: it is paid as such.
    """
    if not isinstance(value, dict):
        return None
    tokens_in = _count(value, "prompt_tokens", "input_tokens")
    tokens_out = _count(value, "completion_tokens", "output_tokens")
    # Without a usable count the client charges the whole reserve.
    if tokens_in is None or tokens_out is None:
        return None
    read = _count(value, "cache_read_input_tokens")
    if "prompt_tokens" not in value and read is not None:
        tokens_in += read + (_count(value, "cache_creation_input_tokens") or 0)
    cached = _count(_details(value, "prompt_tokens_details", "input_tokens_details"), "cached_tokens")
    others = _count(value, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
    cached = (others if cached is None else cached) or 0
    details = _details(value, "completion_tokens_details", "output_tokens_details")
    thinking = _count(details, "reasoning_tokens") or _count(value, "reasoning_tokens") or 0
    beside = max(0, (_count(value, "total_tokens") or 0) - tokens_in - tokens_out)
    return Usage(tokens_in, tokens_out + beside, min(cached, tokens_in), max(thinking, beside))


def _details(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """The first of the fields that is an object."""
    return next((value[name] for name in names if isinstance(value.get(name), dict)), {})


def _count(value: dict[str, Any], *names: str) -> int | None:
    """The first of the fields that holds a count; type(), not isinstance: true is no count."""
    counts = (value.get(name) for name in names)
    return next((count for count in counts if type(count) is int and count >= 0), None)
