"""Eligibility for rounds: campaign, domain, language, qualification, stake, conflicts, and capacity of auditors.

Almost all of it is the same for every round of an audit, so it is asked once for all of them (Eligible).

Reads Auditor, Profile, RoleGrant, Qualification, Seat, Recusal, Posting, GoldSegment.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import Profile, Role
from auditing.core.seating.conflicts import Party, find_conflict, party
from auditing.core.seating.fields import covers
from auditing.core.stages import AuditStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, GoldSegment, Qualification, Round, Seat
from auditing.selectors.conduct import barred_auditors
from auditing.selectors.gold.decoys import apart_from_family, family_of, providers_of
from auditing.selectors.model_tier.endpoints import model_auditors
from auditing.selectors.points.statement import with_free_stake
from auditing.selectors.policy.versions import load_policy

CALIBRATION_SIZE = 5  # fewer gold segments in a domain than this are no calibration set
READ_RECORDED = (Role.RESEARCHER, Role.CONSUMER)  # whole, with its provider's word on the model (permissions.py)
WEEK = timedelta(days=7)


def eligible_auditors(*, round: Round) -> Sequence[Auditor]:
    """Auditors who can be drawn for a round of its tier, in a fixed order."""
    return Eligible(audit=round.audit).auditors(round=round)


def trusted_pool(*, round: Round) -> Sequence[Auditor]:
    """Adjudicators free of conflicts: they may read what no reviewer's disclosure budget allows."""
    return Eligible(audit=round.audit).trusted(round=round)


class Eligible:
    """Who can be drawn for rounds of one audit: asked for once, and kept up by `give` while its seats are drawn."""

    def __init__(self, *, audit: Audit) -> None:
        """Nothing is read before it is asked for."""
        self.audit = audit
        self._willing: dict[tuple[str, bool], list[Auditor]] = {}
        self._capacity: dict[Any, int] = {}  # by auditor, of those whose week is limited
        self._given: Counter[Any] = Counter()
        self._sat: dict[UUID, set[Any]] | None = None

    def auditors(self, *, round: Round) -> Sequence[Auditor]:
        """Those who can be drawn for `round`, in a fixed order."""
        if round.tier == Tier.LLM:
            return model_auditors(round=round)
        return self._free(round, Role.ADJUDICATOR if round.adjudicates else Role.REVIEWER, round.adjudicates)

    def trusted(self, *, round: Round) -> Sequence[Auditor]:
        """Adjudicators free of conflicts, whatever their stake."""
        return self._free(round, "trusted", round.adjudicates)

    def give(self, *, auditor: Any) -> None:
        """A seat was given: it counts in its holder's week."""
        self._given[auditor] += 1

    def _free(self, round: Round, who: str, adjudicates: bool) -> list[Auditor]:
        """Those of `who` whose week has room and who never sat on the round's segment."""
        if (who, adjudicates) not in self._willing:
            self._willing[who, adjudicates] = self._ask(round.tier, who, adjudicates)
        sat = self._who_sat().get(round.segment_id, set())
        return [
            auditor for auditor in self._willing[who, adjudicates] if auditor.pk not in sat and self._has_room(auditor)
        ]

    def _ask(self, tier: str, who: str, adjudicates: bool) -> list[Auditor]:
        auditors = Auditor.objects.filter(tier=tier).exclude(pk__in=barred_auditors(trace=self.audit.trace_id))
        if who == "trusted":
            people = _people(auditors, self.audit, Role.ADJUDICATOR)
        else:
            awake = auditors.filter(Q(suspended_until__isnull=True) | Q(suspended_until__lte=Now()))
            policy = load_policy(version=self.audit.policy, domain=self.audit.trace.domain)
            people = _people(with_free_stake(auditors=awake, policy=policy), self.audit, who)
        willing = _willing(people, self.audit, adjudicates)
        self._learn_capacity(willing)
        return willing

    def _learn_capacity(self, auditors: Iterable[Auditor]) -> None:
        profiles = {auditor.pk: getattr(auditor.user, "profile", None) for auditor in auditors}
        capacities = {key: profile.weekly_capacity for key, profile in profiles.items() if profile}
        new = [key for key, capacity in capacities.items() if capacity is not None and key not in self._capacity]
        if not new:
            return
        # One grouped query for everybody with a limit, not one a person; most people have none.
        counts = given_this_week(auditors=new).order_by().values("auditor").annotate(given=Count("pk"))
        self._given.update(dict(counts.values_list("auditor", "given")))
        self._capacity |= {key: capacities[key] for key in new}

    def _has_room(self, auditor: Auditor) -> bool:
        return auditor.pk not in self._capacity or self._given[auditor.pk] < self._capacity[auditor.pk]

    def _who_sat(self) -> dict[UUID, set[Any]]:
        """Who ever sat on each segment, in this audit or in the one that it follows."""
        if self._sat is None:
            self._sat = defaultdict(set)
            audits = [key for key in (self.audit.pk, self.audit.follows_id) if key]
            seats = Seat.objects.filter(round__audit__in=audits, auditor__tier=Tier.HUMAN)
            for segment, auditor in seats.values_list("round__segment", "auditor"):
                self._sat[segment].add(auditor)
        return self._sat


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


def _people(auditors: QuerySet[Auditor], audit: Audit, role: str) -> QuerySet[Auditor]:
    """Active people with the role who do not own the trace and are not recused."""
    provider = audit.trace.provider_id
    people = auditors.filter(user__is_active=True, user__grants__role=role).exclude(user=provider)
    # A recusal holds for all traces of a provider: who stepped aside once knows something of them.
    people = people.exclude(recusals__provider=provider)
    people = apart_from_family(people=people, trace=audit.trace)
    # Everybody of a role serves every campaign that names nobody; its managers see who judges, and judge nothing.
    campaign = audit.campaign
    people = people.exclude(user__manages=campaign)
    if not campaign.open_to_all and role == Role.REVIEWER:
        people = people.filter(user__reviews_for=campaign)
    if not campaign.any_adjudicator and role == Role.ADJUDICATOR:
        people = people.filter(user__adjudicates_for=campaign)
    same_text = Q(trace__digest=bytes(audit.trace.digest)) | Q(trace__in=family_of(trace=audit.trace))
    read = Audit.objects.filter(same_text, stage=AuditStage.RECORDED)
    if role == Role.REVIEWER and read.exists():
        people = people.exclude(user__grants__role__in=READ_RECORDED)  # they may have read the whole trace by now
    return people.distinct()


def _willing(people: QuerySet[Auditor], audit: Audit, adjudicates: bool) -> list[Auditor]:
    """Those of the field and language, qualified, and without a conflict."""
    domain, language = audit.trace.domain, audit.campaign.language
    providers = [party_of(user=provider) for provider in providers_of(trace=audit.trace)]
    auditors = list(people.select_related("user__profile").order_by("pk"))
    if not adjudicates and needs_calibration(domain=domain):
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
        if (adjudicates or is_of_field(profile=getattr(auditor.user, "profile", None), domain=domain))
        and reads(profile=getattr(auditor.user, "profile", None), language=language)
        and not any(find_conflict(reviewer=party_of(user=auditor.user), provider=owner) for owner in providers)
    ]


def given_this_week(*, auditors: Iterable[Any]) -> QuerySet[Seat]:
    """Seats that auditors were given within a week: the first of them to leave it frees a place."""
    seats = Seat.objects.filter(auditor__in=auditors, offered_at__gt=Now() - WEEK).exclude(stage=SeatStage.DECLINED)
    return seats.exclude(declined_because__startswith="passed over")
