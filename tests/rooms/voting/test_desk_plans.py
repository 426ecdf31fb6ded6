"""No question of the desk reads a table from end to end, however much stands beside it."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Profile
from auditing.core.values import Choice
from auditing.models import Audit, Auditor, Round
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.consensus import outcomes
from auditing.services.seating import assignment
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from auditing.services.voting import own_openings
from tests.factories.worlds import World, make_user
from tests.tools.copies import copy_open_segments

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plans_as_in_use")]
MANY = 3_000
LARGE = re.compile(r"Seq Scan on (?:auditing_(?:seat|round|commitment|audit)|hdag_(?:segment|block|trace))\b")
# savepoints and now() included; this commit closes its window, so it weighs the round as well
CLAIM_QUERIES, COMMIT_QUERIES, PAGE_QUERIES = 10, 34, 33
SWEEP_QUERIES, WAITING_QUERIES = 12, 24


@pytest.fixture
def auditor(one_seat_hens: World, monkeypatch: pytest.MonkeyPatch) -> Auditor:
    """A reviewer with many offers and many votes, beside many segments of others."""
    # A statement that earlier tests had prepared on this connection would be captured without its text.
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)
    rounds = Round.objects.filter(tier="human").select_related("segment", "audit__trace", "audit__decomposition")
    round = rounds.first()
    assert round is not None
    # Whoever was drawn: the copies have no readable text, so the first offer must be a real one.
    auditor = round.seats.get().auditor
    assert auditor is not None
    own_openings.keep_own(auditor=auditor, check_value=b"c" * 32)
    copy_open_segments(after=round, auditor=auditor, count=MANY, votes=MANY, tag="plans")
    return auditor


def plans(asked: CaptureQueriesContext) -> list[str]:
    """The plan of every question and change that was asked, with its text."""
    found = []
    for one in asked.captured_queries:
        if one["sql"].startswith(("SELECT", "UPDATE", "DELETE")):
            with connection.cursor() as cursor:
                # What is planned once a connection has $1 for its first value; the plan for all values is asked for.
                verb = "EXPLAIN (GENERIC_PLAN) " if "$1" in one["sql"] else "EXPLAIN "
                cursor.execute(verb + one["sql"])
                found.append("\n".join([one["sql"], *(line for (line,) in cursor.fetchall())]))
    return found


def check_plans(asked: CaptureQueriesContext, most: int) -> None:
    read_whole = [plan for plan in plans(asked) if LARGE.search(plan)]
    assert not read_whole, read_whole[0]
    assert len(asked) <= most, "\n".join(
        one["sql"][:60] + " ... " + one["sql"][-200:] for one in asked.captured_queries
    )


def test_claim_and_commit_read_by_index_and_ask_a_fixed_number_of_questions(
    one_seat_hens: World, auditor: Auditor
) -> None:
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            seat = claim_next(auditor=auditor, now=database_now())
        assert seat is not None
        check_plans(asked, CLAIM_QUERIES)
    with CaptureQueriesContext(connection) as asked:
        one_seat_hens.seal(seat, auditor, Choice.PASS)
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


def test_the_walkers_sweeps_read_by_index_beside_many_open_segments(one_seat_hens: World, auditor: Auditor) -> None:
    now = database_now()
    with CaptureQueriesContext(connection) as asked:
        assert corridor.advance_due(now=now) == 0
    check_plans(asked, 1)
    work = corridor.due_work(now=now + timedelta(hours=2))
    with CaptureQueriesContext(connection) as asked:
        assert {sort for sort, rows in work.items() if rows[: corridor.BATCH]} == {"leases"}
    check_plans(asked, SWEEP_QUERIES)
    late = auditor_of(user=make_user("late@example.org", "reviewer"))
    Profile.objects.create(user=late.user, conflicts=[one_seat_hens.provider.email])
    with CaptureQueriesContext(connection) as asked:
        assert not assignment.sweep_unfit(now=now)
    check_plans(asked, SWEEP_QUERIES)


def test_a_lost_bell_of_a_counted_audit_is_found_by_index(one_seat_hens: World, auditor: Auditor) -> None:
    audit = Audit.objects.filter(stage="auditing").first()
    assert audit is not None
    Round.objects.filter(audit=audit).exclude(stage="tallied").update(stage="tallied", outcome="pass")
    outcomes.mark_counted(audits=[audit.pk])
    now = database_now()
    assert list(corridor.due_work(now=now)["tallied"]) == [audit]
    assert corridor.sorts_due(now=now) == {"tallied"}


def test_an_empty_desk_reads_by_index_beside_many_open_segments(client: Client, auditor: Auditor) -> None:
    late = make_user("late@example.org", "reviewer")
    Audit.objects.update(stage_since=database_now() - timedelta(minutes=1))
    client.force_login(late, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/desk/waiting")
    with CaptureQueriesContext(connection) as asked:
        page = client.get("/desk/waiting")
    assert 'data-reason="newcomer"' in page.content.decode()
    check_plans(asked, WAITING_QUERIES)
