"""Recovery codes are shown once and stored as digests; the code of an app lives thirty seconds (ASVS 6.5.2, 6.5.5)."""

import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from accounts.selectors.recovery_codes import codes_left
from accounts.services.recovery_codes import renew_codes
from tests.factories.codes import code_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
CODE = re.compile(r"\b[A-Z2-7]{4}(?:-[A-Z2-7]{4}){5}\b")


@pytest.fixture
def secret() -> str:
    return generate_totp_secret()


@pytest.fixture
def person(secret: str) -> User:
    user = make_user("maria@example.org", Role.REVIEWER)
    TOTP.activate(user, secret)
    return user


def entered(person: User, code: str) -> Any:
    """The answer to a code after the right password, and whether it opened the site."""
    client = Client()
    client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    client.post(reverse("mfa_authenticate"), {"code": code})
    return client.get("/me").status_code == 200


def stored_codes(person: User) -> str:
    return json.dumps(Authenticator.objects.get(user=person, type="recovery_codes").data)


def test_each_code_lets_its_person_in_once_however_it_is_typed(person: User) -> None:
    first, second, *_ = renew_codes(user=person)
    assert [entered(person, first), entered(person, first)] == [True, False]
    assert entered(person, second.lower().replace("-", " "))
    assert codes_left(user=person) == 8


def test_what_is_stored_opens_nothing(person: User) -> None:
    codes, stored = renew_codes(user=person), json.loads(stored_codes(person))
    assert not any(code in json.dumps(stored) or code.replace("-", "") in json.dumps(stored) for code in codes)
    assert stored.keys() == {"migrated_codes", "used_mask"}
    assert not entered(person, stored["migrated_codes"][0])


def test_whoever_sets_the_factor_up_is_shown_the_codes_then_and_never_again() -> None:
    user, client = make_user("root@example.org", Role.REVIEWER), Client()
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    page = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}).content.decode()
    codes = CODE.findall(page)
    assert len(set(codes)) == 10
    digests = json.loads(stored_codes(user))["migrated_codes"]
    for name in ("mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_download_recovery_codes", "mfa_index"):
        again = client.get(reverse(name)).content.decode()
        assert CODE.findall(again) == []
        assert not any(digest in again for digest in digests)
    assert entered(user, codes[9])


def test_new_codes_end_the_old_ones(person: User, secret: str) -> None:
    old, client = renew_codes(user=person), Client()
    client.post(reverse("account_login"), {"login": person.email, "password": PASSWORD})
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    new = CODE.findall(client.post(reverse("mfa_generate_recovery_codes")).content.decode())
    assert [entered(person, old[0]), entered(person, new[0])] == [False, True]


def test_codes_are_made_for_nobody_without_a_factor() -> None:
    user, client = make_user("plain@example.org", Role.REVIEWER), Client()
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.post(reverse("mfa_generate_recovery_codes")).status_code == 404
    assert not Authenticator.objects.filter(user=user).exists()


def test_a_code_of_the_app_opens_once_and_the_one_before_it_never(person: User, secret: str) -> None:
    assert not entered(person, code_of(secret, earlier=1))
    assert not entered(person, code_of(secret, earlier=-1))
    code = code_of(secret)
    assert [entered(person, code), entered(person, code)] == [True, False]
    # What refuses it is that it was used, and not a limit of attempts.
    cache.clear()
    assert entered(person, code_of(secret))
