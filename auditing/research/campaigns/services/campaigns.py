"""Campaigns, their states, their people and their guidelines.

Reads User, Round, Seat, Audit; writes Campaign, Guidelines, AuditEvent, and the deadlines of rounds and seats after a
pause.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Role, User
from auditing import broadcast
from auditing.core.events import EventKind
from auditing.models import Audit, Campaign, Guidelines, PolicyVersion, Round, Seat
from auditing.services.events import record_event
from auditing.services.transitions import move_deadlines

MANAGER = "manager"  # of one campaign; no role of the site


@dataclass(frozen=True, slots=True)
class Naming:
    """Where those named in one role stand, who may be named, and the flag that everybody counts ("": none)."""

    field: str
    everybody: str
    kind: EventKind
    grants: frozenset[Role]


NAMED = {
    str(Role.REVIEWER): Naming("reviewers", "open_to_all", EventKind.CAMPAIGN_REVIEWERS, frozenset({Role.REVIEWER})),
    str(Role.PROVIDER): Naming("providers", "any_provider", EventKind.CAMPAIGN_PROVIDERS, frozenset({Role.PROVIDER})),
    str(Role.ADJUDICATOR): Naming(
        "adjudicators", "any_adjudicator", EventKind.CAMPAIGN_ADJUDICATORS, frozenset({Role.ADJUDICATOR})
    ),
    # Whoever is no more than a consumer, which anybody may become, runs nothing.
    MANAGER: Naming("managers", "", EventKind.CAMPAIGN_MANAGERS, frozenset(Role) - {Role.CONSUMER}),
}


class NamingRefusedError(ValueError):
    """These people cannot have this part in this campaign."""


def open_campaign(
    *,
    title: str,
    owner: User,
    policy: PolicyVersion,
    guidelines: str = "",
    reviewers: Iterable[User] = (),
    deadline: datetime | None = None,
    domain: str = "",
    language: str = "",
) -> Campaign:
    """A new campaign; without named reviewers it is open to all."""
    people = list(reviewers)
    with transaction.atomic():
        campaign = Campaign.objects.create(
            title=title,
            owner=owner,
            policy=policy,
            deadline=deadline,
            domain=domain,
            language=language,
            open_to_all=not people,
        )
        campaign.reviewers.set(people)  # none named: open_to_all
        Guidelines.objects.create(campaign=campaign, version=1, text=guidelines)
        record_event(audit=None, kind=EventKind.CAMPAIGN_OPENED, actor=owner, campaign=str(campaign.pk))
    return campaign


def set_state(*, campaign: Campaign, state: str, actor: User, now: datetime) -> bool:
    """Pause, reopen or close a campaign; False when it is in that state already.

    Paused: nobody is drawn or served, windows and leases stand still, a vote already written may still be sealed;
    afterwards every deadline moves by as long as the pause lasted. Closed: no new traces; what runs goes on to its end.
    """
    with transaction.atomic():
        # The lock: two admins who end the same pause must not move the deadlines twice.
        old = Campaign.objects.select_for_update(of=("self",)).get(pk=campaign.pk)
        if old.state == state:
            return False
        if old.paused_at is not None:  # a pause ends: only a paused campaign has this
            move_deadlines(
                rounds=Round.objects.filter(audit__campaign=campaign), by=max(now - old.paused_at, timedelta())
            )
        paused_at = now if state == Campaign.State.PAUSED else None
        Campaign.objects.filter(pk=campaign.pk).update(state=Campaign.State(state), paused_at=paused_at)
        record_event(audit=None, kind=EventKind(f"campaign.{state}"), actor=actor, campaign=str(campaign.pk))
        broadcast.tell("desk")
    return True


def change(*, campaign: Campaign, actor: User, **fields: Any) -> bool:
    """Another title, field, language, policy or deadline; audits that run keep the policy they began under."""
    changes = {name: value for name, value in fields.items() if getattr(campaign, name) != value}
    if not changes:
        return False
    with transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(**changes)
        why = "; ".join(
            f"{name}: {_told(getattr(campaign, name))} → {_told(changes[name])}" for name in sorted(changes)
        )
        of_campaign = {"campaign": str(campaign.pk), "fields": sorted(changes), "why": why}
        record_event(audit=None, kind=EventKind.CAMPAIGN_CHANGED, actor=actor, **of_campaign)
    return True


def _told(value: Any) -> str:
    """A term in the log of a campaign, which everybody who runs it reads; times in UTC, as in its form."""
    return f"{value:%Y-%m-%d %H:%M} UTC" if isinstance(value, datetime) else str(value or "none")


def name_people(*, campaign: Campaign, role: str, emails: Iterable[str], actor: User) -> list[str]:
    """Name those who have one role in the campaign, or nobody; returns the addresses that none has.

    role: a key of NAMED. Raises NamingRefusedError where somebody would run the campaign and work in it.
    """
    naming = NAMED[role]
    wanted = {email.strip().lower() for email in emails if email.strip()}
    with transaction.atomic():
        # The lock: two who name a manager and a reviewer at once must not both find that all is well.
        Campaign.objects.select_for_update(of=("self",)).get(pk=campaign.pk)
        people = list(User.objects.filter(email__in=wanted, is_active=True, grants__role__in=naming.grants).distinct())
        unknown = sorted(wanted - {person.email for person in people})
        if unknown:  # all or nothing: a typing error must not shut anybody out
            return unknown
        _check_apart(campaign, role, people)
        before, now = set(getattr(campaign, naming.field).all()), set(people)
        if naming.everybody:
            Campaign.objects.filter(pk=campaign.pk).update(**{naming.everybody: not people})
        getattr(campaign, naming.field).set(people)
        why = _changed(now - before, before - now)
        record_event(audit=None, kind=naming.kind, actor=actor, campaign=str(campaign.pk), count=len(people), why=why)
    return []


def _check_apart(campaign: Campaign, role: str, people: list[User]) -> None:
    """A manager sees who judges what: whoever works in a campaign does not run it, and the other way round."""
    keys = [person.pk for person in people]
    if role == MANAGER:
        seats = Seat.objects.filter(round__audit__campaign=campaign, auditor__user__in=keys)
        handed_in = Audit.objects.filter(campaign=campaign, trace__provider__in=keys)
        works = Q(pk__in=seats.values("auditor__user")) | Q(pk__in=handed_in.values("trace__provider"))
        works |= Q(reviews_for=campaign) | Q(provides_for=campaign) | Q(adjudicates_for=campaign)
        busy = User.objects.filter(works, pk__in=keys)
    else:
        busy = campaign.managers.filter(pk__in=keys)
    names = sorted(set(busy.values_list("pseudonym", flat=True)))
    if names:
        raise NamingRefusedError(
            f"Whoever runs a campaign neither judges nor hands in its traces, and this is true of: {', '.join(names)}."
        )


def _changed(came: set[User], gone: set[User]) -> str:
    """Who came and who is gone, by pseudonym, for the log."""
    groups = (("now", came), ("no longer", gone))
    return "; ".join(f"{word}: {', '.join(sorted(one.pseudonym for one in group))}" for word, group in groups if group)


def rewrite_guidelines(*, campaign: Campaign, text: str, actor: User) -> Guidelines:
    """A new version of the guidelines; earlier votes keep the version they saw."""
    latest = campaign.guidelines.order_by("-version").first()
    number = latest.version + 1 if latest else 1
    try:
        with transaction.atomic():
            version = Guidelines.objects.create(campaign=campaign, version=number, text=text)
            record_event(
                audit=None, kind=EventKind.GUIDELINES_REWRITTEN, actor=actor, campaign=str(campaign.pk), version=number
            )
    except IntegrityError:  # somebody else wrote this version at the same moment: ours is the next one
        return rewrite_guidelines(campaign=campaign, text=text, actor=actor)
    return version
