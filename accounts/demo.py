"""The demo's people: one login a role (three reviewers), marked as demo, refused in production."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from accounts.demo_logins import LOGINS
from accounts.models import Profile, Role, User
from accounts.services.roles import grant_role

DOMAINS = ["school maths", "competition maths", "finance", "medicine", "law", "programming"]


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
    person = User.objects.create_user(email, password, pseudonym=name, is_demo=True)
    EmailAddress.objects.create(user=person, email=email, verified=True, primary=True)
    Profile.objects.create(user=person, domains=DOMAINS if role in (Role.REVIEWER, Role.ADJUDICATOR) else [])
    return person
