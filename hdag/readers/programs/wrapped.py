"""Conversations in the envelope of a program that ran or scored them -> Trace.

Samples of lm-evaluation-harness, rollouts of tau-bench and of verifiers, states of LangGraph, answers of Ollama.
Sources, read 2026-11-29: samples of lm-evaluation-harness as programs that read them have them (arguments in both
forms, a line for each filter); tau-bench, tau_bench/types.py (EnvRunResult); pages of Ollama's and of verifiers' API.
"""

from collections.abc import Mapping
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.programs.talk import Head, Talk
from hdag.readers.protocols.foreign_messages import is_message
from hdag.readers.protocols.sides import talk_of
from hdag.readers.records import DEFAULT_LIMITS, Limits, as_text, check_list

_SAMPLE = ("doc_id", "resps", "target")


def reads(value: Any) -> bool:
    """Whether `value` is one of these envelopes."""
    if not isinstance(value, dict):
        return False
    if set(_SAMPLE) <= value.keys() or _is_talk(value.get("traj")):
        return True
    inner = value.get("values")
    if isinstance(inner, dict) and _is_talk(inner.get("messages")):
        return True
    is_ollama = isinstance(value.get("done"), bool) and "model" in value
    if is_ollama and (isinstance(value.get("response"), str) or is_message(value.get("message"))):
        return True
    return _is_talk(value.get("prompt")) and _is_talk(value.get("completion")) and "answer" in value


def _is_talk(rows: object) -> bool:
    return isinstance(rows, list) and bool(rows) and is_message(rows[0])


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """One trace. Raises BadRecordError naming the field."""
    record = check_object(value, where=where, field="")
    talk, at = Talk(), "messages"
    head = Head(id=_first(record, "id", "example_id", "task_id"), model=record.get("model"))
    if "resps" in record:
        reference = as_text(record.get("target"), where=where, field="target")
        head = Head(id=record.get("doc_id"), reference_answer=reference)
        at = "resps"
        _take(talk, _of_sample(record, where), at)
    elif "done" in record:
        at = "response" if "response" in record else "message"
        talk.ask(record.get("system"), "system", role="system")
        talk.ask(record.get("prompt"), "prompt")
        talk.say(at, content=record.get("response"), reasoning=record.get("thinking"))
        _take(talk, [record["message"]] if "message" in record else [], at)
    elif "completion" in record:
        reference = as_text(record.get("answer"), where=where, field="answer")
        head = Head(id=head.id, model=head.model, reference_answer=reference)
        at = "completion"
        _take(talk, [*record["prompt"], *record["completion"]], at)
    else:
        at = "traj" if "traj" in record else "values.messages"
        rows = record["traj"] if "traj" in record else record["values"]["messages"]
        _take(talk, check_list(rows, where=where, field=at, limit=limits.steps), at)
    return (talk.trace(where=where, at=at, limits=limits, head=head),)


def _first(record: Mapping[str, Any], *names: str) -> object:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _take(talk: Talk, rows: list[Any], at: str) -> None:
    """Messages as they are; read_messages names them by their place."""
    for index, row in enumerate(rows):
        talk.messages.append(row)
        talk.places.append(f"{at}[{index}]")


def _of_sample(record: Mapping[str, Any], where: str) -> list[Any]:
    """What was asked and generated in a sample of lm-evaluation-harness; of several answers the first."""
    text: object = record["resps"]
    while isinstance(text, list) and len(text) >= 1 and not _is_score(text):
        text = text[0]
    if not isinstance(text, str):
        reason = "holds no generated text; choices that were only scored have no reasoning"
        raise BadRecordError(where=where, field="resps", reason=reason)
    asked = record.get("arguments")
    # {"gen_args_0": {"arg_0": prompt}}, in older versions [[prompt, {...}]].
    for name in ("gen_args_0", "arg_0"):
        asked = asked.get(name) if isinstance(asked, Mapping) else asked
    while isinstance(asked, list) and asked and isinstance(asked[0], list | str):
        asked = asked[0]
    talk = talk_of(asked, role="user", where=where, at="arguments") if isinstance(asked, str | list) else []
    return [*talk, {"role": "assistant", "content": text}]


def _is_score(row: list[Any]) -> bool:
    """A likelihood with whether the choice was the likeliest: ["-1.25", "False"]."""
    return len(row) == 2 and str(row[1]) in ("True", "False")
