"""Histories that programs append to: aider's text beside the code, and the log of a crew of CrewAI."""

import io
import json

import pytest

from hdag.core.errors import BadRecordError
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import detect, read_any
from hdag.readers.archives.surveys import survey
from hdag.readers.records import DEFAULT_LIMITS
from tests.unit.hdag.test_readers import find_violations

# The form of histories in public repositories, with words of our own; ¶ stands for the two blanks at the end of a line.
AIDER = """
# aider chat started at 2026-11-29 10:00:00

> You can skip this check with --no-gitignore¶
> Aider v0.86.1¶
> Main model: openrouter/some/model with diff edit format¶
> Git repo: .git with 2 files¶

#### /add sum.py¶
> Added sum.py to the chat¶

#### /ask what does it return for 2 and 2?¶

#### what does it return for 2 and 2?¶
####¶
#### Only the number.¶

--------------
► **THINKING**

It adds both numbers, and 2 + 2 = 4.

------------
► **ANSWER**

# In short
It returns 4.

> Tokens: 1.2k sent, 30 received. Cost: $0.0001 message, $0.0001 session.¶

#### and make it multiply¶

> A quotation that the model wrote.

sum.py
```python
<<<<<<< SEARCH
# adds
    return a + b
=======
    return a * b
>>>>>>> REPLACE
```

> Tokens: 1.4k sent, 60 received.¶
> Applied edit to sum.py¶
> Commit 0a1b2c3 feat: multiply¶

# aider chat started at 2026-11-29 11:00:00

> Aider v0.86.1¶
> Model: other/model with whole edit format¶

#### /ask What is 6 * 7?¶

6 * 7 = 42.

> ^C again to exit¶

# aider chat started at 2026-11-29 12:00:00

> Aider v0.86.1¶
""".replace("¶", "  ")

CREW = [
    {"timestamp": "2026-11-30 09:00:00", "task_name": "add", "task": "Add 2 and 2.", "agent": "A", "status": "started"},
    {
        "timestamp": "2026-11-30 09:00:02",
        "task_name": "add",
        "task": "Add 2 and 2.",
        "agent": "A",
        "status": "completed",
        "output": "2 + 2 = 4.",
    },
    {"timestamp": "2026-11-30 09:00:02", "task_name": None, "task": "Double it.", "agent": "B", "status": "started"},
    {
        "timestamp": "2026-11-30 09:00:04",
        "task_name": None,
        "task": "Double it.",
        "agent": "B",
        "status": "completed",
        "output": "2 * 4 = 8.",
    },
]


def test_each_session_of_aider_in_which_the_model_spoke_is_a_trace() -> None:
    assert detect(AIDER) == "aider"
    first, second = read_any(AIDER, where="file")
    assert first.problem == "what does it return for 2 and 2?\n\nOnly the number.\n\nand make it multiply"
    assert first.thinking == "It adds both numbers, and 2 + 2 = 4.\n\n# In short\nIt returns 4."
    assert first.answer.startswith("> A quotation that the model wrote.\n\nsum.py\n```python\n<<<<<<< SEARCH\n# adds\n")
    assert (first.id, first.model_name) == ("2026-11-29 10:00:00", "openrouter/some/model")
    assert (second.problem, second.answer, second.model_name) == ("What is 6 * 7?", "6 * 7 = 42.", "other/model")


def test_what_aider_itself_printed_is_no_reasoning() -> None:
    told = " ".join(trace.problem + trace.thinking + trace.answer for trace in read_any(AIDER, where="file"))
    assert not any(word in told for word in ("Tokens:", "Applied edit", "Added sum.py", "/ask", "Aider v", "THINKING"))


def test_a_history_whose_blanks_were_taken_away_is_read_by_its_marks() -> None:
    bare = "\n".join(line.rstrip() for line in AIDER.split("\n"))
    first, second = read_any(bare, where="file")
    assert first.answer.startswith("sum.py")  # the model's quotation cannot be told from the program's words
    assert second.answer == "6 * 7 = 42."


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_history_is_handed_in_as_it_lies_beside_the_code(end: str) -> None:
    body = AIDER.replace("\n", end).encode()
    seen = survey(lines=io.BytesIO(b"\xef\xbb\xbf" + body), limits=DEFAULT_LIMITS)
    assert [trace.answer for trace in seen.traces][1] == "6 * 7 = 42."
    assert not seen.bad


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"# aider chat started at 2026-11-29 10:00:00\n\n> Aider v0.86.1  \n", "no session in which the model said"),
        (b"# aider chat started at 2026-11-29 10:00:00\n\n#### 2?  \n\n\xff\n", "half of a surrogate pair"),
        (b"# aider chat started at now\n" + b"x" * (7 * DEFAULT_LIMITS.text_bytes), "more than"),
    ],
)
def test_a_history_that_cannot_be_read_says_why(body: bytes, words: str) -> None:
    seen = survey(lines=io.BytesIO(body), limits=DEFAULT_LIMITS)
    assert not seen.good
    assert words in seen.bad[0].problem


def test_the_tasks_of_a_crew_are_the_problem_and_their_outputs_the_steps() -> None:
    assert detect(CREW) == "CrewAI"
    (trace,) = read_any(CREW, where="file")
    assert (trace.problem, trace.thinking, trace.answer) == ("Add 2 and 2.\n\nDouble it.", "2 + 2 = 4.", "2 * 4 = 8.")
    assert [step.speaker for step in trace.steps] == ["A"]
    assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()


def test_a_crew_that_ran_twice_is_two_traces_also_where_the_second_broke_off() -> None:
    file = json.dumps([*CREW, *CREW[:2], CREW[2]], indent=4).encode() + b"\n"
    seen = survey(lines=io.BytesIO(file), limits=DEFAULT_LIMITS)
    assert [(trace.problem, trace.answer) for trace in seen.traces] == [
        ("Add 2 and 2.\n\nDouble it.", "2 * 4 = 8."),
        ("Add 2 and 2.\n\nDouble it.", "2 + 2 = 4."),
    ]


def test_an_older_log_of_a_crew_has_the_output_in_the_place_of_the_task() -> None:
    started = {"timestamp": "t", "agent": "A", "task": "2 + 2?", "status": "started"}
    (trace,) = read_any([started, started | {"task": "4", "status": "completed"}], where="file")
    assert (trace.problem, trace.answer) == ("2 + 2?", "4")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([CREW[0]], "no task was completed"),
        ([CREW[1] | {"output": 4}], "entries[0].output: must be text"),
        ([CREW[0] | {"agent": None}], "entries[0].agent: must be text"),
    ],
)
def test_a_log_of_a_crew_that_holds_nothing_to_read_is_refused(rows: list[object], words: str) -> None:
    with pytest.raises(BadRecordError) as refused:
        read_any(rows, where="file")
    assert words in str(refused.value)
