"""Who is at hand for a forecast: reviewers of a field, adjudicators, and the minutes that a verdict takes them.

Reads User, Profile, RoleGrant, Auditor, Seat, Qualification, Commitment.
"""

from dataclasses import dataclass
from statistics import median
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import Role, User
from auditing.core.seating.fields import covers
from auditing.core.values import Tier
from auditing.models import Campaign, Commitment, Qualification, Seat
from auditing.selectors.seating.eligible import conflict_of, is_of_field, needs_calibration, reads

ASSUMED_MINUTES = 3.0  # a verdict, before the site has measured any
LAST_VERDICTS, ENOUGH_VERDICTS = 200, 20


@dataclass(frozen=True, slots=True)
class Minutes:
    """Minutes a verdict takes; measured on this site, or assumed."""

    each: float
    is_measured: bool


@dataclass(frozen=True, slots=True)
class AtHand:
    """People who could be drawn for a trace. naming: those of them who name its field; the others name none."""

    reviewers: int
    naming: int
    adjudicators: int


def at_hand(*, campaign: Campaign, domain: str, provider: User | None = None, follows: UUID | None = None) -> AtHand:
    """Who could be drawn for a trace of `domain` in a campaign, stakes and weekly capacity aside.

    follows: the audit that was appealed, where this one is the second: nobody who sat there is asked again.
    """
    reviewers = _people(Role.REVIEWER, provider).exclude(manages=campaign)
    if follows is not None:
        sat = Seat.objects.filter(round__audit=follows, auditor__tier=Tier.HUMAN).values("auditor__user")
        reviewers = reviewers.exclude(pk__in=sat)
    if not campaign.open_to_all:
        reviewers = reviewers.filter(reviews_for=campaign)
    adjudicators = _people(Role.ADJUDICATOR, provider).exclude(manages=campaign)
    if not campaign.any_adjudicator:
        adjudicators = adjudicators.filter(adjudicates_for=campaign)
    if needs_calibration(domain=domain):
        passed = Qualification.objects.filter(domain=domain, state=Qualification.State.PASSED)
        reviewers = reviewers.filter(auditor__in=passed.values("auditor"))
    fit = [person for person in reviewers if _fits(person, campaign, domain, provider)]
    naming = sum(_names(person, domain) for person in fit)
    return AtHand(len(fit), naming, adjudicators.count())


def minutes_a_verdict() -> Minutes:
    """The median of the last verdicts of people, while the page was in use."""
    verdicts = Commitment.objects.filter(seat__round__tier=Tier.HUMAN, active_ms__gt=0)
    spans = verdicts.exclude(seat__auditor__is_simulated=True).order_by("-committed_at")
    measured = list(spans.values_list("active_ms", flat=True)[:LAST_VERDICTS])
    if len(measured) < ENOUGH_VERDICTS:
        return Minutes(ASSUMED_MINUTES, False)
    return Minutes(median(measured) / 60_000, True)


def _people(role: str, provider: User | None) -> QuerySet[User]:
    """Active people with a role who are not suspended: also those who were never drawn, and so are no auditors yet."""
    people = User.objects.filter(is_active=True, grants__role=role).exclude(auditor__suspended_until__gt=Now())
    people = people.exclude(pk=provider.pk) if provider is not None else people
    return people.select_related("profile").order_by("pk").distinct()


def _fits(person: User, campaign: Campaign, domain: str, provider: User | None) -> bool:
    profile = getattr(person, "profile", None)
    if not is_of_field(profile=profile, domain=domain) or not reads(profile=profile, language=campaign.language):
        return False
    return provider is None or not conflict_of(user=person, provider=provider)


def _names(person: User, domain: str) -> bool:
    profile = getattr(person, "profile", None)
    return any(covers(named=field, domain=domain) for field in (profile.domains if profile else ()))
