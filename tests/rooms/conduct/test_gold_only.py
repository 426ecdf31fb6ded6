"""Who is given gold alone is drawn for decoys and for nothing else."""

from datetime import timedelta

import pytest

from auditing.models import Audit, ConductCase
from auditing.selectors.clock import database_now
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import make_user
from tests.rooms.conduct.test_cases import drawn_for
from tests.rooms.gold.test_decoys import decoy_audits, gold_world, sweep

pytestmark = pytest.mark.django_db


def test_gold_only_leaves_decoys_and_nothing_else() -> None:
    boss = make_user("boss@example.org", "admin")
    world = gold_world()
    assert sweep(world)
    world.settle_machines()
    decoys = decoy_audits()
    ordinary = list(Audit.objects.exclude(pk__in=[audit.pk for audit in decoys]))
    person = auditor_of(user=make_user("late@example.org", "reviewer"))
    before = drawn_for(decoys, person), drawn_for(ordinary, person)
    assert all(before[0])
    assert any(before[1])
    until = database_now() + timedelta(days=1)
    ConductCase.objects.create(auditor=person, decision="gold-only", evidence={}, votes=12, until=until, by=boss)
    assert drawn_for(decoys, person) == before[0]
    assert not any(drawn_for(ordinary, person))
