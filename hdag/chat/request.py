"""The body of a request: a question in the form that its endpoint takes."""

import json
from typing import Any

from hdag.chat.dialects import NO_LIMIT, RESPONSES_LIMIT
from hdag.chat.dialects.odds import ASKED
from hdag.chat.endpoint import AnswerMode, EndpointSettings
from hdag.chat.question import Message, Question
from hdag.chat.strict_schema import strict_schema

__all__ = ["OUR_FIELDS", "answer_limit", "request_body"]

# What an endpoint's further fields may not replace: what is asked of whom.
OUR_FIELDS = frozenset({"model", "messages", "response_format", "stream", "n", "tools", "input", "text", "store"})
_BYTES_A_TOKEN = 3  # of English and formulas, fewer rather than more
_LEAST = 256  # tokens of an answer, however full the context is


def request_body(*, endpoint: EndpointSettings, question: Question) -> dict[str, Any]:
    """The request, without the key: through the Responses API where the limit has its name there."""
    if endpoint.limit_field == RESPONSES_LIMIT:
        return _responses_body(endpoint, question)
    body: dict[str, Any] = {"model": endpoint.model, "messages": _messages(endpoint, question)}
    if endpoint.sends_temperature:
        body["temperature"] = question.temperature
    if endpoint.limit_field != NO_LIMIT:
        body[endpoint.limit_field] = answer_limit(endpoint=endpoint, question=question)
    if endpoint.reasoning_effort:
        body["reasoning_effort"] = endpoint.reasoning_effort
    if endpoint.gives_logprobs and question.weighs:
        body |= ASKED
    if endpoint.answer_mode is AnswerMode.SCHEMA:
        body["response_format"] = {"type": "json_schema", "json_schema": _named_schema(question)}
    elif endpoint.answer_mode is AnswerMode.OBJECT:
        body["response_format"] = {"type": "json_object"}
    return {**body, **endpoint.extra_body}


def _responses_body(endpoint: EndpointSettings, question: Question) -> dict[str, Any]:
    """The same question at the other door: nothing is stored there, and the format stands in `text`.

    Source: developers.openai.com/api/docs/guides/migrate-to-responses (2026-11-23).
    """
    limit = answer_limit(endpoint=endpoint, question=question)
    body: dict[str, Any] = {
        "model": endpoint.model,
        "input": _messages(endpoint, question),
        "store": False,
        RESPONSES_LIMIT: limit,
    }
    if endpoint.sends_temperature:
        body["temperature"] = question.temperature
    if endpoint.reasoning_effort:
        body["reasoning"] = {"effort": endpoint.reasoning_effort}
    if endpoint.answer_mode is AnswerMode.SCHEMA:
        body["text"] = {"format": {"type": "json_schema", **_named_schema(question)}}
    elif endpoint.answer_mode is AnswerMode.OBJECT:
        body["text"] = {"format": {"type": "json_object"}}
    return {**body, **endpoint.extra_body}


def _named_schema(question: Question) -> dict[str, Any]:
    return {"name": question.purpose, "strict": True, "schema": strict_schema(question.schema)}


def answer_limit(*, endpoint: EndpointSettings, question: Question) -> int:
    """Tokens that an answer may have, thinking included, within what the context leaves."""
    sent = sum(len(message.content.encode("utf-8", "replace")) for message in question.messages)
    room = max(_LEAST, endpoint.context_tokens - sent // _BYTES_A_TOKEN)
    return min(question.longest_answer + endpoint.thinking_tokens, endpoint.most_tokens, room)


def _messages(endpoint: EndpointSettings, question: Question) -> list[dict[str, str]]:
    """The messages; the schema in words where the server is not given it, one first message where it takes no system.

    The word JSON stands in them, in small letters as well: servers refuse json_object without it.
    """
    messages = list(question.messages)
    if endpoint.answer_mode is not AnswerMode.SCHEMA:
        schema = json.dumps(strict_schema(question.schema), sort_keys=True)
        words = "Answer with one JSON object (application/json) and nothing else."
        words = f"{words} It must satisfy this JSON schema: {schema}"
        messages = _joined_to_last(messages, words)
    if not endpoint.takes_system:
        messages = _without_system(messages)
    return [message.as_json() for message in messages]


def _joined_to_last(messages: list[Message], words: str) -> list[Message]:
    """`words` at the end of the last message: what comes before stays the same for all questions."""
    last = messages[-1]
    return [*messages[:-1], Message(last.role, f"{last.content}\n\n{words}")]


def _without_system(messages: list[Message]) -> list[Message]:
    """The system's words before the first words of the user: some chat templates have no such role."""
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    others = [message for message in messages if message.role != "system"]
    if not system or not others:
        return [Message("user", message.content) if message.role == "system" else message for message in messages]
    return [Message(others[0].role, f"{system}\n\n{others[0].content}"), *others[1:]]
