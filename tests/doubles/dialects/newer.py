"""More servers, read 2026-11-23: what they refuse that the first fourteen did not."""

import json
import re

from tests.doubles.dialects.refusals import (
    Body,
    Refusal,
    format_of,
    openai_error,
    refuse_anthropic,
    refuse_deepseek,
    refuse_openai,
    refuse_reasoning,
)

# developers.openai.com/api/reference/responses (read 2026-11-23): as far as anybody sends it here.
RESPONSES_FIELDS = frozenset(
    "model input instructions max_output_tokens reasoning text store temperature top_p metadata include user tools"
    " tool_choice parallel_tool_calls previous_response_id truncation service_tier stream background top_logprobs"
    " prompt_cache_key safety_identifier".split()
)


def refuse_deepseek_limit(body: Body) -> Refusal | None:
    """deepseek-chat: max_tokens from 1 to 8,192 (Gitlawb/openclaude 35, 2026-04-01; DeepSeek-V3 69, 2024-12-30)."""
    if not 1 <= body.get("max_tokens", 1) <= 8_192:
        message = "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"
        return openai_error(message, "invalid_request_error")
    return refuse_deepseek(body)


def refuse_claude(body: Body) -> Refusal | None:
    """Models since Opus 4.7: any temperature (The-PR-Agent 2456, 2026-06-18); more tokens than the model writes."""
    if "temperature" in body:
        return openai_error("`temperature` is deprecated for this model.", "invalid_request_error")
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 1
    if asked > 64_000:
        message = (
            f"max_tokens: {asked} > 64000, which is the maximum allowed number of output tokens for {body['model']}"
        )
        return openai_error(message, "invalid_request_error")
    # messages: text content blocks must be non-empty (github.com/cline/cline/issues/3372, 2025-05-07)
    if any(not message["content"].strip() for message in body["messages"]):
        return openai_error("messages: text content blocks must be non-empty", "invalid_request_error")
    return refuse_anthropic(body)


def refuse_first_reasoner(body: Body) -> Refusal | None:
    """o1-mini: no system message, no schema, no effort (github.com/Aider-AI/aider/issues/1503, 2024-09-13)."""
    for number, message in enumerate(body["messages"]):
        if message["role"] == "system":
            words = f"Unsupported value: 'messages[{number}].role' does not support 'system' with this model."
            return openai_error(words, "unsupported_value", f"messages[{number}].role")
    if format_of(body)[0] != "text":
        words = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
        return openai_error(words, None, "response_format")
    return refuse_reasoning(body)


def refuse_groq(body: Body) -> Refusal | None:
    """console.groq.com/docs/structured-outputs (read 2026-11-23): schemas for some models only; a limit in words."""
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 1
    if asked > 8_192:
        message = (
            "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the "
            "`context_window` for this model"
        )
        return openai_error(message, None, "max_tokens")
    if format_of(body)[0] == "json_schema":
        return openai_error("This model does not support response format `json_schema`.", None, "response_format")
    return refuse_openai({**body, "max_completion_tokens": asked} if "max_tokens" not in body else body)


def refuse_context(body: Body) -> Refusal | None:
    """llama.cpp with a context of 4,096 (tools/server/README.md, error exceed_context_size_error; read 2026-11-23)."""
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    read = len(json.dumps(body["messages"])) // 4
    if read + asked > 4_096:
        message = f"request ({read + asked} tokens) exceeds the available context size (4096 tokens), try increasing it"
        inner = {"code": 400, "message": message, "type": "exceed_context_size_error", "n_ctx": 4096}
        return 400, {"error": inner}
    return None


def refuse_chat(body: Body) -> Refusal | None:
    """A pro or codex model by chat (docker/docker-agent 313, 2025-09-26)."""
    message = "This model is only supported in v1/responses and not in v1/chat/completions."
    return openai_error(message, None, "model", 404)


def refuse_response(body: Body) -> Refusal | None:
    """The Responses API: its own names of fields, nothing stored unless wanted, the strict subset of schemas."""
    unknown = sorted(body.keys() - RESPONSES_FIELDS)
    if unknown:
        return openai_error(f"Unknown parameter: '{unknown[0]}'.", "unknown_parameter", unknown[0])
    if "temperature" in body:
        message = "Unsupported parameter: 'temperature' is not supported with this model."
        return openai_error(message, "unsupported_parameter", "temperature")
    if body.get("max_output_tokens", 16) < 16:
        return openai_error("Invalid 'max_output_tokens': integer below minimum value.", None, "max_output_tokens")
    wanted = (body.get("text") or {}).get("format") or {"type": "text"}
    if wanted["type"] == "json_schema" and not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", wanted.get("name", "")):
        return openai_error("Invalid 'text.format.name': string does not match pattern.", None, "text.format.name")
    return refuse_openai(as_chat(body))


def as_chat(body: Body) -> Body:
    """The request in the form of chat completions, for rules that hold at both doors."""
    wanted = (body.get("text") or {}).get("format")
    chat: Body = {"model": body["model"], "messages": body["input"]}
    if wanted:
        inner = {key: value for key, value in wanted.items() if key != "type"}
        chat["response_format"] = {"type": wanted["type"], "json_schema": inner}
    return chat
