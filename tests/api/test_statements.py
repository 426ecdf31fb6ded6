"""How often a program's cycle asks the database: claim a seat, seal a vote."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services.tokens import make_token
from tests.factories.worlds import TWO_SEATS, World, waiting_world
from tests.tools.reviewer import NEXT, Reviewer

pytestmark = pytest.mark.django_db
MOST = 36  # 49 before what is shown was read once
LONG_BUDGET = replace(TWO_SEATS, short_trace_characters=10**6)


def program(world: World) -> Client:
    token = make_token(user=world.reviewers[0], name="statements")[1]
    return Client(headers={"authorization": f"Bearer {token}"})


def statements(asked: CaptureQueriesContext) -> int:
    """The marks of transactions are none."""
    return sum("SAVEPOINT" not in query["sql"] for query in asked)


def cycle(client: Client, judge: Reviewer) -> int:
    """Statements of one claim and one seal."""
    with CaptureQueriesContext(connection) as claim:
        desk = client.post(NEXT, content_type="application/json").json()
    body = judge.sealed(desk)
    with CaptureQueriesContext(connection) as seal:
        answer = client.post(desk["sealing"]["url"], body, content_type="application/json")
    assert answer.status_code == 200
    return statements(claim) + statements(seal)


def test_a_cycle_of_claim_and_seal_takes_few_statements() -> None:
    client, judge = program(waiting_world(policy=LONG_BUDGET)), Reviewer(client=None)  # type: ignore[arg-type]
    cycle(client, judge)  # what is loaded at first use
    assert cycle(client, judge) <= MOST
