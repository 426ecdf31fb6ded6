"""Coming in: by an admin's invitation, or by a request that an admin answers."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Invitation, JoinRequest, Role, User
from accounts.services import joining
from accounts.services.roles import grant_role, revoke_role
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
PASSWORDS = {"password1": "right horse battery", "password2": "right horse battery"}


@pytest.fixture
def admin() -> User:
    return make_user("root@example.org", Role.ADMIN)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def invite(admin: User, email: str = "ada@example.org", *roles: str) -> str:
    return joining.invite(email=email, roles=roles or (Role.REVIEWER,), by=admin, now=timezone.now())[1]


def test_an_invited_person_comes_in_with_the_promised_roles(admin: User) -> None:
    page = signed_in(admin).post(
        reverse("accounts:joining"), {"email": "Ada@Example.org", "roles": ["reviewer", "researcher"]}
    )
    link = re.search(r'value="(http://testserver/join/[^"]+)"', page.content.decode())[1]  # type: ignore[index]
    assert link in mail.outbox[0].body
    assert mail.outbox[0].to == ["ada@example.org"]
    visitor = Client()
    assert visitor.get(link).url == reverse("accounts:join")  # the secret leaves the address at once
    visitor.post(reverse("accounts:join"), PASSWORDS)
    ada = User.objects.get(email="ada@example.org")
    assert ada.roles == {Role.REVIEWER, Role.RESEARCHER}
    assert visitor.get(reverse("accounts:profile")).status_code == 200
    assert Client().login(username="ada@example.org", password="right horse battery")


def test_only_the_digest_of_a_secret_is_stored(admin: User) -> None:
    secret = invite(admin)
    assert secret not in str(Invitation.objects.values().get())


@pytest.mark.parametrize("how", ["used", "taken back", "too old", "inviter no admin"])
def test_an_invitation_that_is_over_lets_nobody_in(admin: User, how: str) -> None:
    secret, now = invite(admin), timezone.now()
    if how == "used":
        joining.accept(secret=secret, password="right horse battery", now=now)
    elif how == "taken back":
        joining.take_back(public_id=Invitation.objects.get().public_id, by=admin, now=now)
    elif how == "too old":
        now += joining.VALID_FOR + timedelta(seconds=1)
    else:
        make_user("second@example.org", Role.ADMIN)
        revoke_role(user=admin, role=Role.ADMIN)
    before = User.objects.count()
    with pytest.raises(joining.InvitationOverError):
        joining.accept(secret=secret, password="right horse battery", now=now)
    assert User.objects.count() == before


def test_a_second_open_invitation_or_a_known_address_is_refused_by_name(admin: User) -> None:
    invite(admin)
    client = signed_in(admin)
    again = client.post(reverse("accounts:joining"), {"email": "ada@example.org", "roles": ["reviewer"]})
    known = client.post(reverse("accounts:joining"), {"email": admin.email, "roles": ["reviewer"]})
    assert (again.status_code, known.status_code) == (422, 422)
    assert "has an open invitation already" in again.content.decode()
    assert "There is an account with this address already" in known.content.decode()


def test_an_address_may_be_invited_anew_when_the_first_invitation_is_too_old(admin: User) -> None:
    invite(admin)
    later = timezone.now() + joining.VALID_FOR
    made, _ = joining.invite(email="ada@example.org", roles=["provider"], by=admin, now=later)
    assert made.roles == ["provider"]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("right horse battery", "right horse cart", "differ"),
        ("12345678", "12345678", "too common"),
    ],
)
def test_a_weak_or_mistyped_password_keeps_the_invitation_open(admin: User, first: str, second: str, said: str) -> None:
    visitor = Client()
    visitor.get(reverse("accounts:open_invitation", args=[invite(admin)]))
    page = visitor.post(reverse("accounts:join"), {"password1": first, "password2": second})
    assert page.status_code == 422
    assert said in page.content.decode()
    assert Invitation.objects.get().accepted_at is None


def test_a_request_is_approved_with_the_roles_that_the_admin_ticks(
    admin: User, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    signed_in(admin).post(reverse("accounts:choose_way"), {"way": "approval"})
    wishes = {"wanted": ["reviewer", "admin"], "statement": "I teach number theory."}
    assert (
        client.post(reverse("account_signup"), {"email": "eve@example.org", **PASSWORDS, **wishes}).status_code == 200
    )
    assert not User.objects.filter(email="eve@example.org").exists()  # nobody wishes to be an admin
    client.post(reverse("account_signup"), {"email": "eve@example.org", **PASSWORDS, **wishes, "wanted": ["reviewer"]})
    eve = User.objects.get(email="eve@example.org")
    assert eve.roles == set()
    assert "waits for an admin" in signed_in(eve).get("/").content.decode()
    assert "number theory" in signed_in(admin).get(reverse("accounts:joining")).content.decode()
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        signed_in(admin).post(
            reverse("accounts:answer_request", args=[eve.public_id]), {"roles": ["provider"], "verb": "approve"}
        )
    assert User.objects.get(pk=eve.pk).roles == {Role.PROVIDER}
    assert "Provider" in mail.outbox[0].body


def test_a_declined_request_gives_no_role_and_says_why(admin: User) -> None:
    eve = make_user("eve@example.org")
    joining.ask_to_join(user=eve, wanted=["reviewer"], statement="")
    url = reverse("accounts:answer_request", args=[eve.public_id])
    signed_in(admin).post(url, {"roles": ["reviewer"], "verb": "decline", "answer": "Come back with a degree."})
    assert User.objects.get(pk=eve.pk).roles == set()
    assert "Come back with a degree." in signed_in(eve).get("/").content.decode()


def test_two_admins_cannot_both_answer(admin: User) -> None:
    request = joining.ask_to_join(user=make_user("eve@example.org"), wanted=[], statement="")
    joining.answer_request(request=request, roles=[], answer="", by=admin, now=timezone.now())
    with pytest.raises(joining.DecidedAlreadyError):
        joining.answer_request(request=request, roles=["admin"], answer="", by=admin, now=timezone.now())
    assert User.objects.get(email="eve@example.org").roles == set()
    assert JoinRequest.objects.get().state == "declined"


@pytest.mark.parametrize("role", [role for role in Role.values if role != Role.ADMIN])
def test_nobody_but_an_admin_lets_people_in(admin: User, role: str) -> None:
    person = make_user("bob@example.org")
    grant_role(user=person, role=role, by=admin)
    assert signed_in(person).get(reverse("accounts:joining")).status_code == 403
    with pytest.raises(PermissionDenied):
        invite(person)


def test_the_rule_can_be_closed_again_at_once(admin: User, client: Client) -> None:
    joining.set_way(rule="approval", by=admin)
    assert "Ask for an account" in client.get(reverse("account_signup")).content.decode()
    joining.set_way(rule="invitation", by=admin)
    client.post(reverse("account_signup"), {"email": "eve@example.org", **PASSWORDS})
    assert not User.objects.filter(email="eve@example.org").exists()


def test_the_sign_in_page_says_how_to_get_an_account_under_either_rule(admin: User, client: Client) -> None:
    joining.set_way(rule="approval", by=admin)
    assert 'href="/accounts/signup/">Ask for one' in client.get(reverse("account_login")).content.decode()
    assert 'href="/accounts/signup/">Ask for an account' in client.get("/").content.decode()
    joining.set_way(rule="invitation", by=admin)
    assert "/accounts/signup/" not in client.get(reverse("account_login")).content.decode()


def test_an_admin_is_told_when_an_invitation_could_not_be_mailed(admin: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "tests.rooms.campaigns.test_digests.Refusing"
    page = signed_in(admin).post(reverse("accounts:joining"), {"email": "ada@example.org", "roles": ["reviewer"]})
    assert "the mail server did not take it" in page.content.decode()
    assert Invitation.objects.get().email == "ada@example.org"
