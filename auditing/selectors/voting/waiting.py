"""Why a reviewer's desk is empty: one sentence that is true, with what to do, found without taking a seat.

Narrows the audits that wait for people reason by reason, and asks by index whether one is left. Reads Audit, Round,
Seat, Campaign, Qualification, GoldSegment, Recusal, Profile, RoleGrant.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import Role, RoleGrant, User
from auditing.core.stages import AuditStage, RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, Campaign, GoldSegment, Qualification, Recusal, Round, Seat
from auditing.selectors.conduct import find_bar
from auditing.selectors.seating.eligible import WEEK, conflict_of, given_this_week, needs_calibration

LEASES = 500  # of the leases that end next, so many are looked at


@dataclass(frozen=True, slots=True)
class Waiting:
    """One true sentence, when that changes if it is known, and what to do."""

    reason: str  # decided, conflict, leased, none; calibrate, suspended, paused, field, capacity, newcomer, drawing
    title: str
    text: str
    frees_at: datetime | None = None
    domain: str = ""  # of a calibration that would open seats


DECIDED = Waiting(
    "decided", "Everything is decided", "No segment waits for people now. New ones appear here by themselves."
)
CONFLICT = Waiting(
    "conflict",
    "Nothing you may judge",
    "Segments wait for people, but each comes from someone you have a conflict of "
    "interest with: your own traces, your organisation, or what you or they declared.",
)
CONFLICT_IN_REACH = replace(
    CONFLICT,
    text="Segments that you could judge wait, but each of them comes from someone you have a conflict of interest "
    "with; others are not of your fields, languages or campaigns.",
)
NONE = Waiting(
    "none",
    "Nothing for you now",
    "Segments wait for people, but the draws gave their seats to others, or you have "
    "voted on them. A seat that is passed on to you appears here by itself.",
)
NAMED = Waiting(
    "none",
    "Nothing for you now",
    "Segments wait only in campaigns whose reviewers were named, and you are not among them. An admin can add you.",
)
CALM = Waiting(
    "none",
    "Nothing is contested",
    "Adjudicators are asked where reviewers could not agree. Such a segment appears here by itself.",
)
PAUSED = Waiting(
    "paused",
    "The campaign is paused",
    "Segments of yours wait in a campaign that an admin paused. They stay yours, "
    "drafts are kept, and their windows stand still until it goes on.",
)
NEWCOMER = Waiting(
    "newcomer",
    "You are in the next draw",
    "The segments that wait now were drawn before you could be. You take part "
    "from the next draw on: with the next trace, or when seats of these are drawn again.",
)
DRAWING = Waiting(
    "drawing",
    "Segments are about to be drawn",
    "They wait for their batch to fill, for their premises, or for enough reviewers. Whoever is drawn finds them here.",
)


def why_empty(*, auditor: Auditor, now: datetime) -> Waiting:
    """The reason why claim_next found no seat for this reviewer: what they can change first, then what they await."""
    # From the widest reason to the narrowest: nothing waits, nothing to judge, nothing in reach, then the draw.
    waiting = _audits()
    if not _any(waiting):
        return _own_paused(auditor) or DECIDED
    free = waiting.exclude(trace__provider__in=_barred(auditor))
    if not _any(free):
        return _own_paused(auditor) or CONFLICT
    mine, refused = _reachable(auditor, free)
    # The field is not in the way of somebody who has a conflict with everybody whose traces of it wait.
    if refused is not None and _reachable(auditor, waiting)[1] is None:
        refused = CONFLICT_IN_REACH
    return (
        _own_paused(auditor)
        or _suspended(auditor, now)
        or _capacity(auditor, now)
        or refused
        or _drawn_later(auditor, mine, _shut_domains(auditor), now)
    )


def _audits(**about: Any) -> QuerySet[Audit]:
    """Audits with a round that waits for people. `about`: what that round must be like."""
    waiting = {"tier": Tier.HUMAN, "stage__in": (RoundStage.DRAWING, RoundStage.COMMITTING), **about}
    audits = Audit.objects.filter(_with_round(waiting), stage=AuditStage.AUDITING, paused_at__isnull=True)
    return audits.exclude(campaign__state=Campaign.State.PAUSED)


def _with_round(about: dict[str, Any]) -> Exists:
    return Exists(Round.objects.filter(audit=OuterRef("pk"), **about))


def _any(audits: QuerySet[Audit]) -> bool:
    """Whether there is one; asked in the order of an index, so that what was decided long ago is not read."""
    return bool(audits.order_by("stage_since").values_list("pk")[:1])


def _barred(auditor: Auditor) -> set[Any]:
    """Providers whose traces this person must not judge."""
    person: Any = auditor.user
    providers = User.objects.filter(grants__role=Role.PROVIDER).select_related("profile")
    barred = {provider.pk for provider in providers if conflict_of(user=person, provider=provider)} | {person.pk}
    return barred | set(Recusal.objects.filter(auditor=auditor).values_list("provider", flat=True))


def _own_paused(auditor: Auditor) -> Waiting | None:
    mine = Seat.objects.filter(auditor=auditor, stage__in=(SeatStage.OFFERED, SeatStage.HELD))
    is_paused = Q(round__audit__campaign__state=Campaign.State.PAUSED) | Q(round__audit__paused_at__isnull=False)
    held_up = mine.filter(is_paused, round__stage=RoundStage.COMMITTING, round__audit__stage=AuditStage.AUDITING)
    return PAUSED if held_up.exists() else None


def _suspended(auditor: Auditor, now: datetime) -> Waiting | None:
    until = auditor.suspended_until
    if until is None or until <= now:
        return _decided_on(auditor, now)
    text = "Seats of yours stayed without a vote, or too many votes were off: no draw takes you for a while."
    return Waiting("suspended", "You are not drawn at present", text, until)


def _decided_on(auditor: Auditor, now: datetime) -> Waiting | None:
    case = find_bar(auditor=auditor, now=now)
    if case is None:
        return None
    text = "An admin decided so from your votes: the reason, and how to appeal, stand on your record."
    return Waiting("suspended", "You are not drawn at present", text, case.until)


def _capacity(auditor: Auditor, now: datetime) -> Waiting | None:
    capacity = _profile(auditor, "weekly_capacity")
    if capacity is None:
        return None
    offered = given_this_week(auditors=[auditor.pk]).order_by("-offered_at").values_list("offered_at", flat=True)
    # The oldest of the `capacity` newest seats is the first to leave the week: then a place is free.
    newest = list(offered[:capacity])
    if len(newest) < capacity:
        return None
    text = f"You were given {len(newest)} segments in seven days, as many as your profile allows."
    return Waiting("capacity", "Your week is full", text, newest[-1] + WEEK if newest else None)


def _reachable(auditor: Auditor, audits: QuerySet[Audit]) -> tuple[QuerySet[Audit], Waiting | None]:
    """The audits of campaigns that take this person and of the fields they name; else what is in the way."""
    person: Any = auditor.user
    audits = audits.exclude(campaign__in=person.manages.all())
    judged = Q(campaign__any_adjudicator=True) | Q(campaign__in=person.adjudicates_for.all())
    if Role.REVIEWER not in person.roles:
        contested = audits.filter(judged, _with_round({"adjudicates": True, "stage__in": ("seated", "committing")}))
        return contested, None if _any(contested) else CALM
    named = Q(campaign__open_to_all=True) | Q(campaign__in=person.reviews_for.all())
    taken = audits.filter(named | judged if Role.ADJUDICATOR in person.roles else named)
    if not _any(taken):
        return taken, NAMED
    taken, refused = _of_language(auditor, taken)
    return (taken, refused) if refused else _of_field(auditor, taken)


def _of_language(auditor: Auditor, audits: QuerySet[Audit]) -> tuple[QuerySet[Audit], Waiting | None]:
    named = _profile(auditor, "languages") or ()
    if not named:
        return audits, None
    read = audits.alias(language=Lower("campaign__language"))
    mine = read.filter(Q(language__in=[language.casefold() for language in named]) | Q(language=""))
    text = f"Segments wait, but in none of the languages your profile names: {', '.join(named)}."
    return mine, None if _any(mine) else Waiting("field", "Nothing in your languages", text)


def _of_field(auditor: Auditor, taken: QuerySet[Audit]) -> tuple[QuerySet[Audit], Waiting | None]:
    fields = [field.casefold() for field in _profile(auditor, "domains") or ()]
    if not fields:
        return taken, None
    mine = taken.alias(field=Lower("trace__domain")).filter(Q(field__in=fields) | Q(field=""))
    if _any(mine):
        return mine, None
    text = f"Segments wait, but none of the fields your profile names: {', '.join(_profile(auditor, 'domains'))}."
    return mine, Waiting("field", "Nothing of your field", text)


def _shut_domains(auditor: Auditor) -> list[str]:
    """Fields whose calibration set this person has not passed."""
    passed = Qualification.objects.filter(auditor=auditor, state=Qualification.State.PASSED)
    sets = GoldSegment.objects.filter(purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    asked = set(sets.exclude(domain__in=passed.values("domain")).values_list("domain", flat=True))
    return sorted(domain for domain in asked if needs_calibration(domain=domain))


def _drawn_later(auditor: Auditor, audits: QuerySet[Audit], shut: list[str], now: datetime) -> Waiting:
    """What this person awaits, or the calibration that stands before everything."""
    domain = next((shut_domain for shut_domain in shut if _any(audits.filter(trace__domain=shut_domain))), "")
    open_ones = audits.exclude(trace__domain__in=shut) if shut else audits
    if domain and not _any(open_ones):
        return _first_calibrate(auditor, domain)
    return replace(_leased(auditor, now) or _not_seated(auditor, open_ones), domain=domain)


def _not_seated(auditor: Auditor, audits: QuerySet[Audit]) -> Waiting:
    """Nothing is drawn yet, or the draws gave the seats to others, before this person could be drawn or after."""
    if not _any(audits.filter(_with_round({"tier": Tier.HUMAN, "stage": RoundStage.COMMITTING}))):
        return DRAWING
    return NEWCOMER if _came_late(auditor, audits) else NONE


def _first_calibrate(auditor: Auditor, domain: str) -> Waiting:
    row = Qualification.objects.filter(auditor=auditor, domain=domain).first()
    text = f"Segments of {domain} wait. Seats there open once you have passed its calibration set."
    if row is not None and row.state == Qualification.State.LAPSED:
        text = f"{row.why} Seats in {domain} open again once you have passed its calibration set anew."
    return Waiting("calibrate", "First the calibration", text, domain=domain)


def _leased(auditor: Auditor, now: datetime) -> Waiting | None:
    """Others hold seats that this reviewer would be offered next."""
    ends = Seat.objects.filter(stage=SeatStage.HELD, lease_until__gt=now, round__stage=RoundStage.COMMITTING)
    # `drawn` is a JSON list that no index serves: 500 leases are looked at in memory, a few milliseconds.
    soonest = ends.order_by("lease_until").values("round__drawn", "lease_until")[:LEASES]
    frees_at = next((row["lease_until"] for row in soonest if str(auditor.pk) in row["round__drawn"]), None)
    if frees_at is None:
        return None
    return Waiting(
        "leased", "All taken at the moment", "Other reviewers hold the seats that would come to you next.", frees_at
    )


def _came_late(auditor: Auditor, audits: QuerySet[Audit]) -> bool:
    """Whether all that waits was drawn before this person could be: account, role and calibrations."""
    grants = RoleGrant.objects.filter(user=auditor.user, role__in=(Role.REVIEWER, Role.ADJUDICATOR))
    passed = Qualification.objects.filter(auditor=auditor, state=Qualification.State.PASSED)
    moments = [auditor.created, *grants.values_list("at", flat=True), *passed.values_list("at", flat=True)]
    if _any(audits.filter(stage_since__gt=max(moments))):
        return False
    return not Seat.objects.filter(auditor=auditor, round__audit__in=audits).exists()


def _profile(auditor: Auditor, name: str) -> Any:
    return getattr(getattr(auditor.user, "profile", None), name, None)
