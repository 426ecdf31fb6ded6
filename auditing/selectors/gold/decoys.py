"""Decoys: which audits are, whom they must be kept from, and how many seats are on gold.

A decoy's text is that of an original trace: the two, and all decoys of one original, are a family, of which nobody is
shown two. Reads Decoy, Audit, Round, Seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from accounts.models import Profile, Role, User
from accounts.prepared import PreparedQuery, PreparedRows
from auditing.checker.planting import Origin
from auditing.core.policy import Policy
from auditing.core.stages import AuditStage
from auditing.core.values import Choice, Tier
from auditing.models import Audit, Auditor, Campaign, Decoy, Recusal, Round, Seat
from auditing.selectors.kept import kept
from hdag.core.units import UnitKind
from hdag.models import Segment, Trace

NOT_DECOYS = Q(trace__decoy__isnull=True)
GONE = (AuditStage.FAILED, AuditStage.WITHDRAWN)
UNSEEN = ("declined", "lapsed")
PLACE = ("source", "start", "end")  # of a passage in its text
ON_THEIR_WAY = (AuditStage.SUBMITTED, AuditStage.DECOMPOSED, AuditStage.ROUTED, AuditStage.AUDITING)
OF_GOLD = Q(audit__trace__decoy__truth__in=(Choice.PASS, Choice.FAIL))  # a passage that comes again has none


@dataclass(frozen=True, slots=True)
class Placed:
    """Seats of people in a campaign: on ordinary passages, on gold, and of the latter on gold that models fail on."""

    ordinary: int
    gold: int
    misleading: int = 0

    @property
    def all(self) -> int:
        """Seats of people."""
        return self.ordinary + self.gold

    @property
    def share(self) -> float:
        """Gold seats over all seats; 0 before the first."""
        return self.gold / self.all if self.gold else 0.0

    @property
    def misleading_share(self) -> float:
        """Seats on gold that models fail on, over all seats."""
        return self.misleading / self.all if self.misleading else 0.0


def find_decoy(*, trace: Trace) -> Decoy | None:
    """What a trace is a decoy of; None for a trace that somebody handed in."""
    return getattr(trace, "decoy", None)  # asked for once a trace, or joined to it


def comes_again(*, trace: UUID) -> bool:
    """Whether a trace is there for a passage that its reviewers judged before."""
    return Decoy.objects.filter(pk=trace, origin=Origin.REPEATED).exists()


def ordinary_audits() -> QuerySet[Audit]:
    """The audits of traces that somebody handed in."""
    return Audit.objects.filter(NOT_DECOYS)


def find_gold_segment(*, decoy: Decoy, segments: Sequence[Segment]) -> Segment | None:
    """The gold of a decoy among the audited segments of its graph: its plan, or the smallest that holds the place."""
    if decoy.gold is not None and decoy.gold.unit == UnitKind.STRATEGY:
        return next((row for row in segments if row.unit == UnitKind.STRATEGY), None)
    holding = [row for row in segments if row.source == decoy.source and row.start <= decoy.at < row.end]
    return min(holding, key=lambda row: row.end - row.start, default=None)


def seats_placed(*, campaign: Campaign) -> Placed:
    """Seats of opened rounds of people in a campaign; adjudicators and failed audits do not count."""
    return _count(f"gold:campaign:{campaign.pk}", _rounds(campaign), OF_GOLD)


def _rounds(campaign: Campaign) -> QuerySet[Round]:
    rounds = Round.objects.filter(audit__campaign=campaign, tier=Tier.HUMAN, adjudicates=False)
    return rounds.exclude(audit__stage__in=GONE)


def _count(name: str, rounds: QuerySet[Round], is_gold: Q) -> Placed:
    sums = {
        "misleading": Sum("k", filter=Q(audit__trace__decoy__misleads_models=True)),
        "gold": Sum("k", filter=is_gold),
        "all": Sum("k"),
    }
    [row] = kept(name=name, count=lambda: [list(rounds.aggregate(**sums).values())])
    misleading, gold, everything = (seats or 0 for seats in row)
    return Placed(everything - gold, gold, misleading)


def seats_a_decoy(*, policy: Policy, gold: int, decoys: int) -> int:
    """Seats of people that one more decoy is taken to need; waves ask as many as it takes, so as before on average.

    gold: seats of `decoys` that came to their end. Before the first, two waves after the first wave: a guess that is
    too low costs more than the share.
    """
    if not policy.planner:
        return policy.human.k
    return max(policy.first_seats, -(-gold // decoys) if decoys else policy.first_seats + 2 * policy.wave_seats)


def gold_share(*, policy: int | None) -> Placed:
    """The same of all audits under one policy version, or of all: what is in effect, beside what a policy asks for."""
    rounds = Round.objects.filter(tier=Tier.HUMAN, adjudicates=False)
    if policy is not None:
        rounds = rounds.filter(audit__policy__number=policy)
    name = "gold:all" if policy is None else f"gold:policy:{policy}"
    return _count(name, rounds.exclude(audit__stage__in=GONE), Q(segment__gold_truth__isnull=False))


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Seats of people on decoys, or on repeats (as `gold`), with those that running ones have still to come."""

    placed: Placed
    to_come: int
    misleading_to_come: int
    each: int  # that one more is taken to need

    @property
    def own(self) -> int:
        """What the share is compared with."""
        return self.placed.gold + self.to_come

    @property
    def misleading(self) -> int:
        """The same on gold that models fail on."""
        return self.placed.misleading + self.misleading_to_come


def reckon_seats(*, campaign: Campaign, policy: Policy, repeats: bool) -> Reckoning:
    """Seats of a campaign's decoys, or of its repeats. After a first wave a running one would seem cheap."""
    audits = Audit.objects.filter(campaign=campaign, trace__decoy__in=of_sort(repeats=repeats)).exclude(stage__in=GONE)
    rows = list(audits.annotate(seats=SEATS).values_list("stage", "seats", "trace__decoy__misleads_models"))
    [[seats]] = kept(name=f"seats:{campaign.pk}", count=lambda: [list(_rounds(campaign).aggregate(Sum("k")).values())])
    return reckoned(rows=rows, seats=seats or 0, policy=policy)


SEATS = Coalesce(Sum("rounds__k", filter=Q(rounds__tier=Tier.HUMAN, rounds__adjudicates=False)), 0)


def reckoned(*, rows: Sequence[tuple[str, int, bool]], seats: int, policy: Policy) -> Reckoning:
    """rows: stage, seats of people and whether models fail on it, of each audit. seats: of all the campaign's."""
    running = [(seats, misleads) for stage, seats, misleads in rows if stage in ON_THEIR_WAY]
    given = sum(seats for _, seats, _ in rows)
    ended = given - sum(seats for seats, _ in running)
    each = seats_a_decoy(policy=policy, gold=ended, decoys=len(rows) - len(running))
    to_come = [(max(0, each - seats), misleads) for seats, misleads in running]
    return Reckoning(
        placed=Placed(seats - given, given, sum(seats for _, seats, misleads in rows if misleads)),
        to_come=sum(seats for seats, _ in to_come),
        misleading_to_come=sum(seats for seats, misleads in to_come if misleads),
        each=each,
    )


def of_sort(*, repeats: bool) -> QuerySet[Decoy]:
    """Repeats, or all other decoys."""
    again = Q(origin=Origin.REPEATED)
    return Decoy.objects.filter(again if repeats else ~again)


def truths_placed(*, campaign: Campaign) -> dict[str, int]:
    """How many decoys of a campaign are right, and how many wrong."""
    decoys = Decoy.objects.filter(trace__audits__campaign=campaign).exclude(trace__audits__stage__in=GONE)
    truths = list(decoys.values_list("truth", flat=True))
    return {choice: truths.count(choice) for choice in (Choice.PASS, Choice.FAIL)}


def family_of(*, trace: Trace) -> list[UUID]:
    """The other traces with this one's text: its original, the original's decoys; none for most traces."""
    return _family_of(trace, find_decoy(trace=trace))


def _family_of(trace: Trace, decoy: Decoy | None) -> list[UUID]:
    original = trace.pk if decoy is None else decoy.original_id
    if original is None:  # gold of a set: every decoy of the same gold
        assert decoy is not None
        relatives = list(Decoy.objects.filter(gold=decoy.gold_id).values_list("pk", flat=True))
    else:
        relatives = [key for (key,) in _decoys_of.rows(original=original)]
    return [key for key in {*relatives, *([original] if original else [])} if key != trace.pk]


@PreparedRows
def _decoys_of(original: UUID) -> QuerySet[Decoy, Any]:
    return Decoy.objects.filter(original=original).values_list("pk")


def audience(*, campaign: Campaign, original: Trace) -> int:
    """How many reviewers of a campaign were shown nothing of a text: so many could be seated on a decoy of it."""
    people = Auditor.objects.filter(tier=Tier.HUMAN, user__is_active=True, user__grants__role=Role.REVIEWER)
    people = people.exclude(user__manages=campaign)
    if not campaign.open_to_all:
        people = people.filter(user__reviews_for=campaign)
    texts = [original.pk, *family_of(trace=original)]
    seats = Seat.objects.filter(round__audit__trace__in=texts, auditor__tier=Tier.HUMAN)
    seats = seats.exclude(stage__in=UNSEEN, taken_at__isnull=True)
    return people.exclude(pk__in=seats.values("auditor")).exclude(user=original.provider_id).distinct().count()


def providers_of(*, trace: Trace) -> list[User]:
    """Whose conflicts of interest count: the provider, and of a decoy the provider of its original too."""
    decoy = find_decoy(trace=trace) and _with_original.first(trace=trace.pk)
    return [trace.provider] if decoy is None or decoy.original is None else [trace.provider, decoy.original.provider]


@PreparedQuery
def _with_original(trace: UUID) -> QuerySet[Decoy]:
    return Decoy.objects.filter(pk=trace, original__isnull=False).select_related("original__provider")


def earlier_judges(*, repeat: Decoy) -> QuerySet[Seat, Any]:
    """Keys of the auditors who said right or wrong of the passage that comes again: only they are asked."""
    place = {f"round__segment__{name}": getattr(repeat, name) for name in PLACE}
    seats = Seat.objects.filter(
        **place, round__audit__trace=repeat.original, round__tier=Tier.HUMAN, round__adjudicates=False
    )
    return seats.filter(vote__choice__in=(Choice.PASS, Choice.FAIL)).values("auditor")


def apart_from_family(*, people: QuerySet[Auditor], trace: Trace) -> QuerySet[Auditor]:
    """Without those who were shown anything of the same text, and without its original's provider and recusals.

    A passage that comes again is for those alone who judged it.
    """
    decoy = find_decoy(trace=trace)
    if decoy is not None and decoy.origin == Origin.REPEATED:
        return people.filter(pk__in=earlier_judges(repeat=decoy))
    family = _family_of(trace, decoy)
    if not family:
        return people
    seats = Seat.objects.filter(round__audit__trace__in=family, auditor__tier=Tier.HUMAN)
    seats = seats.exclude(stage__in=UNSEEN, taken_at__isnull=True)
    providers = Trace.objects.filter(pk__in=family).values("provider")
    stepped_aside = Recusal.objects.filter(provider__in=providers).values("auditor")
    apart = people.exclude(pk__in=seats.values("auditor")).exclude(pk__in=stepped_aside)
    return apart.exclude(user__in=providers)


def lends_gold(*, provider: Any) -> bool:
    """Whether a provider lets passages become gold; who has not said anything does."""
    return not Profile.objects.filter(user=provider, lends_gold=False).exists()
