"""Content-blind signs of work at the desk: what a browser counts beside a vote, and how common it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

from auditing.core.errors import BadParameterError

LARGEST = 2**31 - 1
LEAST_VOTES = 10  # with counts, before anything is said of somebody
LEAST_OTHERS = 5  # with as many votes, before a share of them is a base rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Of one vote. left: how often the window was left, for away_ms in all. pasted: characters that pastes brought."""

    left: int = 0
    away_ms: int = 0
    pastes: int = 0
    pasted: int = 0
    edits: int = 0


class DeskSign(StrEnum):
    """What is counted over many votes, in the words of the pages."""

    LEFT = "the window was left before sealing"
    PASTED = "something was pasted into the reason"
    UNEDITED = "the reason was pasted and never edited"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignShare:
    """In how many of one reviewer's votes a sign shows, and how many of the others show it in as large a share."""

    sign: DeskSign
    votes: int
    of: int
    others_alike: int
    others: int

    @property
    def share(self) -> float:
        """Of the votes."""
        return self.votes / self.of

    @property
    def base_rate(self) -> float | None:
        """Share of the other reviewers who look the same or more so; None where too few can be compared."""
        return self.others_alike / self.others if self.others >= LEAST_OTHERS else None


def counts_from(*, values: Mapping[str, object]) -> Counts:
    """The counts that a client sent. Raises BadParameterError naming a field that is unknown or no whole number."""
    names = {field.name for field in fields(Counts)}
    for name, value in values.items():
        # `type(...) is int`: True is an int in Python, and JSON's true is no count.
        if name not in names or type(value) is not int or not 0 <= value <= LARGEST:
            raise BadParameterError(f"signs.{name}"[:60], "must be one of the counts, a whole number")
    return Counts(**{name: value for name, value in values.items() if isinstance(value, int)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One reviewer's votes that came with counts, and how many of them show each sign."""

    of: int
    votes: Mapping[DeskSign, int]


def sign_shares(*, own: Shown, others: Sequence[Shown]) -> tuple[SignShare, ...]:
    """Each sign of one reviewer beside the others; empty below LEAST_VOTES.

    What is common among all is no sign of anything: the share of others who look alike is the share of false alarms
    if all of them are honest.

    >>> pasters = [Shown(of=10, votes=dict.fromkeys(DeskSign, 9))] * 6
    >>> {line.base_rate for line in sign_shares(own=pasters[0], others=pasters[1:])}
    {1.0}
    """
    if own.of < LEAST_VOTES:
        return ()
    compared = [other for other in others if other.of >= LEAST_VOTES]
    return tuple(
        SignShare(
            sign=sign,
            votes=own.votes[sign],
            of=own.of,
            # Compared as whole numbers: equal shares are equal.
            others_alike=sum(other.votes[sign] * own.of >= own.votes[sign] * other.of for other in compared),
            others=len(compared),
        )
        for sign in DeskSign
    )
