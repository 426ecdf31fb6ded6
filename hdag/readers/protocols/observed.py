"""Agents that speak in texts alone: what a tool returned comes as a message of the user -> calls with their results.

The user's message begins with "Observation:" behind an action of ReAct, or is the output of a shell behind a fence with
a command. Sources, read 2026-11-29: mini-swe-agent's trajectories (<returncode>, <output>); prompts of ReAct that are
held as a chat.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hdag.readers.protocols.react_text import find_log

__all__ = ["with_calls"]

_OBSERVED = re.compile(r"\s{0,8}(?:\*\*)?observation(?: \d{1,3})?:", re.IGNORECASE)
_FENCE = "```"
_SHELLS = ("bash", "sh", "shell", "mswea_bash_command")


def with_calls(messages: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Each message with its number; a pair of an action and what was observed is a call and its result.

    >>> said = {"role": "assistant", "content": "Thought: add.\\nAction: add[2]"}
    >>> talk = [said, {"role": "user", "content": "Observation: 4"}]
    >>> [(message["role"], message["content"]) for _, message in with_calls(talk)]
    [('assistant', 'add.'), ('tool', '4')]
    """
    skip = False
    for index, message in enumerate(messages):
        if skip:
            skip = False
            continue
        after = messages[index + 1] if index + 1 < len(messages) else None
        pair = _pair(message, after)
        if pair is None:
            yield index, message
            continue
        skip = True
        yield index, pair[0]
        yield index + 1, pair[1]


def _pair(message: Any, after: Any) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    spoken, returned = _text(message, "assistant"), _text(after, "user")
    if spoken is None or returned is None or message.get("tool_calls") or message.get("function_call"):
        return None
    key = {"id": None}
    if _OBSERVED.match(returned):
        log = find_log(text=f"{spoken}\nObservation:{returned.split(':', 1)[1]}")
        if log is None or len(log.calls) != 1:
            return None
        (call,) = log.calls
        words = "\n\n".join(thought.text for thought in log.thoughts)
        made = {**key, "function": {"name": call.name, "arguments": call.arguments}}
        return {**message, "content": words, "tool_calls": [made]}, {"role": "tool", "content": call.output}
    command = _command(spoken) if returned.lstrip().startswith("<returncode>") and "<output>" in returned else ""
    if not command:
        return None
    made = {**key, "function": {"name": "shell", "arguments": command}}
    return {**message, "tool_calls": [made]}, {"role": "tool", "content": returned}


def _text(message: Any, role: str) -> str | None:
    if not isinstance(message, Mapping) or message.get("role") != role:
        return None
    content = message.get("content")
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], Mapping):
        content = content[0].get("text")
    return content if isinstance(content, str) else None


def _command(text: str) -> str:
    """What stands in the last fence of a shell; "" for none."""
    _, opened, inner = text.rpartition(_FENCE)[0].rpartition(_FENCE)
    language, _, command = inner.partition("\n")
    return command.strip() if opened and language.strip() in _SHELLS else ""
