"""Every lie about an audit: each field changed in each manner, each leaf left out, doubled and moved."""

import copy
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from auditing.verifier import verify_audit as verifier
from benchmarks.lying.consequences import decimal
from benchmarks.lying.log import Leaf, Lied, Log

WORDS = ("pass", "fail", "hung", "undecided", "human", "llm", "computer", "adjudicator", "trusted", "silent", "lapsed")
WORDS += ("withdrawn", "none")
SALT = 64  # characters
Name = tuple[str, str, str]  # kind of leaf, field, change
Lie = Callable[[Log], Lied]


def others(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values of the same kind, each with the name of the change."""
    if isinstance(value, bool):
        yield "turned", not value
    elif isinstance(value, int):
        yield from (("more", value + 1), ("less", value - 1), ("far", value + 10_000))
    elif isinstance(value, list):
        yield "emptied", []
        if value:
            yield from (("shorter", value[1:]), ("longer", [*value, value[0]]), ("turned", value[::-1]))
            yield from ((f"first {change}", [other, *value[1:]]) for change, other in firsts(value[0]))
    elif isinstance(value, str):
        yield from texts(value)


def firsts(value: Any) -> Iterator[tuple[str, Any]]:
    """Of a list of names or words; a salt says nothing, and records are lied about field by field."""
    return texts(value) if isinstance(value, str) and len(value) != SALT else iter(())


def texts(value: str) -> Iterator[tuple[str, Any]]:
    if len(value) in (36, 64) and set(value) <= set("0123456789abcdef-"):
        yield "another", ("0" if value[0] != "0" else "1") + value[1:]
    elif verifier.NUMBER.fullmatch(value):
        number = verifier.rational(value)
        yield from (("more", decimal(number + Fraction(1, 100))), ("less", decimal(number - Fraction(1, 100))))
        yield "half", decimal(number / 2)
    else:
        yield from ((f"{word}", word) for word in WORDS if word != value)


# a field that an honest leaf may have and this one has not
SLIPPED_IN = {
    "soundness?": "0.1",
    "pool?": "trusted",
    "roster?": 1,
    "beacon?": "ab" * 32,
    "p?": "0.5",
    "family?": "acme",
    "correlation?": "1/2",
    "predecessor?": "00000000-0000-4000-8000-000000000000",
    "successor?": "00000000-0000-4000-8000-000000000000",
    "outcome?": "fail",
    "revision?": 2,
    "simulated?": True,
    "escrow?": "ab" * 32,
    "reveal_key?": "ab" * 32,
    "sources?": "ab" * 32,
    "sampled?": True,
    "bound?": "0.1",
    "by?": "model",
    "agreement?": "0.5",
    "inclusion?": "0.5",
}


def lies(log: Log) -> Iterator[tuple[Name, Lie]]:
    """Every lie about this audit: its name, and what it does to a copy of the log."""
    for at, leaf in enumerate(log.leaves):
        for change in ("dropped", "doubled", "first", "last", "earlier", "later"):
            yield (leaf["t"], "", change), moved(at, change)
        yield from fields(leaf["t"], leaf, [at])
    for name, lines in (("list of segments", log.segments), ("list of the eligible", log.eligible)):
        for number, line in enumerate(lines):
            yield from fields(name, line, [name, number])


def moved(at: int, change: str) -> Lie:
    def lie(log: Log) -> Lied:
        leaf = log.leaves.pop(at)
        goal = {"first": 2, "last": len(log.leaves), "earlier": at - 1, "later": at + 1, "doubled": at}.get(change)
        if change == "doubled":
            log.leaves.insert(at, copy.deepcopy(leaf))
        if goal is not None:
            log.leaves.insert(max(goal, 0), leaf)
        return lambda leaf, name: False

    return lie


def fields(kind: str, record: Leaf, path: list[Any], prefix: str = "") -> Iterator[Any]:
    """Every field of a record, and of the records inside of it."""
    for name in verifier.MATRIX[kind]:
        own = name[len(prefix) :]
        if not name or not name.startswith(prefix) or "." in own:
            continue
        key = own.rstrip("?")
        if key not in record:
            if own in SLIPPED_IN:
                yield (kind, name, "slipped in"), changed([*path, key], SLIPPED_IN[own])
            continue
        if own.endswith("?"):
            yield (kind, name, "left out"), changed([*path, key], None)
        for change, value in others(record[key]):
            yield (kind, name, change), changed([*path, key], value)
        yield from inside(kind, name, record[key], [*path, key])


def inside(kind: str, name: str, value: Any, path: list[Any]) -> Iterator[Any]:
    """The fields of records in a list, of a record, and the parameters of a policy."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        for number, line in enumerate(value):
            yield from fields(kind, line, [*path, number], f"{name}.")
    elif isinstance(value, dict) and name == "params":
        for parameter, change, other in [*parameters(value), *unsaid(value)]:
            yield (kind, name, f"{'.'.join(parameter)} {change}"), changed([*path, *parameter], other)
    elif isinstance(value, dict):
        yield from fields(kind, value, path, f"{name}.")


def parameters(params: Leaf) -> Iterator[tuple[list[str], str, Any]]:
    for name, value in params.items():
        if isinstance(value, dict):
            yield from (([name, *inner], change, other) for inner, change, other in parameters(value))
        else:
            yield from (([name], change, other) for change, other in others(value))


def unsaid(params: Leaf) -> Iterator[tuple[list[str], str, Any]]:
    """What a policy leaves unsaid means the usual: the audit says something else."""
    for name, usual in verifier.UNSAID.items():
        if name not in params:
            yield from (([name], f"unsaid, {change}", other) for change, other in others(usual))


def changed(path: list[Any], value: Any) -> Lie:
    def lie(log: Log) -> Lied:
        lists = {"list of segments": log.segments, "list of the eligible": log.eligible}
        place: Any = lists[path[0]] if path[0] in lists else log.leaves[path[0]]
        for name in path[1:-1]:
            place = place[name]
        if value is None:
            place.pop(path[-1], None)
        else:
            place[path[-1]] = value
        return lambda leaf, name: leaf is place and name == path[-1]

    return lie
