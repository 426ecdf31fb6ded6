"""Blind repeats: passages that come again to whoever judged them, and how often the second word was the first.

A repeat is a decoy without a truth: an audit of the system's own, of the text as it was, for its earlier judges alone.
Its votes are no second voices: agreement between people, EM, and signs of conduct leave them out.

Reads Decoy, Round, Seat, Vote.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Role
from auditing.checker.planting import Origin
from auditing.core.consensus.proportions import Rate, wilson_interval
from auditing.core.stages import AuditStage
from auditing.core.values import Choice, Tier
from auditing.models import Auditor, Campaign, Decoy, Round, Seat, Vote
from auditing.selectors.gold.decoys import PLACE

REPEATED = Q(seat__round__audit__trace__decoy__origin=Origin.REPEATED)  # of votes
OPENED = (AuditStage.SETTLED, AuditStage.RECORDED)


@dataclass(frozen=True, slots=True)
class RepeatPair:
    """One reviewer's two words on one passage."""

    auditor: UUID
    seat: UUID  # of the second vote
    first: str
    second: str
    at: datetime  # of the second

    @property
    def is_same(self) -> bool:
        """Whether the second word was the first."""
        return self.first == self.second


def first_votes(*, votes: QuerySet[Vote]) -> QuerySet[Vote]:
    """Without those on repeats: nobody is heard twice on one passage."""
    return votes.exclude(REPEATED)


def repeat_pairs(*, votes: QuerySet[Vote]) -> list[RepeatPair]:
    """The pairs whose second vote is among `votes`, oldest first; abstentions are no word."""
    decoy = "seat__round__audit__trace__decoy__"
    cast = votes.filter(REPEATED, seat__round__audit__stage__in=OPENED).exclude(choice=Choice.ABSTAIN)
    fields = ("seat__auditor", f"{decoy}original", *(f"{decoy}{name}" for name in PLACE))
    seconds = list(cast.order_by("revealed_at", "pk").values_list(*fields, "seat", "choice", "revealed_at"))
    if not seconds:
        return []
    segment = "seat__round__segment__"
    places = ("seat__auditor", "seat__round__audit__trace", *(f"{segment}{name}" for name in PLACE))
    originals = Vote.objects.filter(
        seat__auditor__in={row[0] for row in seconds}, seat__round__audit__trace__in={row[1] for row in seconds}
    ).exclude(choice=Choice.ABSTAIN)
    # By age, newest first: where an appeal brought the pair together again, the first word stays.
    firsts = {tuple(row[:5]): row[5] for row in originals.order_by("-revealed_at").values_list(*places, "choice")}
    return [
        RepeatPair(row[0], row[5], firsts[tuple(row[:5])], row[6], row[7])
        for row in seconds
        if tuple(row[:5]) in firsts
    ]


def same_again(*, pairs: Iterable[RepeatPair]) -> Rate:
    """How many of the pairs were alike, with the 95 % interval."""
    alike = [pair.is_same for pair in pairs]
    return wilson_interval(count=sum(alike), of=len(alike))


def repeatable(*, campaign: Campaign, before: datetime) -> QuerySet[Round]:
    """Counted rounds of recorded audits whose every vote is older than `before`, with a judge who still reviews.

    Each passage comes again once. A text that was erased, and a decoy, never does.
    """
    place = {name: OuterRef(f"segment__{name}") for name in PLACE}
    taken = Decoy.objects.filter(**place, origin=Origin.REPEATED, original=OuterRef("audit__trace"))
    judges = Seat.objects.filter(
        round=OuterRef("pk"),
        vote__choice__in=(Choice.PASS, Choice.FAIL),
        auditor__user__is_active=True,
        auditor__user__grants__role=Role.REVIEWER,
    )
    late = Seat.objects.filter(round=OuterRef("pk"), commitment__committed_at__gt=before)
    return Round.objects.filter(
        Exists(judges),
        ~Exists(late),
        ~Exists(taken),
        audit__campaign=campaign,
        audit__stage=AuditStage.RECORDED,
        audit__trace__decoy__isnull=True,
        audit__trace__erased_at__isnull=True,
        tier=Tier.HUMAN,
        adjudicates=False,
    )


def own_repeats(*, auditor: Auditor) -> list[RepeatPair]:
    """A reviewer's own pairs, oldest first."""
    return repeat_pairs(votes=Vote.objects.filter(seat__auditor=auditor))
