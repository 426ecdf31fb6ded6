"""The machine's part of the corridor works by audit: as many statements for a long trace as for a short one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from auditing.core.stages import AuditStage
from auditing.models import Audit
from auditing.services import corridor
from hdag.core.values import Trace
from tests.factories.worlds import World, make_world

pytestmark = pytest.mark.django_db
STAGES = (AuditStage.SUBMITTED, AuditStage.DECOMPOSED, AuditStage.ROUTED)


def submitted(world: World, sums: int) -> Audit:
    thinking = "\n\n".join(f"Barn {number}: 12 * {number} = {12 * number}." for number in range(2, 2 + sums))
    return world.submit(trace=Trace(problem="How many?", thinking=thinking, answer="24", domain="other", title="Barns"))


def statements_of_each_stage(audit: Audit) -> list[int]:
    counts = []
    for stage in STAGES:
        audit = Audit.objects.select_related("trace__payload", "policy", "campaign", "decomposition").get(pk=audit.pk)
        with CaptureQueriesContext(connection) as asked:
            assert corridor.TRANSITIONS[stage](audit=audit)
        counts.append(len(asked))
    return counts


def test_a_long_trace_takes_as_many_statements_as_a_short_one() -> None:
    world = make_world()
    statements_of_each_stage(submitted(world, 3))  # what is loaded at first use
    short = statements_of_each_stage(submitted(world, 4))
    assert statements_of_each_stage(submitted(world, 24)) == short
