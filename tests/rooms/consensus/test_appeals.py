"""Appeals: within the window, by those concerned, a second audit linked both ways."""

from datetime import timedelta

import pytest
from django.test import Client

from auditing.core.ledger.leaves import decode
from auditing.core.values import Choice
from auditing.models import Appeal, Audit, Leaf, Seat, SegmentOutcome, Transfer
from auditing.research.ledger_checks import services as fsck
from auditing.research.reports.appeals import AppealedAlreadyError, NoStandingError, WindowOverError, appeal
from auditing.selectors.clock import database_now
from auditing.services.points import books, settlement
from tests.factories.worlds import World, make_user, make_world

pytestmark = pytest.mark.django_db


def recorded_world() -> tuple[World, Audit]:
    """Reviewers pass a right trace, to the end; three more wait for a second audit."""
    world = make_world()
    audit = world.submit()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    return world, audit


def test_an_appeal_opens_a_second_audit_in_which_nobody_sits_twice_and_reverses_what_it_overturns() -> None:
    world, audit = recorded_world()
    sat = Seat.objects.filter(round__tier="human").exclude(stage="lapsed")
    first = set(sat.filter(round__audit=audit).values_list("auditor", flat=True))
    world.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
    made = appeal(audit=audit, by=world.provider, reason="wrong_outcome", text="See step two.", now=database_now())
    later = audit.appeals_until + timedelta(days=1)
    assert not settlement.release(audit=audit, now=later)
    world.everybody_votes(made.successor, Choice.FAIL)
    successor = Audit.objects.get(pk=made.successor_id)
    assert (successor.stage, successor.outcome, successor.follows_id) == ("recorded", "fail", audit.pk)
    second = set(sat.filter(round__audit=successor).values_list("auditor", flat=True))
    assert not first & second
    assert Transfer.objects.filter(audit=audit, kind="reversal").exists()
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome, audit.successor) == ("recorded", "pass", successor)
    assert not settlement.release(audit=audit, now=later)
    end = successor.appeals_until + timedelta(seconds=1)
    assert settlement.release_due(now=max(end, later)) >= 1
    settlement.release_due(now=max(end, later))
    audit.refresh_from_db()
    assert audit.released_at is not None
    assert books.check(now=database_now()) == 0
    taken_back = Leaf.objects.filter(audit=audit, kind="outcome.rollback")
    overturned = SegmentOutcome.objects.filter(audit=audit, outcome="pass", segment__in=failed_segments(successor))
    assert taken_back.count() == overturned.count() > 0
    world.settle_machines()
    assert {one.name: one.faults for one in fsck.check(now=database_now()) if not one.holds} == {}


def failed_segments(audit: Audit) -> list[object]:
    return list(SegmentOutcome.objects.filter(audit=audit, outcome="fail").values_list("segment", flat=True))


def test_the_appeal_is_in_the_ledger_without_its_words() -> None:
    world, audit = recorded_world()
    made = appeal(audit=audit, by=world.provider, reason="misread", text="secret words", now=database_now())
    leaf = decode(entry=bytes(Leaf.objects.get(audit=audit, kind="appeal").body))
    assert (leaf.by, leaf.reason, leaf.successor) == ("provider", "misread", made.successor_id)
    assert b"secret" not in bytes(Leaf.objects.get(audit=audit, kind="appeal").body)


def test_only_those_concerned_may_appeal_once_and_in_time() -> None:
    world, audit = recorded_world()
    now = database_now()
    with pytest.raises(NoStandingError):
        appeal(audit=audit, by=make_user("stranger@example.org", "provider"), reason="misread", text="", now=now)
    with pytest.raises(WindowOverError):
        appeal(audit=audit, by=world.provider, reason="misread", text="", now=audit.appeals_until)
    appeal(audit=audit, by=world.provider, reason="misread", text="", now=now)
    with pytest.raises(AppealedAlreadyError):
        appeal(audit=audit, by=world.provider, reason="conflict", text="", now=now)
    joined = appeal(audit=audit, by=world.reviewers[0], reason="procedure", text="", now=now)
    assert (joined.side, Appeal.objects.values("successor").distinct().count()) == ("auditor", 1)


def test_the_pages_of_appeal_and_points_open_for_those_concerned() -> None:
    world, audit = recorded_world()
    for user in (world.provider, world.reviewers[0]):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(f"/audits/{audit.pk}/appeal").status_code == 200
        assert client.post(f"/audits/{audit.pk}/appeal", {"reason": ""}).status_code == 400
        assert client.post(f"/audits/{audit.pk}/appeal", {"reason": "misread", "text": "x"}).status_code == 302
    page = client.get("/points").content.decode()
    assert "Free stake" in page
    rows = client.get("/points.csv").content.decode().splitlines()
    assert rows[0].startswith("at,kind,account,points")
    assert len(rows) > 2
    owner = Client()
    owner.force_login(world.provider, backend="django.contrib.auth.backends.ModelBackend")
    assert "An appeal opened" in owner.get(f"/audits/{audit.pk}").content.decode()
