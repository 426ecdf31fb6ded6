"""The doubles: the form of each server's answers, and all of them by name."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.doubles.dialects.apart import grok_usage, refuse_cohere, refuse_grok, refuse_scaleway, refuse_sglang
from tests.doubles.dialects.later import refuse_effort, refuse_long_thoughts, refuse_template, refuse_tgi
from tests.doubles.dialects.newer import (
    as_chat,
    refuse_chat,
    refuse_claude,
    refuse_context,
    refuse_deepseek_limit,
    refuse_first_reasoner,
    refuse_groq,
)
from tests.doubles.dialects.refusals import (
    Body,
    Refusal,
    refuse_anthropic,
    refuse_azure,
    refuse_gemini,
    refuse_gemma,
    refuse_llamacpp,
    refuse_mistral,
    refuse_ollama,
    refuse_openai,
    refuse_openrouter,
    refuse_plain,
    refuse_reasoning,
    refuse_vllm,
)

THOUGHTS = 'Let me see. A vote like {"vote": "pass"} would be rash. '
THINKING_TOKENS = 900


@dataclass(frozen=True)
class Server:
    """One server: which requests it refuses, and how it shapes an answer's text."""

    name: str
    refuse: Callable[[Body], Refusal | None]
    models: tuple[str, ...]
    usage: Callable[[int, int], Body] = field(default=lambda read, written: plain_usage(read, written))
    shape: Callable[[Body, str], Body] = field(default=lambda body, text: {"role": "assistant", "content": text})
    thinks: bool = False
    answers_as: str = ""
    gives_odds: bool = False
    other_door: Callable[[Body], Refusal | None] | None = None  # what the Responses API refuses, where there is one

    def respond_at(self, path: str, body: Body, think: Callable[[Body], str]) -> tuple[int, Any]:
        """Status and body for a request at one of the two doors."""
        if not path.endswith("/responses"):
            return self.respond(body, think)
        if self.other_door is None:
            return 404, {"error": {"message": "Not Found", "type": "invalid_request_error", "param": None}}
        return self.other_door(body) or (200, as_response(self, body, think(as_chat(body))))

    def respond(self, body: Body, think: Callable[[Body], str]) -> tuple[int, Any]:
        """Status and body for one request."""
        refusal = self.refuse(body)
        if refusal:
            return refusal
        text = think(body)
        limit = body.get("max_completion_tokens") or body.get("max_tokens") or 10**6
        thinking = THINKING_TOKENS if self.thinks else 0
        read, written = len(json.dumps(body["messages"])) // 4, len(text) // 4 + 1
        finish = "stop"
        if thinking + written > limit:
            # Hidden thoughts use the limit up before a word of the answer is written.
            text, written, finish = ("" if thinking >= limit else text[: 4 * (limit - thinking)]), limit, "length"
        else:
            written += thinking
        return 200, {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_763_800_000,
            "model": self.answers_as or body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": self.shape(body, text),
                    "finish_reason": finish,
                    "logprobs": logprobs(text) if self.gives_odds and body.get("logprobs") else None,
                },
            ],
            "usage": self.usage(read, written),
        }


def as_response(server: Server, body: Body, text: str) -> Body:
    """developers.openai.com/api/reference/responses (read 2026-11-23): items, and usage under other names."""
    limit = body.get("max_output_tokens", 10**6)
    read, written = len(json.dumps(body["input"])) // 4, len(text) // 4 + 1 + THINKING_TOKENS
    is_cut = written > limit
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    thoughts = {"id": "rs_1", "type": "reasoning", "summary": []}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_763_800_000,
        "status": "incomplete" if is_cut else "completed",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
        "model": server.answers_as or body["model"],
        "output": [thoughts] if is_cut else [thoughts, message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": read,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": min(written, limit),
            "output_tokens_details": {"reasoning_tokens": min(THINKING_TOKENS, limit)},
            "total_tokens": read + min(written, limit),
        },
    }


def logprobs(text: str) -> Body:
    """developers.openai.com/api/reference/chat (read 2026-11-23).

    The tokens of the answer, each with its likeliest others.

    Where the model says yes or no it could have said the other, one time in ten.
    """
    other = {"YES": "NO", "NO": "YES"}
    content = []
    for token in re.findall(r"\w+|\W", text):
        own = math.log(0.9) if token in other else 0.0
        top = [{"token": token, "logprob": own, "bytes": None}]
        top += [{"token": other[token], "logprob": math.log(0.1), "bytes": None}] if token in other else []
        content.append({"token": token, "logprob": own, "bytes": None, "top_logprobs": top})
    return {"content": content, "refusal": None}


def plain_usage(read: int, written: int) -> Body:
    """OpenAI's form."""
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def thought_apart(name: str) -> Callable[[Body, str], Body]:
    """Thinking in a field of its own: reasoning_content (DeepSeek), reasoning (vLLM, Ollama, OpenRouter)."""
    return lambda body, text: {"role": "assistant", "content": text, name: THOUGHTS}


def thought_in_parts(body: Body, text: str) -> Body:
    """docs.mistral.ai/capabilities/reasoning (read 2026-11-22): a list of parts, thinking first."""
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHTS}]}
    return {"role": "assistant", "content": [thinking, {"type": "text", "text": text}]}


def fenced(text: str) -> Body:
    """An answer in a code fence, with the fields that a gateway may add."""
    return {"role": "assistant", "content": f"```json\n{text}\n```", "refusal": None, "tool_calls": None, "audio": None}


def thought_in_tags(body: Body, text: str) -> Body:
    """A template that opens the thinking in the prompt: only the closing tag is answered; then prose and a fence."""
    return {"role": "assistant", "content": f"{THOUGHTS}</think>\n\nHere is my answer:\n```json\n{text}\n```\nDone."}


def deepseek_usage(read: int, written: int) -> Body:
    """api-docs.deepseek.com/api/create-chat-completion (read 2026-11-22)."""
    cached = read // 2
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_cache_hit_tokens": cached,
        "prompt_cache_miss_tokens": read - cached,
        "completion_tokens_details": {"reasoning_tokens": THINKING_TOKENS},
    }


def gemini_usage(read: int, written: int) -> Body:
    """Thoughts stand in the total only."""
    return {
        "prompt_tokens": read,
        "completion_tokens": max(0, written - THINKING_TOKENS),
        "total_tokens": read + written,
    }


def reasoning_usage(read: int, written: int) -> Body:
    """Thoughts are counted among the completion's tokens."""
    return {**plain_usage(read, written), "completion_tokens_details": {"reasoning_tokens": THINKING_TOKENS}}


SERVERS = {
    server.name: server
    for server in (
        Server("openai", refuse_openai, ("gpt-4o",), answers_as="gpt-4o-2024-08-06", gives_odds=True),
        Server("openai-reasoning", refuse_reasoning, ("gpt-5-mini",), reasoning_usage, thinks=True),
        Server("azure", refuse_azure, ("our-judge",), answers_as="gpt-4o-2024-08-06", gives_odds=True),
        Server(
            "deepseek",
            refuse_deepseek_limit,
            ("deepseek-chat",),
            deepseek_usage,
            thought_apart("reasoning_content"),
            thinks=True,
            answers_as="deepseek-v4-flash",
        ),
        Server("mistral", refuse_mistral, ("magistral-medium-latest",), shape=thought_in_parts, thinks=True),
        Server("anthropic", refuse_anthropic, ("claude-haiku-4-5",), answers_as="claude-haiku-4-5-20251001"),
        Server("gemini", refuse_gemini, ("gemini-3-flash-preview",), gemini_usage, thinks=True),
        Server(
            "openrouter",
            refuse_openrouter,
            ("openrouter/auto",),
            shape=thought_apart("reasoning"),
            thinks=True,
            answers_as="qwen/qwen3-32b",
        ),
        Server(
            "vllm",
            refuse_vllm,
            ("Qwen/Qwen3-8B",),
            shape=thought_apart("reasoning"),
            thinks=True,
            gives_odds=True,
        ),
        Server("llamacpp", refuse_llamacpp, ("whatever",), answers_as="qwen3-8b-q4_k_m.gguf"),
        Server("ollama", refuse_ollama, ("qwen3:8b",), shape=thought_apart("reasoning"), thinks=True),
        Server("gemma", refuse_gemma, ("google/gemma-2-9b-it",)),
        Server("claude", refuse_claude, ("claude-opus-4-8",), answers_as="claude-opus-4-8-20260601"),
        Server("o1-mini", refuse_first_reasoner, ("o1-mini",), reasoning_usage, thinks=True),
        Server("groq", refuse_groq, ("llama-3.1-8b-instant",), shape=lambda body, text: fenced(text)),
        Server("small-context", refuse_context, ("qwen3-1.7b",), answers_as="qwen3-1.7b-q8_0.gguf"),
        Server("pro", refuse_chat, ("gpt-5-pro",), other_door=refuse_effort, answers_as="gpt-5-pro-2025-10-06"),
        Server("grok", refuse_grok, ("grok-4",), grok_usage, thought_apart("reasoning_content"), thinks=True),
        Server("cohere", refuse_cohere, ("command-a-03-2025",)),
        Server("scaleway", refuse_scaleway, ("qwen3.5-397b-a17b",)),
        Server("sglang", refuse_sglang, ("Qwen/Qwen3-8B",), shape=thought_apart("reasoning_content")),
        Server("template", refuse_template, ("gemma-2-9b-it",), answers_as="gemma-2-9b-it-q4_k_m.gguf"),
        Server("long-thoughts", refuse_long_thoughts, ("gpt-5.4",), reasoning_usage, thinks=True),
        Server("tgi", refuse_tgi, ("tgi",)),
        # Two that nobody documents: a server without a parser of thoughts, a gateway of words only.
        Server("tags", lambda body: None, ("qwq-32b",), shape=thought_in_tags, thinks=True),
        Server("plain", refuse_plain, ("house-model",)),
    )
}
