"""Servers read 2026-11-29: what is refused with a status that means something else elsewhere."""

import json

from tests.doubles.dialects.newer import refuse_response
from tests.doubles.dialects.refusals import Body, Refusal, openai_error, refuse_reasoning

THINKS = 4_500  # tokens that a model at high effort thinks before its first word


def refuse_template(body: Body) -> Refusal | None:
    """A template without a system role under llama.cpp: a 500, in the words of the template.

    github.com/ggml-org/llama.cpp/issues/19851 (2026-02-24), github.com/ollama/ollama/issues/18241 (2026-09-04).
    """
    if all(message["role"] != "system" for message in body["messages"]):
        return None
    where = "\n------------\nWhile executing CallExpression at line 1, column 83 in source:\n...'system' %}"
    words = f"{where}{{{{ raise_exception('System role not supported') }}}}...\nError: Jinja Exception: System role not"
    return 500, {"error": {"code": 500, "message": f"{words} supported", "type": "server_error"}}


def refuse_long_thoughts(body: Body) -> Refusal | None:
    """A model of OpenAI's that thought until its limit: a 400, where others end with "length".

    As programs that speak with OpenAI and Azure quote it in their tests (read 2026-11-29); no page of theirs says so.
    """
    if (body.get("max_completion_tokens") or THINKS) < THINKS and "max_tokens" not in body:
        words = "Could not finish the message because max_tokens or model output limit was reached."
        return openai_error(f"{words} Please try again with higher max_tokens.")
    return refuse_reasoning(body)


def refuse_tgi(body: Body) -> Refusal | None:
    """Text generation inference: its own names, and a context of 4,096 (bytedance/UI-TARS-desktop 626, 2025-05-25)."""
    asked = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    read = len(json.dumps(body["messages"])) // 4
    if read + asked <= 4_096:
        return None
    words = "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096."
    given = f"Given: {read} `inputs` tokens and {asked} `max_new_tokens`"
    return 422, {"error": f"{words} {given}", "error_type": "validation"}


def refuse_effort(body: Body) -> Refusal | None:
    """The Responses API names the effort by its path (openai/openai-agents-python 2089, 2025-11-17)."""
    effort = (body.get("reasoning") or {}).get("effort")
    if effort not in (None, "high"):
        words = f"Unsupported value: '{effort}' is not supported with the '{body['model']}' model."
        return openai_error(f"{words} Supported values are: 'high'.", "unsupported_value", "reasoning.effort")
    return refuse_response(body)
