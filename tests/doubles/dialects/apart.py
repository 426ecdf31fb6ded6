"""Servers whose refusals are no error of OpenAI's form: another envelope, other names of fields."""

import json

from tests.doubles.dialects import schemas
from tests.doubles.dialects.refusals import OPENAI_FIELDS, ROLES, Body, Refusal, format_of

# Narrower than any list that was read: whatever is asked for beyond this is refused in Cohere's words.
COHERE_FIELDS = frozenset(
    "model messages stream reasoning_effort response_format tools temperature max_tokens stop seed top_p"
    " frequency_penalty presence_penalty logprobs".split()
)
SMALL_CONTEXT, SMALL_ANSWER = 6_000, 4_096


def refuse_grok(body: Body) -> Refusal | None:
    """Reasoning models of xAI name a field in its camel form, in an error that is a string.

    reasoningEffort: github.com/BerriAI/litellm/pull/16265 (2025-11-05); presencePenalty: open-webui/issues/21266
    (2026-02-08). The other fields, and the unknown one, are refused in the same form by analogy: nobody was read.
    """
    names = {
        "reasoning_effort": "reasoningEffort",
        "presence_penalty": "presencePenalty",
        "frequency_penalty": "frequencyPenalty",
        "stop": "stop",
        "logprobs": "logprobs",
    }
    for field, name in names.items():
        if field in body:
            return _grok(f"Model {body['model']} does not support parameter {name}.")
    for field in sorted(body.keys() - OPENAI_FIELDS):
        return _grok(f"Failed to deserialize the JSON body into the target type: unknown field `{field}`", 422)
    kind, wanted = format_of(body)
    if kind == "json_schema" and (broken := schemas.openai_strict(wanted["schema"])):
        return _grok(f"Invalid schema: {broken}")
    return None


def _grok(words: str, status: int = 400) -> Refusal:
    return status, {"code": "Client specified an invalid argument", "error": words}


def grok_usage(read: int, written: int) -> Body:
    """Thoughts in no count but the total and their own: a harder form than any that was read of xAI."""
    thoughts = 900
    return {
        "prompt_tokens": read,
        "completion_tokens": max(0, written - thoughts),
        "total_tokens": read + written,
        "prompt_tokens_details": {"text_tokens": read, "cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": thoughts},
        "num_sources_used": 0,
    }


def refuse_cohere(body: Body) -> Refusal | None:
    """A message and nothing round it (cognesy/instructor-php issue 49, 2025-09-02); the status is assumed."""
    for field in sorted(body.keys() - COHERE_FIELDS):
        return _cohere(f"unknown field: parameter '{field}' is not a valid field", 422)
    if any(message["role"] not in ROLES or not message["content"] for message in body["messages"]):
        return _cohere("invalid request: message must be at least 1 token long")
    kind, wanted = format_of(body)
    if kind == "json_schema" and (broken := schemas.openai_strict(wanted["schema"])):
        return _cohere(f"invalid request: response_format.json_schema is not supported: {broken}")
    # the message has to ask for JSON (docs.cohere.com/docs/structured-outputs, read 2026-11-23)
    if kind == "json_object" and not any("json" in str(m["content"]).lower() for m in body["messages"]):
        return _cohere("invalid request: the message must ask for JSON")
    return None


def _cohere(words: str, status: int = 400) -> Refusal:
    return status, {"id": "3c2b4f0a-6f0e-4c3c-9d3e-8d2e4a1b7c55", "message": words}


def refuse_scaleway(body: Body) -> Refusal | None:
    """The reason stands beside an `error` that says nothing (adolfousier/opencrabs 1059, 2026-08-14)."""
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 1
    if asked > SMALL_ANSWER:
        words = f"payload validation: max_completion_tokens is limited to {SMALL_ANSWER} for {body['model']}"
        return 400, {"status": 400, "error": "BAD REQUEST", "message": words}
    return None


def refuse_sglang(body: Body) -> Refusal | None:
    """SGLang 0.5, TokenizerManager._validate_one_request in its ErrorResponse (github.com/sgl-project/sglang, 2026)."""
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    read = len(json.dumps(body["messages"])) // 4
    if read + asked >= SMALL_CONTEXT:
        words = (
            f"Requested token count exceeds the model's maximum context length of {SMALL_CONTEXT} tokens. You requested"
            f" a total of {read + asked} tokens: {read} tokens from the input messages and {asked} tokens for the"
            " completion. Please reduce the number of tokens in the input messages or the completion to fit within the"
            " limit."
        )
        return 400, {"object": "error", "message": words, "type": "BadRequest", "param": None, "code": 400}
    return None
