"""The demo's people: one login a role (three reviewers), marked as demo, refused in production."""

from collections import Counter

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from accounts.demo_logins import LOGINS
from accounts.models import Profile, Role, User
from accounts.services.roles import grant_role

# In the last of them the demo has a calibration to try, and no trace: it stands before nobody's seat.
DOMAINS = ["school maths", "competition maths", "finance", "medicine", "law", "programming", "everyday reasoning"]


def open_doors() -> list[tuple[str, str]]:
    """(role, login) of the demo's people who are there: one button each on the page where one signs in."""
    if settings.PRODUCTION:
        return []
    logins = {email: role for role, email, _ in LOGINS}
    people = User.objects.filter(email__in=logins, is_demo=True, is_active=True)
    present = set(people.values_list("email", flat=True))
    counts = Counter(logins[email] for email in present)
    return [
        # Three reviewers are told apart by the number in their login; one admin is just the admin.
        (f"{role} {email.split('@')[0][-1]}" if counts[role] > 1 else role, email)
        for email, role in logins.items()
        if email in present
    ]


def ensure_demo_people() -> list[User]:
    """Make the demo logins that are missing and return them all, the admin first."""
    if settings.PRODUCTION:
        raise ImproperlyConfigured("Demo logins have public passwords and are refused in production.")
    with transaction.atomic():
        people = [_ensure_person(role, email, password) for role, email, password in LOGINS]
        admin = people[0]
        for person, (role, _, _) in zip(people, LOGINS, strict=True):
            # The first admin is the system's doing; all others are granted by that admin, as the database demands of an
            # adjudicator (constraint adjudicator_granted_by_someone).
            grant_role(user=person, role=role, by=None if person == admin else admin, note="demo")
    return people


def _ensure_person(role: str, email: str, password: str) -> User:
    person = User.objects.filter(email=email).first()
    if person is not None:
        return person  # as it is: a demo password that somebody changed stays changed
    name = f"Demo {email.split('@')[0].title()}"
    # Of somebody who closed the account the name is left; whoever comes after gets one of their own.
    named = {} if User.objects.filter(pseudonym=name).exists() else {"pseudonym": name}
    person = User.objects.create_user(email, password, is_demo=True, **named)
    EmailAddress.objects.create(user=person, email=email, verified=True, primary=True)
    Profile.objects.create(user=person, domains=DOMAINS if role in (Role.REVIEWER, Role.ADJUDICATOR) else [])
    return person
