"""Invariants I1 to I13 of the ledger and of all that rests on it, checked every night and by a command.

Each invariant is one generator of faults in words; the table INVARIANTS is all that the command, the nightly task and
the page know of them. Reads tables, published files and remembered heads; writes AuditEvent (the nightly check only).
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from auditing.core.events import EventKind
from auditing.models import AuditEvent
from auditing.research.ledger_checks.services import (
    blocks,
    leases,
    log,
    outcomes,
    points,
    reputations,
    seats,
    votes,
    weights,
)
from auditing.research.ledger_checks.services.survey import Survey
from auditing.services.events import record_event

SOUND, BROKEN = EventKind.LEDGER_SOUND, EventKind.LEDGER_BROKEN
MOST_SHOWN = 20  # faults of one invariant: after a disaster every row would be one

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
    Invariant("I13", "every weight follows from the older leaves that its digest names", weights.followed),
)


def check(*, now: datetime, only: frozenset[str] = frozenset()) -> Iterator[Finding]:
    """Look at every invariant (or at those named in `only`), one after the other."""
    survey = Survey(now=now)
    # One survey for all: the pass over the leaves is made once.
    for invariant in INVARIANTS:
        if only and invariant.name not in only:
            continue
        started = time.perf_counter()
        faults = _look(invariant, survey)
        yield Finding(invariant.name, invariant.says, faults, round(time.perf_counter() - started, 3))


def check_nightly(*, now: datetime) -> int:
    """Check everything and write down what was found; returns the number of broken invariants."""
    findings = list(check(now=now))
    broken = [finding for finding in findings if not finding.holds]
    record_event(
        audit=None,
        kind=BROKEN if broken else SOUND,
        at=now.isoformat(),
        found=[asdict(finding) for finding in findings],
    )
    return len(broken)


@dataclass(frozen=True, slots=True)
class Result:
    """The newest full check, as a page shows it."""

    at: datetime
    findings: tuple[Finding, ...]

    @property
    def broken(self) -> list[Finding]:
        """Invariants that did not hold."""
        return [finding for finding in self.findings if not finding.holds]


def last_result() -> Result | None:
    """What the newest nightly check found; None before the first."""
    event = AuditEvent.objects.filter(kind__in=(SOUND, BROKEN)).order_by("-id").first()
    if event is None:
        return None
    return Result(event.at, tuple(_finding(record) for record in event.body["found"]))


def _finding(record: dict[str, Any]) -> Finding:
    return Finding(record["name"], record["says"], tuple(record["faults"]), record["seconds"])


def _look(invariant: Invariant, survey: Survey) -> tuple[str, ...]:
    """The first faults; a check that stumbles over what it reads is a fault of its own, and the next one goes on."""
    faults: list[str] = []
    try:
        # A generator: the first faults are enough, and the check stops there.
        faults.extend(islice(invariant.check(survey), MOST_SHOWN))
    except (ValueError, KeyError, LookupError, ArithmeticError, OSError, TypeError) as error:
        faults.append(f"what is stored cannot be read: {type(error).__name__}: {error}"[:300])
    return tuple(faults)
