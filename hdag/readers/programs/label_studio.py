"""Label Studio: a task of a JSON or JSON_MIN export -> a Trace, or one for each answer that was compared.

What was labelled is the trace; what annotators said of it (labels, choices, ratings, regions) is none of it: where they
marked an error must not be told to who audits. Only words that an annotation adds to a conversation are read.
Sources, read 2026-11-29: label-studio, docs/source/guide/export.md (JSON, JSON_MIN) and its pages on the tags Chat,
Paragraphs and Pairwise.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.programs.talk import objects
from hdag.readers.protocols.foreign_messages import is_message
from hdag.readers.recorded_calls import trace_of
from hdag.readers.records import DEFAULT_LIMITS, Limits, check_list, check_size, read_record

# Names under which tasks have what is ours; the first that is there counts.
_OURS: Mapping[str, tuple[str, ...]] = {
    "problem": ("problem", "question", "prompt", "instruction", "query", "task", "input"),
    "thinking": ("thinking", "reasoning", "chain_of_thought", "cot", "rationale", "solution", "trace", "text"),
    "steps": ("steps", "reasoning_steps"),
    "answer": ("answer", "response", "output", "completion", "model_answer", "final_answer", "generated_text"),
    "model": ("model", "model_name", "generator"),
    "reference_answer": ("reference_answer", "ground_truth", "target"),
}
_COMPARED = ("answer", "response", "output", "completion", "text", "model", "candidate")
_SPEAKERS = ("author", "speaker", "name")
_MODELS = ("assistant", "ai", "bot", "agent", "model", "gpt", "chatbot", "llm")
_SAID = ("annotations", "completions", "predictions")
_LEFT = ("annotation_id", "annotator", "lead_time", "updated_at")


def reads(value: Any) -> bool:
    """Whether `value` is a task with its data and annotations, or one of JSON_MIN, which keeps both side by side."""
    if not isinstance(value, dict):
        return False
    is_task = isinstance(value.get("data"), dict) and any(isinstance(value.get(name), list) for name in _SAID)
    return is_task or ("annotation_id" in value and not value.keys().isdisjoint(("annotator", "lead_time")))


def read(value: Any, *, where: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Trace, ...]:
    """The traces of a task. Raises BadRecordError naming the field."""
    record = check_object(value, where=where, field="")
    is_min = "annotation_id" in record and "data" not in record
    data = record if is_min else check_object(record["data"], where=where, field="data")
    at = "" if is_min else "data."
    if is_min:
        # What the program writes beside the data is no word of a trace, and no field that was overlooked.
        for name in (*_LEFT, "created_at"):
            record.get(name)
    talks = {name: rows for name, rows in data.items() if isinstance(rows, list) and _is_talk(rows)}
    traces = _of_talks(record, data, talks, where, at, limits) if talks else _of_texts(record, data, where, at, limits)
    for name in talks:
        data.get(name)
    key = str(record["id"]) if isinstance(record.get("id"), str | int) else ""
    named = [replace(trace, id="/".join(filter(None, (key, name)))) for name, trace in traces]
    for trace in named:
        check_size(trace=trace, where=where, limits=limits)
    return tuple(named)


def _is_talk(rows: list[Any]) -> bool:
    first = rows[0] if rows else None
    return is_message(first) or (isinstance(first, Mapping) and "text" in first and any(n in first for n in _SPEAKERS))


def _of_talks(
    record: Mapping[str, Any],
    data: Mapping[str, Any],
    talks: Mapping[str, list[Any]],
    where: str,
    at: str,
    limits: Limits,
) -> list[tuple[str, Trace]]:
    """Conversations: one with what was added to it or its compared answers, or several that were compared."""
    if len(talks) > 1:
        return [
            (name, trace_of([*_question(data), *_messages(rows)], where=where, at=at + name, limits=limits))
            for name, rows in talks.items()
        ]
    ((field, rows),) = talks.items()
    talk = _messages(rows)
    answers = [(name, [{"role": "assistant", "content": text}]) for name, text in _compared(data, where, at)]
    endings = answers or list(_added(record, where))
    if not endings:
        endings = [("", [])]
    origin = f"{at}{field}"
    return [(name, trace_of([*talk, *more], where=where, at=origin, limits=limits)) for name, more in endings]


def _messages(rows: list[Any]) -> list[Any]:
    """Paragraphs of a dialogue as messages; who is called like a model is one."""
    return [_spoken(row) if isinstance(row, Mapping) and not is_message(row) else row for row in rows]


def _spoken(row: Mapping[str, Any]) -> Mapping[str, Any]:
    speaker = next((row[name] for name in _SPEAKERS if isinstance(row.get(name), str)), "")
    is_model = any(word in _MODELS for word in speaker.lower().replace("-", " ").replace("_", " ").split())
    return {"role": "assistant" if is_model else "user", "content": row.get("text")}


def _question(data: Mapping[str, Any]) -> list[Any]:
    name = next((name for name in _OURS["problem"] if isinstance(data.get(name), str)), "")
    return [{"role": "user", "content": data[name]}] if name else []


def _of_texts(
    record: Mapping[str, Any], data: Mapping[str, Any], where: str, at: str, limits: Limits
) -> list[tuple[str, Trace]]:
    """Texts under known names: one trace, or one for each answer that was compared or written."""
    names = {ours: next((name for name in theirs if data.get(name) is not None), "") for ours, theirs in _OURS.items()}
    fields = {ours: data[name] for ours, name in names.items() if name}
    fields["problem"] = fields.get("problem", "")
    compared = list(_compared(data, where, at))
    if not compared and fields.keys().isdisjoint(("thinking", "steps", "answer")):
        compared = [(name, rows[-1]["content"]) for name, rows in _added(record, where, texts=True)]
    origin = f"{where}, {at.rstrip('.')}" if at else where
    if compared:
        fields.pop("thinking", None) if names["thinking"] == "text" else None
        return [(name, read_record({**fields, "answer": text}, where=origin, limits=limits)) for name, text in compared]
    if fields.keys().isdisjoint(("thinking", "steps", "answer")):
        reason = f"holds no conversation, reasoning or answer under a known name ({', '.join(map(str, data))}"[:200]
        raise BadRecordError(where=origin, field="", reason=f"{reason}); name its fields by hand")
    return [("", read_record(fields, where=origin, limits=limits))]


def _compared(data: Mapping[str, Any], where: str, at: str) -> list[tuple[str, str]]:
    """Answers side by side: answer1 and answer2, response_a and response_b, or the items of a list."""
    names = [name for name, text in data.items() if isinstance(text, str) and _is_compared(name)]
    if len(names) > 1:
        return [(name, data[name]) for name in names]
    items = data.get("items")
    if not isinstance(items, list):
        return []
    answers: list[tuple[str, str]] = []
    for origin, row in objects(items, where=where, at=f"{at}items", limit=1_000):
        text = next((row[name] for name in ("body", "text", "html", "content") if isinstance(row.get(name), str)), None)
        if text is None:
            raise BadRecordError(where=where, field=origin, reason="holds no body or text")
        answers.append((str(row.get("id", len(answers))), text))
    return answers


def _is_compared(name: str) -> bool:
    """Whether a field is one of several answers: a known name with a number or a letter.

    >>> _is_compared("answer1"), _is_compared("response_b"), _is_compared("answers"), _is_compared("answer")
    (True, True, False, False)
    """
    stem = name.lower().rstrip("0123456789")
    if stem == name.lower():
        stem, _, letter = name.lower().rpartition("_")
        if len(letter) != 1:
            return False
    return any(word in _COMPARED for word in stem.rstrip("_- ").replace("-", "_").split("_"))


def _added(record: Mapping[str, Any], where: str, *, texts: bool = False) -> Iterator[tuple[str, list[Any]]]:
    """What each annotation or prediction adds to the words: messages of a chat, or texts where there was no answer."""
    whole = {**record}
    for form in _SAID:
        rows = whole.get(form)
        for at, row in objects(rows, where=where, at=form, limit=10_000) if isinstance(rows, list) else ():
            results = row.get("result")
            if row.get("was_cancelled") or not isinstance(results, list):
                continue
            values = [result.get("value") for result in results if isinstance(result, Mapping)]
            added = [message for value in values if (message := _message_in(value, texts)) is not None]
            if added:
                record.get(form)
                yield str(row.get("id", at)), check_list(added, where=where, field=at, limit=10_000)


def _message_in(value: object, texts: bool) -> Mapping[str, Any] | None:
    if not isinstance(value, Mapping):
        return None
    message = value.get("chatmessage")
    if isinstance(message, Mapping):
        return message
    words = value.get("text")
    if texts and isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        return {"role": "assistant", "content": "\n".join(words)}
    return None
