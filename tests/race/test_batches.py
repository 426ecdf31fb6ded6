"""Walkers that find a batch old enough at the same moment: it closes once, each trace in exactly one batch."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Count

from auditing.core.events import EventKind
from auditing.core.policy import FAST
from auditing.models import Audit, AuditEvent
from auditing.selectors.clock import database_now
from auditing.services.events import record_event
from auditing.services.intake import batching
from tests.factories.worlds import TRACE, make_user, make_world

pytestmark = pytest.mark.django_db(transaction=True)
MIXED = replace(FAST, batch_size=9, batch_providers=2, batch_minutes=30)


def waiting_audits() -> list[Audit]:
    """Three audits of two providers, whose batch is not full and not old."""
    world = make_world(reviewers=1, policy=MIXED)
    world.submit(trace=replace(TRACE, thinking="So it is."))
    world.submit(trace=replace(TRACE, thinking="So it is not."))
    world.provider = make_user("second@example.org", "provider")
    world.submit(trace=replace(TRACE, thinking="So it may be."))
    world.settle_machines()
    assert not Audit.objects.filter(batched_at__isnull=False).exists()
    return list(Audit.objects.select_related("policy", "trace"))


def is_closed_once(after: int = 0) -> bool:
    closed = AuditEvent.objects.filter(kind="batch.closed", id__gt=after)
    bodies = list(closed.values_list("body", flat=True))
    return (
        not closed.values("audit").annotate(times=Count("id")).filter(times__gt=1).exists()
        and Audit.objects.filter(batch_providers=2).values("batched_at").distinct().count() == 1
        and bodies == [{"traces": 3, "providers": 2}] * 3
    )


def open_again() -> int:
    """No batch is closed any more; returns the number of the last event so far."""
    Audit.objects.update(batched_at=None, batch_providers=None)
    return AuditEvent.objects.latest("id").pk


def naively(audit: Audit, now: datetime, wait: Callable[[], None]) -> None:
    """Read, think, save: everybody finds the same traces waiting, and closes them."""
    waiting = list(batching._waiting(audit).select_related("trace"))
    providers = {one.trace.provider_id for one in waiting}
    wait()
    for one in waiting:
        Audit.objects.filter(pk=one.pk).update(batched_at=now, batch_providers=len(providers))
        record_event(audit=one, kind=EventKind.BATCH_CLOSED, traces=len(waiting), providers=len(providers))


def test_a_batch_closes_once_with_each_trace_in_one_batch_and_a_naive_walker_closes_it_twice(
    together: Any, meeting: Any
) -> None:
    audits = waiting_audits()
    later = database_now() + timedelta(minutes=31)
    moments = [(one, later + timedelta(seconds=number)) for number, one in enumerate([*audits, *audits])]

    def properly(audit: Audit, now: datetime) -> bool:
        return batching.is_mixed(audit=Audit.objects.get(pk=audit.pk), now=now)

    done = together([lambda one=one, now=now: properly(one, now) for one, now in moments])
    assert set(done) <= {True, False}, done
    assert is_closed_once()
    assert all(properly(one, later) for one in audits)
    before = open_again()
    wait = meeting(len(moments))
    together([lambda one=one, now=now: naively(one, now, wait) for one, now in moments])
    assert not is_closed_once(after=before)
