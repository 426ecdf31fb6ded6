"""Damaged storage (F23): found at read, not shown, its audits pause, everybody else's go on."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from auditing.models import Audit, AuditEvent, Notice, Round
from auditing.research.ledger_checks.services import check
from auditing.selectors.clock import database_now
from auditing.services import corridor
from auditing.services.intake import damage
from auditing.services.seating.assignment import claim_next
from auditing.services.seating.auditors import auditor_of
from hdag.models import Block
from hdag.store.content import ContentDamagedError
from tests.factories.worlds import TRACE, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def audit(waiting_audit: Audit) -> Audit:
    return waiting_audit


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def flip(name: str) -> bytes:
    """Flip one bit of a stored block; returns what it was."""
    whole = bytes(Block.objects.get(pk=name).ciphertext or b"")
    Block.objects.filter(pk=name).update(ciphertext=bytes([whole[0] ^ 1]) + whole[1:])
    return whole


def segment_block(audit: Audit) -> str:
    round = Round.objects.filter(audit=audit, stage="committing").select_related("segment")[0]
    return str(round.segment.block_id)


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_the_page_says_500_with_its_id_and_the_audit_is_paused(waiting_hens: World, audit: Audit, accept: str) -> None:
    flip(segment_block(audit))
    answer = signed_in(waiting_hens.provider).get(f"/audits/{audit.pk}", headers={"Accept": accept})
    assert answer.status_code == 500
    assert answer.headers["X-Request-Id"] in answer.content.decode()
    assert "damaged" in answer.content.decode()
    assert "12 * 5" not in answer.content.decode()
    audit.refresh_from_db()
    assert audit.paused_at is not None
    assert AuditEvent.objects.filter(audit=audit, kind="audit.paused").count() == 1
    assert Notice.objects.filter(key__startswith="damaged:").count() == 1


def test_a_deleted_block_pauses_as_well_and_the_page_then_says_why(waiting_hens: World, audit: Audit) -> None:
    Block.objects.filter(pk=audit.trace.payload_id).update(ciphertext=None)
    client = signed_in(waiting_hens.provider)
    assert client.get(f"/audits/{audit.pk}").status_code == 500
    page = client.get(f"/audits/{audit.pk}")
    assert page.status_code == 200
    assert "Paused since" in page.content.decode()
    assert "not in the store" in page.content.decode()


def test_nobody_is_seated_or_served_while_it_is_paused(waiting_hens: World, audit: Audit) -> None:
    flip(audit.trace.payload_id)
    reviewer = waiting_hens.reviewers[0]
    assert signed_in(reviewer).get("/desk").status_code == 500
    assert claim_next(auditor=auditor_of(user=reviewer), now=database_now()) is None
    assert signed_in(reviewer).get("/desk").status_code == 200


def test_a_damaged_text_keeps_no_other_audit_waiting(waiting_hens: World) -> None:
    first, second = waiting_hens.submit(TRACE, copy=True), waiting_hens.submit(TRACE, copy=True)
    flip(first.trace.payload_id)
    waiting_hens.settle_machines()
    first.refresh_from_db(), second.refresh_from_db()
    assert (first.stage, first.paused_at is not None, first.failure) == ("submitted", True, "")
    assert (second.stage, second.paused_at) == ("auditing", None)


def test_the_revealer_goes_on_with_the_others(waiting_hens: World, audit: Audit) -> None:
    other = waiting_hens.submit(TRACE, copy=True)
    waiting_hens.settle_machines()
    for user in waiting_hens.reviewers:
        while waiting_hens.vote(user) is not None:
            pass
    flip(segment_block(audit)) if Round.objects.filter(audit=audit, stage="committing") else flip(
        Round.objects.filter(audit=audit, stage="revealing")[0].segment.block_id
    )
    for _ in range(6):
        waiting_hens.sequence()
        waiting_hens.walk()
        for round in Round.objects.filter(stage="revealing", audit__paused_at=None).select_related(
            "closing_leaf", "audit"
        ):
            from auditing.services.voting import reveal

            damage.pausing_on_damage(
                lambda round=round: reveal.open_votes(rounds=[round], private_key=waiting_hens.reveal_key),  # type: ignore[misc]
                otherwise=0,
            )
    audit.refresh_from_db(), other.refresh_from_db()
    assert audit.paused_at is not None
    assert Round.objects.filter(audit=other, stage="tallied", tier="human").exists()


def test_an_admin_lets_it_go_on_once_the_block_is_back(waiting_hens: World, audit: Audit) -> None:
    name = segment_block(audit)
    whole = flip(name)
    with pytest.raises(ContentDamagedError) as found:
        damage.resume(audit=audit, actor=None, now=database_now())
    damage.pause(error=found.value)
    admin = signed_in(audit.campaign.owner)
    refused = admin.post(f"/audits/{audit.pk}/resume")
    assert refused.status_code == 409
    assert "does not hash" in refused.content.decode()
    Audit.objects.filter(pk=audit.pk).update(paused_at=database_now() - timedelta(hours=1))
    before = Round.objects.filter(audit=audit, stage="committing")[0]
    Block.objects.filter(pk=name).update(ciphertext=whole)
    assert admin.post(f"/audits/{audit.pk}/resume").status_code == 302
    audit.refresh_from_db()
    assert audit.paused_at is None
    after = Round.objects.get(pk=before.pk)
    assert before.due_at is not None
    assert after.due_at is not None
    assert after.due_at - before.due_at == timedelta(hours=1)
    waiting_hens.everybody_votes(audit)
    audit.refresh_from_db()
    assert audit.stage == "recorded"


def test_only_admins_resume(waiting_hens: World, audit: Audit) -> None:
    assert signed_in(waiting_hens.provider).post(f"/audits/{audit.pk}/resume").status_code == 403


def test_fsck_names_the_block_and_does_not_call_a_paused_audit_late(waiting_hens: World, audit: Audit) -> None:
    name = segment_block(audit)
    flip(name)
    assert signed_in(waiting_hens.provider).get(f"/audits/{audit.pk}").status_code == 500
    Round.objects.filter(audit=audit).exclude(stage="tallied").update(due_at="2020-01-01T00:00Z")
    found = {one.name: one for one in check(now=database_now(), only=frozenset({"I9", "I10"}))}
    assert found["I9"].holds, found["I9"].faults
    assert any(name in fault for fault in found["I10"].faults)


def test_one_damaged_round_does_not_stop_the_sweep(monkeypatch: pytest.MonkeyPatch, audit: Audit) -> None:
    round = Round.objects.filter(audit=audit, stage="committing")[0]
    name = segment_block(audit)

    def read_it(**_: object) -> bool:
        raise ContentDamagedError(name, "a flipped bit")

    monkeypatch.setattr(corridor.closing, "close_windows", read_it)
    Round.objects.filter(pk=round.pk).update(due_at=database_now() - timedelta(seconds=1))
    corridor.advance_due(now=database_now())  # raises nothing
    audit.refresh_from_db()
    assert audit.paused_at is not None
