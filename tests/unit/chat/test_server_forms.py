"""Forms in which servers answer: tokens, pauses, thinking, ends; each as some server documents it."""

import json
from decimal import Decimal

import pytest

from hdag.chat.answers import UnusableAnswerError
from hdag.chat.dialects.odds import odds_of, read_tokens
from hdag.chat.replies.reading import read_reply, read_usage
from hdag.chat.replies.rejections import read_body_delay
from hdag.chat.replies.thinking import read_content, split_thinking
from hdag.chat.usage import Prices, Usage

USAGES = {
    "openai": (
        {
            "prompt_tokens": 100,
            "completion_tokens": 40,
            "total_tokens": 140,
            "prompt_tokens_details": {"cached_tokens": 64},
            "completion_tokens_details": {"reasoning_tokens": 30},
        },
        Usage(100, 40, 64, 30),
    ),
    "deepseek": (
        {"prompt_tokens": 100, "completion_tokens": 40, "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36},
        Usage(100, 40, 64, 0),
    ),
    "moonshot": ({"prompt_tokens": 100, "completion_tokens": 40, "cached_tokens": 64}, Usage(100, 40, 64, 0)),
    "responses": (
        {
            "input_tokens": 100,
            "output_tokens": 40,
            "input_tokens_details": {"cached_tokens": 64},
            "output_tokens_details": {"reasoning_tokens": 30},
        },
        Usage(100, 40, 64, 30),
    ),
    "anthropic": (
        {
            "input_tokens": 20,
            "output_tokens": 40,
            "cache_read_input_tokens": 64,
            "cache_creation_input_tokens": 16,
        },
        Usage(100, 40, 64, 0),
    ),
    "gemini": ({"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 140}, Usage(100, 40, 0, 30)),
    "vllm": (
        {"prompt_tokens": 100, "completion_tokens": 40, "total_tokens": 140, "prompt_tokens_details": None},
        Usage(100, 40, 0, 0),
    ),
    "more cached than read": (
        {"prompt_tokens": 10, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 99}},
        Usage(10, 1, 10, 0),
    ),
    "no counts": ({"prompt_tokens": None, "completion_tokens": True}, None),
    "nothing": (None, None),
}


@pytest.mark.parametrize("name", USAGES)
def test_tokens_are_read_in_every_form(name):
    value, usage = USAGES[name]
    assert read_usage(value) == usage


def test_cached_tokens_are_booked_at_their_own_price():
    prices = Prices(per_million_in=Decimal(2), per_million_out=Decimal(8), per_million_cached=Decimal(1))
    assert prices.cost(Usage(100, 40, 64, 0)) == Decimal(36 * 2 + 64 * 1 + 40 * 8) / 1_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ('{"error": {"details": [{"retryDelay": "37s"}]}}', 37.0),
        ("Rate limit reached. Please try again in 6m0s.", 360.0),
        ("Please try again in 20ms. Visit the page", 0.02),
        ("Please try again in 1h2m3.5s", 3723.5),
        ("Please try again in a moment", None),
        ("", None),
    ],
)
def test_a_pause_is_read_from_the_body_where_no_header_says_it(text, seconds):
    assert read_body_delay(text=text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        '<think>a {"n": 1}</think>{"n": 2}',
        '\u25c1think\u25b7a\u25c1/think\u25b7{"n": 2}',
        '<seed:think>a</seed:think>{"n": 2}',
        '<|START_THINKING|>a<|END_THINKING|>{"n": 2}',
        'a</think>{"n": 2}',
    ],
)
def test_thinking_is_told_apart_however_it_is_marked(text):
    assert split_thinking(text)[0] == '{"n": 2}'


def test_parts_of_a_list_are_joined_and_thoughts_left_out():
    parts = [
        {"type": "reasoning", "text": "a"},
        {"type": "output_text", "text": '{"n": '},
        {"type": "text", "text": "2}"},
    ]
    assert read_content({"content": parts}) == ('{"n": 2}', "a")


@pytest.mark.parametrize("end", ["length", "MAX_TOKENS", "model_length", "max_output_tokens"])
def test_an_answer_that_was_cut_off_is_known_by_every_name(end):
    choice = {"message": {"role": "assistant", "content": '{"n": 2}'}, "finish_reason": end}
    assert read_reply(body=json.dumps({"choices": [choice]}).encode(), model="m").is_cut_off


@pytest.mark.parametrize("end", ["content_filter", "SAFETY", "PROHIBITED_CONTENT", "refusal"])
def test_a_filtered_answer_is_no_answer(end):
    choice = {"message": {"role": "assistant", "content": '{"vote": "pass"}'}, "finish_reason": end}
    reply = read_reply(body=json.dumps({"choices": [choice]}).encode(), model="m")
    with pytest.raises(UnusableAnswerError, match="filter"):
        reply.usable_text()


def token(text, *others):
    top = [{"token": other, "logprob": logprob} for other, logprob in others]
    return {"token": text, "logprob": others[0][1] if others else 0.0, "top_logprobs": top}


def odds(*tokens):
    return odds_of(tokens=read_tokens({"logprobs": {"content": list(tokens)}}), field="label", words=("YES", "NO"))


def test_odds_are_read_whatever_the_tokens_are():
    plain = odds(token('{"label": "'), token("YES", ("YES", -0.2231), ("NO", -1.6094)), token('"}'))
    glued = odds(token('{"label":'), token(' "Y', (' "Y', -0.2231), (' "N', -1.6094)), token('ES"}'))
    assert plain == pytest.approx({"YES": 0.8, "NO": 0.2}, abs=1e-3)
    assert glued == pytest.approx(plain, abs=1e-3)


@pytest.mark.parametrize(
    "tokens",
    [
        (),
        (token("YES", ("YES", 0.0)),),  # no field
        (token('{"label": "'), token("MAYBE", ("MAYBE", -0.1), ("YES", -3.0)), token('"}')),  # neither word
        ({"token": 3},),
        ({"logprob": "x", "token": "a"},),
    ],
)
def test_what_cannot_be_read_gives_no_odds(tokens):
    assert odds(*tokens) == {}


def test_a_quotation_of_the_field_does_not_decide():
    quoted = token('{"proof": "it says \\"label\\": \\"NO\\"", "label": "')
    assert odds(quoted, token("YES", ("YES", 0.0)), token('"}')) == {"YES": 1.0, "NO": 0.0}
