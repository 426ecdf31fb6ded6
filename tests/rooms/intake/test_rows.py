"""Rows inserted together: what stands in the table is what Django's own bulk insert would have put there."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from django.db import DataError, IntegrityError, connection, models, transaction
from django.test.utils import CaptureQueriesContext

from accounts.prepared.cursors import fetch
from auditing.core.stages import RoundStage
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, AuditEvent, Leaf, Round
from auditing.services.routing import decisions
from hdag.models import Block, Segment
from hdag.selectors import load_trace
from hdag.store.arrays import pack
from hdag.store.rows import insert
from tests.factories.worlds import waiting_world

pytestmark = pytest.mark.django_db


def leaves(count: int) -> list[Leaf]:
    return [Leaf(kind="anchor", body=bytes([number, 0, 255])) for number in range(count)]


def stored_by(store: Callable[[list[Any]], Any], rows: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Copies of these rows as they stand in the table once `store` has put them there; undone at once."""
    model = type(rows[0])
    names = [field.attname for field in model._meta.concrete_fields if not field.primary_key and field.name != "index"]
    with transaction.atomic():
        made = [model(**{name: getattr(row, name) for name in names}) for row in rows]
        store(made)
        read = model._default_manager.filter(pk__in=[row.pk for row in made]).order_by("pk").values_list(*names)
        table = [tuple(bytes(value) if isinstance(value, memoryview) else value for value in row) for row in read]
        transaction.set_rollback(True)
    return table


@pytest.mark.parametrize("model", [AuditEvent, Leaf])
def test_rows_inserted_together_are_those_of_a_bulk_insert(model: type[models.Model]) -> None:
    waiting_world()
    manager: Any = model._default_manager
    rows = list(manager.order_by("pk"))
    assert stored_by(insert, rows) == stored_by(manager.bulk_create, rows) != []


def test_segments_read_again_are_what_was_inserted() -> None:
    waiting_world()
    row = Segment.objects.exclude(features={}).order_by("position")[0]
    block = Block.objects.create(cid="bafkreiother", ciphertext=b"\x00\xff", wrapped_key=None)
    (made,) = insert([_changed(row, label="other", position=900, block=block)])
    stored = Segment.objects.get(pk=made.pk)
    assert (stored.features, stored.secondaries, stored.unit) == (row.features, row.secondaries, row.unit)
    assert bytes(stored.block.ciphertext or b"") == b"\x00\xff"


def _changed(row: Any, **changes: Any) -> Any:
    values = {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if not field.primary_key}
    return type(row)(**values | changes)


def test_numbers_follow_the_order_of_the_rows_and_moments_are_set_on_them() -> None:
    made = insert(leaves(200))
    stored = Leaf.objects.filter(pk__in=[leaf.pk for leaf in made]).order_by("pk")
    assert [bytes(leaf.body) for leaf in stored] == [leaf.body for leaf in made]
    assert {leaf.created for leaf in made} == set(stored.values_list("created", flat=True))


def test_any_number_of_rows_is_one_statement() -> None:
    with CaptureQueriesContext(connection) as asked:
        insert(leaves(2))
        insert(leaves(200))
        insert(list[Leaf]())
    assert len(asked) == 2


def test_what_a_column_refuses_is_refused_and_not_cut() -> None:
    with pytest.raises(DataError, match="too long"), transaction.atomic():
        insert([Leaf(kind="k" * 25, body=b"x")])
    assert not Leaf.objects.filter(kind__startswith="kk").exists()


def test_constraints_bite() -> None:
    world = waiting_world()
    round = Round.objects.filter(audit__campaign=world.campaign).order_by("pk")[0]
    again = Round(audit=round.audit, segment=round.segment, number=round.number, tier=Tier.HUMAN, k=1)
    with pytest.raises(IntegrityError, match="one_round_a_number"), transaction.atomic():
        insert([again])


def test_a_member_of_an_enum_is_stored_as_its_value() -> None:
    round = Round.objects.filter(audit__campaign=waiting_world().campaign).order_by("pk")[0]
    (made,) = insert([_changed(round, number=7, tier=Tier.LLM, stage=RoundStage.TALLIED, outcome=Outcome.PASS)])
    assert Round.objects.values_list("tier", "stage", "outcome").get(pk=made.pk) == ("llm", "tallied", "pass")


def test_rows_that_give_a_moment_and_rows_that_do_not_are_no_one_insert() -> None:
    first, second = leaves(2)
    second.pk = 10**9
    with pytest.raises(ValueError, match="some of these rows give id"):
        insert([first, second])


MOMENT = datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=-3)))
COLUMNS = [
    ("uuid", [UUID(int=0), None, UUID(int=2**128 - 1)]),
    ("varchar", ["", "NULL", None, 'a "quoted\\ {text},', "\u2211 \U0001f600"]),
    ("text", [Tier.LLM, "x" * 70_000]),
    ("bytea", [b"", b"\x00\xff", None, bytes(70_000)]),
    ("boolean", [True, None, False]),
    ("smallint", [-(2**15), None, 2**15 - 1]),
    ("integer", [-(2**31), 0, 2**31 - 1]),
    ("bigint", [-(2**63), None, 2**63 - 1]),
    ("double precision", [-0.1, 1e308, float("inf"), None]),
    ("timestamp with time zone", [MOMENT, None, datetime(2026, 11, 27, 12, 0, 0, 1, tzinfo=UTC)]),
    ("jsonb", [{"a": [1, None, "\u00e9"]}, [], None, "x", 0.1]),
]


def read_back(kind: str, values: Sequence[Any]) -> list[Any]:
    return [value for (value,) in fetch(f"SELECT unnest($1::{kind}[])", [pack(values, kind)])]


@pytest.mark.parametrize(("kind", "values"), COLUMNS, ids=[kind for kind, _ in COLUMNS])
def test_postgresql_reads_what_a_column_holds(kind: str, values: Sequence[Any]) -> None:
    read = read_back(kind, values)
    assert (read if kind != "jsonb" else [None if text is None else json.loads(text) for text in read]) == values


@pytest.mark.parametrize(("kind", "value"), [("smallint", 2**15), ("integer", -(2**31) - 1)])
def test_a_number_that_does_not_fit_is_refused_by_the_database(kind: str, value: int) -> None:
    with pytest.raises(DataError, match="out of range"), transaction.atomic():
        read_back(kind, [value])


def test_what_the_checkers_decide_of_a_graph_is_the_same_before_and_after_it_was_stored() -> None:
    audit = waiting_world().campaign.audits.get()
    graph, known = decisions.decided_graph(audit=audit)
    again = Audit.objects.get(pk=audit.pk)
    assert decisions.decisions_of(audit=again, trace=load_trace(again.trace), graph=graph) == known
