"""Waves under races: planners at once plan once, and a worker that is killed in a plan loses nothing."""

import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from auditing.core.policy import DEFAULT
from auditing.models import Audit, Leaf, Round, Seat, SegmentOutcome
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.consensus import waves
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from hdag.core.values import Trace
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


def test_an_audit_whose_worker_died_behind_the_checkers_is_found_though_they_decided_nothing() -> None:
    world = make_world(reviewers=3, policy=WAVES)
    audit = world.submit(Trace(problem="Is it so?", thinking="We look at it. It seems so to everybody.", answer="Yes."))
    while audit.stage != "auditing":
        corridor.TRANSITIONS[audit.stage](audit=audit)
        audit.refresh_from_db()
    assert not SegmentOutcome.objects.filter(audit=audit).exists()
    assert audit in corridor.due_work(now=database_now())["tallied"]


def test_four_planners_at_once_plan_one_wave(together: Any) -> None:
    _, audit = before_the_first_plan()
    done = together([lambda: waves.plan_next(audit=audit, policy=WAVES)] * 4)
    assert [plan is None for plan in done].count(True) == 3
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


@pytest.mark.parametrize("turn", range(4))
def test_a_seat_that_is_opened_and_withdrawn_at_once_is_one_of_both(together: Any, turn: int) -> None:
    world, audit = before_the_first_plan()
    world.settle_machines()
    rounds = list(Round.objects.filter(audit=audit, tier="human").select_related("audit", "segment").order_by("pk"))
    people = [auditor_of(user=user) for user in world.reviewers]
    takes = [lambda person=person: assignment.claim_next(auditor=person, now=database_now()) for person in people]
    gone = [lambda round=round: assignment.withdraw(round=round, now=database_now()) for round in rounds]
    calls = [*takes, *gone] if turn % 2 else [*gone, *takes]
    done = together(calls)
    assert not [result for result in done if isinstance(result, Exception)]
    held = {result.pk for result in done if isinstance(result, Seat)}
    seats = Seat.objects.filter(round__in=rounds)
    assert set(seats.filter(stage="held").values_list("pk", flat=True)) == held
    assert seats.filter(declined_because="withdrawn").count() == sum(n for n in done if isinstance(n, int))
    assert not seats.filter(stage__in=["offered", "silent"]).exists()
    # A window stays open for whoever holds a seat of it, and for nobody else.
    waiting = set(Round.objects.filter(pk__in=[r.pk for r in rounds], stage="committing").values_list("pk", flat=True))
    assert waiting == set(seats.filter(pk__in=held).values_list("round", flat=True))


def withdraw_naively(round: Round, meet: Any) -> int:
    """Reads which seats nobody has opened, and then takes them back whatever became of them."""
    idle = list(Seat.objects.filter(round=round, stage="offered").values_list("pk", flat=True))
    meet()
    return Seat.objects.filter(pk__in=idle).update(stage="lapsed", declined_because="withdrawn")


def test_a_naive_withdrawal_takes_an_opened_seat_away(together: Any, meeting: Any) -> None:
    world, audit = before_the_first_plan()
    world.settle_machines()
    seat = Seat.objects.filter(round__audit=audit, stage="offered").select_related("auditor", "round")[0]
    Seat.objects.filter(auditor=seat.auditor, stage="offered").exclude(pk=seat.pk).update(wanted_by=late())
    has_read, has_taken = meeting(2), meeting(2)

    def take() -> Any:
        has_read()
        taken = assignment.claim_next(auditor=seat.auditor, now=database_now())
        has_taken()
        return taken

    def meet() -> None:
        has_read()
        has_taken()

    taken, _ = together([take, lambda: withdraw_naively(seat.round, meet)])
    assert taken.pk == seat.pk
    assert Seat.objects.get(pk=seat.pk).stage == "lapsed"


def late() -> datetime:
    return database_now() + timedelta(days=9)
