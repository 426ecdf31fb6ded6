"""The thinking that a model writes before its answer, told apart from the answer: shown to nobody, paid as tokens."""

import re
from typing import Any

__all__ = ["read_content", "split_thinking"]

# How servers mark it where they leave it in the text (a chat template without a reasoning parser).
_MARKS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<thought>", "</thought>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
)
# gpt-oss says beside the channel what the answer is held to: final <|constrain|>json.
_FINAL = re.compile(r"<\|channel\|>final\s{0,3}<\|constrain\|>\w{0,20}\s{0,3}<\|message\|>")


def split_thinking(text: str) -> tuple[str, str]:
    """(answer, thinking). What stands before the last closing mark is thinking; an unclosed one leaves no answer.

    >>> split_thinking('<think>4 and 5 are 9</think>{"n": 9}')
    ('{"n": 9}', '4 and 5 are 9')
    >>> split_thinking('4 and 5 are 9</think> {"n": 9}'), split_thinking("<think>4 and")
    (('{"n": 9}', '4 and 5 are 9'), ('', '4 and'))
    """
    stripped = _FINAL.sub("<|channel|>final<|message|>", text.strip())
    # An object from its first letter on: a mark inside it is a word of the answer.
    if stripped.startswith("{"):
        return stripped, ""
    for opening, closing in _MARKS:
        # The last one: whatever the thinking quotes, a false closing mark included, stays thinking.
        # Some templates write the opening mark into the prompt, so that only the closing one is answered.
        if closing in stripped:
            thinking, _, answer = stripped.rpartition(closing)
            return answer.strip(), thinking.strip().removeprefix(opening)
        if stripped.startswith(opening):
            return "", stripped.removeprefix(opening)
    return stripped, ""


def read_content(message: dict[str, Any]) -> tuple[str, str]:
    """(answer, thinking) of a message: a text or a list of parts, thoughts in fields of their own or marked in it.

    Fields: reasoning_content (DeepSeek, llama.cpp, older vLLM), reasoning (vLLM, Ollama, OpenRouter), parts of type
    thinking (Mistral). Raises TypeError for any other shape.
    """
    content = message.get("content")
    text, thinking = _join_parts(content) if isinstance(content, list) else (content or "", "")
    if not isinstance(text, str):
        raise TypeError("content is neither text nor parts")
    answer, marked = split_thinking(text)
    apart = message.get("reasoning_content") or message.get("reasoning") or ""
    apart = apart if isinstance(apart, str) else ""
    # A parser of thoughts that finds no closing mark takes a whole answer for thinking (vLLM issue 30139,
    # Ollama issue 15288): an object that stands there alone is the answer.
    if not answer and not marked and apart.strip().startswith("{") and apart.strip().endswith("}"):
        return apart.strip(), ""
    return answer, "\n".join(filter(None, (apart, thinking, marked)))


def _join_parts(parts: list[Any]) -> tuple[str, str]:
    """Text of the parts of an answer, and text of its thoughts."""
    texts, thoughts = [], []
    for fragment in parts:
        if isinstance(fragment, str):
            texts.append(fragment)
        elif fragment["type"] in ("text", "output_text"):
            texts.append(fragment["text"])
        elif fragment["type"] in ("thinking", "reasoning"):
            # Servers differ in the name, and in whether a text or a list of texts stands there.
            inner = fragment.get("thinking") or fragment.get("text") or ""
            thoughts += [inner] if isinstance(inner, str) else [piece["text"] for piece in inner]
    return "".join(texts), "".join(thoughts)
