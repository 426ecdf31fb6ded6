"""A conversation that is put together event by event, until it is read as any other conversation.

Logs of events repeat keys, lose results and answer what nobody asked; here every call has a key of its own, and a
result that no call waits for is a call without arguments: what a tool returned is never a step of the model.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from hdag.core.errors import BadRecordError
from hdag.core.values import Trace
from hdag.readers.compose import check_object
from hdag.readers.messages import read_messages
from hdag.readers.records import Limits, as_text, check_list, check_name, check_size

__all__ = ["Head", "Talk", "branch", "in_order", "objects", "once"]

NOTHING: tuple[object, ...] = (None, "", [])
ENVIRONMENT = "environment"  # who speaks where no call is answered


@dataclass(frozen=True, slots=True)
class Head:
    """What a log says of the whole conversation; values as they stand in it."""

    id: object = ""
    title: object = ""
    model: object = ""
    reference_answer: str = ""


@dataclass(slots=True)
class Talk:
    """Messages so far, each with the place it was read from."""

    messages: list[dict[str, Any]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    keys: dict[str | int, str] = field(default_factory=dict)  # the log's key of a call -> ours
    outputs: dict[str, list[object]] = field(default_factory=dict)  # our key -> what was returned
    calls: int = 0
    waiting: dict[str, None] = field(default_factory=dict)  # calls without a result, in their order
    marks: set[str] = field(default_factory=set)
    ends_in_words: bool = False  # the last event is something that the model said

    def is_told(self, mark: str) -> bool:
        """Whether this was asked of `mark` before."""
        was_told = mark in self.marks
        self.marks.add(mark)
        return was_told

    def ask(self, content: object, at: str, role: str = "user") -> None:
        """What the model was given."""
        if content not in NOTHING:
            self._add({"role": role, "content": content}, at)

    def say(self, at: str, *, content: object = None, reasoning: object = None) -> None:
        """What the model reasoned, and what it said then; each may be text or a list of parts."""
        if reasoning not in NOTHING:
            thoughts = reasoning if isinstance(reasoning, list) else [{"type": "reasoning", "text": reasoning}]
            self._add({"role": "assistant", "content": thoughts}, at)
        if content not in NOTHING:
            self._add({"role": "assistant", "content": content}, at)
            self.ends_in_words = True

    def call(self, at: str, *, name: object, arguments: object, key: object = None) -> str:
        """A tool that the model called; `key` is how its result will name it. Our own key."""
        own = f"call {self.calls}"
        self.calls += 1
        self.waiting[own] = None
        # A key that was used before names the later call from here on.
        if isinstance(key, str | int):
            self.keys[key] = own
        self._add({"role": "assistant", "tool_calls": [{"id": own, "name": name, "arguments": arguments}]}, at)
        return own

    def result(self, at: str, *, output: object, key: object = None, name: object = None) -> None:
        """What a tool returned; without a call that waits for it, it is one of `name`.

        Logs that name no call (`key` is None) mean the first that still waits.
        """
        own = self.keys.get(key) if isinstance(key, str | int) else None
        if key is None:
            own = next(iter(self.waiting), None)
        if own is None:
            own = self.call(at, name=name if isinstance(name, str) and name else ENVIRONMENT, arguments=None)
        if own not in self.outputs:
            self.outputs[own] = []
            self.waiting.pop(own, None)
            self._add({"role": "tool", "tool_call_id": own}, at)
        self.outputs[own].append(output)

    def trace(self, *, where: str, at: str, limits: Limits, head: Head) -> Trace:
        """The trace of it all. Raises BadRecordError naming the event."""
        check_list(self.messages, where=where, field=at, limit=limits.steps)
        for message, origin in zip(self.messages, self.places, strict=True):
            key = message.get("tool_call_id") if isinstance(message, dict) else None
            if isinstance(key, str) and key in self.outputs:
                message["content"] = _whole(self.outputs[key], where, origin)
        trace = read_messages(self.messages, where=where, at=at, places=self.places)
        names = {
            name: check_name(_plain(value), where=where, field=name, limits=limits)
            for name, value in (("id", head.id), ("title", head.title), ("model", head.model))
        }
        trace = replace(
            trace,
            id=names["id"],
            title=names["title"],
            model_name=names["model"],
            reference_answer=head.reference_answer,
        )
        check_size(trace=trace, where=where, limits=limits)
        return trace

    def _add(self, message: dict[str, Any], at: str) -> None:
        self.ends_in_words = False
        self.messages.append(message)
        self.places.append(at)


def _whole(outputs: list[object], where: str, at: str) -> object:
    """One output as it is, several as texts one below the other."""
    if len(outputs) == 1:
        return outputs[0]
    return "\n".join(as_text(_bare(output), where=where, field=at) for output in outputs)


def _bare(output: object) -> object:
    """Parts that are text alone as one text."""
    if isinstance(output, list) and all(isinstance(row, dict) and isinstance(row.get("text"), str) for row in output):
        return "\n".join(row["text"] for row in output)
    return output


def _plain(value: object) -> object:
    """An id may be a number; a title that is no text is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value)


def objects(rows: object, *, where: str, at: str, limit: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row with its place. Raises BadRecordError for one that is no object."""
    for index, row in enumerate(check_list(rows, where=where, field=at, limit=limit)):
        yield f"{at}[{index}]", check_object(row, where=where, field=f"{at}[{index}]")


def branch(
    nodes: Mapping[str, Any], *, last: object, parent: str, where: str, at: str
) -> list[tuple[str, Mapping[str, Any]]]:
    """The nodes of a tree from its root to `last`; without one, to the node that stands last.

    Raises BadRecordError for a node that is none, or one that is its own ancestor.

    >>> tree = {"a": {"parent": None}, "b": {"parent": "a"}, "c": {"parent": "a"}}
    >>> [at for at, _ in branch(tree, last="b", parent="parent", where="", at="mapping")]
    ['mapping.a', 'mapping.b']
    """
    key = last if isinstance(last, str) and last in nodes else next(reversed([*nodes]), None)
    path: dict[str, Mapping[str, Any]] = {}
    while isinstance(key, str) and key in nodes:
        spot = f"{at}.{key}"[:200]
        if spot in path:
            raise BadRecordError(where=where, field=spot, reason="is its own ancestor")
        path[spot] = check_object(nodes[key], where=where, field=spot)
        key = path[spot].get(parent)
    return [*reversed(path.items())]


def in_order(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Events by their time, each once; in the order of the log where one has no time, or none that compares.

    An event that is written twice is the same in all its fields; another event with its id is another event.

    >>> rows = [{"id": 1, "timestamp": "2026-01-01T00:00:02"}, {"id": 0, "timestamp": "2026-01-01T00:00:01"}]
    >>> [row["id"] for _, row in in_order([("", row) for row in [*rows, rows[0]]])]
    [0, 1]
    """
    unique = once(rows)
    times = [_time(row.get("timestamp")) for _, row in unique]
    try:
        order = sorted(range(len(unique)), key=lambda index: times[index])  # type: ignore[arg-type,return-value]
    except TypeError:
        return unique
    return [unique[index] for index in order]


def once(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> list[tuple[str, Mapping[str, Any]]]:
    """Events without those that are written twice, as programs do that go on with a session."""
    seen: set[str] = set()
    unique = []
    for at, row in rows:
        told = as_text(row, where="", field=at)
        if told not in seen or row.get("id", row.get("uuid")) is None:
            unique.append((at, row))
        seen.add(told)
    return unique


def _time(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
