"""Runs of agents as lists of steps: smolagents, trajectories in ATIF, the trajectory of DSPy's ReAct -> Trace.

Sources, read 2026-11-29: smolagents, src/smolagents/memory.py (ActionStep and the other steps); ATIF 1.4 as mirrored in
OpenAgentsInc/openagents (docs/atif/0001-trajectory-format.md); DSPy, dspy/predict/react.py (thought_0, tool_name_0).
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.programs.talk import NOTHING, Head, Talk, objects
from hdag.readers.records import DEFAULT_LIMITS, Limits

_SMOL = ("system_prompt", "task", "plan", "step_number", "model_output", "code_action", "is_final_answer")
_FINAL = "final_answer"
_ASKED = ("question", "problem", "query", "task", "input", "user_request")
_ANSWERED = ("answer", "response", "output", "result", "process_result")
_ENDS = ("finish", "submit")


def reads(value: Any) -> bool:
    """Whether `value` is a run of one of these agents."""
    if isinstance(value, dict):
        if str(value.get("schema_version", "")).startswith("ATIF"):
            return True
        trajectory = value.get("trajectory")
        if isinstance(trajectory, dict) and not trajectory.keys().isdisjoint(("thought_0", "tool_name_0")):
            return True
    first = _first(_steps(value))
    is_task = "task" in first and "task_images" in first
    return (
        is_task or first.keys() == {"system_prompt"} or ("step_number" in first and len(first.keys() & set(_SMOL)) > 1)
    )


def _steps(value: Any) -> Any:
    return value.get("steps") if isinstance(value, Mapping) else value


def _first(rows: Any) -> Mapping[str, Any]:
    return rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the step."""
    record = check_object(value, where=where, field="") if isinstance(value, Mapping) else {}
    if isinstance(record.get("trajectory"), Mapping):
        return (_of_dspy(record, where, limits),)
    talk, is_atif = Talk(), "schema_version" in record
    for at, step in objects(_steps(value), where=where, at="steps", limit=limits.steps):
        (_tell_atif if is_atif else _tell_smol)(talk, step, where, at)
    if is_atif:
        agent = record.get("agent")
        model = agent.get("model_name") if isinstance(agent, Mapping) else None
        return (_end(talk, where, limits, Head(id=record.get("session_id"), model=model)),)
    if record.get("output") is not None and not talk.ends_in_words:
        talk.say("output", content=_words(record["output"]))
    return (_end(talk, where, limits, Head(id=record.get("id"))),)


def _end(talk: Talk, where: str, limits: Limits, head: Head) -> Trace:
    return talk.trace(where=where, at="steps", limits=limits, head=head)


def _words(value: object) -> object:
    """An answer may be any value of Python; a number is written as it is."""
    return value if isinstance(value, str | list) or value is None else str(value)


def _calls(step: Mapping[str, Any], where: str, at: str) -> list[tuple[str, Mapping[str, Any]]]:
    rows = step.get("tool_calls") or []
    return [*objects(rows, where=where, at=f"{at}.tool_calls", limit=5_000)]


def _tell_smol(talk: Talk, step: Mapping[str, Any], where: str, at: str) -> None:
    talk.ask(step.get("system_prompt"), f"{at}.system_prompt", role="system")
    talk.ask(step.get("task"), f"{at}.task")
    talk.say(f"{at}.plan", content=step.get("plan"))
    message = step.get("model_output_message")
    message = message if isinstance(message, Mapping) else {}
    spoken = step.get("model_output") if step.get("model_output") not in NOTHING else message.get("content")
    talk.say(f"{at}.model_output", content=spoken if "plan" not in step else None)
    keys = []
    for origin, row in _calls(step, where, at):
        inner = row.get("function")
        function = inner if isinstance(inner, Mapping) else row
        if function.get("name") != _FINAL:
            keys.append(talk.call(origin, name=function.get("name"), arguments=function.get("arguments")))
    error = step.get("error")
    output = step.get("observations") or (error.get("message") if isinstance(error, Mapping) else error)
    if output not in NOTHING:
        # All calls of a step have one text of observations.
        talk.keys["step"] = keys[0] if keys else ""
        talk.result(f"{at}.observations", output=output, key="step" if keys else "nothing")
    if step.get("is_final_answer") or ("output" in step and "step_number" not in step):
        talk.say(at, content=_words(step.get("action_output", step.get("output"))))


def _tell_atif(talk: Talk, step: Mapping[str, Any], where: str, at: str) -> None:
    source, message = step.get("source"), step.get("message")
    if source in ("user", "system"):
        talk.ask(message, f"{at}.message", role=source)
    elif source == "agent":
        talk.say(f"{at}.message", content=message, reasoning=step.get("reasoning_content"))
    else:
        raise BadRecordError(where=where, field=f"{at}.source", reason="must be system, user or agent")
    for origin, row in _calls(step, where, at):
        talk.call(origin, name=row.get("function_name"), arguments=row.get("arguments"), key=row.get("tool_call_id"))
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, Mapping) else None
    for origin, row in objects(results or [], where=where, at=f"{at}.observation.results", limit=5_000):
        talk.result(origin, output=row.get("content"), key=row.get("source_call_id"))


def _of_dspy(record: Mapping[str, Any], where: str, limits: Limits) -> Trace:
    trajectory = check_object(record["trajectory"], where=where, field="trajectory")
    talk = Talk()
    asked = next((name for name in _ASKED if isinstance(record.get(name), str)), "")
    talk.ask(record.get(asked), asked)
    turns = [str(number) for number in range(len(trajectory))]
    for turn in (turn for turn in turns if f"thought_{turn}" in trajectory or f"tool_name_{turn}" in trajectory):
        at, name = f"trajectory.thought_{turn}", trajectory.get(f"tool_name_{turn}")
        talk.say(at, content=trajectory.get(f"thought_{turn}"))
        arguments = trajectory.get(f"tool_args_{turn}")
        # Newer versions write all calls of a turn as one text.
        calls = trajectory.get(f"tool_calls_{turn}")
        name, arguments = ("tool_calls", calls) if name is None and calls else (name, arguments)
        if name is None or name in _ENDS:
            continue
        talk.keys[turn] = talk.call(at, name=name, arguments=arguments)
        if f"observation_{turn}" in trajectory:
            talk.result(f"trajectory.observation_{turn}", output=trajectory[f"observation_{turn}"], key=turn)
    talk.say("reasoning", reasoning=record.get("reasoning"))
    answered = next((name for name in _ANSWERED if record.get(name) is not None), "")
    talk.say(answered, content=_words(record.get(answered)))
    return talk.trace(where=where, at="trajectory", limits=limits, head=Head(id=record.get("id")))
