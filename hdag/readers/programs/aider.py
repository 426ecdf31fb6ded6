"""aider: the history that it writes beside the code (`.aider.chat.history.md`), one text -> a Trace each session.

`# aider chat started at ...` begins a session; `#### ` a line of its user; `> ` a line of the program itself, which
ends in two blanks as the program writes it; everything else is what the model said, with its reasoning between two
marks. Where the two blanks are missing everywhere (an editor took them away) each `> ` is the program's.
Sources, read 2026-11-30: Aider-AI/aider, aider/io.py (`append_chat_history`), aider/utils.py
(`split_chat_history_markdown`), aider/reasoning_tags.py; histories that stand in public repositories.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.programs.talk import Head, Talk
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_text

BEGIN = "# aider chat started at "
THINKING, ANSWER = "► **THINKING**", "► **ANSWER**"
USER, PROGRAM, MODEL = "user", "program", "model"
_BREAK = "  "
_ASKING = ("/ask ", "/code ", "/architect ")  # commands that hold a question; newer versions write it once more
_NAMES = ("Main model: ", "Model: ")
Said = tuple[str, str]  # who, and what


def reads(value: Any) -> bool:
    """Whether `value` is text that begins as such a history does.

    >>> reads("\\n# aider chat started at 2026-11-30 09:00:00\\n\\n#### 2 + 2?  \\n\\n4\\n")
    True
    """
    return isinstance(value, str) and value.lstrip().startswith(BEGIN)


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """A trace for each session in which the model said something. Raises BadRecordError naming the session."""
    lines = check_text(value, where=where, field="").lstrip().replace("\r\n", "\n").split("\n")
    is_marked = any(line.startswith("> ") and line.endswith(_BREAK) for line in lines)
    starts = [index for index, line in enumerate(lines) if line.startswith(BEGIN)]
    traces = []
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True), 1):
        talk, turns = Talk(), _turns(lines[start + 1 : end], is_marked)
        _tell(talk, turns, f"session {number}")
        if any(message["role"] == "assistant" for message in talk.messages):
            head = Head(id=lines[start].removeprefix(BEGIN).strip(), model=_model(turns))
            traces.append(talk.trace(where=where, at=f"session {number}", limits=limits, head=head))
    if not traces:
        raise BadRecordError(where=where, field="", reason="holds no session in which the model said something")
    return tuple(traces)


def _turns(lines: Sequence[str], is_marked: bool) -> list[Said]:
    """Lines of one speaker, one below the other; what is blank alone says nothing and parts what a person asked."""
    turns = [
        (who, "\n".join(text for _, text in group).strip("\n"))
        for who, group in groupby((_said(line, is_marked) for line in lines), key=lambda turn: turn[0])
    ]
    return [(who, text) for who, text in turns if text.strip()]


def _said(line: str, is_marked: bool) -> Said:
    bare = line.removesuffix(_BREAK)
    if bare != line or not is_marked:
        for mark, who in (("####", USER), (">", PROGRAM)):
            # A blank line of a person or of the program keeps its mark alone.
            if bare == mark or bare.startswith(f"{mark} "):
                return who, bare[len(mark) + 1 :]
    return MODEL, line


def _tell(talk: Talk, turns: Sequence[Said], at: str) -> None:
    """What was asked and said; a command of the program is neither, but for the question behind it."""
    question = ""  # of a command, until the program writes it once more
    for who, text in turns:
        if who == USER and text.startswith(("/", "!")):
            question = next((text.removeprefix(name) for name in _ASKING if text.startswith(name)), "")
        elif who == USER:
            question = ""
            talk.ask(text, at)
        elif who == MODEL:
            talk.ask(question, at)
            question = ""
            reasoning, answer = _apart(text)
            talk.say(at, content=answer, reasoning=reasoning)


def _apart(text: str) -> tuple[str, str]:
    """The reasoning of an answer and the answer, without the marks and the rules above them.

    >>> _apart("--------------\\n► **THINKING**\\n\\n2 + 2 is 4.\\n\\n------------\\n► **ANSWER**\\n\\n4")
    ('2 + 2 is 4.', '4')
    """
    before, mark, rest = text.partition(THINKING)
    if not mark:
        return "", text
    reasoning, _, answer = rest.partition(ANSWER)
    intro, reasoning, answer = (text.strip("\n").rstrip("-").strip("\n") for text in (before, reasoning, answer))
    return reasoning, "\n\n".join(filter(None, (intro, answer)))


def _model(turns: Sequence[Said]) -> str:
    """The model that the program named last before the first answer: "Main model: NAME with diff edit format"."""
    name = ""
    for who, text in turns:
        if who == MODEL:
            break
        for line in text.split("\n") if who == PROGRAM else ():
            announced = next((line.removeprefix(start) for start in _NAMES if line.startswith(start)), "")
            name = announced.split(" ")[0] or name
    return name
