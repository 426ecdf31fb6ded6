"""Votes as an experiment records them: who voted what on which unit of which trace, in which arm, at what cost.

Recorded votes are what every later figure is made of: decided by any rule, corrupted again and again, never asked anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditing.core.values import Choice, Tier
from auditing.research.studies.instruments.labelled import Record

__all__ = ["ArmVote", "Case", "as_records", "by_arm", "read_vote"]

_NUMBERS = ("seconds", "cost")


@dataclass(frozen=True, slots=True)
class ArmVote:
    """One vote. unit is "" for a vote on the whole trace; seconds of work; cost in the operator's currency."""

    unit: str
    auditor: str
    tier: Tier
    choice: Choice
    seconds: float = 0.0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """One trace in one arm: whether it is right, and the votes that were cast on it. units: all, voted on or not."""

    trace: str
    is_right: bool
    votes: tuple[ArmVote, ...]
    units: tuple[str, ...] = ("",)

    @property
    def is_whole(self) -> bool:
        """Whether the trace was judged in one piece."""
        return self.units == ("",)


def read_vote(record: Record) -> tuple[str, str, bool, ArmVote]:
    """(arm, trace, whether the trace is right, the vote) of one line. Raises KeyError, ValueError.

    >>> read_vote({"arm": "whole", "trace": 7, "right": True, "auditor": "ann", "choice": "pass"})[3].tier
    <Tier.HUMAN: 'human'>
    """
    # "false" as a word is true to Python: a file of words would be a file of right traces.
    if not isinstance(record["right"], bool):
        raise ValueError("right is true or false")
    # What a file does not say cost nothing: recorded votes of people often come without seconds.
    numbers = {name: float(record.get(name) or 0) for name in _NUMBERS}
    if not all(0 <= value < float("inf") for value in numbers.values()):
        raise ValueError("seconds and cost are not below 0")
    tier, choice = Tier(record.get("tier") or Tier.HUMAN), Choice(record["choice"])
    vote = ArmVote(str(record.get("unit") or ""), str(record["auditor"]), tier, choice, **numbers)
    return str(record["arm"]), str(record["trace"]), record["right"], vote


def by_arm(rows: Iterable[tuple[str, str, bool, ArmVote]]) -> dict[str, list[Case]]:
    """The cases of every arm, in the order of their first votes. Raises ValueError where a trace is right and wrong.

    A second vote of one auditor on one unit replaces the first.
    """
    votes: dict[str, dict[str, dict[tuple[str, str], ArmVote]]] = {}
    truths: dict[str, bool] = {}
    for arm, trace, is_right, vote in rows:
        if truths.setdefault(trace, is_right) != is_right:
            raise ValueError(f"trace {trace} is right in one line and wrong in another")
        votes.setdefault(arm, {}).setdefault(trace, {})[vote.unit, vote.auditor] = vote
    return {
        arm: [_case(trace, truths[trace], tuple(cast.values())) for trace, cast in traces.items()]
        for arm, traces in votes.items()
    }


def as_records(arms: Mapping[str, Sequence[Case]]) -> list[dict[str, Any]]:
    """The lines that `read_vote` reads."""
    return [
        {
            "arm": arm,
            "trace": case.trace,
            "right": case.is_right,
            "unit": vote.unit,
            "auditor": vote.auditor,
            "tier": vote.tier.value,
            "choice": vote.choice.value,
            "seconds": round(vote.seconds, 3),
            "cost": round(vote.cost, 6),
        }
        for arm, cases in arms.items()
        for case in cases
        for vote in case.votes
    ]


def _case(trace: str, is_right: bool, votes: tuple[ArmVote, ...]) -> Case:
    return Case(trace, is_right, votes, tuple(dict.fromkeys(vote.unit for vote in votes)))
