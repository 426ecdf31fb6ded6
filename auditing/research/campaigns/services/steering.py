"""What those who run a campaign do with it: name and remind people, pass seats on, give it time, copy it, answer.

Reads Seat, Guidelines; writes Notice, Campaign, GuidelineQuestion, AuditEvent.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.models import Role, User
from accounts.permissions import has_role
from auditing.core.events import EventKind
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Tier
from auditing.models import Campaign, Notice, Seat
from auditing.research.campaigns.services.campaigns import (
    MANAGER,
    NAMED,
    change,
    name_people,
    open_campaign,
    rewrite_guidelines,
)
from auditing.research.models import GuidelineQuestion
from auditing.services.campaigns.notices import tell_people
from auditing.services.consensus.adjudication import hand_to_named
from auditing.services.events import record_event
from auditing.services.seating.assignment import reassign

MOST_OPEN = 20  # questions of one person that wait in one campaign


class QuestionRefusedError(ValueError):
    """This question, or this answer, is not taken."""


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


def name_in(*, campaign: Campaign, role: str, emails: Iterable[str], actor: User) -> list[str]:
    """Name people as name_people does, tell new managers, and hand waiting cases to new adjudicators.

    Returns the addresses that nobody with the role has; then nothing changed. Raises NamingRefusedError.
    """
    with transaction.atomic():
        before = set(campaign.managers.values_list("pk", flat=True)) if role == MANAGER else set()
        if unknown := name_people(campaign=campaign, role=role, emails=emails, actor=actor):
            return unknown
        if role == MANAGER:
            _welcome(campaign, before)
    if role == Role.ADJUDICATOR:
        hand_to_named(actor=actor)
    return []


def _welcome(campaign: Campaign, before: set[int]) -> None:
    tell_people(
        people=list(campaign.managers.exclude(pk__in=before)),
        kind=Notice.Kind.DECISION,
        key=f"manages:{campaign.pk}",
        text=f"You run the campaign {campaign.title[:200]} now.",
        link=f"/campaigns/{campaign.pk}",
    )


def open_copy(*, of: Campaign | None, owner: User, **terms: Any) -> Campaign:
    """A new campaign; the people whom `of` names come along, except whoever has lost the role since.

    Whoever opens it without being an admin manages it.
    """
    with transaction.atomic():
        campaign = open_campaign(owner=owner, **terms)
        for role, naming in NAMED.items() if of is not None else ():
            named = getattr(of, naming.field).filter(is_active=True, grants__role__in=naming.grants)
            emails = set(named.values_list("email", flat=True))
            if role == MANAGER and not has_role(owner, Role.ADMIN):
                emails.add(owner.email)
            if emails:
                name_people(campaign=campaign, role=role, emails=emails, actor=owner)
    return campaign


def pass_seats_on(*, campaign: Campaign, person: UUID, actor: User) -> int:
    """Give the seats that somebody has not opened to the next in the draw; returns how many went.

    person: the public id. A seat for which nobody else is left stays where it is.
    """
    seats = Seat.objects.filter(
        round__audit__campaign=campaign,
        round__tier=Tier.HUMAN,
        round__stage=RoundStage.COMMITTING,
        auditor__user__public_id=person,
    )
    return reassign(seats=seats, actor=actor)


def extend(*, campaign: Campaign, actor: User, by: timedelta, now: datetime) -> datetime:
    """A later deadline: `by` after the present one, or after now where that has passed or there is none."""
    deadline = max(campaign.deadline or now, now) + by
    change(campaign=campaign, actor=actor, deadline=deadline)
    return deadline


def ask_about_guidelines(*, campaign: Campaign, by: User, text: str) -> GuidelineQuestion:
    """Ask those who run a campaign. Raises QuestionRefusedError when nothing is asked or too much waits already."""
    if not text:
        raise QuestionRefusedError("Nothing was asked: write your question.")
    with transaction.atomic():
        if GuidelineQuestion.objects.filter(campaign=campaign, asked_by=by, version=None).count() >= MOST_OPEN:
            raise QuestionRefusedError("Twenty questions of yours wait already.")
        question = GuidelineQuestion.objects.create(campaign=campaign, asked_by=by, text=text)
        record_event(
            audit=None, kind=EventKind.GUIDELINES_ASKED, actor=by, campaign=str(campaign.pk), question=question.pk
        )
        link = f"/campaigns/{campaign.pk}#guidelines"
        news = f"Somebody asks about the guidelines of {campaign.title}."
        people = {campaign.owner, *campaign.managers.filter(is_active=True)}
        tell_people(people=people, kind=Notice.Kind.DECISION, key=f"asked {question.pk}", text=news, link=link)
    return question


def answer_question(*, question: GuidelineQuestion, by: User, text: str) -> int:
    """Question and answer become the end of a new version, which everybody reads; returns its number.

    Who asked stays unnamed. Raises QuestionRefusedError without an answer, or when it was answered already.
    """
    if not text:
        raise QuestionRefusedError("Nothing was answered: write an answer.")
    campaign = question.campaign
    with transaction.atomic():
        newest = campaign.guidelines.order_by("-version").first()
        whole = f"{newest.text if newest else ''}\n\n**Question.** {question.text}\n\n**Answer.** {text}".strip()
        version = rewrite_guidelines(campaign=campaign, text=whole, actor=by).version
        # One conditional UPDATE decides between two who answer at once; the loser's version is rolled back with it.
        if not GuidelineQuestion.objects.filter(pk=question.pk, version=None).update(version=version):
            raise QuestionRefusedError("This question is answered already.")
        news = f"Your question about the guidelines of {campaign.title} is answered."
        link = f"/campaigns/{campaign.pk}#guidelines"
        tell_people(
            people=[question.asked_by], kind=Notice.Kind.DECISION, key=f"answered {question.pk}", text=news, link=link
        )
    return version
