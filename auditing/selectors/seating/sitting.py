"""Whether the holder of a seat may keep it: after the draw, roles, conflicts and calibrations can change.

Reads Seat, Profile, RoleGrant, Recusal, Qualification, GoldSegment in one statement.
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from accounts.models import Profile, Role, RoleGrant, User
from auditing.core.seating.conflicts import find_conflict, party
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Auditor, Campaign, GoldSegment, Qualification, Recusal, Seat
from auditing.selectors.seating.eligible import CALIBRATION_SIZE, conflict_of

CONFLICT = "conflict of interest"
ROLES = [str(Role.REVIEWER), str(Role.ADJUDICATOR)]  # who may take a seat and vote
MOST = 200  # seats looked at in one sweep


class Sitting(NamedTuple):
    """What decides whether a holder may still sit; `sitting_columns` says where each of it is read."""

    is_active: bool
    email: str
    pseudonym: str
    organisation: str | None
    conflicts: list[str] | None
    provider_email: str
    provider_pseudonym: str
    provider_organisation: str | None
    provider_conflicts: list[str] | None
    adjudicates: bool
    pool: str
    open_to_all: bool
    reviews: bool
    is_trusted: bool
    is_named: bool
    is_recused: bool
    has_passed: bool
    questions: int

    def objection(self, *, is_voting: bool) -> str:
        """Words for the log, 40 characters at most."""
        from_pool = self.adjudicates or self.pool == "trusted"
        if not (self.is_active and (self.is_trusted if from_pool else self.reviews)):
            return "role taken away"
        if self.is_recused or self._conflict():
            return CONFLICT
        if not (from_pool or self.open_to_all or self.is_named):
            return "no longer in the campaign"
        # Whoever votes already may finish: a calibration that lapsed in mid-vote takes no seat away.
        is_open = self.adjudicates or is_voting or self.has_passed or self.questions < CALIBRATION_SIZE
        return "" if is_open else "calibration lapsed"

    def _conflict(self) -> str:
        holder = party(
            names=(self.email, self.pseudonym),
            organisation=self.organisation or "",
            conflicts=tuple(self.conflicts or ()),
        )
        provider = party(
            names=(self.provider_email, self.provider_pseudonym),
            organisation=self.provider_organisation or "",
            conflicts=tuple(self.provider_conflicts or ()),
        )
        return find_conflict(reviewer=holder, provider=provider)


def open_seats(*, auditor: Auditor, now: datetime | Now) -> QuerySet[Seat]:
    """Seats of an auditor that can be voted on now: window open, nothing paused. As trust_claim_seat has it."""
    return Seat.objects.filter(
        auditor=auditor,
        stage__in=(SeatStage.OFFERED, SeatStage.HELD),
        round__stage=RoundStage.COMMITTING,
        round__due_at__gt=now,
        round__audit__stage=AuditStage.AUDITING,
        round__audit__paused_at__isnull=True,
    ).exclude(round__audit__campaign__state=Campaign.State.PAUSED)


def objection_of(*, seat: Seat, is_voting: bool = False) -> str:
    """Why the holder of a seat that was read with `sitting_columns` may not sit on it any more, or "".

    is_voting: a vote arrives. A calibration that lapsed meanwhile does not undo work that is done.
    """
    return Sitting(*(getattr(seat, f"sits_{name}") for name in Sitting._fields)).objection(is_voting=is_voting)


def find_unfit(*, seats: QuerySet[Seat]) -> list[tuple[Seat, str]]:
    """Those of `seats` whose holder may not sit on them any more, with the reason."""
    open_seats = seats.filter(stage__in=(SeatStage.OFFERED, SeatStage.HELD), round__stage=RoundStage.COMMITTING)
    asked = open_seats.filter(auditor__tier=Tier.HUMAN).annotate(**sitting_columns())[:MOST]
    unfit = {seat.pk: why for seat in asked if (why := objection_of(seat=seat))}
    unfit_seats = Seat.objects.filter(pk__in=unfit).select_related("round__audit__trace__provider", "auditor")
    return [(seat, unfit[seat.pk]) for seat in unfit_seats]


def open_seats_between(*, auditor: Auditor, provider: User) -> QuerySet[Seat]:
    """What somebody holds or is offered on traces of one provider."""
    return _open().filter(auditor=auditor, round__audit__trace__provider=provider)


def seats_to_look_at(*, since: datetime) -> list[QuerySet[Seat]]:
    """Querysets of open seats that may have become unfit.

    Seats of people who lost account or roles, and seats between anybody whose profile changed after `since` and those
    whom it conflicts with. Begins with the few people, never with the many seats.
    """
    people = Auditor.objects.filter(tier=Tier.HUMAN).select_related("user__profile")
    works = RoleGrant.objects.filter(user=OuterRef("user"), role__in=(Role.REVIEWER, Role.ADJUDICATOR))
    gone = list(people.filter(Q(user__is_active=False) | ~Exists(works)).values_list("pk", flat=True))
    groups = [_open().filter(auditor__in=gone)] if gone else []
    for profile in Profile.objects.filter(changed_at__gt=since).select_related("user"):
        groups += _between(profile.user, people)
    return groups


def _between(person: Any, people: QuerySet[Auditor]) -> list[QuerySet[Seat]]:
    """Open seats that a conflict of `person`, as reviewer or as provider, is about."""
    everybody = User.objects.filter(grants__role=Role.PROVIDER).select_related("profile")
    # As a reviewer: the person's own seats on traces of providers in conflict.
    as_auditor = [auditor.pk for auditor in people if auditor.user_id == person.pk]
    providers = [provider.pk for provider in everybody if conflict_of(user=person, provider=provider)]
    # As a provider: seats of auditors in conflict on the person's own traces.
    auditors = [auditor.pk for auditor in people if conflict_of(user=auditor.user, provider=person)]
    seats = []
    if as_auditor and providers:
        seats.append(_open().filter(auditor__in=as_auditor, round__audit__trace__provider__in=providers))
    if auditors:
        seats.append(_open().filter(auditor__in=auditors, round__audit__trace__provider=person.pk))
    return seats


def _open() -> QuerySet[Seat]:
    return Seat.objects.filter(stage__in=(SeatStage.OFFERED, SeatStage.HELD))


def sitting_columns() -> dict[str, Any]:
    """Annotations for seats of people: each field of `Sitting`, named sits_<field>."""
    # Everything that decides comes with the seat in one row: a vote that arrives waits for one statement, not for ten.
    trace, campaign, user = "round__audit__trace__", "round__audit__campaign", "auditor__user__"
    domain, provider, holder = OuterRef(f"{trace}domain"), OuterRef(f"{trace}provider"), OuterRef("auditor__user")
    questions = GoldSegment.objects.filter(domain=domain, purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    counted = questions.order_by().values("domain").annotate(count=Count("pk")).values("count")
    passed = Qualification.objects.filter(auditor=OuterRef("auditor"), domain=domain, state=Qualification.State.PASSED)
    named = Campaign.reviewers.through.objects.filter(campaign=OuterRef(campaign), user=holder)
    profile, theirs = f"{user}profile__", f"{trace}provider__profile__"
    columns: dict[str, Any] = dict(
        is_active=F(f"{user}is_active"),
        email=F(f"{user}email"),
        pseudonym=F(f"{user}pseudonym"),
        organisation=F(f"{profile}organisation"),
        conflicts=F(f"{profile}conflicts"),
        provider_email=F(f"{trace}provider__email"),
        provider_pseudonym=F(f"{trace}provider__pseudonym"),
        provider_organisation=F(f"{theirs}organisation"),
        provider_conflicts=F(f"{theirs}conflicts"),
        adjudicates=F("round__adjudicates"),
        pool=F("round__pool"),
        open_to_all=F(f"{campaign}__open_to_all"),
        reviews=Exists(RoleGrant.objects.filter(user=holder, role=Role.REVIEWER)),
        is_trusted=Exists(RoleGrant.objects.filter(user=holder, role=Role.ADJUDICATOR)),
        is_named=Exists(named),
        is_recused=Exists(Recusal.objects.filter(auditor=OuterRef("auditor"), provider=provider)),
        has_passed=Exists(passed),
        questions=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
    )
    return {f"sits_{name}": column for name, column in columns.items()}
