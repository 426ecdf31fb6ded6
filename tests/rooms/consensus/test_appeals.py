"""Appeals: within the window, by those concerned, a second audit linked both ways."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.core.ledger.leaves import decode
from auditing.core.values import Choice
from auditing.models import Appeal, Audit, Leaf, Seat, SegmentOutcome, Transfer
from auditing.research.ledger_checks import services as fsck
from auditing.research.reports.appeals import AppealedAlreadyError, NoStandingError, WindowOverError, appeal
from auditing.selectors.clock import database_now
from auditing.services.intake.submission import withdraw
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
    assert "An appeal was made." in owner.get(f"/audits/{audit.pk}").content.decode()


def page_for(user: Any, path: str) -> str:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return " ".join(client.get(path).content.decode().split())


def appealed_world(by: str = "provider") -> tuple[World, Audit, Audit]:
    world, audit = recorded_world()
    person = world.provider if by == "provider" else world.reviewers[0]
    made = appeal(audit=audit, by=person, reason="misread", text="Read line\ntwo & three.", now=database_now())
    return world, audit, made.successor


def test_what_was_written_is_shown_to_admins_and_to_whoever_wrote_it_and_to_nobody_else() -> None:
    world, audit, _ = appealed_world(by="auditor")
    for path in (f"/audits/{audit.pk}", f"/audits/{audit.pk}/report"):
        admin = page_for(make_user(f"root{len(path)}@example.org", "admin"), path)
        assert "an auditor appealed: The segment was misread" in admin
        assert re.search("Read line.*<br>.*two &amp; three.", admin)
        provider = page_for(world.provider, path)
        assert "an auditor appealed: The segment was misread" in provider
        assert "two &amp; three" not in provider


def test_whoever_has_appealed_is_told_so_and_gets_no_form() -> None:
    world, audit, _ = appealed_world()
    page = page_for(world.provider, f"/audits/{audit.pk}/appeal")
    assert "You have appealed against this audit already" in page
    assert 'name="reason"' not in page
    assert 'name="reason"' in page_for(world.reviewers[0], f"/audits/{audit.pk}/appeal")


def test_a_provider_cannot_end_the_appeal_of_an_auditor_by_taking_the_second_audit_back() -> None:
    world, _, successor = appealed_world(by="auditor")
    assert not withdraw(audit=successor, actor=world.provider)
    assert "Withdraw …" not in page_for(world.provider, f"/audits/{successor.pk}")


def test_a_second_audit_that_was_taken_back_leaves_the_first_one_standing_and_its_page_says_so() -> None:
    world, audit, successor = appealed_world()
    assert withdraw(audit=successor, actor=world.provider)
    assert "which ended without an outcome: this one stands" in page_for(world.provider, f"/audits/{audit.pk}")
    assert settlement.release_due(now=audit.appeals_until) == 1
    assert "points were released" in page_for(world.provider, f"/audits/{audit.pk}")


def test_nothing_is_said_to_be_decided_otherwise_before_the_second_audit_has_decided() -> None:
    world, _, successor = appealed_world()
    page = page_for(world.provider, f"/audits/{successor.pk}/before")
    assert "decided otherwise</span>" not in page


def test_points_are_said_to_be_held_until_they_are_released() -> None:
    world, audit, successor = appealed_world()
    world.reviewers = [make_user(f"second{number}@example.org", "reviewer") for number in range(3)]
    world.everybody_votes(successor, Choice.FAIL)
    page = page_for(world.provider, f"/audits/{audit.pk}")
    assert "Points stay held until appeals against the second audit close, 20" in page
    successor.refresh_from_db()
    for _ in range(2):
        settlement.release_due(now=successor.appeals_until)
    page = page_for(world.provider, f"/audits/{audit.pk}")
    assert "A second audit found otherwise: fail." in page
    assert "Points were released" in page


def test_stories_in_the_ledger_name_each_other() -> None:
    world, audit, successor = appealed_world()
    world.settle_machines()
    assert f"/ledger/audits/{successor.pk}" in page_for(world.provider, f"/ledger/audits/{audit.pk}")
    assert f"/ledger/audits/{audit.pk}" in page_for(world.provider, f"/ledger/audits/{successor.pk}")
