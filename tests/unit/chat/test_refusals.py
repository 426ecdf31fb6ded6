"""What servers refuse with, and what they wrap in a success: each read as what it is, none passed on in its words."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hdag.chat.adapting import adapted_terms
from hdag.chat.endpoint import AnswerMode, EndpointSettings
from hdag.chat.errors import Failure
from hdag.chat.question import Message, Question, closed_object
from hdag.chat.replies.reading import read_reply
from hdag.chat.replies.rejections import read_refusal
from hdag.chat.replies.reply import Refusal
from hdag.chat.replies.statuses import read_status
from hdag.chat.replies.thinking import read_content, split_thinking
from hdag.chat.request import request_body
from hdag.chat.retries import read_retry_after

OURS = EndpointSettings("e", "https://example.org/v1", "m", most_tokens=64_000)


def body(**choice):
    whole = {"model": "m", "choices": [{"message": {"role": "assistant", "content": '{"n": 2}'}, **choice}]}
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ({"code": 429, "message": "Rate limited"}, Failure.RATE_LIMITED),
        ({"code": "429", "message": "Rate limited"}, Failure.RATE_LIMITED),
        ({"code": 402, "message": "Insufficient credits"}, Failure.REJECTED),
        ({"code": 403, "message": "flagged", "metadata": {"flagged_input": "x"}}, Failure.FILTERED),
        ({"code": 502, "message": "Provider returned error"}, Failure.SERVER_ERROR),
        ({"code": "server_error", "message": "The server had an error"}, Failure.SERVER_ERROR),
        ({"message": "overloaded"}, Failure.SERVER_ERROR),
        ("overloaded", Failure.SERVER_ERROR),
    ],
)
@pytest.mark.parametrize("place", ["beside", "beside choices", "in a choice"])
def test_an_error_inside_a_success_is_the_failure_that_it_names(error, failure, place):
    """openrouter.ai/docs/api/reference/errors-and-debugging (2026-11-23): status 200, the error in the body."""
    inside = {
        "beside": json.dumps({"error": error}).encode(),
        "beside choices": json.dumps({"error": error, "choices": []}).encode(),
        "in a choice": body(finish_reason="error", error=error),
    }
    assert read_reply(body=inside[place], model="m").failure is failure


@pytest.mark.parametrize("end", ["error", "insufficient_system_resource", "abort"])
def test_an_answer_that_the_server_broke_off_is_asked_for_again(end):
    assert read_reply(body=body(finish_reason=end), model="m").failure is Failure.SERVER_ERROR


def test_an_error_of_null_is_none():
    whole = {**json.loads(body(finish_reason="stop", error=None)), "error": None}
    assert read_reply(body=json.dumps(whole).encode(), model="m").text == '{"n": 2}'


@pytest.mark.parametrize(
    ("arguments", "text"), [('{"n": 2}', '{"n": 2}'), ("{}", ""), ("rm -rf", ""), (None, ""), ({"n": 2}, "")]
)
def test_an_answer_in_the_only_tool_call_is_read(arguments, text):
    call = {"id": "1", "type": "function", "function": {"name": "json", "arguments": arguments}}
    reply = read_reply(body=body(message={"content": None, "tool_calls": [call]}), model="m")
    assert (reply.text, reply.called_tool) == (text, not text)


def test_words_for_json_stand_in_small_letters_too():
    """api-docs.deepseek.com/guides/json_mode (2026-11-23): the word json, as it is written there."""
    question = Question("test", (Message("user", "Six times seven?"),), closed_object({"n": {"type": "integer"}}))
    sent = request_body(endpoint=replace(OURS, answer_mode=AnswerMode.OBJECT), question=question)
    assert "json" in sent["messages"][-1]["content"]


def test_two_tool_calls_and_a_call_beside_words_are_no_answer():
    call = {"id": "1", "type": "function", "function": {"name": "json", "arguments": '{"n": 2}'}}
    for message in ({"content": "", "tool_calls": [call, call]}, {"content": "Well", "tool_calls": [call]}):
        assert read_reply(body=body(message=message), model="m").called_tool


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (429, "insufficient_quota"),
        (402, "Insufficient Balance"),
        (400, "Your credit balance is too low to access the Anthropic API."),
        (400, "You have reached your specified API usage limits. You will regain access on 2026-12-01."),
        (403, "Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys"),
        (429, "Your team has either used all available credits or reached its monthly spending limit."),
    ],
)
def test_a_spent_account_is_named_and_not_waited_for(status, words):
    made = read_status(status=status, text=json.dumps({"error": {"message": words}}))
    assert (made.failure, made.retry_after) == (Failure.REJECTED, None)
    assert made.reason == f"the server says that the account's quota is spent ({status})"


def test_an_output_that_a_policy_blocks_is_filtered_and_not_refused():
    """github.com/anthropics/claude-code/issues/58367 (2026-05-12)."""
    error = {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"}
    assert read_status(status=400, text=json.dumps({"error": error})).failure is Failure.FILTERED


def test_no_room_for_flexible_work_passes_by_itself():
    """console.groq.com/docs/flex-processing (2026-11-29): status 498."""
    made = read_status(status=498, text='{"error": {"code": "capacity_exceeded"}}')
    assert made.failure is Failure.RATE_LIMITED


def test_a_server_that_cannot_read_its_own_model_is_asked_again():
    """console.groq.com/docs/structured-outputs (2026-11-23): 400, code json_validate_failed."""
    assert read_status(status=400, text='{"error": {"code": "json_validate_failed"}}').failure is Failure.GARBAGE


@pytest.mark.parametrize("status", [500, 503, 529])
def test_an_overloaded_server_says_when_to_come_back(status):
    made = read_status(status=status, text="overloaded", headers={"retry-after": "7"})
    assert (made.failure, made.retry_after) == (Failure.SERVER_ERROR, 7.0)


@pytest.mark.parametrize(
    "value",
    ["Mon, 23 Nov 2026 08:00:30 GMT", "Monday, 23-Nov-26 08:00:30 GMT", "Mon Nov 23 08:00:30 2026", "30", "30.0"],
)
def test_every_form_of_a_date_that_http_knows_is_read(value):
    assert read_retry_after(value=value, now=datetime(2026, 11, 23, 8, tzinfo=UTC)) == 30.0


@pytest.mark.parametrize(
    "value", ["soon", "-3", "nan", "inf", "1e999", "Mon, 99 Foo 2026 08:00:30 GMT", "x" * 99, None]
)
def test_nonsense_is_no_date(value):
    assert read_retry_after(value=value, now=datetime(2026, 11, 23, 8, tzinfo=UTC)) is None


# Sentences as servers write them, and what is asked for next (of 12,000 tokens, or another field).
LIMITS = {
    "max_tokens is too large: 12000. This model supports at most 4096 completion tokens": ("most_tokens", 4096),
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]": ("most_tokens", 8192),
    "max_tokens: 12000 > 4096, which is the maximum allowed number of output tokens for c-3": ("most_tokens", 4096),
    "Range of max_tokens should be [1, 8,192]": ("most_tokens", 8192),
    "max_output_tokens must be from 1 (inclusive) to 8193 (exclusive)": ("most_tokens", 8192),
    "This model's maximum context length is 8192 tokens. However, you requested 12300 tokens": ("context_tokens", 8192),
    "too large for model with 16384 maximum context length": ("context_tokens", 16384),
    '{"type": "exceed_context_size_error", "n_ctx": 4096}': ("context_tokens", 4096),
    "Unsupported parameter: 'max_tokens' is not supported with this model.": ("limit_field", "max_completion_tokens"),
    "`temperature` is deprecated for this model.": ("sends_temperature", False),
    "This model is only supported in v1/responses": ("limit_field", "max_output_tokens"),
    "This response_format type is unavailable now": ("answer_mode", AnswerMode.OBJECT),
    "Unsupported value: 'messages[0].role' does not support 'system'": ("takes_system", False),
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 900 `inputs` tokens": ("context_tokens", 4096),
    "Could not finish the message because max_tokens or model output limit was reached.": ("thinking_tokens", 48_000),
}


@pytest.mark.parametrize("sentence", LIMITS)
def test_a_refusal_says_what_to_ask_for_next(sentence):
    field, value = LIMITS[sentence]
    terms = adapted_terms(endpoint=OURS, refusal=read_refusal(text=sentence), asked=12_000, tried=[OURS])
    assert getattr(terms, field) == value


@pytest.mark.parametrize(
    "sentence",
    [
        "no such field",
        "Incorrect API key provided",
        "The model `m` does not exist",
        "",
        "Could not finish the message because max_tokens or model output limit was reached.",
    ],
)
def test_a_refusal_that_names_nothing_of_ours_is_the_last_word(sentence):
    full = replace(OURS, most_tokens=500)
    assert adapted_terms(endpoint=full, refusal=read_refusal(text=sentence), asked=500, tried=[full]) is None


def test_terms_that_were_refused_are_not_tried_again():
    told, tried = Refusal(frozenset({"max_tokens", "max_completion_tokens"})), [OURS]
    while terms := adapted_terms(endpoint=tried[-1], refusal=told, asked=500, tried=tried):
        tried.append(terms)
    assert [terms.limit_field for terms in tried] == ["max_tokens", "max_completion_tokens", "none"]


@pytest.mark.parametrize("between", ["<|channel|>final<|message|>", "<|channel|>final <|constrain|>json<|message|>"])
def test_channels_are_told_apart(between):
    text = f'<|channel|>analysis<|message|>hm {{"n": 1}}<|end|><|start|>assistant{between}{{"n": 2}}'
    assert split_thinking(text)[0] == '{"n": 2}'


def test_parts_may_be_plain_words():
    assert read_content({"content": ['{"n": ', {"type": "text", "text": "2}"}]}) == ('{"n": 2}', "")
