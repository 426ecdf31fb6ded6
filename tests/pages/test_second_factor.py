"""One way in: the admin site's too, and no session goes past the second factor of its person (docs/threats.md 10)."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import login
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.models import Role, User
from accounts.second_factor import has_passed
from tests.factories.codes import code_of
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def admin() -> User:
    user = make_user("root@example.org", Role.ADMIN)
    TOTP.activate(user, generate_totp_secret())
    return user


def sign_in(client: Client, page: str, **fields: str) -> Any:
    return client.post(page, {"login": "root@example.org", "username": "root@example.org", **fields})


def test_the_admin_site_has_no_sign_in_of_its_own(admin: User) -> None:
    client = Client()
    for answer in (client.get("/admin/login/"), sign_in(client, "/admin/login/", password=PASSWORD)):
        assert answer.status_code == 302
        assert answer.url.startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session
    assert client.get("/people").status_code == 302


def test_somebody_signed_in_cannot_become_another_person_at_the_admin_site(admin: User) -> None:
    client = Client()
    client.force_login(make_user("second@example.org", Role.ADMIN), backend=BACKEND)
    sign_in(client, "/admin/login/", password=PASSWORD)
    assert client.session["_auth_user_id"] != str(admin.pk)


def test_the_password_alone_leads_to_the_code_and_the_code_leads_in(admin: User) -> None:
    client = Client()
    assert sign_in(client, reverse("account_login"), password=PASSWORD).url.startswith(reverse("mfa_authenticate"))
    assert client.get("/people").status_code == 302
    secret = Authenticator.objects.get(user=admin, type="totp").data["secret"]
    assert client.post(reverse("mfa_authenticate"), {"code": code_of(secret)}).status_code == 302
    assert client.get("/people").status_code == 200
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("url", ["/people", "/admin/", "/me", "/accounts/password/change/", "/api/v1/audits"])
def test_a_session_that_went_past_the_factor_is_ended_at_its_next_request(admin: User, url: str) -> None:
    client = Client()
    client.force_login(admin, backend=BACKEND)
    assert client.get(url).status_code in (302, 401)
    assert "_auth_user_id" not in client.session


def test_whoever_sets_the_factor_up_goes_on_and_other_sessions_of_theirs_end() -> None:
    user, here, elsewhere = make_user("root@example.org", Role.REVIEWER), Client(), Client()
    for client in (here, elsewhere):
        assert sign_in(client, reverse("account_login"), password=PASSWORD).status_code == 302
    here.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    secret = here.get(reverse("mfa_activate_totp")).context["form"].secret
    assert here.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}).status_code == 200
    assert here.get("/me").status_code == 200
    assert elsewhere.get("/me").status_code == 302
    assert Authenticator.objects.filter(user=user, type="totp").exists()


def test_the_steps_of_one_person_do_not_count_for_another(admin: User) -> None:
    other, session = make_user("other@example.org"), SessionStore()
    session["account_authentication_methods"] = [{"method": "mfa", "at": 1.0}]
    session["account_authentication_methods_user"] = str(other.pk)
    assert has_passed(session=session, user=other)
    assert not has_passed(session=session, user=admin)


def test_a_naive_sign_in_would_have_been_let_through(admin: User) -> None:
    """The guard and not the sign-in page is what holds: Django's own `login` asks for nothing."""
    request = RequestFactory().get("/")
    request.session = SessionStore()
    login(request, admin, backend=BACKEND)
    assert request.session["_auth_user_id"] == str(admin.pk)
    assert not has_passed(session=request.session, user=admin)


def test_ten_wrong_passwords_end_the_attempts_whatever_the_page(admin: User) -> None:
    client = Client()
    for page in [*["/admin/login/"] * 4, *[reverse("account_login")] * 11]:
        sign_in(client, page, password="wrong")
    right = sign_in(client, reverse("account_login"), password=PASSWORD)
    assert "Too many" in right.content.decode()


def test_the_admin_site_shows_no_secret_of_a_factor(admin: User) -> None:
    user = make_user("plain@example.org", Role.ADMIN)
    User.objects.filter(pk=user.pk).update(is_demo=True)
    client = Client()
    client.force_login(user, backend=BACKEND)
    factor = Authenticator.objects.get(user=admin, type="totp")
    page = client.get(f"/admin/mfa/authenticator/{factor.pk}/change/")
    assert page.status_code == 200
    assert factor.data["secret"] not in page.content.decode()
    assert client.get("/admin/mfa/authenticator/add/").status_code == 403
