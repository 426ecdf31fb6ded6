"""A person closes their own account: what says who they were is gone, what they did stays, and nobody waits."""

from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client

from accounts.demo import ensure_demo_people
from accounts.models import ApiToken, Invitation, PersonSession, RoleEvent, RoleGrant, SavedView, User
from accounts.selectors.people import is_last_admin
from accounts.services import joining, roles, tokens
from accounts.services.profiles import get_profile
from accounts.services.saved_views import save_view
from auditing.core.stages import SeatStage
from auditing.models import Audit, Commitment, Notice, Seat, Vote
from auditing.research.leaving.services import UnfinishedError, close_own_account
from auditing.selectors.clock import database_now
from tests.factories.worlds import World, make_user
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
FORM = {"password": PASSWORD, "agreed": "on"}


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_whoever_closes_the_account_is_nobody_any_more(waiting_hens: World) -> None:
    person = waiting_hens.reviewers[0]
    client, address = signed_in(person), person.email
    _, secret = tokens.make_token(user=person, name="laptop")
    save_view(user=person, page="auditing:audits", name="mine", query="")
    get_profile(user=person)
    assert client.post("/me/close", FORM).url == "/"
    assert "Your account is closed." in words(client.get("/"))
    assert client.get("/me").status_code == 302
    assert Client().get("/api/v1/audits", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    person = User.objects.get(pk=person.pk)
    assert person.left_at is not None
    assert not person.has_usable_password()
    assert not User.objects.filter(email=address).exists()
    for rows in (ApiToken, SavedView, RoleGrant, Notice):
        assert not rows.objects.filter(user=person).exists()
    assert not PersonSession.objects.filter(person=person).exists()


def test_a_vote_that_is_sealed_is_opened_and_counted_as_if_its_person_were_here(waiting_hens: World) -> None:
    person = waiting_hens.reviewers[0]
    sealed = waiting_hens.vote(person)
    assert sealed is not None
    assert "1 sealed vote of yours stays sealed" in words(signed_in(person).get("/me/close"))
    close_own_account(user=person, now=database_now())
    waiting_hens.everybody_votes(Audit.objects.get())
    assert Vote.objects.filter(seat=sealed.seat).exists()
    assert Audit.objects.get().stage == "recorded"


def test_votes_of_the_own_key_are_opened_before_anybody_leaves(waiting_hens: World) -> None:
    person = waiting_hens.reviewers[0]
    sealed = waiting_hens.vote(person)
    assert sealed is not None
    Commitment.objects.filter(pk=sealed.pk).update(sealed=None)
    client = signed_in(person)
    page = words(client.get("/me/close"))
    assert "1 sealed vote can be opened by your own key alone" in page
    assert 'name="password"' not in page
    assert client.post("/me/close", FORM).status_code == 422
    assert User.objects.get(pk=person.pk).is_active
    Seat.objects.filter(pk=sealed.seat_id).update(stage=SeatStage.SILENT)  # its time is over
    assert client.post("/me/close", FORM).status_code == 302


def test_a_provider_waits_for_the_own_audits(waiting_hens: World) -> None:
    with pytest.raises(UnfinishedError):
        close_own_account(user=waiting_hens.provider, now=database_now())
    assert "1 audit of what you handed in is still running" in words(signed_in(waiting_hens.provider).get("/me/close"))
    waiting_hens.everybody_votes(Audit.objects.get())
    close_own_account(user=waiting_hens.provider, now=database_now())
    assert not get_profile(user=waiting_hens.provider).lends_gold  # nobody masks that name any more


def test_the_last_admin_stays_and_the_second_to_last_may_go(waiting_hens: World) -> None:
    admin = waiting_hens.campaign.owner
    client = signed_in(admin)
    assert is_last_admin(user=admin)
    assert "You are the last admin" in words(client.get("/me/close"))
    assert client.post("/me/close", FORM).status_code == 422
    make_user("second@example.org", "admin")
    assert client.post("/me/close", FORM).status_code == 302


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"password": "wrong"}, "This is not your password."), ({"agreed": ""}, "Tick it, if you want to close it.")],
)
def test_without_password_and_tick_nothing_is_closed(waiting_hens: World, wrong: dict[str, str], said: str) -> None:
    person = waiting_hens.reviewers[0]
    answer = signed_in(person).post("/me/close", FORM | wrong)
    assert answer.status_code == 422
    assert said in words(answer)
    assert User.objects.get(pk=person.pk).is_active


def test_passwords_are_not_guessed_here(waiting_hens: World) -> None:
    client = signed_in(waiting_hens.reviewers[0])
    for _ in range(5):
        client.post("/me/close", FORM | {"password": "wrong"})
    assert "Too many tries" in words(client.post("/me/close", FORM))
    assert User.objects.get(pk=waiting_hens.reviewers[0].pk).is_active


def test_admins_are_told_and_see_that_somebody_has_left_and_nobody_opens_it_again(waiting_hens: World) -> None:
    admin, person = waiting_hens.campaign.owner, waiting_hens.reviewers[0]
    close_own_account(user=person, now=database_now())
    assert Notice.objects.filter(user=admin, text__startswith=f"{person.pseudonym} has closed").exists()
    page = words(signed_in(admin).get("/people", {"q": person.pseudonym}))
    assert f"left {database_now():%Y-%m-%d}" in page
    assert "closed by its own person" in page
    assert "Open again" not in page
    with pytest.raises(roles.NobodyError):
        roles.reopen_account(user=User.objects.get(pk=person.pk), by=admin)
    assert RoleEvent.objects.filter(user=person, by=person, verb="revoked").exists()


def test_invitations_of_and_from_whoever_left_are_gone(waiting_hens: World) -> None:
    admin, other = waiting_hens.campaign.owner, make_user("second@example.org", "admin")
    _, secret = joining.invite(email="new@example.org", roles=["admin"], by=admin, now=database_now())
    person = joining.accept(secret=secret, password=PASSWORD, now=database_now())
    _, theirs = joining.invite(email="next@example.org", roles=["reviewer"], by=person, now=database_now())
    close_own_account(user=person, now=database_now())
    assert not Invitation.objects.filter(email="new@example.org").exists()
    with pytest.raises(joining.InvitationOverError):
        joining.accept(secret=theirs, password=PASSWORD, now=database_now())
    assert other.is_admin


def test_the_address_may_come_back_as_somebody_new(waiting_hens: World) -> None:
    person, address = waiting_hens.reviewers[0], waiting_hens.reviewers[0].email
    close_own_account(user=person, now=database_now())
    assert make_user(address, "reviewer").pseudonym != person.pseudonym


def test_a_demo_begins_again_after_somebody_closed_one_of_its_accounts(db: None) -> None:
    person = ensure_demo_people()[2]
    close_own_account(user=person, now=database_now())
    again = ensure_demo_people()[2]
    assert (again.email, again.is_active) == ("reviewer1@demo.example", True)
    assert again.pseudonym != person.pseudonym


def test_the_database_lets_nobody_be_here_who_has_left(waiting_hens: World) -> None:
    close_own_account(user=waiting_hens.reviewers[0], now=database_now())
    with pytest.raises(IntegrityError):
        User.objects.filter(pk=waiting_hens.reviewers[0].pk).update(is_active=True)
