"""Invariants I1 to I12 of the ledger and of all that leans on it: checked nightly, and after every fault.

`check(now=...)` walks tables, published files and remembered heads, and changes nothing. Each invariant is one
generator of faults in words; the table below is all that the command, the nightly task and the page read.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from auditing.models import AuditEvent
from auditing.services.events import record_event
from auditing.services.ledger.fsck import blocks, leases, log, outcomes, points, reputations, seats, votes
from auditing.services.ledger.fsck.survey import Survey

SOUND, BROKEN = "ledger.sound", "ledger.broken"
MOST_SHOWN = 20

Check = Callable[[Survey], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Invariant:
    """One rule: its number in docs/guides/ledger.md, what it says, and who looks."""

    name: str
    says: str
    check: Check


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one invariant. faults: the first of them in words; seconds: of looking."""

    name: str
    says: str
    faults: tuple[str, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """Nothing is wrong."""
        return not self.faults


INVARIANTS = (
    Invariant("I1", "every acknowledged commitment stands in the tables and unchanged in the log", votes.acknowledged),
    Invariant("I2", "a seat has one commitment and at most one opened vote", votes.once),
    Invariant("I3", "a round fills and counts no more seats than it has, with different auditors", seats.filled),
    Invariant("I4", "leaves have no gap, every checkpoint the root of its leaves; the files agree", log.unbroken),
    Invariant("I5", "every opened vote opens its commitment", votes.opened),
    Invariant("I6", "every outcome is what the ledger recomputes to", outcomes.recomputed),
    Invariant("I7", "points sum to zero, and what was paid is what the ledger says", points.balanced),
    Invariant("I8", "every reputation lies in 0 to 1 and follows from its history", reputations.replayed),
    Invariant("I9", "nothing stands past its deadline by more than a minute", leases.in_time),
    Invariant("I10", "every stored block hashes to its address", blocks.intact),
    Invariant("I11", "no lease outlives its grace", leases.returned),
    Invariant("I12", "the heads remembered elsewhere are prefixes of the ledger", log.remembered),
)


def check(*, now: datetime, only: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Look at every invariant (or at those named in `only`), one after the other."""
    survey = Survey(now=now)
    for one in INVARIANTS:
        if only and one.name not in only:
            continue
        started = time.perf_counter()
        faults = _look(one, survey)
        yield Finding(one.name, one.says, faults, round(time.perf_counter() - started, 3))


def check_nightly(*, now: datetime) -> int:
    """Check everything and write down what was found; returns the number of broken invariants."""
    found = list(check(now=now))
    broken = [one for one in found if not one.holds]
    record_event(audit=None, kind=BROKEN if broken else SOUND, at=now.isoformat(), found=[asdict(one) for one in found])
    return len(broken)


@dataclass(frozen=True, slots=True)
class Result:
    """The newest full check, as a page shows it."""

    at: datetime
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> list[Finding]:
        """Invariants that did not hold."""
        return [one for one in self.findings if not one.holds]


def last_result() -> Result | None:
    """What the newest nightly check found; None before the first."""
    event = AuditEvent.objects.filter(kind__in=(SOUND, BROKEN)).order_by("-id").first()
    if event is None:
        return None
    return Result(event.at, tuple(_finding(one) for one in event.body["found"]))


def _finding(said: dict[str, Any]) -> Finding:
    return Finding(said["name"], said["says"], tuple(said["faults"]), said["seconds"])


def _look(one: Invariant, survey: Survey) -> tuple[str, ...]:
    """The first faults; a check that stumbles over what it reads is a fault of its own, and the next one goes on."""
    found: list[str] = []
    try:
        found.extend(islice(one.check(survey), MOST_SHOWN))
    except (ValueError, KeyError, LookupError, ArithmeticError, OSError, TypeError) as error:
        found.append(f"what is stored cannot be read: {type(error).__name__}: {error}"[:300])
    return tuple(found)
