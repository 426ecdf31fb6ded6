"""How often a program's cycle asks the database and the cache: claim a seat, seal a vote."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis.connection import AbstractConnection

from accounts.services.tokens import make_token
from auditing.core.policy import Grain, Policy
from auditing.models import Seat
from tests.factories.worlds import TWO_SEATS, World, waiting_world
from tests.tools.reviewer import NEXT, Reviewer

pytestmark = pytest.mark.django_db
MOST = 6  # 8 are asked; 49 before what is shown was read once, 34 before a claim and a seal were one statement each
SHORT = replace(TWO_SEATS, short_trace_characters=10**6)
# under a budget that has room for many seats
LIMITED = replace(TWO_SEATS, short_trace_characters=0, disclosure_share=Decimal(1), neighbours=True)
PASSAGES = replace(SHORT, grain=Grain.PASSAGE)


def program(world: World) -> Client:
    # Who was drawn most often: a disclosure budget leaves some people one seat.
    drawn = Seat.objects.filter(auditor__user__in=world.reviewers).values_list("auditor__user", flat=True)
    busiest = Counter(drawn).most_common(1)[0][0]
    token = make_token(user=next(user for user in world.reviewers if user.pk == busiest), name="statements")[1]
    return Client(headers={"authorization": f"Bearer {token}"})


def statements(asked: CaptureQueriesContext) -> list[str]:
    """Each statement without its values; the marks of transactions are none."""
    texts = [query["sql"] or "planned once, with its values apart" for query in asked]
    return [text.split("WHERE")[0][:90] for text in texts if "SAVEPOINT" not in text]


def cycle(client: Client, judge: Reviewer) -> list[str]:
    """The statements of one claim and one seal."""
    with CaptureQueriesContext(connection) as claim:
        desk = client.post(NEXT, content_type="application/json").json()
    body = judge.sealed(desk)
    with CaptureQueriesContext(connection) as seal:
        answer = client.post(desk["sealing"]["url"], body, content_type="application/json")
    assert answer.status_code == 200
    return statements(claim) + statements(seal)


@pytest.mark.parametrize("policy", [SHORT, LIMITED, PASSAGES], ids=["short", "limited", "passages"])
def test_a_cycle_of_claim_and_seal_takes_six_statements_at_most(policy: Policy) -> None:
    client, judge = program(waiting_world(policy=policy)), Reviewer(client=None)  # type: ignore[arg-type]
    cycle(client, judge)  # what is loaded at first use
    asked = cycle(client, judge)
    assert len(asked) <= MOST, "\n".join(asked)


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every command that is sent to Redis from now on, in the thread of the test."""
    sent: list[bytes] = []
    send = AbstractConnection.send_packed_command

    def watched(self: Any, command: Any, check_health: bool = True) -> None:
        sent.append(b"".join(command))
        send(self, command, check_health)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", watched)
    return sent


def test_a_claim_and_a_seal_ask_the_cache_once_each(trips: list[bytes]) -> None:
    client, judge = program(waiting_world(policy=SHORT)), Reviewer(client=None)  # type: ignore[arg-type]
    cycle(client, judge)  # what is loaded at first use
    trips.clear()
    desk = client.post(NEXT, content_type="application/json").json()
    claim = len(trips)
    client.post(desk["sealing"]["url"], judge.sealed(desk), content_type="application/json")
    # The limits of the person, of the address and of this kind of request.
    assert (claim, len(trips) - claim) == (1, 1), trips
