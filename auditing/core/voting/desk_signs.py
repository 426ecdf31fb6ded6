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


def shows(*, counts: Counts, sign: DeskSign) -> bool:
    """Whether one vote shows a sign.

    >>> shows(counts=Counts(pastes=1, edits=3), sign=DeskSign.UNEDITED)
    False
    """
    if sign is DeskSign.LEFT:
        return counts.left > 0
    return counts.pastes > 0 and (sign is DeskSign.PASTED or counts.edits == 0)


def sign_shares(*, own: Sequence[Counts], others: Sequence[Sequence[Counts]]) -> tuple[SignShare, ...]:
    """Each sign of one reviewer beside the others; empty below LEAST_VOTES.

    What is common among all is no sign of anything: the share of others who look alike is the share of false alarms
    if all of them are honest. others: the votes of each.
    """
    if len(own) < LEAST_VOTES:
        return ()
    compared = [votes for votes in others if len(votes) >= LEAST_VOTES]
    lines = []
    for sign in DeskSign:
        mine = sum(shows(counts=counts, sign=sign) for counts in own)
        shares = [sum(shows(counts=counts, sign=sign) for counts in votes) / len(votes) for votes in compared]
        alike = sum(share >= mine / len(own) for share in shares)
        lines.append(SignShare(sign=sign, votes=mine, of=len(own), others_alike=alike, others=len(compared)))
    return tuple(lines)
