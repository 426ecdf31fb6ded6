"""A human experiment: who judges which trace in which arm, counterbalanced, and fixed before the first vote.

Traces fall into as many blocks as there are arms, people into as many groups; group g judges block b in arm
(b + g) mod n, a Latin square: every person sees every trace once and each arm equally often, every trace is seen in
every arm equally often. Each group and arm is a campaign of its own, under the policy of its arm.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import fields as dataclass_fields
from random import Random
from typing import Any

__all__ = ["Campaign", "Design", "campaigns_of", "contents_of", "digest_of", "is_right", "make_design", "read_design"]

LONGEST_ID = 200  # characters of a trace's id: what the system keeps of it


@dataclass(frozen=True, slots=True)
class Design:
    """What is registered before the first vote: nothing of it may change afterwards."""

    hypothesis: str
    arms: tuple[str, ...]
    people: tuple[str, ...]
    traces: tuple[str, ...]  # ids
    contents: str  # SHA-256 of the traces with their labels (contents_of)
    seed: int

    def arm_of(self, *, person: str, trace: str) -> str:
        """The arm in which a person judges a trace. Raises ValueError for somebody or something not in the design."""
        group, block = self._group(person), self._block(trace)
        return self.arms[(group + block) % len(self.arms)]

    def order_of(self, *, person: str) -> tuple[str, ...]:
        """The traces of a person in an order of their own, so that no trace is always the first."""
        order = list(self.traces)
        Random(f"{self.seed} {person}").shuffle(order)  # noqa: S311  a design, no secret
        return tuple(order)

    def _group(self, person: str) -> int:
        return self.people.index(person) % len(self.arms)

    def _block(self, trace: str) -> int:
        return self.traces.index(trace) % len(self.arms)


@dataclass(frozen=True, slots=True)
class Campaign:
    """One campaign of an experiment: the arm (its policy), the people of one group, the traces of one block."""

    name: str
    arm: str
    people: tuple[str, ...]
    traces: tuple[str, ...]


def make_design(
    *, hypothesis: str, arms: Sequence[str], people: Sequence[str], traces: Mapping[str, Mapping[str, Any]], seed: int
) -> Design:
    """People and traces (id -> record) in an order drawn from the seed.

    Raises ValueError where arms cannot be counterbalanced, or a trace does not say whether it is right.
    """
    for name, named in (("arms", arms), ("people", people)):
        if len(set(named)) != len(named):
            raise ValueError(f"{name} are named twice")
    for trace, record in traces.items():
        # A label that is added after the votes could follow them.
        is_right(trace=trace, record=record)
    if len(arms) < 2:
        raise ValueError("an experiment has at least two arms")
    # An arm with a person or a trace more than another would be measured on other people and harder traces.
    for name, values in (("people", list(people)), ("traces", list(traces))):
        if not values or len(values) % len(arms):
            raise ValueError(f"{len(values)} {name} cannot be shared evenly by {len(arms)} arms")
    rng = Random(seed)  # noqa: S311
    drawn_people, drawn_traces = (rng.sample(values, k=len(values)) for values in (list(people), list(traces)))
    contents = contents_of(traces=traces)
    return Design(hypothesis, tuple(arms), tuple(drawn_people), tuple(drawn_traces), contents, seed)


def campaigns_of(*, design: Design) -> list[Campaign]:
    """Group by group and arm by arm: together they hold every person and trace once a pair."""
    size = len(design.arms)
    campaigns = []
    for group in range(size):
        people = design.people[group::size]
        for number, arm in enumerate(design.arms):
            # The block whose number makes (group + block) mod n this arm.
            traces = design.traces[(number - group) % size :: size]
            campaigns.append(Campaign(f"{arm}, group {group + 1}", arm, people, traces))
    return campaigns


def is_right(*, trace: str, record: Mapping[str, Any]) -> bool:
    """Whether a trace is right: `right`, or `label` (first wrong step from 0, -1 for none). Raises ValueError.

    >>> is_right(trace="t1", record={"label": -1})
    True
    """
    if isinstance(record.get("right"), bool):
        return bool(record["right"])
    if isinstance(record.get("label"), int):
        return bool(record["label"] == -1)
    raise ValueError(f"trace {trace} says neither right (true or false) nor label (first wrong step, -1 for none)")


def contents_of(*, traces: Mapping[str, Mapping[str, Any]]) -> str:
    """SHA-256 of the records of all traces in the order of their ids, in hexadecimal."""
    return hashlib.sha256("\n".join(_canonical(traces[trace]) for trace in sorted(traces)).encode()).hexdigest()


def digest_of(*, design: Design) -> str:
    """SHA-256 of the design as JSON with sorted keys: what the ledger holds before the first vote.

    >>> digest_of(design=Design("h", ("a", "b"), ("p", "q"), ("t", "u"), "00", 1))[:8]
    'd2427717'
    """
    return hashlib.sha256(_canonical(asdict(design)).encode()).hexdigest()


def read_design(*, fields: Mapping[str, Any]) -> Design:
    """The design that `design.json` holds. Raises ValueError for any other fields, TypeError for any other types."""
    if fields.keys() != {field.name for field in dataclass_fields(Design)}:
        raise ValueError(f"a design has the fields {', '.join(field.name for field in dataclass_fields(Design))}")
    named = {name: tuple(map(str, fields[name])) for name in ("arms", "people", "traces")}
    return Design(str(fields["hypothesis"]), **named, contents=str(fields["contents"]), seed=int(fields["seed"]))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
