"""A reviewer's own record: the last votes, agreement with outcomes, reputation, points, appeals.

Reads Commitment, Seat, ReputationStep, Posting, Appeal.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from auditing.core.consensus.proportions import wilson_interval
from auditing.core.stages import SeatStage
from auditing.models import Appeal, Auditor, Seat
from auditing.selectors.points.record import LAST, VoteLine, last_votes
from auditing.selectors.points.reputations import History, histories_of
from auditing.selectors.points.statement import Balances, StatementLine, balances_in, statement_of

COMPARED = 1000  # agreement is counted over so many of the newest votes; the page says when it is not all
POSTINGS = 100
APPEALS = 20


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, with a 95 % Wilson interval."""

    name: str
    right: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """right / of."""
        return self.right / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Record:
    """Everything on the page "My record"."""

    votes: tuple[VoteLine, ...]
    overall: Share | None
    by_level: tuple[Share, ...]
    by_domain: tuple[Share, ...]
    is_cut: bool
    balances: Balances
    postings: tuple[StatementLine, ...]
    histories: tuple[History, ...]
    appeals: tuple[Appeal, ...]


def record_of(*, auditor: Auditor) -> Record:
    """Read the record."""
    votes, statement = last_votes(auditor=auditor, most=COMPARED), statement_of(auditor=auditor)
    return Record(
        votes=votes[:LAST],
        overall=next(iter(_shares(("all", line) for line in votes)), None),
        by_level=_shares((line.level, line) for line in votes),
        by_domain=_shares((line.domain or "no domain", line) for line in votes),
        is_cut=len(votes) == COMPARED,
        balances=balances_in(lines=statement),
        postings=tuple(statement[: -POSTINGS - 1 : -1]),  # the last ones, newest first
        histories=histories_of(auditor=auditor),
        appeals=_appeals(auditor),
    )


def _appeals(auditor: Auditor) -> tuple[Appeal, ...]:
    """Appeals of one's own, and those against audits in which one's vote was opened; newest first."""
    # By own seats, not by campaign: an appeal names an audit, and audits one never sat in are nobody's business.
    voted = Seat.objects.filter(auditor=auditor, stage=SeatStage.REVEALED).values("round__audit")
    appeals = Appeal.objects.filter(Q(by=auditor.user_id) | Q(audit__in=voted))
    return tuple(appeals.select_related("successor", "segment").order_by("-created")[:APPEALS])


def _shares(lines: Iterable[tuple[str, VoteLine]]) -> tuple[Share, ...]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, line in lines:
        if line.agrees is not None:
            counts[name][0] += line.agrees
            counts[name][1] += 1
    return tuple(_share(name, right, of) for name, (right, of) in sorted(counts.items()))


def _share(name: str, right: int, of: int) -> Share:
    rate = wilson_interval(count=right, of=of)
    return Share(name, right, of, rate.low or 0.0, rate.high or 0.0)
