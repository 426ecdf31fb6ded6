"""Files that are one conversation, and logs that somebody spoiled: refused by their place, never in another way."""

import io
import json
import random
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from hdag.core.errors import BadRecordError, ForeignFileError
from hdag.core.invariants import find_violations
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers import FORMATS, detect, read_any
from hdag.readers.archives.surveys import Survey, survey
from hdag.readers.records import DEFAULT_LIMITS, Limits
from tests.unit.hdag.programs.test_agent_runs import RUNS, WRAPPED
from tests.unit.hdag.programs.test_chat_exports import CHAT, CLAUDE, tree
from tests.unit.hdag.programs.test_coding_agents import OLDER, ROLLOUT, SESSION, STREAM
from tests.unit.hdag.programs.test_label_studio import TALK, task
from tests.unit.hdag.programs.test_openhands import NEWER
from tests.unit.hdag.programs.test_openhands import OLDER as EVENTS

LOGS: dict[str, Any] = {
    "Claude Code": SESSION,
    "Codex": ROLLOUT,
    "older Codex": OLDER,
    "stream of Codex": STREAM,
    "OpenHands": EVENTS,
    "events of the SDK": NEWER,
    "ChatGPT": tree(*CHAT),
    "Claude's app": CLAUDE,
    "Label Studio": task({"prompt": "q", "chat": TALK}),
    **{name: run for name, (run, _) in RUNS.items()},
    **WRAPPED,
}
SESSIONS = ["Claude Code", "Codex", "older Codex", "stream of Codex", "OpenHands", "events of the SDK"]


def lines_of(rows: list[Any]) -> bytes:
    return b"\n".join(json.dumps(row).encode() for row in rows)


def seen(body: bytes, limits: Limits = DEFAULT_LIMITS) -> Survey:
    return survey(lines=io.BytesIO(body), limits=limits)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_file_with_an_event_a_line_is_one_conversation(name: str) -> None:
    whole = read_any(LOGS[name], where="")
    assert seen(lines_of(LOGS[name])).traces == list(whole)
    assert seen(json.dumps(LOGS[name], indent=1).encode()).traces == list(whole)


def test_half_a_line_of_a_program_that_was_killed_is_named_and_spoils_no_other() -> None:
    survey = seen(lines_of(SESSION) + b'\n{"type": "assist')
    assert survey.traces == list(read_any(SESSION, where=""))
    (bad,) = survey.bad
    assert (bad.number, bad.raw) == (11, b'{"type": "assist')
    assert bad.problem.startswith("line 11: not JSON")


def test_a_session_that_cannot_be_read_is_one_bad_line_with_all_its_bytes() -> None:
    survey = seen(lines_of([*SESSION, 5]))
    assert survey.traces == []
    assert survey.bad[0].problem == "lines 1 to 11, events[10]: must be an object"
    assert survey.bad_file == lines_of([*SESSION, 5]) + b"\n"


def test_a_chosen_format_is_held_to_by_sessions_too() -> None:
    body = io.BytesIO(lines_of(ROLLOUT))
    assert survey(lines=body, limits=DEFAULT_LIMITS, format="Codex").traces == list(read_any(ROLLOUT, where=""))
    other = survey(lines=io.BytesIO(lines_of(ROLLOUT)), limits=DEFAULT_LIMITS, format="OpenHands")
    assert "is no OpenHands" in other.bad[0].problem


@pytest.mark.parametrize(
    "body",
    [b"[" + b"\n0," * 1_000_000, lines_of(SESSION[2:3]) + b"\n{}" * 400_000],
    ids=["document", "session"],
)
def test_a_file_of_countless_short_lines_is_refused_in_little_memory(body: bytes) -> None:
    tracemalloc.start()
    try:
        told = " ".join(line.problem for line in seen(body).bad)
    except ForeignFileError as error:
        told = str(error)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "lines" in told
    assert peak < 60_000_000


def test_a_document_over_the_limit_says_so() -> None:
    limits = Limits(text_bytes=10)
    body = json.dumps([{"problem": "p", "answer": "a" * 70_000}], indent=1).encode()
    with pytest.raises(ForeignFileError, match="more than 65596 bytes or 200000 lines"):
        seen(b"[\n" + body[1:], limits)


ODD: list[Callable[[random.Random], Any]] = [
    lambda rng: None,
    lambda rng: rng.randrange(-5, 5),
    lambda rng: "",
    lambda rng: "a\x00b",
    lambda rng: [],
    lambda rng: {},
    lambda rng: [[["x"]]],
    lambda rng: {"type": "text", "text": {"value": 1}},
    lambda rng: True,
    lambda rng: "2026-13-99T99:99:99",
]


def spoiled(value: Any, rng: random.Random) -> Any:
    """A copy in which about one value of thirty is another, and one field of thirty is gone or written twice."""
    if rng.random() < 1 / 30:
        return rng.choice(ODD)(rng)
    if isinstance(value, dict):
        return {key: spoiled(inner, rng) for key, inner in value.items() if rng.random() > 1 / 30}
    if isinstance(value, list):
        rows = [spoiled(row, rng) for row in value if rng.random() > 1 / 30]
        return rows + rows[-1:] if rng.random() < 1 / 30 else rows
    return value


@pytest.mark.parametrize("name", LOGS)
def test_a_spoiled_log_is_read_or_refused_by_name(name: str) -> None:
    rng = random.Random(name)
    read, places = 0, set[str]()
    for _ in range(150):
        value = spoiled(LOGS[name], rng)
        try:
            traces = read_any(value, where="line 1")
        except BadRecordError as error:
            places.add(str(error).split(",")[0].split(":")[0])
            continue
        for trace in traces:
            read += 1
            if trace.thinking.strip() or trace.answer.strip():
                assert find_violations(trace=trace, graph=RulesDecomposer().decompose(trace)) == ()
    assert read > 10
    assert places == {"line 1"}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_is_found_by_its_own_reader_alone(name: str) -> None:
    """A reader that takes what is another's would be passed over only by the order of the table."""
    takers = [format for format, (reads, _) in FORMATS.items() if reads(LOGS[name])]
    assert takers[0] == detect(LOGS[name])
    # DAG-MATH takes whatever has steps with an id, and stands behind.
    assert set(takers) <= {takers[0], "record", "recorded call", *(["DAG-MATH"] if name == "ATIF" else [])}


def test_many_results_of_one_call_and_many_events_with_one_id_take_linear_time() -> None:
    event = NEWER[6]
    rows = [NEWER[1], NEWER[3], *({**event, "id": "same", "n": n} for n in range(9_000)), NEWER[10]]
    started = time.process_time()
    (trace,) = read_any(rows, where="line 1")
    assert len(trace.tool_calls) == 1
    assert time.process_time() - started < 5


def test_the_command_that_decomposes_takes_a_session_as_one_conversation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines_of(SESSION) + b'\n{"type": "assist')
    with pytest.raises(CommandError, match="1 of 2 records could not be decomposed") as refused:
        call_command("decompose", str(file))
    assert refused.value.returncode == 1
    broken, graph = map(json.loads, capsys.readouterr().out.splitlines())
    assert broken["where"] == "line 11"
    assert (graph["id"], graph["violations"]) == ("s1", [])
