"""Waves under races: planners at once plan once, and a worker that is killed in a plan loses nothing."""

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from auditing.core.policy import DEFAULT
from auditing.models import Audit, Leaf, Round
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.consensus import waves
from tests.factories.worlds import World, make_world

pytestmark = pytest.mark.django_db(transaction=True)
WAVES = replace(
    DEFAULT,
    short_trace_characters=9_000,
    batch_size=1,
    batch_providers=1,
    batch_minutes=0,
)


def before_the_first_plan() -> tuple[World, Audit]:
    """The checkers have looked, and no wave is planned yet."""
    world = make_world(reviewers=3, policy=WAVES)
    audit = world.submit()
    while audit.stage != "auditing":
        corridor.TRANSITIONS[audit.stage](audit=audit)
        audit.refresh_from_db()
    assert not Leaf.objects.filter(audit=audit, kind="wave.plan").exists()
    return world, audit


def test_four_planners_at_once_plan_one_wave(together: Any) -> None:
    _, audit = before_the_first_plan()
    done = together([lambda: waves.plan_next(audit=audit, policy=WAVES)] * 4)
    assert sorted(done) == [False, False, False, True]
    assert Leaf.objects.filter(audit=audit, kind="wave.plan").count() == 1
    asked = Round.objects.filter(audit=audit, tier="human")
    assert asked.count() == asked.values("segment").distinct().count() > 0


KILLED = """
import os, sys
from django.conf import settings
import django
django.setup()
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from auditing.models import Audit
from auditing.selectors.policy.versions import load_policy
from auditing.services.consensus import waves
audit = Audit.objects.select_related("policy", "trace").get(pk=sys.argv[2])
waves.plan_next(audit=audit, policy=load_policy(version=audit.policy, domain=audit.trace.domain))
"""


def test_a_worker_killed_in_a_plan_leaves_nothing_of_it_and_the_sweep_plans_again() -> None:
    world, audit = before_the_first_plan()
    name = connection.settings_dict["NAME"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, name, str(audit.pk)],
        env={**os.environ, "TRUST_CRASH_AT": "wave.plan"},
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -9, killed.stderr
    assert not Leaf.objects.filter(audit=audit, kind="wave.plan").exists()
    assert not Round.objects.filter(audit=audit, tier="human").exists()
    corridor.advance_due(now=database_now())
    assert Leaf.objects.filter(audit=audit, kind="wave.plan").count() == 1
    world.settle_machines()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
