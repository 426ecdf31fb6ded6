"""Why a server refuses a request, as far as its answer tells: never its words, which may echo the key or the trace.

Bodies have many shapes ({"error": {...}}, [{"error": ...}], {"detail": [...]}, {"message": ...}, plain text), so the
text is searched for the names of what we send; a sentence of ours names them.
"""

import re

from hdag.chat.replies.reply import Refusal

__all__ = [
    "EFFORT_NAMES",
    "is_filtered",
    "is_of_template",
    "is_out_of_quota",
    "name_rejection",
    "read_body_delay",
    "read_refusal",
]

_LONGEST = 20_000
# What servers call the effort: OpenAI by chat and by responses, xAI (BerriAI/litellm 16265, 2025-11-05), Ollama
# (ollama 12561, 2025-10-10; Gitlawb/openclaude 1371, 2026-05-26).
EFFORT_NAMES = ("reasoning_effort", "reasoning.effort", "reasoningeffort", "think value", "support thinking")
# Whatever of our request a server may name; the longer names first, since others begin them.
_NAMES = (
    "max_completion_tokens",
    "max_output_tokens",
    "max_tokens",
    "temperature",
    "logprobs",
    *EFFORT_NAMES,
    "response_format",
    "json_schema",
    "json_object",
    "schema",
    "grammar",
    "v1/responses",
    "requested parameters",
    "system",
    "model",
    "context",
)
_STATUSES = {
    401: "the server refuses the key",
    402: "the account is not paid",
    403: "the server refuses the key for this model",
    404: "the server knows no such model or address (most addresses end in /v1)",
    413: "the request is too long",
}
_IN_WORDS = re.compile(r"try again in (?:([0-9]{1,4})h)?(?:([0-9]{1,4})m(?!s))?(?:([0-9]{1,6}(?:\.[0-9]{1,9})?)(m?s))?")
# OpenAI and vLLM ("context length is 8192"), Mistral ("32768 maximum context length"), llama.cpp ("n_ctx": 4096), TGI.
_CONTEXT = re.compile(
    r"context (?:length|size|window)[^0-9]{0,40}([0-9]{3,7})\b"
    r"|\b([0-9]{3,7}) maximum context"
    r"|n_ctx\W{1,6}([0-9]{3,7})\b"
    r"|inputs\W{1,3}tokens \+ \W?max_new_tokens\W{1,3}must be <= ([0-9]{3,7})\b"
)
_NUMBER = re.compile(r"(?<![0-9.])[0-9]{3,7}(?!\.?[0-9])")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3})")
# OpenAI and Azure, where a model that thinks writes no word of its answer (a status 400, and no end "length").
_NO_ROOM = ("model output limit was reached", "try again with higher max_tokens")
# Policies (Azure, OpenAI, Anthropic), moderation (OpenRouter), inspection (Qwen), Google's reason.
_FILTERS = (
    "content_filter",
    "ResponsibleAIPolicyViolation",
    "content_policy_violation",
    "invalid_prompt",
    "flagged_input",
    "data_inspection_failed",
    "PROHIBITED_CONTENT",
    "content filtering policy",
)
# OpenAI twice, Moonshot, DeepSeek, Anthropic twice, OpenRouter twice, xAI.
_SPENT = (
    "insufficient_quota",
    "billing_hard_limit_reached",
    "exceeded_current_quota",
    "insufficient balance",
    "credit balance is too low",
    "specified api usage limits",
    "insufficient credits",
    "key limit exceeded",
    "used all available credits",
)
_DELAY = re.compile(r'"retryDelay"\s*:\s*"([0-9]{1,5}(?:\.[0-9]{1,9})?)s"')


def name_rejection(*, status: int, text: str) -> str:
    """A sentence of ours about a refusal.

    >>> name_rejection(status=422, text='{"detail": [{"loc": ["body", "max_completion_tokens"]}]}')
    'the server rejects the request (422); it names max_completion_tokens'
    """
    sentence = f"{_STATUSES.get(status, 'the server rejects the request')} ({status})"
    lowered = text[:_LONGEST].lower()
    named = next((name for name in _NAMES if name in lowered), "")
    return f"{sentence}; it names {named}" if named and status in (400, 404, 422) else sentence


def is_filtered(*, text: str) -> bool:
    """Whether a content filter refused the text (Azure: code content_filter, ResponsibleAIPolicyViolation)."""
    return any(word in text[:_LONGEST] for word in _FILTERS)


def is_out_of_quota(*, text: str) -> bool:
    """Whether a refusal means that nothing is left to spend (OpenAI: insufficient_quota): waiting does not help."""
    lowered = text[:_LONGEST].lower()
    return any(word in lowered for word in _SPENT)


def read_refusal(*, text: str) -> Refusal:
    """Which of our fields a refusal names, and the limits of tokens in it.

    >>> refusal = read_refusal(text="max_tokens is too large: 64000. This model supports at most 16384 tokens")
    >>> sorted(refusal.names), refusal.numbers, refusal.context
    (['max_tokens', 'model'], (64000, 16384), None)
    >>> read_refusal(text="This model's maximum context length is 8192 tokens.").context
    8192
    """
    lowered = _THOUSANDS.sub("", text[:_LONGEST].lower())
    match = _CONTEXT.search(lowered)
    numbers = tuple(int(number) for number in _NUMBER.findall(lowered)[:50])
    context = int(next(filter(None, match.groups()))) if match else None
    names = frozenset(name for name in _NAMES if name in lowered)
    return Refusal(names, numbers, context, any(words in lowered for words in _NO_ROOM))


def is_of_template(*, text: str) -> bool:
    """Whether a server fails over its chat template, which says what it does not take (llama.cpp, Ollama, SGLang)."""
    return "jinja" in text[:_LONGEST].lower()


def read_body_delay(*, text: str) -> float | None:
    """Seconds that the body of a 429 asks to wait (google.rpc.RetryInfo, or OpenAI's sentence), None without.

    >>> read_body_delay(text='{"error": {"details": [{"retryDelay": "37s"}]}}')
    37.0
    >>> read_body_delay(text="Please try again in 1m2.5s."), read_body_delay(text="Please try again in 80ms.")
    (62.5, 0.08)
    """
    # Searched, not parsed: bodies of a refusal come as JSON, as HTML of some gateway, or cut off.
    match = _DELAY.search(text[:_LONGEST])
    if match:
        return float(match[1])
    told = _IN_WORDS.search(text[:_LONGEST])
    if told is None or not any(told.groups()):
        return None
    hours, minutes, number, unit = told.groups()
    seconds = float(number or 0) / (1000 if unit == "ms" else 1)
    return 3600.0 * int(hours or 0) + 60.0 * int(minutes or 0) + seconds
