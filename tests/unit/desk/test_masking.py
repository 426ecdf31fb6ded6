"""Trace text loses every sign of its author and none of its mathematics."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hdag.core.masking import mask

SIGNS = [
    "I am Claude, an assistant made by Anthropic.",
    "As an AI language model, I cannot be sure.",
    "<|im_start|>assistant\nSo x = 2.<|im_end|>",
    "[INST] solve [/INST]",
    "<think>x = 2</think>",
    "See https://chat.example.com/share/1 and www.example.org.",
    "Write to jane.doe@lab.example.edu.",
    "GPT-4o and Qwen2.5-Math-72B-Instruct agree with DeepSeek-R1 and Llama-3.1.",
    "Solution by: Jane Doe",
    "I was trained by Google.",
]
TELLING = "claude anthropic ai im_start inst think http www @ gpt qwen deepseek llama jane google example".split()


@pytest.mark.parametrize("text", SIGNS)
def test_no_sign_of_the_author_is_left(text: str) -> None:
    masked = mask(text=text).lower()
    assert not [word for word in TELLING if re.search(rf"(?<!\w){word}", masked)], masked


@pytest.mark.parametrize(
    "text",
    [
        "Claude buys 3 apples.",
        "Gemini is a constellation.",
        "A farm has 12 llamas.",
        "f(x) <s> 3",
        "x := y",
        "a@b",
        r"\phi-2",
    ],
)
def test_mathematics_and_ordinary_names_stay(text: str) -> None:
    assert mask(text=text.replace("<s>", "< s >")) == text.replace("<s>", "< s >")


def test_declared_names_are_hidden_whole_and_everyday_words_are_not() -> None:
    names = ["acme/solver-7B", "Foo Institute", "model"]
    assert (
        mask(text="solver-7b of the FOO INSTITUTE: the model holds", names=names)
        == "[name] of the [name]: the model holds"
    )


@given(st.lists(st.sampled_from([*SIGNS, "x = 2", "\n", " ", "Claude", "-3", "@", "<|"]), max_size=12).map(" ".join))
def test_masking_twice_changes_nothing(text: str) -> None:
    once = mask(text=text)
    assert mask(text=once) == once


@pytest.mark.parametrize("bad", ["a", "a.", "@", "www.", "<|", "GPT-", "author: ", " ", "i am ", "a@a."])
def test_no_text_makes_masking_run_away(bad: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        mask(text=bad * (size // len(bad)) + "!")
        return time.process_time() - started

    seconds(2_000)
    assert seconds(80_000) < 40 * max(seconds(8_000), 0.002)
