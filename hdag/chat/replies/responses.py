"""Reading an answer of the Responses API, the other door of OpenAI: a list of items in place of choices.

Source: developers.openai.com/api/reference/responses (2026-11-23): status completed, incomplete (with a reason) or
failed (with an error); items of type reasoning and message; parts output_text and refusal; usage in input_tokens and
output_tokens. The same in OpenRouter, Mistral (docs.mistral.ai/api/endpoint/responses, 2026-11-23), vLLM and Ollama.
"""

from collections.abc import Iterator
from typing import Any

from hdag.chat.errors import Failure
from hdag.chat.replies.reading import NOT_AN_ANSWER, SHAPES, check_model, read_error_inside, read_usage
from hdag.chat.replies.reply import Attempt, Reply
from hdag.chat.replies.thinking import split_thinking
from hdag.core.strict_json import read_json

__all__ = ["read_response"]


def read_response(*, body: bytes, model: str, answers_as: str = "") -> Reply | Attempt:
    """The reply in the body of a 200 answer; anything that is not a response by `model` is a failure.

    >>> message = b'{"type": "message", "content": [{"type": "output_text", "text": "{}"}]}'
    >>> read_response(body=b'{"status": "completed", "output": [' + message + b']}', model="m").text
    '{}'
    """
    try:
        whole = read_json(body, where="the server's answer")
        if whole.get("error"):
            return read_error_inside(whole["error"])
        parts = list(_parts(whole["output"]))
        # Servers without a parser of thoughts leave them in the text here as well.
        text, marked = split_thinking("".join(piece["text"] for piece in parts if piece["type"] == "output_text"))
        ended_by = (whole.get("incomplete_details") or {}).get("reason")
        reply = Reply(
            text=text,
            model=whole.get("model") or "",
            usage=read_usage(whole.get("usage")),
            finish=str(ended_by or whole["status"]).lower(),
            refused=any(piece["type"] == "refusal" for piece in parts),
            called_tool=any(entry["type"].endswith("_call") for entry in whole["output"]),
            thinking="\n".join(filter(None, (*_thoughts(whole["output"]), marked))),
        )
    except SHAPES:
        return Attempt(Failure.GARBAGE, NOT_AN_ANSWER)
    if reply.finish == "failed":
        return Attempt(Failure.SERVER_ERROR, "the server broke the answer off")
    return check_model(reply=reply, model=model, answers_as=answers_as)


def _parts(items: list[Any]) -> Iterator[dict[str, Any]]:
    for entry in items:
        if entry["type"] == "message":
            yield from entry["content"]


def _thoughts(items: list[Any]) -> Iterator[str]:
    """What the server shows of the thinking: summaries (OpenAI), or the text itself (vLLM)."""
    for entry in items:
        if entry["type"] == "reasoning":
            pieces = [*(entry.get("summary") or ()), *(entry.get("content") or ())]
            yield "\n".join(piece["text"] for piece in pieces)
