"""A log of thoughts, actions and observations in one text (ReAct) -> Trace: thoughts are steps, actions tool calls.

Thought: look. / Action: search[tower] / Observation: It is 330 m. / Final Answer: 330 m

Sources: ReAct (arXiv:2210.03629, appendix C: numbered labels, name[argument], Finish[answer]); LangChain's MRKL and
structured chat prompts ("Action Input:", a JSON blob, a completion that begins within the first thought).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hdag.core.errors import BadRecordError
from hdag.core.strict_json import read_json
from hdag.core.values import ToolCall, Trace
from hdag.readers.compose import LogStep, first_key, first_text, join
from hdag.readers.records import DEFAULT_LIMITS, JOINT, Limits, as_text, check_name, check_size, check_text
from hdag.readers.tags import OPENERS

RESPONSES = ("response", "completion", "generation", "output", "text")
PROBLEMS = ("problem", "question", "prompt", "instruction", "task", "input")
MODELS = ("model", "model_name")
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


class _Entry(NamedTuple):
    """What stands behind a label, without the blanks around it."""

    label: str
    text: str


@dataclass(slots=True)
class _Log:
    """What has been read of a log."""

    problem: str = ""
    pieces: list[LogStep] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    answer: str = ""


def reads(value: Any) -> bool:
    """Whether `value` is text with whole turns of action and observation, or a record whose response is.

    Every action names a tool, and labels stand in the order of such logs. A text that only uses the words stays prose.

    >>> reads("Thought: look.\\nAction: search[tower]\\nObservation: 330 m\\nFinal Answer: 330 m")
    True
    >>> reads("Action: Heat the water.\\nObservation: It boils.")
    False
    """
    if isinstance(value, dict):
        problem = value.get(first_key(fields=value, names=PROBLEMS), "")
        value = value.get(first_key(fields=value, names=RESPONSES)) if isinstance(problem, str) else None
    return isinstance(value, str) and _log_of(value) is not None


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError for a text that is no such log, or over the limits."""
    fields = value if isinstance(value, dict) else {"text": value}
    name = first_key(fields=fields, names=RESPONSES)
    log = _log_of(check_text(fields[name], where=where, field=name if isinstance(value, dict) else ""))
    if log is None:
        raise BadRecordError(where=where, field=name, reason="is no log of thoughts, actions and observations")
    if max(len(log.pieces), len(log.calls)) > limits.steps:
        raise BadRecordError(where=where, field=name, reason=f"more than {limits.steps} steps")
    problem = first_text(fields=fields, names=PROBLEMS, where=where)
    problems = dict.fromkeys(text for text in (problem, log.problem) if text.strip())
    thinking, spans = join(pieces=log.pieces)
    model = check_name(fields.get(first_key(fields=fields, names=MODELS)), where=where, field="model", limits=limits)
    trace = Trace(
        problem=JOINT.join(problems),
        thinking=thinking if spans else "",
        answer=log.answer,
        steps=spans,
        tool_calls=tuple(log.calls),
        model_name=model,
        id=str(fields.get("id", "")),
    )
    check_size(trace=trace, where=where, limits=limits)
    return (trace,)


def _log_of(text: str) -> _Log | None:
    """The log that the whole text is; None where it is none."""
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
        yield _Entry(THOUGHT, first)
    ends = [*(label.start() for label in labels[1:]), len(text)]
    for label, end in zip(labels, ends, strict=True):
        yield _Entry(_THOUGHTS.get(label[1], label[1]), text[label.end() : end].strip())


def _assemble(entries: list[_Entry]) -> _Log | None:
    log, thought, index = _Log(), None, 0
    while index < len(entries):
        label, text = entries[index]
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
            log.pieces.append(LogStep(text))
            thought = len(log.pieces) - 1 if text else thought
        elif label == QUESTION:
            log.problem = text
        else:
            log.answer = text
    return log if log.calls else None


def _take(entries: list[_Entry], index: int, label: str) -> str | None:
    """The text of the entry at `index`, if it has this label."""
    return entries[index].text if index < len(entries) and entries[index].label == label else None


def _act(log: _Log, call: tuple[str, str], output: str | None, thought: int | None) -> None:
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
    name = fields.get(first_key(fields=fields, names=("action", "tool", "name"))) if isinstance(fields, dict) else None
    if not isinstance(name, str) or not _is_name(name):
        return None
    arguments = fields.get(first_key(fields=fields, names=("action_input", "input", "arguments", "args")))
    return name, as_text(arguments, where="", field="action")
