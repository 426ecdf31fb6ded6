"""Eligibility for a round: campaign, domain, language, qualification, stake, conflicts, and capacity of auditors.

Reads Auditor, Profile, RoleGrant, Qualification, Seat, Recusal, Posting, GoldSegment.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import Profile, Role
from auditing.core.seating.conflicts import Party, find_conflict, party
from auditing.core.seating.fields import covers
from auditing.core.stages import AuditStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, GoldSegment, Qualification, Round, Seat
from auditing.selectors.gold.decoys import apart_from_family, family_of, providers_of
from auditing.selectors.model_tier.endpoints import model_auditors
from auditing.selectors.points.statement import with_free_stake
from auditing.selectors.policy.versions import load_policy

CALIBRATION_SIZE = 5  # fewer gold segments in a domain than this are no calibration set
READ_RECORDED = (Role.RESEARCHER, Role.CONSUMER)  # whole, with its provider's word on the model (permissions.py)
WEEK = timedelta(days=7)
_SAT = ("offered", "held", "committed", "revealed", "silent", "declined", "lapsed")


def eligible_auditors(*, round: Round) -> Sequence[Auditor]:
    """Auditors who can be drawn for a round of its tier, in a fixed order."""
    auditors = Auditor.objects.filter(tier=round.tier).filter(
        Q(suspended_until__isnull=True) | Q(suspended_until__lte=Now())
    )
    if round.tier == Tier.LLM:
        return model_auditors(round=round)
    policy = load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
    role = Role.ADJUDICATOR if round.adjudicates else Role.REVIEWER
    return _willing(_people(with_free_stake(auditors=auditors, policy=policy), round, role), round)


def trusted_pool(*, round: Round) -> Sequence[Auditor]:
    """Adjudicators free of conflicts: they may read what no reviewer's disclosure budget allows."""
    return _willing(_people(Auditor.objects.filter(tier=round.tier), round, Role.ADJUDICATOR), round)


def conflict_of(*, user: Any, provider: Any) -> str:
    """Why a person must not judge a provider's traces, or ""."""
    return find_conflict(reviewer=party_of(user=user), provider=party_of(user=provider))


def party_of(*, user: Any) -> Party:
    """A person as a party to conflicts of interest."""
    profile: Profile | None = getattr(user, "profile", None)
    return party(
        names=(user.email, user.pseudonym),
        organisation=profile.organisation if profile else "",
        conflicts=tuple(profile.conflicts) if profile else (),
    )


def needs_calibration(*, domain: str) -> bool:
    """Whether a calibration set stands before live seats of a domain."""
    questions = GoldSegment.objects.filter(domain=domain, purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    return questions.count() >= CALIBRATION_SIZE


def is_of_field(*, profile: Profile | None, domain: str) -> bool:
    """Whether a reviewer claims the domain, by whatever name; who names no field is asked about all."""
    named = list(profile.domains) if profile else []
    return not named or not domain or any(covers(named=field, domain=domain) for field in named)


def reads(*, profile: Profile | None, language: str) -> bool:
    """Whether a reviewer reads a campaign's language; who names no language is asked about all."""
    named = [tongue.casefold() for tongue in profile.languages] if profile else []
    return not named or not language or language.casefold() in named


def _people(auditors: QuerySet[Auditor], round: Round, role: str) -> QuerySet[Auditor]:
    """Active people with the role who do not own the trace, are not recused, and never sat on this segment."""
    provider = round.audit.trace.provider_id
    people = auditors.filter(user__is_active=True, user__grants__role=role).exclude(user=provider)
    # A recusal holds for all traces of a provider: who stepped aside once knows something of them.
    people = people.exclude(recusals__provider=provider)
    people = apart_from_family(people=people, trace=round.audit.trace)
    # Adjudicators serve every campaign; a campaign may name its reviewers.
    campaign = round.audit.campaign
    if not campaign.open_to_all and role == Role.REVIEWER:
        people = people.filter(user__reviews_for=campaign)
    same_text = Q(trace__digest=bytes(round.audit.trace.digest)) | Q(trace__in=family_of(trace=round.audit.trace))
    read = Audit.objects.filter(same_text, stage=AuditStage.RECORDED)
    if role == Role.REVIEWER and read.exists():
        people = people.exclude(user__grants__role__in=READ_RECORDED)  # they may have read the whole trace by now
    if round.audit.follows_id:
        people = people.exclude(seats__round__audit=round.audit.follows_id, seats__round__segment=round.segment_id)
    return people.exclude(
        seats__round__audit=round.audit_id, seats__round__segment=round.segment_id, seats__stage__in=_SAT
    ).distinct()


def _willing(people: QuerySet[Auditor], round: Round) -> list[Auditor]:
    """Those of the field and language, qualified, with capacity left, and without a conflict."""
    trace = round.audit.trace
    domain, language = trace.domain, round.audit.campaign.language
    providers = [party_of(user=provider) for provider in providers_of(trace=trace)]
    busy = _busy(people)
    auditors = list(people.select_related("user__profile").order_by("pk"))
    if not round.adjudicates and needs_calibration(domain=domain):
        # Adjudicators need no calibration: their role is given by an admin.
        passed = set(
            Qualification.objects.filter(domain=domain, state=Qualification.State.PASSED).values_list(
                "auditor", flat=True
            )
        )
        auditors = [auditor for auditor in auditors if auditor.pk in passed]
    return [
        auditor
        for auditor in auditors
        if (round.adjudicates or is_of_field(profile=getattr(auditor.user, "profile", None), domain=domain))
        and reads(profile=getattr(auditor.user, "profile", None), language=language)
        and not any(find_conflict(reviewer=party_of(user=auditor.user), provider=owner) for owner in providers)
        and auditor.pk not in busy
    ]


def _busy(people: QuerySet[Auditor]) -> set[Any]:
    """Those who were given as many seats within a week as their profile allows; what they passed on does not count."""
    limited = people.filter(user__profile__weekly_capacity__isnull=False)
    capacities = dict(limited.order_by().values_list("pk", "user__profile__weekly_capacity"))
    # One grouped query for everybody with a limit, not one a person; most people have none.
    rows = given_this_week(auditors=list(capacities)).order_by().values("auditor").annotate(given=Count("pk"))
    counts = dict(rows.values_list("auditor", "given"))
    return {key for key, capacity in capacities.items() if capacity is not None and counts.get(key, 0) >= capacity}


def given_this_week(*, auditors: Iterable[Any]) -> QuerySet[Seat]:
    """Seats that auditors were given within a week: the first of them to leave it frees a place."""
    seats = Seat.objects.filter(auditor__in=auditors, offered_at__gt=Now() - WEEK).exclude(stage=SeatStage.DECLINED)
    return seats.exclude(declined_because__startswith="passed over")
