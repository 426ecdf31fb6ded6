"""The text of a ReAct log -> its thoughts, its calls of tools with what they returned, its question and its answer.

Thought: look. / Action: search[tower] / Observation: It is 330 m. / Final Answer: 330 m

Sources: ReAct (arXiv:2210.03629, appendix C: numbered labels, name[argument], Finish[answer]); LangChain's MRKL and
structured chat prompts ("Action Input:", a JSON blob, a completion that begins within the first thought).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.core.values import ToolCall
from hdag.readers.tags import OPENERS

__all__ = ["ReactLog", "Thought", "find_log"]

_LABEL = re.compile(
    r"^[ \t]{0,4}(?:\*\*)?(Question|Thought|Reflection|Plan|Action|Action Input|Observation|Final Answer)"
    r"(?: \d{1,3})?:(?:\*\*)?",
    re.MULTILINE,
)
THOUGHT, ACTION, INPUT, OBSERVED, ANSWER, QUESTION = (
    *("Thought", "Action", "Action Input", "Observation", "Final Answer", "Question"),
)
_THOUGHTS = {"Reflection": THOUGHT, "Plan": THOUGHT}
# Label -> labels that may stand behind it; "" is the beginning. Any other order is prose that has such words in it.
_FOLLOW: Mapping[str, tuple[str, ...]] = {
    "": (QUESTION, THOUGHT, ACTION),
    QUESTION: (THOUGHT, ACTION),
    THOUGHT: (THOUGHT, ACTION, ANSWER, ""),
    ACTION: (INPUT, OBSERVED, ""),
    INPUT: (OBSERVED, ""),
    OBSERVED: (THOUGHT, ACTION, ANSWER, ""),
    ANSWER: ("",),
}
_FINISH = frozenset(("finish", "final answer", "final_answer", "answer"))
_LONGEST, _MOST_WORDS = 64, 4  # of the name of a tool


class Thought(NamedTuple):
    """A thought without the blanks around it, and where it begins in the log."""

    text: str
    start: int


class _Entry(NamedTuple):
    """What stands behind a label, without the blanks around it."""

    label: str
    text: str
    start: int


@dataclass(slots=True)
class ReactLog:
    """What a log tells; a call's step is the index of the thought that made it."""

    problem: str = ""
    thoughts: list[Thought] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    answer: str = ""


def find_log(*, text: str) -> ReactLog | None:
    """The log that the whole text is; None where it is none: a text that only uses such words stays prose.

    Every action names a tool, at least one has what was observed, and labels stand in the order of such logs.

    >>> find_log(text="Thought: look.\\nAction: search[tower]\\nObservation: 330 m\\nFinal Answer: 330 m").calls
    [ToolCall(name='search', arguments='tower', output='330 m', step=0)]
    >>> find_log(text="Action: Heat the water.\\nObservation: It boils.") is None
    True
    """
    # Nearly every text has no such label, and is told apart by one search.
    if OBSERVED not in text:
        return None
    entries = list(_entries(text))
    labels = [entry.label for entry in entries]
    if ACTION not in labels or OBSERVED not in labels or not {THOUGHT, INPUT, ANSWER} & set(labels):
        return None
    # Text between think tags has a reader of its own.
    is_ordered = all(after in _FOLLOW[label] for label, after in zip(["", *labels], [*labels, ""], strict=True))
    if not is_ordered or any(opener in text for opener in OPENERS):
        return None
    return _assemble(entries)


def _entries(text: str) -> Iterator[_Entry]:
    labels = list(_LABEL.finditer(text))
    # A completion begins within the first thought: the prompt ended with its label.
    if not labels:
        return
    if first := text[: labels[0].start()].strip():
        yield _Entry(THOUGHT, first, text.index(first))
    ends = [*(label.start() for label in labels[1:]), len(text)]
    for label, end in zip(labels, ends, strict=True):
        words = text[label.end() : end]
        start = label.end() + len(words) - len(words.lstrip())
        yield _Entry(_THOUGHTS.get(label[1], label[1]), words.strip(), start)


def _assemble(entries: list[_Entry]) -> ReactLog | None:
    log, thought, index = ReactLog(), None, 0
    while index < len(entries):
        label, text, start = entries[index]
        index += 1
        if label == ACTION:
            given = _take(entries, index, INPUT)
            index += given is not None
            output = _take(entries, index, OBSERVED)
            index += output is not None
            call = _call_of(text, given)
            if call is None:
                return None
            _act(log, call, output, thought)
            thought = None
        elif label == THOUGHT:
            log.thoughts.append(Thought(text, start))
            thought = len(log.thoughts) - 1 if text else thought
        elif label == QUESTION:
            log.problem = text
        else:
            log.answer = text
    return log if log.calls else None


def _take(entries: list[_Entry], index: int, label: str) -> str | None:
    """The text of the entry at `index`, if it has this label."""
    return entries[index].text if index < len(entries) and entries[index].label == label else None


def _act(log: ReactLog, call: tuple[str, str], output: str | None, thought: int | None) -> None:
    name, arguments = call
    # What ends the work hands over the answer: no tool is asked, whatever the program says to it.
    if name.casefold() in _FINISH:
        log.answer = arguments
        return
    log.calls.append(ToolCall(name, arguments, output or "", thought))


def _call_of(text: str, given: str | None) -> tuple[str, str] | None:
    """Name and arguments of an action; None where it names no tool.

    >>> _call_of("Search[high plains]", None), _call_of("search", "tower"), _call_of("Heat the water.", None)
    (('Search', 'high plains'), ('search', 'tower'), None)
    """
    if given is not None:
        return (text, given) if _is_name(text) else None
    if text.startswith(("{", "```")):
        return _call_in_json(text)
    for opener, closer in ("[]", "()"):
        name, opened, rest = text.partition(opener)
        if opened and rest.endswith(closer) and _is_name(name.strip()):
            return name.strip(), rest[:-1]
    return (text, "") if _is_name(text) and " " not in text else None


def _is_name(text: str) -> bool:
    words = text.split(" ")
    plain = "".join(words).translate({ord(sign): None for sign in "_-."})
    return 0 < len(text) <= _LONGEST and len(words) <= _MOST_WORDS and plain.isalnum()


def _call_in_json(text: str) -> tuple[str, str] | None:
    """The call in a JSON blob, alone or between fences."""
    blob = text.removesuffix("```").removeprefix("```").removeprefix("json") if text.startswith("```") else text
    try:
        fields = read_json(blob, where="")
    except BadRecordError:
        return None
    if not isinstance(fields, dict):
        return None
    name = next((fields[key] for key in ("action", "tool", "name") if key in fields), None)
    if not isinstance(name, str) or not _is_name(name):
        return None
    given = next((fields[key] for key in ("action_input", "input", "arguments", "args") if key in fields), None)
    if given is None or isinstance(given, str):
        return name, given or ""
    return name, json.dumps(given, ensure_ascii=False, sort_keys=True)
