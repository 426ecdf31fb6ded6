"""Eligibility for rounds: campaign, domain, language, qualification, stake, conflicts, and capacity of auditors.

Almost all of it is the same for every round of an audit, so it is asked once for all of them (Eligible).

Reads Auditor, Profile, RoleGrant, Qualification, Seat, Recusal, Posting, GoldSegment.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, lru_cache, partial
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import Profile, Role
from accounts.prepared import PreparedQuery, PreparedRows, among
from auditing.core.policy import Policy
from auditing.core.seating.conflicts import Party, find_conflict, party
from auditing.core.seating.fields import covers
from auditing.core.stages import AuditStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Audit, Auditor, GoldSegment, Qualification, Round, Seat
from auditing.selectors.conduct import barred_auditors
from auditing.selectors.gold.decoys import apart_from_family, family_of, find_decoy, providers_of
from auditing.selectors.model_tier.endpoints import model_auditors
from auditing.selectors.points.statement import with_free_stake
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.crowds import Crowd, crowd_of
from hdag.models import Trace

CALIBRATION_SIZE = 5  # fewer gold segments in a domain than this are no calibration set
TRUSTED = "trusted"  # adjudicators, whatever their stake
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

    def __init__(self, *, audit: Audit, crowd: Crowd | None = None) -> None:
        """Nothing is read before it is asked for. crowd: what other audits of the same sweep have asked for already."""
        self.audit, self.crowd = audit, crowd or crowd_of(audit=audit)
        self._willing: dict[tuple[str, bool], list[Auditor]] = {}
        self._capacity: dict[Any, int] = {}  # by auditor, of those whose week is limited
        self._given: Counter[Any] = Counter()
        self._sat: dict[UUID, set[Any]] | None = None

    @cached_property
    def _family(self) -> list[UUID]:
        return family_of(trace=self.audit.trace)

    @cached_property
    def _is_alone(self) -> bool:
        """Whether no other trace has this one's text, as gold has its original's."""
        return find_decoy(trace=self.audit.trace) is None and not self._family

    @cached_property
    def _was_recorded(self) -> bool:
        return was_recorded(trace=self.audit.trace, family=self._family)

    @cached_property
    def _owners(self) -> list[Party]:
        return [party_of(user=provider) for provider in providers_of(trace=self.audit.trace)]

    def auditors(self, *, round: Round) -> Sequence[Auditor]:
        """Those who can be drawn for `round`, in a fixed order."""
        if round.tier == Tier.LLM:
            return model_auditors(round=round)
        return self._free(round, Role.ADJUDICATOR if round.adjudicates else Role.REVIEWER, round.adjudicates)

    def trusted(self, *, round: Round) -> Sequence[Auditor]:
        """Adjudicators free of conflicts, whatever their stake."""
        return self._free(round, TRUSTED, round.adjudicates)

    def give(self, *, auditor: Any) -> None:
        """A seat was given: it counts in its holder's week."""
        self._given[auditor] += 1

    def _free(self, round: Round, who: str, adjudicates: bool) -> list[Auditor]:
        """Those of `who` whose week has room and who never sat on the round's segment."""
        if (who, adjudicates) not in self._willing:
            self._willing[who, adjudicates] = self._ask(round.tier, who, adjudicates)
        sat = self._who_sat().get(round.segment_id, set()) if round.segment_id else set()
        return [
            auditor for auditor in self._willing[who, adjudicates] if auditor.pk not in sat and self._has_room(auditor)
        ]

    def _ask(self, tier: str, who: str, adjudicates: bool) -> list[Auditor]:
        ask = partial(self._read, tier, who, adjudicates)
        is_plain = self._is_alone and not self._was_recorded
        key = (tier, who, adjudicates)
        willing = self.crowd.willing(audit=self.audit, key=key, ask=ask) if is_plain else ask()
        self._learn_capacity(willing)
        return willing

    def _read(self, tier: str, who: str, adjudicates: bool) -> list[Auditor]:
        audit, trace = self.audit, self.audit.trace
        policy = load_policy(version=audit.policy, domain=trace.domain)
        role = Role.ADJUDICATOR if who == TRUSTED else Role(who)
        serves_all = audit.campaign.open_to_all if role == Role.REVIEWER else audit.campaign.any_adjudicator
        may_have_read = role == Role.REVIEWER and self._was_recorded
        sort = _Sort(tier, role, None if who == TRUSTED else policy, serves_all, may_have_read)
        keys: dict[str, Any] = {"trace": trace.pk, "provider": trace.provider_id, "campaign": audit.campaign_id}
        if self._is_alone:
            return _willing(_prepared(sort).rows(**keys), audit, adjudicates, self._owners)
        people = apart_from_family(people=_people(sort, **keys), trace=trace)
        return _willing(people, audit, adjudicates, self._owners)

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
            audits = [audit for audit in (self.audit.pk, self.audit.follows_id) if audit is not None]
            for segment, auditors in _sat.rows(audits=audits):
                self._sat[segment].update(auditors)
        return self._sat


# Round by round, each with its seats: of a join PostgreSQL read everybody's seats, once it had planned beside few.
@PreparedRows
def _sat() -> QuerySet[Round, Any]:
    people = Seat.objects.filter(round=OuterRef("pk"), auditor__tier=Tier.HUMAN).values("auditor")
    rounds = Round.objects.filter(among("auditing_round.audit_id", "audits"))
    return rounds.annotate(sat=ArraySubquery(people)).order_by().values_list("segment", "sat")


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
    return len(_questions.rows(domain=domain)) >= CALIBRATION_SIZE


@PreparedRows
def _questions(domain: str) -> QuerySet[GoldSegment, Any]:
    questions = GoldSegment.objects.filter(domain=domain, purpose=GoldSegment.Purpose.CALIBRATION, is_active=True)
    return questions.values_list("pk")[:CALIBRATION_SIZE]


def is_of_field(*, profile: Profile | None, domain: str) -> bool:
    """Whether a reviewer claims the domain, by whatever name; who names no field is asked about all."""
    return is_among(named=profile.domains if profile else (), domain=domain)


def is_among(*, named: Sequence[str], domain: str) -> bool:
    """The same, of the fields that a profile names."""
    return not named or not domain or any(covers(named=field, domain=domain) for field in named)


def reads(*, profile: Profile | None, language: str) -> bool:
    """Whether a reviewer reads a campaign's language; who names no language is asked about all."""
    named = [tongue.casefold() for tongue in profile.languages] if profile else []
    return not named or not language or language.casefold() in named


@dataclass(frozen=True, slots=True)
class _Sort:
    """What the query for people depends on beside trace, provider and campaign."""

    tier: str
    role: Role
    stakes: Policy | None  # the policy whose losses a free stake must cover; None: whatever the stake, even suspended
    serves_all: bool  # everybody of the role serves the campaign
    may_have_read: bool  # some roles may read the trace whole, with its provider's word on the model


def _people(sort: _Sort, *, trace: UUID, provider: int, campaign: UUID) -> QuerySet[Auditor]:
    """Active people with the role who do not own the trace and are not recused."""
    auditors = Auditor.objects.filter(tier=sort.tier).exclude(pk__in=barred_auditors(trace=trace))
    if sort.stakes is not None:
        awake = auditors.filter(Q(suspended_until__isnull=True) | Q(suspended_until__lte=Now()))
        auditors = with_free_stake(auditors=awake, policy=sort.stakes)
    people = auditors.filter(user__is_active=True, user__grants__role=sort.role).exclude(user=provider)
    # A recusal holds for all traces of a provider: who stepped aside once knows something of them.
    people = people.exclude(recusals__provider=provider)
    # Everybody of a role serves every campaign that names nobody; its managers see who judges, and judge nothing.
    people = people.exclude(user__manages=campaign)
    if not sort.serves_all and sort.role == Role.REVIEWER:
        people = people.filter(user__reviews_for=campaign)
    if not sort.serves_all and sort.role == Role.ADJUDICATOR:
        people = people.filter(user__adjudicates_for=campaign)
    if sort.may_have_read:
        people = people.exclude(user__grants__role__in=READ_RECORDED)
    return people.distinct().select_related("user__profile").order_by("pk")


# To put this query together took a quarter of what an audit cost on its way through the corridor.
@lru_cache(maxsize=128)
def _prepared(sort: _Sort) -> PreparedQuery[Auditor]:
    return PreparedQuery(partial(_people, sort))


def was_recorded(*, trace: Trace, family: Sequence[UUID]) -> bool:
    """Whether an audit of the same text, or of its family (family_of), is recorded, which some roles may read whole."""
    if _recorded.rows(digest=bytes(trace.digest)):
        return True
    return bool(family) and Audit.objects.filter(trace__in=family, stage=AuditStage.RECORDED).exists()


@PreparedRows
def _recorded(digest: bytes) -> QuerySet[Audit, Any]:
    return Audit.objects.filter(trace__digest=digest, stage=AuditStage.RECORDED).values_list("pk")[:1]


def _willing(people: Iterable[Auditor], audit: Audit, adjudicates: bool, owners: Sequence[Party]) -> list[Auditor]:
    """Those of the field and language, qualified, and without a conflict with any of the trace's owners."""
    domain, language = audit.trace.domain, audit.campaign.language
    auditors = list(people)
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
        and not any(find_conflict(reviewer=party_of(user=auditor.user), provider=owner) for owner in owners)
    ]


def given_this_week(*, auditors: Iterable[Any]) -> QuerySet[Seat]:
    """Seats that auditors were given within a week: the first of them to leave it frees a place."""
    seats = Seat.objects.filter(auditor__in=auditors, offered_at__gt=Now() - WEEK).exclude(stage=SeatStage.DECLINED)
    return seats.exclude(declined_because__startswith="passed over")
