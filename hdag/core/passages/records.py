"""Records of tools that stand in a text itself: what was asked of them and what they returned, by tags or by labels.

<tool_call>...</tool_call> <tool_response>...</tool_response>     Action: search / Action Input: ... / Observation: ...
"""

import re
from collections.abc import Iterator

from hdag.core.passages.formulas import merge
from hdag.core.spans import Span
from hdag.core.text.cues import Cue

_TAGS = """
tool_call tool_calls tool_use tool_response tool_result tool_results tool_output function_call function_calls
function_result function_results function_response observation code_output execution_output stdout stderr
"""
_OPEN = Cue(rf"<({'|'.join(_TAGS.split())})(?: [^<>\n]{{0,200}})?>", re.IGNORECASE)
_LABEL = Cue(
    r"^[ \t]{0,4}(Thought|Reflection|Plan|Question|Action|Action Input|Observation|Final Answer)(?: \d{1,3})?:",
    re.MULTILINE,
)
_ASKED_OF_TOOLS = frozenset(("Action", "Action Input", "Observation"))
# What ends the work hands over the answer: no tool is asked.
_FINISHES = re.compile(r"\s*(?:finish|final|answer|submit|stop|none)\b", re.IGNORECASE)


def find_tool_records(*, text: str) -> list[Span]:
    """The stretches of `text` that are records of tools, disjoint and in order. Linear but for unclosed tags.

    Labels count where both an action and an observation stand at the beginning of lines.

    >>> text = "Thought: look.\\nAction: search\\nObservation: It is 330 m.\\nTall.\\nThought: So it is 330 m."
    >>> [span.slice(text) for span in find_tool_records(text=text)]
    ['Action: search', 'Observation: It is 330 m.\\nTall.']
    """
    return merge(spans=[*_between_tags(text), *_behind_labels(text)])


def _between_tags(text: str) -> Iterator[Span]:
    cursor, missing = 0, set[str]()
    for opened in _OPEN.finditer(text):
        name = opened[1]
        if opened.start() < cursor or name in missing:
            continue
        end = text.find(f"</{name}>", opened.end())
        # A tag that nobody closes is no record, and none after it can be closed either.
        if end < 0:
            missing.add(name)
            continue
        cursor = end + len(name) + 3
        yield Span(opened.start(), cursor)


def _behind_labels(text: str) -> Iterator[Span]:
    labels = list(_LABEL.finditer(text))
    if not {"Action", "Observation"} <= {label[1] for label in labels}:
        return
    finishes = False
    for number, label in enumerate(labels):
        if label[1] == "Action":
            finishes = _FINISHES.match(text, label.end()) is not None
        end = labels[number + 1].start() if number + 1 < len(labels) else len(text)
        # An action is one line; what was observed goes on to the next label.
        if label[1] != "Observation":
            line = text.find("\n", label.end(), end)
            end = line if line >= 0 else end
        if label[1] in _ASKED_OF_TOOLS and not finishes:
            yield Span(label.start(), label.start() + len(text[label.start() : end].rstrip()))
