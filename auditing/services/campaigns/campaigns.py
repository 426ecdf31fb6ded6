"""Campaigns, their states, their reviewers and their guidelines.

Reads User, Round; writes Campaign, Guidelines, AuditEvent, and the deadlines of rounds and seats after a pause.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import Role, User
from auditing import broadcast
from auditing.core.events import EventKind
from auditing.models import Campaign, Guidelines, PolicyVersion, Round
from auditing.services.events import record_event
from auditing.services.transitions import move_deadlines

# Role -> those named, whether it is open to everybody of the role instead, and the event.
NAMED = {
    Role.REVIEWER: ("reviewers", "open_to_all", EventKind.CAMPAIGN_REVIEWERS),
    Role.PROVIDER: ("providers", "any_provider", EventKind.CAMPAIGN_PROVIDERS),
}


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
        record_event(
            audit=None, kind=EventKind.CAMPAIGN_CHANGED, actor=actor, campaign=str(campaign.pk), fields=sorted(changes)
        )
    return True


def name_people(*, campaign: Campaign, role: str, emails: Iterable[str], actor: User) -> list[str]:
    """Name the campaign's reviewers or providers, or nobody: open to all; returns the addresses that none has."""
    names, is_open, kind = NAMED[Role(role)]
    wanted = {email.strip().lower() for email in emails if email.strip()}
    with transaction.atomic():
        people = list(User.objects.filter(email__in=wanted, is_active=True, grants__role=role).distinct())
        unknown = sorted(wanted - {person.email for person in people})
        if unknown:  # all or nothing: a typing error must not shut anybody out
            return unknown
        Campaign.objects.filter(pk=campaign.pk).update(**{is_open: not people})
        getattr(campaign, names).set(people)
        record_event(audit=None, kind=kind, actor=actor, campaign=str(campaign.pk), count=len(people))
    return []


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
