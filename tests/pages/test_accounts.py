"""Pages about people: who may open them, and what they do."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.demo import ensure_demo_people, open_doors
from accounts.demo_logins import PASSWORD
from accounts.models import ApiToken, Role, User
from accounts.services.roles import grant_role
from hdag.models import Endpoint
from tests.factories.codes import code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("ada@example.org", "right horse battery")


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser("root@example.org", "right horse battery")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("name", ["accounts:front", "account_login", "account_reset_password", "account_signup"])
def test_a_stranger_may_read_the_public_pages(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", ["accounts:profile", "accounts:tokens", "accounts:roles", "mfa_index"])
def test_a_stranger_is_sent_to_sign_in(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


@pytest.mark.parametrize("role", [role for role in Role.values if role != Role.ADMIN])
def test_only_an_admin_opens_the_roles_page(person: User, admin: User, role: str) -> None:
    grant_role(user=person, role=role, by=admin)
    assert signed_in(person).get(reverse("accounts:roles")).status_code == 403


def test_signing_in_by_e_mail_works_whatever_the_letter_case(client: Client, person: User) -> None:
    answer = client.post(reverse("account_login"), {"login": "ADA@example.org", "password": "right horse battery"})
    assert answer.status_code == 302
    assert client.get(reverse("accounts:profile")).status_code == 200


def test_the_first_admin_signs_in_without_a_mail(client: Client, admin: User, settings: Any, mailoutbox: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"  # as in production
    client.post(reverse("account_login"), {"login": admin.email, "password": "right horse battery"})
    assert client.get(reverse("accounts:profile")).status_code == 200
    assert mailoutbox == []


def test_a_known_and_an_unknown_address_get_the_same_refusal(client: Client, person: User) -> None:
    pages = [
        client.post(reverse("account_login"), {"login": mail, "password": "wrong"}).content.decode()
        for mail in ("ada@example.org", "bob@example.org")
    ]
    assert pages[0].replace("ada@", "bob@").count("not correct") == pages[1].count("not correct") == 1


@pytest.mark.parametrize("next_url", ["//evil.example", "https://evil.example/", "javascript:alert(1)"])
def test_a_foreign_next_address_is_ignored(client: Client, person: User, next_url: str) -> None:
    answer = client.post(
        reverse("account_login"), {"login": person.email, "password": "right horse battery", "next": next_url}
    )
    assert answer.url == "/"
    assert client.post(reverse("accounts:theme"), {"theme": "dark", "next": next_url}).url == "/"


def test_strangers_cannot_sign_up_unless_the_site_is_opened(client: Client, settings: object) -> None:
    form = {"email": "eve@example.org", "password1": "right horse battery", "password2": "right horse battery"}
    client.post(reverse("account_signup"), form)
    assert not User.objects.filter(email="eve@example.org").exists()
    settings.TRUST_SIGNUP_OPEN = True  # type: ignore[attr-defined]
    client.post(reverse("account_signup"), form)
    assert User.objects.filter(email="eve@example.org").exists()


def test_a_token_is_shown_once_and_kept_as_a_hash(person: User) -> None:
    client = signed_in(person)
    shown = client.post(
        reverse("accounts:tokens"), {"name": "nightly", "scopes": ["read"], "days": 90}
    ).content.decode()
    token = ApiToken.objects.get()
    secret = shown.split('<code id="secret">')[1].split("<")[0]
    assert secret.startswith(token.prefix)
    assert secret not in client.get(reverse("accounts:tokens")).content.decode()
    assert secret not in str(ApiToken.objects.values())


def test_the_token_of_another_person_looks_like_no_token(person: User, admin: User) -> None:
    signed_in(admin).post(reverse("accounts:tokens"), {"name": "theirs", "scopes": ["read"], "days": 7})
    token = ApiToken.objects.get()
    answer = signed_in(person).post(reverse("accounts:revoke_token", args=[token.public_id]))
    token.refresh_from_db()
    assert answer.status_code == 404
    assert token.revoked_at is None


def test_an_admin_gives_and_takes_a_role_and_the_history_says_so(person: User, admin: User) -> None:
    client, page = signed_in(admin), reverse("accounts:roles")
    for verb in ("grant", "revoke"):
        client.post(page, {"person": person.public_id, "role": "reviewer", "verb": verb, "note": "trial"})
        assert person.grants.filter(role="reviewer").exists() is (verb == "grant")
    assert [event.verb for event in person.role_events.all()] == ["revoked", "granted"]


def test_a_role_taken_closes_the_door_at_the_next_request(person: User, admin: User) -> None:
    grant_role(user=person, role=Role.ADMIN, by=admin)
    client = signed_in(person)
    assert client.get(reverse("accounts:roles")).status_code == 200
    signed_in(admin).post(reverse("accounts:roles"), {"person": person.public_id, "role": "admin", "verb": "revoke"})
    assert client.get(reverse("accounts:roles")).status_code == 403


def test_the_last_admin_stays(admin: User) -> None:
    client = signed_in(admin)
    client.post(reverse("accounts:roles"), {"person": admin.public_id, "role": "admin", "verb": "revoke"})
    assert client.get(reverse("accounts:roles")).status_code == 200


def test_an_admin_without_a_second_factor_is_kept_out_of_the_admin_site(admin: User) -> None:
    assert signed_in(admin).get("/admin/").url == reverse("mfa_activate_totp")


def test_the_profile_keeps_lists_and_refuses_what_is_too_long(person: User) -> None:
    client, page = signed_in(person), reverse("accounts:profile")
    assert client.post(page, {"domains": "law,  tax law ,law", "digest": "off"}).status_code == 302
    person.profile.refresh_from_db()
    assert person.profile.domains == ["law", "tax law"]
    refused = client.post(page, {"domains": "x" * 61, "digest": "off"})
    assert refused.status_code == 422
    assert "longer than 60" in refused.content.decode()


def test_extra_fields_of_a_form_change_nothing(person: User) -> None:
    signed_in(person).post(reverse("accounts:profile"), {"digest": "off", "is_demo": "1", "user": "1", "role": "admin"})
    person.refresh_from_db()
    assert not person.is_demo
    assert not person.grants.exists()


def test_the_demo_makes_one_login_a_role_and_only_once() -> None:
    first, again = ensure_demo_people(), ensure_demo_people()
    assert [person.pk for person in first] == [person.pk for person in again]
    assert {grant.role for person in first for grant in person.grants.all()} == set(Role.values)
    assert all(person.is_demo for person in first)


def test_a_signed_in_page_is_never_stored(person: User) -> None:
    assert signed_in(person).get(reverse("accounts:profile"))["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("chosen", "kept"), [("dark", "dark"), ("light", "light"), ("auto", "auto"), ("<b>", None)])
def test_the_colours_are_kept_without_script(client: Client, chosen: str, kept: str | None) -> None:
    client.post(reverse("accounts:theme"), {"theme": chosen, "next": "/"})
    assert f'data-theme="{kept or "auto"}"' in client.get("/").content.decode()


def test_ten_wrong_passwords_close_the_door_with_a_plain_page(client: Client, person: User) -> None:
    page, form = reverse("account_login"), {"login": person.email, "password": "wrong"}
    answers = [client.post(page, form) for _ in range(12)]
    assert "Too many sign-ins failed. Try again in five minutes" in answers[-1].content.decode()


def test_the_second_factor_is_set_up_with_a_code_from_the_app(person: User) -> None:
    client = signed_in(person)
    assert client.get(reverse("mfa_activate_totp")).url.startswith(reverse("account_reauthenticate"))
    client.post(reverse("account_reauthenticate"), {"password": "right horse battery"})
    page = client.get(reverse("mfa_activate_totp"))
    assert page.status_code == 200, page.url
    secret = page.context["form"].secret
    assert client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}).status_code == 200
    assert "active" in client.get(reverse("mfa_index")).content.decode()


def test_every_page_says_when_no_language_model_is_configured(client: Client) -> None:
    sentence = "No language model is configured"
    assert sentence in client.get("/").content.decode()
    Endpoint.objects.create(name="local", base_url="http://127.0.0.1:1/v1", model="m", family="f")
    cache.delete("llm_tier")
    assert sentence not in client.get("/").content.decode()


def test_the_demo_offers_its_roles_as_buttons_that_sign_in() -> None:
    people = ensure_demo_people()
    page = Client().get("/accounts/login/").content.decode()
    for role in ("Admin", "Provider", "Reviewer 1", "Reviewer 3", "Adjudicator", "Researcher", "Consumer"):
        assert f">{role}</button>" in " ".join(page.split()).replace("> ", ">").replace(" <", "<")
    client = Client()
    answer = client.post("/accounts/login/", {"login": "reviewer1@demo.example", "password": PASSWORD})
    assert answer.status_code == 302
    assert int(client.session["_auth_user_id"]) in {person.pk for person in people}


def test_there_are_no_such_buttons_without_a_demo_or_in_production(settings: Any) -> None:
    assert "Try the demo" not in Client().get("/accounts/login/").content.decode()
    ensure_demo_people()
    settings.PRODUCTION = True
    assert open_doors() == []
