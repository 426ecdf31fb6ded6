"""Who showed a token a moment ago is looked up by the statement that answers; what changed meanwhile holds at once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import ApiToken, RoleGrant, User
from accounts.services import tokens
from auditing.models import Commitment, Seat
from tests.factories.worlds import World
from tests.tools.reviewer import NEXT, Reviewer

pytestmark = pytest.mark.django_db
JUDGE = Reviewer(client=None)  # type: ignore[arg-type]


@pytest.fixture
def token(waiting_hens: World) -> ApiToken:
    return tokens.make_token(user=waiting_hens.reviewers[0], name="one statement")[0]


@pytest.fixture
def program(token: ApiToken) -> Client:
    """A program whose token was looked at a moment ago."""
    secret = "trust_known"
    ApiToken.objects.filter(pk=token.pk).update(digest=tokens.digest(secret))
    client = Client(headers={"authorization": f"Bearer {secret}"})
    assert client.get("/api/v1/audits").status_code == 200
    assert tokens.find_shown(secret=secret, now=timezone.now()) is not None
    return client


def claim(client: Client) -> Any:
    return client.post(NEXT, content_type="application/json")


def seal(client: Client, desk: Any) -> Any:
    return client.post(desk["sealing"]["url"], JUDGE.sealed(desk), content_type="application/json")


def test_a_claim_looks_at_the_token_in_its_own_statement(program: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert claim(program).json()["seat"]
    about_tokens = [query["sql"] for query in asked if "accounts_apitoken" in query["sql"]]
    assert ["trust_claim_seat" in sql for sql in about_tokens] == [True]


def revoke(token: ApiToken) -> None:
    assert tokens.revoke_token(user=token.user, public_id=token.public_id, now=timezone.now())


def take_role(token: ApiToken) -> None:
    RoleGrant.objects.filter(user=token.user).delete()


def shut_out(token: ApiToken) -> None:
    User.objects.filter(pk=token.user_id).update(is_active=False)


LOSSES = [(revoke, 401), (take_role, 403), (shut_out, 401)]


@pytest.mark.parametrize(("lose", "status"), LOSSES)
def test_whoever_may_no_more_takes_no_seat(
    program: Client, token: ApiToken, lose: Callable[[ApiToken], None], status: int
) -> None:
    lose(token)
    assert claim(program).status_code == status
    assert not Seat.objects.filter(stage="held").exists()


@pytest.mark.parametrize(("lose", "status"), LOSSES)
def test_whoever_may_no_more_seals_nothing(
    program: Client, token: ApiToken, lose: Callable[[ApiToken], None], status: int
) -> None:
    desk = claim(program).json()
    lose(token)
    assert seal(program, desk).status_code == status
    assert not Commitment.objects.filter(seat__round__tier="human").exists()


def test_a_mistake_is_not_even_named_to_whoever_may_no_more(program: Client, token: ApiToken) -> None:
    desk = claim(program).json()
    revoke(token)
    assert program.post(desk["sealing"]["url"], {"surprise": 1}, content_type="application/json").status_code == 401


def test_a_seat_of_somebody_else_is_no_seat(program: Client, waiting_hens: World) -> None:
    desk = claim(program).json()
    other = tokens.make_token(user=waiting_hens.reviewers[1], name="other")[1]
    stranger = Client(headers={"authorization": f"Bearer {other}"})
    assert [seal(stranger, desk).status_code for _ in range(2)] == [404, 404]
    assert seal(program, desk).status_code == 200


def test_an_empty_desk_says_why_as_it_always_did(program: Client) -> None:
    while (desk := claim(program).json())["seat"]:
        assert seal(program, desk).status_code == 200
    assert desk["reason"]
    assert desk["text"]


def test_a_token_is_looked_at_whole_again_when_its_use_is_to_be_noted(token: ApiToken) -> None:
    secret = "trust_later"
    ApiToken.objects.filter(pk=token.pk).update(digest=tokens.digest(secret))
    now = timezone.now()
    assert tokens.use_token(secret=secret, now=now)
    assert tokens.find_shown(secret=secret, now=now + tokens.USE_NOTED_EVERY / 2)
    assert tokens.find_shown(secret=secret, now=now + tokens.USE_NOTED_EVERY) is None
