"""A human experiment: who judges which trace in which arm, counterbalanced, and fixed before the first vote.

Traces fall into as many blocks as there are arms, people into as many groups; group g judges block b in arm
(b + g) mod n, a Latin square: every person sees every trace once and each arm equally often, every trace is seen in
every arm equally often. Each group and arm is a campaign of its own, under the policy of its arm.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

__all__ = ["Campaign", "Design", "arm_votes", "campaigns_of", "digest_of", "make_design"]


@dataclass(frozen=True, slots=True)
class Design:
    """What is registered before the first vote: nothing of it may change afterwards."""

    hypothesis: str
    arms: tuple[str, ...]
    people: tuple[str, ...]
    traces: tuple[str, ...]  # ids
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
    *, hypothesis: str, arms: Sequence[str], people: Sequence[str], traces: Sequence[str], seed: int
) -> Design:
    """People and traces in an order drawn from the seed. Raises ValueError where arms cannot be counterbalanced."""
    for name, values in (("arms", arms), ("people", people), ("traces", traces)):
        if len(set(values)) != len(values):
            raise ValueError(f"{name} are named twice")
    if len(arms) < 2:
        raise ValueError("an experiment has at least two arms")
    # An arm with a person or a trace more than another would be measured on other people and harder traces.
    for name, values in (("people", people), ("traces", traces)):
        if not values or len(values) % len(arms):
            raise ValueError(f"{len(values)} {name} cannot be shared evenly by {len(arms)} arms")
    rng = Random(seed)  # noqa: S311
    drawn_people, drawn_traces = (rng.sample(list(values), k=len(values)) for values in (people, traces))
    return Design(hypothesis, tuple(arms), tuple(drawn_people), tuple(drawn_traces), seed)


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


def digest_of(*, design: Design) -> str:
    """SHA-256 of the design as JSON with sorted keys: what is published before the first vote.

    >>> digest_of(design=Design("h", ("a", "b"), ("p", "q"), ("t", "u"), 1))[:8]
    'adde2766'
    """
    text = json.dumps(asdict(design), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def arm_votes(*, design: Design, votes: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """(votes as table1 and table3 read them, what was left out and why) of lines with person, trace and choice.

    A vote that names another arm than the design gives its pair is left out: it was cast under other conditions.
    """
    rows: list[dict[str, Any]] = []
    refused: list[str] = []
    for number, vote in enumerate(votes, 1):
        try:
            arm = design.arm_of(person=str(vote["person"]), trace=str(vote["trace"]))
            if vote.get("arm", arm) != arm:
                raise ValueError(f"was cast in {vote['arm']!r}, the design says {arm!r}")
            # Whether the trace is right is no secret any more when votes are joined: it decides what they were worth.
            row = {name: vote[name] for name in ("right", "choice")}
        except KeyError as error:
            refused.append(f"vote {number}: {error.args[0]} is missing")
        except ValueError as error:
            refused.append(f"vote {number}: {error}")
        else:
            times = {name: float(vote.get(name) or 0) for name in ("seconds", "cost")}
            unit = {"unit": str(vote.get("unit") or ""), "auditor": str(vote["person"]), "tier": "human"}
            rows.append({"arm": arm, "trace": str(vote["trace"]), **unit, **row, **times})
    return rows, refused
