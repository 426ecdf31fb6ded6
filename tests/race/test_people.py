"""People who come in at once, and mails written by two workers at once."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Invitation, JoinRequest, Role, RoleEvent, User
from accounts.selectors.joining import find_invitation
from accounts.services import joining
from accounts.services.roles import grant_role
from auditing.models import Notice
from auditing.research.news import services as digests
from auditing.selectors.clock import database_now
from auditing.services.campaigns import notices
from tests.factories.worlds import make_user

Together = Callable[[Sequence[Callable[[], Any]]], list[Any]]
Meeting = Callable[[int], Callable[[], None]]
AT_ONCE = 6


def invite() -> str:
    admin = make_user("root@example.org", Role.ADMIN)
    return joining.invite(email="ada@example.org", roles=["reviewer"], by=admin, now=timezone.now())[1]


def test_of_two_acceptances_of_one_invitation_exactly_one_makes_a_person(together: Together) -> None:
    secret, now = invite(), timezone.now()
    calls = [lambda n=n: joining.accept(secret=secret, password=f"right horse {n}", now=now) for n in range(AT_ONCE)]
    found = together(calls)
    (made,) = [one for one in found if isinstance(one, User)]
    assert all(isinstance(one, joining.InvitationOverError | joining.KnownAddressError) for one in found if one != made)
    assert User.objects.filter(email="ada@example.org").count() == 1
    assert EmailAddress.objects.filter(user=made).count() == 1
    assert list(RoleEvent.objects.filter(user=made).values_list("role", flat=True)) == ["reviewer"]
    assert Invitation.objects.get().person == made


def naively(secret: str, password: str, now: datetime, wait: Callable[[], None]) -> User:
    """Read, think, save: looks whether the place is free, then takes it."""
    found = find_invitation(secret=secret, now=now)
    taken = User.objects.filter(email="ada@example.org").exists()
    wait()
    if found is None or taken:
        raise joining.InvitationOverError
    with transaction.atomic():
        Invitation.objects.filter(pk=found.pk).update(accepted_at=now)
        return User.objects.create_user(found.email, password)


def test_a_naive_acceptance_finds_the_place_free_several_times(together: Together, meeting: Meeting) -> None:
    secret, now, wait = invite(), timezone.now(), meeting(AT_ONCE)
    found = together([lambda: naively(secret, "right horse", now, wait)] * AT_ONCE)
    # Only the unique address stands between this mover and several people: it fails with a bare database error.
    assert [type(one) for one in found if not isinstance(one, User)].count(IntegrityError) == AT_ONCE - 1


def test_acceptance_and_taking_back_at_once_leave_one_of_the_two(together: Together) -> None:
    secret, now = invite(), timezone.now()
    admin, key = User.objects.get(email="root@example.org"), Invitation.objects.get().public_id
    together(
        [
            lambda: joining.accept(secret=secret, password="right horse", now=now),
            lambda: joining.take_back(public_id=key, by=admin, now=now),
        ]
    )
    left = Invitation.objects.get()
    assert (left.accepted_at is None) != (left.revoked_at is None)
    assert User.objects.filter(email="ada@example.org").exists() == (left.accepted_at is not None)


def test_two_admins_who_answer_at_once_give_one_answer(together: Together) -> None:
    admins = [make_user(f"root{number}@example.org", Role.ADMIN) for number in range(2)]
    request = joining.ask_to_join(user=make_user("eve@example.org"), wanted=["reviewer"], statement="")
    found = together(
        [
            lambda one=one, roles=roles: joining.answer_request(
                request=request, roles=roles, answer="", by=one, now=timezone.now()
            )
            for one, roles in zip(admins, (["reviewer"], ["admin"]), strict=True)
        ]
    )
    assert sum(isinstance(one, joining.DecidedAlreadyError) for one in found) == 1
    assert len(User.objects.get(email="eve@example.org").roles) == 1
    assert JoinRequest.objects.get().state == "approved"


def test_two_workers_mail_each_person_once(together: Together) -> None:
    people = [make_user(f"p{number}@example.org") for number in range(4)]
    notices.tell_people(people=people, kind="outcome", key="a", text="Recorded.", link="/record")
    now = database_now()
    together([lambda: digests.send_digests(now=now)] * 3)
    assert sorted(to for one in mail.outbox for to in one.to) == sorted(one.email for one in people)


def naive_digest(user: User, wait: Callable[[], None]) -> None:
    rows = list(Notice.objects.filter(user=user, mailed_at__isnull=True))
    wait()
    mail.send_mail("news", "\n".join(row.text for row in rows), None, [user.email])
    Notice.objects.filter(pk__in=[row.pk for row in rows]).update(mailed_at=database_now() - timedelta(seconds=1))


def test_a_naive_digest_mails_twice(together: Together, meeting: Meeting) -> None:
    user, wait = make_user("ada@example.org"), meeting(2)
    notices.tell_people(people=[user], kind="outcome", key="a", text="Recorded.", link="")
    together([lambda: naive_digest(user, wait)] * 2)
    assert len(mail.outbox) == 2


def test_many_calls_at_once_are_one(together: Together) -> None:
    user = make_user("ada@example.org", "reviewer")
    grant_role(user=user, role="consumer")
    together(
        [
            lambda key=key: notices.tell_people(people=[user], kind="assigned", key=key, text="Segments wait.")
            for key in "abcdef"
        ]
    )
    assert Notice.objects.filter(user=user).count() == 1
