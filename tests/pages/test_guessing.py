"""Guessed ids are counted by person and by where they come from, whatever the way in (docs/threats.md 4)."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts import pace
from accounts.models import User
from accounts.services.tokens import make_token
from tests.factories.worlds import make_user

pytestmark = pytest.mark.django_db
MOST = 6


@pytest.fixture(autouse=True)
def _few(settings: Any) -> None:
    settings.TRUST_UNKNOWN_PER_MINUTE = MOST


@pytest.fixture
def person() -> User:
    return make_user("p@example.org", "provider", "reviewer", "researcher")


def program(user: User, address: str = "10.0.0.1") -> Client:
    secret = make_token(user=user, name="t")[1]
    return Client(headers={"Authorization": f"Bearer {secret}"}, REMOTE_ADDR=address)


def browser(user: User, address: str = "10.0.0.1") -> Client:
    client = Client(REMOTE_ADDR=address)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("address", ["/api/v1/audits/{}", "/api/v1/exports/{}", "/api/v1/audits/{}/soundness"])
def test_a_program_that_guesses_is_shut_out_like_a_person(person: User, address: str) -> None:
    client = program(person)
    answers = [client.get(address.format(uuid4())).status_code for _ in range(MOST + 3)]
    assert answers == [404] * MOST + [429] * 3


def test_another_token_another_machine_and_the_browser_give_no_more_guesses(person: User) -> None:
    for number in range(MOST):
        program(person, f"10.0.1.{number}").get(f"/api/v1/audits/{uuid4()}")
    assert program(person, "10.0.2.1").get("/api/v1/audits").status_code == 429
    assert browser(person, "10.0.2.2").get("/audits").status_code == 429


def test_many_accounts_behind_one_address_give_a_bounded_number_of_guesses() -> None:
    people = [make_user(f"p{number}@example.org", "provider") for number in range(8)]
    clients = [program(person) for person in people]
    answers = [client.get(f"/api/v1/audits/{uuid4()}").status_code for client in clients for _ in range(MOST)]
    assert answers.count(404) == MOST * pace.MANY_AT_ONE_ADDRESS


def test_a_colleague_behind_the_same_address_goes_on(person: User) -> None:
    client = program(person)
    for _ in range(MOST):
        client.get(f"/api/v1/audits/{uuid4()}")
    assert browser(make_user("q@example.org", "provider")).get("/audits").status_code == 200


def test_a_token_that_is_none_is_no_way_round(person: User) -> None:
    client = Client(headers={"Authorization": "Bearer trust_nothing"}, REMOTE_ADDR="10.0.0.9")
    for _ in range(MOST * pace.MANY_AT_ONE_ADDRESS):
        client.get(f"/nothing/{uuid4()}")
    assert client.get("/ledger").status_code == 429
