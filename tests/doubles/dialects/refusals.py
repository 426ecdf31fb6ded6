"""What each server refuses: status and body as it documents them, None where it takes the request."""

import json
import re
from typing import Any

from tests.doubles.dialects import schemas

Body = dict[str, Any]
Refusal = tuple[int, Any]  # status and JSON body
# developers.openai.com/api/reference/chat (read 2026-11-22): what a request may hold, as far as anybody sends it here.
OPENAI_FIELDS = frozenset(
    "model messages temperature top_p n stop stream seed user store metadata logprobs top_logprobs response_format"
    " max_tokens max_completion_tokens reasoning_effort presence_penalty frequency_penalty service_tier tools"
    " tool_choice parallel_tool_calls verbosity prompt_cache_key".split()
)
ROLES = ("developer", "system", "user", "assistant")
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# docs.mistral.ai/api (read 2026-11-22)
MISTRAL_FIELDS = frozenset(
    "model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice"
    " presence_penalty frequency_penalty n prediction parallel_tool_calls prompt_mode safe_prompt".split()
)


def openai_error(message: str, code: str | None = None, param: str | None = None, status: int = 400) -> Refusal:
    """developers.openai.com/api/docs/guides/error-codes (read 2026-11-22)."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def format_of(body: Body) -> tuple[str, Body]:
    """Which response_format is asked for, and its schema."""
    wanted = body.get("response_format") or {"type": "text"}
    return wanted["type"], wanted.get("json_schema", {})


def says_json(body: Body) -> bool:
    """Whether the word stands in some message."""
    return any("json" in str(message["content"]).lower() for message in body["messages"])


def refuse_openai(body: Body) -> Refusal | None:
    """GPT-4o: unknown fields, both limits at once, schemas outside the subset, json_object without the word."""
    unknown = sorted(body.keys() - OPENAI_FIELDS)
    if unknown:
        # github.com/BerriAI/litellm/issues/10320 (2025-04-25)
        return openai_error(f"Unknown parameter: '{unknown[0]}'.", "unknown_parameter", unknown[0])
    if "max_tokens" in body and "max_completion_tokens" in body:
        return openai_error("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
    if body.get("top_logprobs") is not None and not (body.get("logprobs") and body["top_logprobs"] <= 20):
        return openai_error("Invalid value for 'top_logprobs'.", "invalid_value", "top_logprobs")
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or 1
    if limit > 16_384:
        return openai_error(f"max_tokens is too large: {limit}. This model supports at most 16384 completion tokens.")
    return _refuse_words(body)


def _refuse_words(body: Body) -> Refusal | None:
    """Messages and the form of the answer."""
    if any(message["role"] not in ROLES or not isinstance(message["content"], str) for message in body["messages"]):
        return openai_error("Invalid value for 'messages'.", "invalid_type", "messages")
    kind, wanted = format_of(body)
    # developers.openai.com/api/reference/chat (read 2026-11-23): the name of a schema
    if kind == "json_schema" and not NAME.fullmatch(str(wanted.get("name"))):
        message = "Invalid 'response_format.json_schema.name': string does not match pattern '^[a-zA-Z0-9_-]+$'."
        return openai_error(message, "invalid_value", "response_format.json_schema.name")
    if kind == "json_object" and not says_json(body):
        return openai_error(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            param="messages",
        )
    if kind == "json_schema" and wanted.get("strict"):
        broken = schemas.openai_strict(wanted["schema"])
        if broken:
            message = f"Invalid schema for response_format '{wanted['name']}': {broken}"
            return openai_error(message, param="response_format")
    return None


def refuse_reasoning(body: Body) -> Refusal | None:
    """GPT-5 and o-series: max_tokens (ComfyUI-Griptape 312, 2025-08-22), temperature (llmcomp 69, 2026-04-20)."""
    if "max_tokens" in body:
        message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
        return openai_error(message, "unsupported_parameter", "max_tokens")
    # github.com/UKGovernmentBEIS/inspect_ai/pull/2739 (2025-11-06)
    if body.get("logprobs"):
        message = "Unsupported parameter: 'logprobs' is not supported with this model."
        return openai_error(message, "unsupported_parameter", "logprobs", 403)
    # developers.openai.com/api/docs/guides/reasoning (read 2026-11-23): what else these models do not take
    for field in ("top_p", "presence_penalty", "frequency_penalty", "logit_bias", "stop", "n"):
        if field in body:
            return openai_error(f"Unsupported parameter: '{field}' is not supported with this model.", None, field)
    if body.get("temperature", 1) != 1:
        message = f"Unsupported value: 'temperature' does not support {body['temperature']} with this model."
        return openai_error(message, "unsupported_value", "temperature")
    limit = body.get("max_completion_tokens")
    return refuse_openai({**body, "max_completion_tokens": min(limit, 16_384)} if limit else body)


def refuse_azure(body: Body) -> Refusal | None:
    """As OpenAI; a deployment that does not exist; the content filter (dotnetstudioai.com, 2026-03-21)."""
    if body["model"] != "our-judge":
        return 404, {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}}
    if "FORBIDDEN" in json.dumps(body["messages"]):
        inner = {
            "code": "ResponsibleAIPolicyViolation",
            "content_filter_result": {"violence": {"filtered": True, "severity": "medium"}},
        }
        return 400, {"error": {"code": "content_filter", "message": "Filtered.", "status": 400, "innererror": inner}}
    return refuse_openai(body)


def refuse_deepseek(body: Body) -> Refusal | None:
    """No json_schema (llm-exe 662, 2026-07-11); json_object wants the word (stagehand 1204, 2025-10-30)."""
    kind, _ = format_of(body)
    if kind == "json_schema":
        return openai_error("This response_format type is unavailable now", "invalid_request_error")
    if kind == "json_object" and not says_json(body):
        message = "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'."
        return openai_error(message, "invalid_request_error")
    return None


def refuse_mistral(body: Body) -> Refusal | None:
    """422 for any field that it does not know (editor-code-assistant/eca 231, 2025-12-12); temperature to 1.5."""
    unknown = sorted(body.keys() - MISTRAL_FIELDS)
    if unknown:
        detail = {"type": "extra_forbidden", "loc": ["body", unknown[0]], "msg": "Extra inputs are not permitted"}
        whole = {"object": "error", "message": {"detail": [detail]}, "type": "invalid_request_error", "code": None}
        return 422, whole
    # github.com/langchain-ai/langchain/issues/24633 (2024-07-24): who speaks last; an assistant who says nothing
    if body["messages"][-1]["role"] not in ("user", "tool") or not all(m["content"] for m in body["messages"]):
        whole = {"object": "error", "message": "Expected last role User or Tool", "type": "invalid_request_error"}
        return 400, {**whole, "code": None}
    if not 0 <= body.get("temperature", 0) <= 1.5:
        return 422, {"detail": [{"type": "less_than_equal", "loc": ["body", "temperature"]}]}
    return None


def refuse_anthropic(body: Body) -> Refusal | None:
    """strict must be true (tududi 1383, 2026-08-11); no bounds; json_object is not taken."""
    kind, wanted = format_of(body)
    if kind == "json_object":
        return openai_error("response_format.type: Input should be 'json_schema' or 'text'")
    if kind == "json_schema":
        if wanted.get("strict") is not True:
            return openai_error("response_format.json_schema.strict: Input should be True")
        broken = schemas.anthropic_strict(wanted["schema"])
        if broken:
            return openai_error(f"response_format.json_schema.schema: {broken}")
    return None


def refuse_gemini(body: Body) -> Refusal | None:
    """A list around the error; unknown names (CLIProxyAPI 97, 2025-10-07); empty words of an enum."""

    def error(message: str) -> Refusal:
        return 400, [{"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}]

    unknown = sorted(body.keys() - OPENAI_FIELDS)
    if unknown:
        return error(f'Invalid JSON payload received. Unknown name "{unknown[0]}": Cannot find field.')
    # github.com/Vela-Research/think-reason-learn/issues/34 (2025-10-22)
    if body.get("logprobs"):
        return error("Logprobs is not enabled for models/gemini-3-flash-preview")
    kind, wanted = format_of(body)
    broken = schemas.gemini_schema(wanted["schema"]) if kind == "json_schema" else ""
    return error(broken) if broken else None


def refuse_openrouter(body: Body) -> Refusal | None:
    """With require_parameters only servers that take every field answer; none does max_completion_tokens here.

    openrouter.ai/docs/features/provider-routing and /docs/api/reference/errors-and-debugging (read 2026-11-22).
    """
    needs_all = (body.get("provider") or {}).get("require_parameters")
    if needs_all and "max_completion_tokens" in body:
        message = "No endpoints found that can handle the requested parameters."
        return 404, {"error": {"message": message, "code": 404, "metadata": {}}}
    return None


def refuse_vllm(body: Body) -> Refusal | None:
    """Another name than the served one; more tokens than the context; docs.vllm.ai (read 2026-11-22)."""

    def error(message: str, kind: str, status: int) -> Refusal:
        return status, {"error": {"message": message, "type": kind, "param": None, "code": status}}

    if body["model"] != "Qwen/Qwen3-8B":
        return error(f"The model `{body['model']}` does not exist.", "NotFoundError", 404)
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    read = len(json.dumps(body["messages"])) // 4
    if read + asked > 32_768:
        message = f"This model's maximum context length is 32768 tokens. However, you requested {read + asked} tokens."
        return error(message, "BadRequestError", 400)
    return None


def refuse_llamacpp(body: Body) -> Refusal | None:
    """The grammar of a schema with large bounds."""
    kind, wanted = format_of(body)
    broken = schemas.grammar(wanted["schema"]) if kind == "json_schema" else ""
    return (400, {"error": {"code": 400, "message": broken, "type": "invalid_request_error"}}) if broken else None


def refuse_ollama(body: Body) -> Refusal | None:
    """A model that was not pulled; an effort that the model does not know (ollama 12561, 2025-10-10)."""
    if body["model"] != "qwen3:8b":
        message = f'model "{body["model"]}" not found, try pulling it first'
        return 404, {"error": {"message": message, "type": "api_error", "param": None, "code": None}}
    if "reasoning_effort" in body:
        message = f'think value "{body["reasoning_effort"]}" is not supported for this model'
        return 400, {"error": {"message": message, "type": "api_error", "param": None, "code": None}}
    return None


def refuse_gemma(body: Body) -> Refusal | None:
    """Gemma 2 behind vLLM: its chat template has no system role and wants user and assistant in turn; 8,192 tokens.

    github.com/vllm-project/vllm/pull/2964 (2024-03-06), github.com/kubeai-project/kubeai/issues/499 (2025-04-11).
    """

    def error(message: str) -> Refusal:
        return 400, {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": 400}

    roles = [message["role"] for message in body["messages"]]
    if "system" in roles:
        return error("System role not supported")
    if roles != [("user", "assistant")[place % 2] for place in range(len(roles))]:
        return error("Conversation roles must alternate user/assistant/user/assistant/...")
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    read = len(json.dumps(body["messages"])) // 4
    if read + asked > 8_192:
        return error(f"This model's maximum context length is 8192 tokens. However, you requested {read + asked}.")
    return None


def refuse_plain(body: Body) -> Refusal | None:
    """A small gateway: no response_format, no temperature; its errors are plain words, with 422."""
    refused = [name for name in ("response_format", "temperature", "max_tokens") if name in body]
    return (422, {"detail": f"{refused[0]}: extra fields not permitted"}) if refused else None
