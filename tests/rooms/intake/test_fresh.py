"""Rows made the short way are those that the model itself makes."""

from typing import Any

import pytest
from django.db.models import Model
from django.db.models.expressions import DatabaseDefault

from auditing.models import Audit, Commitment, Leaf, Round, Route, Seat, SegmentOutcome, Vote
from hdag.models import Block, Segment
from hdag.store.rows import fresh, insert
from tests.factories.worlds import World

MADE = (Leaf, Block, Segment, Route, Round, Seat, Commitment, Vote, SegmentOutcome)


def columns(row: Model) -> dict[str, Any]:
    """Every attribute but those that are another value in each row."""
    by_chance = {field.attname for field in row._meta.concrete_fields if field.primary_key}
    stored = {name: value for name, value in vars(row).items() if name not in {"_state", *by_chance}}
    return {
        name: repr(value.expression) if isinstance(value, DatabaseDefault) else value for name, value in stored.items()
    }


@pytest.mark.parametrize("model", MADE, ids=lambda model: model.__name__)
def test_a_row_has_the_defaults_of_its_model(model: type[Model]) -> None:
    short, own = fresh(model), model()
    assert columns(short) == columns(own)
    assert list(vars(short).keys() - vars(own).keys()) == []
    assert short._state.adding


def test_no_two_rows_share_a_default_that_can_change() -> None:
    one, other = fresh(Round), fresh(Round)
    one.drawn.append("somebody")
    assert other.drawn == []
    assert one.pk != other.pk


def test_a_name_that_the_model_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="Round has no strage"):
        fresh(Round, strage="drawing")


def test_what_is_related_is_known_from_both_sides() -> None:
    audit, seat = Audit(), Seat()
    round = fresh(Round, audit=audit)
    assert round.audit is audit
    assert round.audit_id == audit.pk
    commitment = fresh(Commitment, seat=seat)
    assert seat.commitment is commitment
    assert fresh(Leaf, audit=None).audit is None


@pytest.mark.django_db
def test_such_a_row_is_stored_and_read_again(waiting_hens: World) -> None:
    audit = Audit.objects.get(campaign=waiting_hens.campaign)
    (leaf,) = insert([fresh(Leaf, kind="submission", audit=audit, body=b"a body")])
    assert Leaf.objects.get(pk=leaf.pk).audit_id == audit.pk
