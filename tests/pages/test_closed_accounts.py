"""An account that was closed lets nobody in, and what it held goes to others; the last admin stays."""

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from accounts.models import Role, RoleEvent, User
from accounts.services import roles, tokens
from auditing.models import Seat
from auditing.selectors.clock import database_now
from auditing.services.gold.decoys import DOMAIN
from auditing.services.seating.assignment import sweep_unfit
from tests.factories.worlds import World
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db


def post(admin: User, person: User, verb: str) -> None:
    answer = signed_in(admin).post(
        "/people", {"person": person.public_id, "role": "reviewer", "verb": verb, "note": "left"}
    )
    assert answer.status_code == 302


def test_whoever_has_left_is_shut_out_at_the_next_request(waiting_hens: World) -> None:
    admin, person = waiting_hens.campaign.owner, waiting_hens.reviewers[0]
    client, (_, secret) = signed_in(person), tokens.make_token(user=person, name="laptop")
    headers = {"Authorization": f"Bearer {secret}"}
    assert client.get("/record").status_code == Client().get("/api/v1/audits", headers=headers).status_code == 200
    post(admin, person, "close")
    person = User.objects.get(pk=person.pk)
    assert (person.is_active, person.roles) == (False, frozenset())
    assert client.get("/record").status_code == 302
    assert Client().get("/api/v1/audits", headers=headers).status_code == 401
    assert RoleEvent.objects.filter(user=person, verb="revoked", note="left", by=admin).exists()


def test_open_seats_of_a_closed_account_go_to_others(waiting_hens: World) -> None:
    person = waiting_hens.reviewers[0]
    held = Seat.objects.filter(auditor__user=person, stage__in=("offered", "held"))
    assert held.exists()
    roles.close_account(user=person, by=waiting_hens.campaign.owner)
    sweep_unfit(now=database_now())
    assert not held.all().exists()


def test_an_account_that_is_opened_again_has_no_role(waiting_hens: World) -> None:
    admin, person = waiting_hens.campaign.owner, waiting_hens.reviewers[0]
    post(admin, person, "close")
    post(admin, person, "reopen")
    person = User.objects.get(pk=person.pk)
    assert (person.is_active, person.roles) == (True, frozenset())


def test_the_last_admin_and_whoever_is_none_close_nothing(waiting_hens: World) -> None:
    admin = waiting_hens.campaign.owner
    with pytest.raises(roles.LastAdminError):
        roles.close_account(user=admin, by=admin)
    with pytest.raises(PermissionDenied):
        roles.close_account(user=waiting_hens.reviewers[0], by=waiting_hens.provider)
    assert User.objects.filter(pk__in=[admin.pk, waiting_hens.reviewers[0].pk], is_active=True).count() == 2
    assert Role.ADMIN in User.objects.get(pk=admin.pk).roles


def test_the_profile_says_who_closes_an_account_and_what_remains(waiting_hens: World) -> None:
    page = " ".join(signed_in(waiting_hens.reviewers[0]).get("/me").content.decode().split())
    assert "You can close your account yourself." in page
    assert "stay under your pseudonym" in page
    assert 'href="/me/close"' in page


def test_a_pseudonym_of_a_decoy_is_neither_opened_nor_given_a_role(waiting_hens: World) -> None:
    admin = waiting_hens.campaign.owner
    nobody = User.objects.create_user(f"a1b2@{DOMAIN}", None, is_active=False)
    page = signed_in(admin).get("/people", {"q": nobody.pseudonym}).content.decode()
    assert nobody.pseudonym in page
    assert "Open again" not in page
    assert str(nobody.public_id) not in page
    for verb in ("reopen", "grant"):
        post(admin, nobody, verb)
    nobody.refresh_from_db()
    assert (nobody.is_active, nobody.grants.exists()) == (False, False)


def test_whom_an_admin_shut_out_may_be_opened_again_from_the_page(waiting_hens: World) -> None:
    admin, person = waiting_hens.campaign.owner, waiting_hens.reviewers[0]
    post(admin, person, "close")
    assert "Open again" in signed_in(admin).get("/people", {"q": person.email}).content.decode()
