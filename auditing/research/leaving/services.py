"""Closing one's own account. Reads what stands open; writes Draft, Notice, OwnKey, Seat, and what accounts erases."""

from datetime import datetime

from django.db import transaction

from accounts.models import Role, User
from accounts.services.closing import erase_person
from auditing.models import Auditor, Notice, OwnKey
from auditing.research.leaving.selectors import leaving_of
from auditing.services.campaigns.notices import tell_people
from auditing.services.seating.assignment import pass_on
from auditing.services.voting import drafts

LEFT = "left"  # why a seat is given back


class UnfinishedError(Exception):
    """Something must be finished first: the page says what."""


def close_own_account(*, user: User, now: datetime) -> None:
    """Erase who a person is, give their seats back and tell the admins; votes and points stay under the pseudonym.

    What is sealed stays sealed: its digest is in the log, and a commitment that could be taken back would be none. The
    revealer opens it when the window closes. Raises UnfinishedError, LastAdminError.
    """
    with transaction.atomic():
        if leaving_of(user=user).must_wait:
            raise UnfinishedError(UnfinishedError.__doc__)
        erase_person(user=user, now=now)
        auditor = Auditor.objects.filter(user=user).first()
        if auditor is not None:
            drafts.forget(auditor=auditor)
            OwnKey.objects.filter(auditor=auditor).delete()
        Notice.objects.filter(user=user).delete()
        admins = User.objects.filter(grants__role=Role.ADMIN, is_active=True).distinct()
        text = f"{user.pseudonym} has closed the own account; open seats went to others."
        tell_people(people=admins, kind=Notice.Kind.DECISION, key=f"left:{user.public_id}", text=text, link="/people")
    # Apart: each seat waits for the draws of its own audit. Whatever is left by a fault is swept with unfit seats.
    if auditor is not None:
        pass_on(auditor=auditor, because=LEFT, only_ordinary=False)
