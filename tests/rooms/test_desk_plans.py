"""No question of the desk reads a table from end to end, however much stands beside it."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from auditing.core.policy import FAST
from auditing.core.values import Choice
from auditing.models import Auditor, Round
from auditing.selectors.clock import database_now
from auditing.services import own_openings
from auditing.services.assignment import claim_next
from auditing.services.people import auditor_of
from tests.factories.worlds import World, make_world
from tests.tools.copies import copy_open_segments

pytestmark = pytest.mark.django_db
MANY = 3_000
LARGE = re.compile(r"Seq Scan on (?:auditing_(?:seat|round|commitment|audit)|hdag_(?:segment|block|trace))\b")
CLAIM_QUERIES, COMMIT_QUERIES, PAGE_QUERIES = 9, 28, 32  # savepoints and now() included


@pytest.fixture
def world() -> World:
    world = make_world(reviewers=1, policy=replace(FAST, human=replace(FAST.human, k=1)))
    world.submit()
    world.settle_machines()
    return world


@pytest.fixture
def auditor(world: World) -> Auditor:
    """A reviewer with many offers and many votes, beside many segments of others."""
    auditor = auditor_of(user=world.reviewers[0])
    own_openings.keep_own(auditor=auditor, check_value=b"c" * 32)
    round = Round.objects.filter(tier="human").select_related("segment", "audit__trace", "audit__decomposition")[0]
    copy_open_segments(after=round, auditor=auditor, count=MANY, votes=MANY, tag="plans")
    return auditor


def plans(asked: CaptureQueriesContext) -> list[str]:
    """The plan of every question and change that was asked, with its text."""
    found = []
    for one in asked.captured_queries:
        if one["sql"].startswith(("SELECT", "UPDATE", "DELETE")):
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN " + one["sql"])
                found.append("\n".join([one["sql"], *(line for (line,) in cursor.fetchall())]))
    return found


def check_plans(asked: CaptureQueriesContext, most: int) -> None:
    read_whole = [plan for plan in plans(asked) if LARGE.search(plan)]
    assert not read_whole, read_whole[0]
    assert len(asked) <= most, "\n".join(
        one["sql"][:60] + " ... " + one["sql"][-200:] for one in asked.captured_queries
    )


def test_claim_and_commit_read_by_index_and_ask_a_fixed_number_of_questions(world: World, auditor: Auditor) -> None:
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            seat = claim_next(auditor=auditor, now=database_now())
        assert seat is not None
        check_plans(asked, CLAIM_QUERIES)
    with CaptureQueriesContext(connection) as asked:
        world.seal(seat, auditor, Choice.PASS)
    check_plans(asked, COMMIT_QUERIES)


def test_the_page_of_a_desk_reads_by_index_and_asks_a_fixed_number_of_questions(
    client: Client, auditor: Auditor
) -> None:
    client.force_login(auditor.user, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    client.get("/desk")
    with CaptureQueriesContext(connection) as asked:
        page = client.get("/desk")
    assert "Current reasoning" in page.content.decode()
    check_plans(asked, PAGE_QUERIES)
