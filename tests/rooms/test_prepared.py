"""Prepared statements: what Django would have asked, put together once, with the code's constants in the text."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.prepared import Changes, PreparedQuery, PreparedRows, PreparedUpdate
from auditing.models import Audit, Campaign, Seat
from auditing.selectors.clock import database_now
from tests.factories.worlds import waiting_world

pytestmark = pytest.mark.django_db


@PreparedRows
def _waiting(auditor: UUID) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(auditor=auditor, stage__in=["offered", "held"]).order_by("pk").values_list("pk")


@PreparedQuery
def _campaigns(before: datetime, title: str | None) -> QuerySet[Campaign]:
    return Campaign.objects.filter(created__lt=before, title=title).exclude(title__startswith="50%'$1")


@PreparedUpdate
def _withhold(audit: UUID, why: str) -> Changes:
    return Audit.objects.filter(pk=audit).exclude(failure="100 %"), {"failure": why, "attempts": 3}


@PreparedRows
def _of_a_kind(kind: float) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(place=kind).values_list("pk")


def test_the_rows_are_those_of_the_same_query_and_their_statement_is_put_together_once() -> None:
    seat = Seat.objects.filter(round__audit__campaign=waiting_world().campaign, stage="offered")[0]
    mine = Seat.objects.filter(auditor=seat.auditor_id, stage__in=["offered", "held"]).order_by("pk")
    with CaptureQueriesContext(connection) as asked:
        assert _waiting.rows(auditor=seat.auditor_id) == _waiting.rows(auditor=seat.auditor_id)
        assert _waiting.rows(auditor=uuid4()) == []
    assert len({query["sql"] for query in asked}) <= 2
    assert [key for (key,) in _waiting.rows(auditor=seat.auditor_id)] == list(mine.values_list("pk", flat=True)) != []


def test_an_index_of_some_rows_serves_although_the_plan_knows_no_value() -> None:
    """The index of waiting seats holds nothing of a seat that is done: only a plan that sees the stages may use it."""
    waiting_world()
    statement, marks = _waiting._plan
    assert "'offered'" in statement
    assert marks == ("auditor",)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"PREPARE waiting AS {statement}")
        cursor.execute("EXPLAIN EXECUTE waiting ('00000000-0000-0000-0000-000000000000')")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    indexes = {index.name for index in Seat._meta.indexes if index.condition and "held" in str(index.condition)}
    assert any(name in plan for name in indexes), plan


def test_signs_of_sql_in_a_constant_are_text() -> None:
    campaign = waiting_world().campaign
    tomorrow = database_now() + timedelta(days=1)
    assert _campaigns.first(before=tomorrow, title=campaign.title) == campaign
    Campaign.objects.filter(pk=campaign.pk).update(title="50%'$1 of all")
    assert _campaigns.first(before=tomorrow, title="50%'$1 of all") is None


def test_an_update_says_how_many_rows_it_changed() -> None:
    audit = Audit.objects.filter(campaign=waiting_world().campaign)[0]
    assert _withhold.run(audit=audit.pk, why="100 %") == 1
    assert _withhold.run(audit=audit.pk, why="again") == 0
    audit.refresh_from_db()
    assert (audit.failure, audit.attempts) == ("100 %", 3)


def test_a_parameter_of_an_unknown_type_is_no_query() -> None:
    with pytest.raises(KeyError):
        _of_a_kind.rows(kind=0.5)


@PreparedQuery
def _with_its_round(seat: UUID) -> QuerySet[Seat]:
    rows = Seat.objects.filter(pk=seat).select_related("round__segment__block", "commitment", "auditor__user")
    kept = ("stage", "shown", "round__number", "round__segment__carries", "round__segment__block__wrapped_key")
    return rows.only(*kept, "commitment__digest", "auditor__user__email", "auditor__looks")


def test_instances_are_those_of_the_query_itself_and_cost_no_other(django_assert_num_queries: Any) -> None:
    """What was joined hangs on both ends, an outer join that finds nothing is known to find nothing, the rest waits."""
    own = Seat.objects.filter(round__audit__campaign=waiting_world().campaign, stage="offered")[0]
    with django_assert_num_queries(1):
        seat: Any = _with_its_round.first(seat=own.pk)
        assert (seat.stage, seat.shown, seat.round.segment.carries, seat.auditor.looks) == ("offered", {}, [], 0)
        assert (seat.round.segment.block.pk, seat.auditor.user.pk) != (None, None)
        assert not hasattr(seat, "commitment")
    expected = Seat.objects.select_related("round__segment__block", "auditor__user").get(pk=own.pk)
    assert (seat.round, seat.auditor.user, seat.round.segment) == (
        expected.round,
        expected.auditor.user,
        expected.round.segment,
    )
    assert (seat._state.adding, seat._state.db) == (False, "default")
    assert seat.get_deferred_fields() >= {"place", "pseudonym"}
    with django_assert_num_queries(1):
        assert seat.place == expected.place
    seat.stage = "held"
    seat.save(update_fields=["stage"])
    assert Seat.objects.get(pk=own.pk).stage == "held"


def test_a_model_that_is_made_in_a_way_of_its_own_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(self: Campaign, *args: Any, **kwargs: Any) -> None:
        super(Campaign, self).__init__(*args, **kwargs)

    monkeypatch.setattr(Campaign, "__init__", made)
    with pytest.raises(TypeError, match="Campaign"):
        PreparedQuery(lambda: Campaign.objects.all()).first()
