"""Whether somebody who was drawn may still sit: the draw is fixed, what people declare and admins take away is not."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Profile, Role, RoleGrant, User
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Auditor, Campaign, GoldSegment, Qualification, Recusal, Seat
from auditing.selectors.eligible import CALIBRATION_SIZE, conflict_of

CONFLICT = "conflict of interest"
_HOLDER = OuterRef("auditor__user")
MOST = 200  # seats looked at in one sweep


def find_objection(*, seat: Seat, is_voting: bool = False) -> str:
    """Why the holder of a seat may not sit on it any more, or "". Asks one question of the database.

    is_voting: a vote arrives. A calibration that lapsed meanwhile does not undo work that is done.
    """
    found = _with_standing(Seat.objects.filter(pk=seat.pk, auditor__tier=Tier.HUMAN)).first()
    return "" if found is None else _objection(found, is_voting)


def find_unfit(*, seats: QuerySet[Seat]) -> list[tuple[Seat, str]]:
    """Those of `seats` whose holder may not sit on them any more, with the reason."""
    open_ones = seats.filter(auditor__tier=Tier.HUMAN, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    found = _with_standing(open_ones.filter(round__stage=RoundStage.COMMITTING))
    return [(seat, why) for seat in found[:MOST] if (why := _objection(seat, False))]


def open_seats_between(*, auditor: Auditor, provider: User) -> QuerySet[Seat]:
    """What somebody holds or is offered on traces of one provider."""
    return _open().filter(auditor=auditor, round__audit__trace__provider=provider)


def seats_to_look_at(*, since: datetime) -> list[QuerySet[Seat]]:
    """Open seats of people who can do no more, and those between who declared something after `since` and whom it
    concerns. Begins with the few people, never with the many seats."""
    people = Auditor.objects.filter(tier=Tier.HUMAN).select_related("user__profile")
    works = RoleGrant.objects.filter(user=OuterRef("user"), role__in=(Role.REVIEWER, Role.ADJUDICATOR))
    gone = list(people.filter(Q(user__is_active=False) | ~Exists(works)).values_list("pk", flat=True))
    found = [_open().filter(auditor__in=gone)] if gone else []
    for said in Profile.objects.filter(changed_at__gt=since).select_related("user"):
        found += _between(said.user, people)
    return found


def _between(person: Any, people: QuerySet[Auditor]) -> list[QuerySet[Seat]]:
    """Open seats that a conflict of `person`, as reviewer or as provider, is about."""
    providers = User.objects.filter(grants__role=Role.PROVIDER).select_related("profile")
    not_mine = [one.pk for one in providers if conflict_of(user=person, provider=one)]
    mine = [one.pk for one in people if one.user_id == person.pk]
    theirs = [one.pk for one in people if conflict_of(user=one.user, provider=person)]
    return [
        _open().filter(auditor__in=auditors, round__audit__trace__provider__in=providers)
        for auditors, providers in ((mine, not_mine), (theirs, [person.pk]))
        if auditors and providers
    ]


def _open() -> QuerySet[Seat]:
    return Seat.objects.filter(stage__in=(SeatStage.OFFERED, SeatStage.HELD))


def _with_standing(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    domain, campaign = OuterRef("round__audit__trace__domain"), OuterRef("round__audit__campaign")
    provider = OuterRef("round__audit__trace__provider")
    questions = GoldSegment.objects.filter(domain=domain, purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    counted = questions.order_by().values("domain").annotate(count=Count("pk")).values("count")
    passed = Qualification.objects.filter(auditor=OuterRef("auditor"), domain=domain, state=Qualification.State.PASSED)
    named = Campaign.reviewers.through.objects.filter(campaign=campaign, user=_HOLDER)
    return seats.select_related(
        "auditor__user__profile", "round__audit__trace__provider__profile", "round__audit__campaign"
    ).annotate(
        reviews=Exists(RoleGrant.objects.filter(user=_HOLDER, role=Role.REVIEWER)),
        is_trusted=Exists(RoleGrant.objects.filter(user=_HOLDER, role=Role.ADJUDICATOR)),
        is_named=Exists(named),
        is_recused=Exists(Recusal.objects.filter(auditor=OuterRef("auditor"), provider=provider)),
        has_passed=Exists(passed),
        questions=Coalesce(Subquery(counted, output_field=IntegerField()), 0),
    )  # fmt: skip


def _objection(seat: Any, is_voting: bool) -> str:
    """Words for the log, 40 characters at most; `seat` comes from _with_standing."""
    round, campaign = seat.round, seat.round.audit.campaign
    from_pool = round.adjudicates or round.pool == "trusted"
    if not (seat.auditor.user.is_active and (seat.is_trusted if from_pool else seat.reviews)):
        return "role taken away"
    if seat.is_recused or conflict_of(user=seat.auditor.user, provider=round.audit.trace.provider):
        return CONFLICT
    if not (from_pool or campaign.open_to_all or seat.is_named):
        return "no longer in the campaign"
    is_open = round.adjudicates or is_voting or seat.has_passed or seat.questions < CALIBRATION_SIZE
    return "" if is_open else "calibration lapsed"
