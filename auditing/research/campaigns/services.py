"""What an admin does with a campaign under way: remind those whose seats wait, give it more time.

Reads Seat; writes Notice, Campaign, AuditEvent.
"""

from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Campaign, Notice, Seat
from auditing.services.campaigns.campaigns import change
from auditing.services.campaigns.notices import tell_people
from auditing.services.events import record_event


def remind(*, campaign: Campaign, actor: User, now: datetime) -> int:
    """Tell everybody whose seats wait, at most once a day each; returns how many people seats wait for."""
    waiting = Seat.objects.filter(
        round__audit__campaign=campaign,
        round__tier=Tier.HUMAN,
        round__stage=RoundStage.COMMITTING,
        stage__in=(SeatStage.OFFERED, SeatStage.HELD),
    )
    people = list(User.objects.filter(pk__in=waiting.values("auditor__user"), is_active=True))
    with transaction.atomic():
        # The day is part of the key: whoever presses twice, or two admins, remind once.
        key = f"remind:{campaign.pk}:{now:%Y-%m-%d}"
        text = f"Segments of {campaign.title[:120]} still wait for your vote."
        tell_people(people=people, kind=Notice.Kind.REMINDER, key=key, text=text, link="/desk")
        record_event(
            audit=None, kind=EventKind.CAMPAIGN_REMINDED, actor=actor, campaign=str(campaign.pk), count=len(people)
        )
    return len(people)


def extend(*, campaign: Campaign, actor: User, by: timedelta, now: datetime) -> datetime:
    """A later deadline: `by` after the present one, or after now where that has passed or there is none."""
    deadline = max(campaign.deadline or now, now) + by
    change(campaign=campaign, actor=actor, deadline=deadline)
    return deadline
