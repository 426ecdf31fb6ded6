"""Erasure: the keys go, the ledger stays, and every page survives it with a plain word."""

import json
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client, override_settings

from auditing.models import Audit, AuditEvent, Commitment, Erasure, Notice, Vote
from auditing.research.erasure import services as erasure
from auditing.research.erasure.services import ErasureRefusedError
from auditing.research.exports import services
from auditing.research.exports.selectors.scope import Filters
from auditing.research.ledger_checks.services import check
from auditing.research.models import ExportJob
from auditing.research.reports.appeals import AppealRefusedError, appeal
from auditing.selectors.clock import database_now
from auditing.verifier import verify_audit
from hdag.models import Block, Segment
from hdag.services.answer_cache import SharedCache
from tests.factories.worlds import TRACE, World, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def audit(recorded_audit: Audit) -> Audit:
    return recorded_audit


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def erase(audit: Audit) -> Erasure:
    asked = erasure.ask(trace=audit.trace, by=audit.trace.provider, because="")
    done = erasure.confirm(erasure=asked, by=audit.campaign.owner)
    audit.trace.refresh_from_db()
    return done


def test_a_provider_asks_and_an_admin_confirms_on_pages(recorded_hens: World, audit: Audit) -> None:
    provider, admin = signed_in(recorded_hens.provider), signed_in(audit.campaign.owner)
    assert f"/audits/{audit.pk}/erase" in provider.get(f"/audits/{audit.pk}").content.decode()
    refused = provider.post(f"/audits/{audit.pk}/erase", {"because": "a contract"})
    assert refused.status_code == 400
    provider.post(f"/audits/{audit.pk}/erase", {"because": "a contract", "agreed": "on"})
    asked = Erasure.objects.get()
    assert (asked.state, asked.because) == ("waiting", "a contract")
    assert "a contract" in admin.get("/erasures").content.decode()
    assert "/erasures" in admin.get("/audits").content.decode()
    admin.post(f"/erasures/{asked.pk}", {"verdict": "confirm"})
    asked.refresh_from_db()
    assert (asked.state, asked.decided_by) == ("done", audit.campaign.owner)
    assert "This text is erased" in provider.get(f"/audits/{audit.pk}/erase").content.decode()
    assert "A trace of yours was erased, as you asked." in provider.get("/me/news").content.decode()
    assert admin.get("/erasures").status_code == 200


def test_an_admin_refuses_with_a_reason_and_the_provider_may_ask_again(recorded_hens: World, audit: Audit) -> None:
    admin, provider = signed_in(audit.campaign.owner), signed_in(recorded_hens.provider)
    asked = erasure.ask(trace=audit.trace, by=recorded_hens.provider, because="")
    assert admin.post(f"/erasures/{asked.pk}", {"verdict": "refuse"}).status_code == 400
    admin.post(f"/erasures/{asked.pk}", {"verdict": "refuse", "answer": "A court wants it kept."})
    assert "A court wants it kept." in provider.get(f"/audits/{audit.pk}/erase").content.decode()
    assert Block.objects.filter(wrapped_key__isnull=True).count() == 0
    assert erasure.ask(trace=audit.trace, by=recorded_hens.provider, because="").pk != asked.pk


def test_nothing_that_opens_or_confirms_a_word_is_left(audit: Audit) -> None:
    erase(audit)
    for names in erasure.texts_of(trace=audit.trace):
        assert not Block.objects.filter(pk__in=names, wrapped_key__isnull=False).exists()
    assert not Segment.objects.filter(salt__isnull=False).exists()
    assert {bytes(one) for one in Vote.objects.values_list("rationale_nonce", flat=True)} == {b""}
    assert not Commitment.objects.filter(sealed__isnull=False).exists()
    assert not Commitment.objects.filter(kept__isnull=False).exists()
    assert audit.trace.title == "Erased trace"
    assert not Notice.objects.filter(text__contains="Eggs").exists()
    assert AuditEvent.objects.filter(audit=audit, kind="trace.erased").count() == 1


def test_every_column_that_leads_to_a_text_is_erased_or_named_here_as_none_of_a_trace(audit: Audit) -> None:
    others = {
        "hdag.Block.part_of",
        "auditing.ConductCase.plea",
        "auditing.GoldSegment.block",
        "research.CausalBatch.queries",
        "research.Evaluation.given",
        "research.Evaluation.audit",
        "research.Correction.block",
        "research.ImportedVote.reason",
        "research.Iteration.items",
        "research.NormingRemark.block",
    }
    leading = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model is Block
    }
    trace = audit.trace
    erased = {f"{query.model._meta.label}.{query.query.values_select[0]}" for query in erasure.texts_of(trace=trace)}
    assert leading == erased | others


def test_every_page_of_the_audit_survives(recorded_hens: World, audit: Audit) -> None:
    erase(audit)
    provider, day = signed_in(recorded_hens.provider), f"erased on {audit.trace.erased_at:%Y-%m-%d}"
    for place in ("", "/report", "/report.json", "/graph", "/share", "/segments/O1/computer"):
        page = provider.get(f"/audits/{audit.pk}{place}")
        assert page.status_code == 410, place
        assert ("erased" if place.startswith(("/graph", "/seg")) else day) in page.content.decode(), place


def test_lists_ledger_record_and_api_survive(recorded_hens: World, audit: Audit) -> None:
    erase(audit)
    admin, reviewer = signed_in(audit.campaign.owner), signed_in(recorded_hens.reviewers[0])
    for address in ("/audits", "/ledger", f"/ledger/audits/{audit.pk}", "/research", "/adjudication", "/campaigns"):
        assert admin.get(address).status_code == 200, address
    for address in ("/desk", "/record", "/points"):
        assert reviewer.get(address).status_code == 200, address
    seat = Vote.objects.filter(seat__auditor__user=recorded_hens.reviewers[0])[0].seat_id
    assert reviewer.get(f"/record/votes/{seat}").status_code in (404, 410)
    answer = admin.get(f"/api/v1/audits/{audit.pk}")
    assert (answer.status_code, "erased" in answer.json()["detail"]) == (410, True)
    assert admin.get("/api/v1/audits").status_code == 200


def test_a_stranger_still_verifies_the_whole_audit(audit: Audit, capsys: Any, tmp_path: Any) -> None:
    before = signed_in(audit.campaign.owner).get(f"/ledger/audits/{audit.pk}/bundle.json")
    erase(audit)
    after = signed_in(audit.campaign.owner).get(f"/ledger/audits/{audit.pk}/bundle.json")
    assert after.status_code == 200
    assert json.loads(after.content) == json.loads(before.content)
    (tmp_path / "bundle.json").write_bytes(after.content)
    assert verify_audit.main([str(tmp_path / "bundle.json")]) == 0, capsys.readouterr().out


def test_fsck_finds_nothing_broken(audit: Audit) -> None:
    before = {one.name for one in check(now=database_now()) if not one.holds}
    erase(audit)
    broken = {one.name: one.faults for one in check(now=database_now()) if not one.holds}
    assert set(broken) <= before, broken


def test_exports_with_text_are_deleted_and_the_next_ones_leave_it_out(
    audit: Audit, settings: Any, tmp_path: Any
) -> None:
    settings.EXPORT_DIR = tmp_path / "exports"
    settings.EXPORT_DIR.mkdir()
    owner = make_user("researcher@example.org", "researcher")
    job = services.ask(owner=owner, dataset="segments", format="jsonl", filters=Filters(), with_text=True)
    services.run(job=job, now=database_now())
    assert b"12 * 5" in next(settings.EXPORT_DIR.iterdir()).read_bytes()
    with capture_commit():
        erase(audit)
    assert list(settings.EXPORT_DIR.iterdir()) == []
    assert not ExportJob.objects.exists()
    again = services.ask(owner=owner, dataset="segments", format="jsonl", filters=Filters(), with_text=True)
    assert services.run(job=again, now=database_now()) == "done"
    assert b"12 * 5" not in next(settings.EXPORT_DIR.iterdir()).read_bytes()


def capture_commit() -> Any:
    from django.test import TestCase

    return TestCase.captureOnCommitCallbacks(execute=True)


def test_cached_answers_about_it_are_forgotten(audit: Audit) -> None:
    SharedCache().keep("about it", "the hens lay 60 eggs")
    with capture_commit():
        erase(audit)
    assert SharedCache().find("about it") is None


def test_running_audits_are_withdrawn_and_nobody_is_seated(recorded_hens: World) -> None:
    audit = recorded_hens.submit(TRACE, copy=True)
    recorded_hens.settle_machines()
    erase(audit)
    audit.refresh_from_db()
    assert (audit.stage, "erased" in audit.failure) == ("withdrawn", True)
    assert recorded_hens.vote(recorded_hens.reviewers[0]) is None
    recorded_hens.settle_machines()
    assert signed_in(recorded_hens.reviewers[0]).get("/desk").status_code == 200


def test_an_outcome_that_is_being_recorded_is_waited_for(audit: Audit) -> None:
    Audit.objects.filter(pk=audit.pk).update(stage="settled")
    with pytest.raises(ErasureRefusedError, match="try again"):
        erase(audit)
    assert Block.objects.filter(wrapped_key__isnull=True).count() == 0


def test_the_same_text_handed_in_again_is_a_new_trace(recorded_hens: World, audit: Audit) -> None:
    erase(audit)
    again = recorded_hens.submit(TRACE)
    assert again.trace_id != audit.trace_id
    assert again.trace.erased_at is None


def test_only_the_provider_asks_and_only_an_admin_decides(recorded_hens: World, audit: Audit) -> None:
    stranger = make_user("other@example.org", "provider")
    with pytest.raises(ErasureRefusedError):
        erasure.ask(trace=audit.trace, by=stranger, because="")
    assert signed_in(stranger).get(f"/audits/{audit.pk}/erase").status_code == 404
    asked = erasure.ask(trace=audit.trace, by=recorded_hens.provider, because="")
    assert signed_in(recorded_hens.provider).post(f"/erasures/{asked.pk}", {"verdict": "confirm"}).status_code == 403


def test_by_policy_a_request_is_carried_out_at_once_and_once(recorded_hens: World, audit: Audit) -> None:
    with override_settings(ERASURE_NEEDS_ADMIN=False):
        first = erasure.ask(trace=audit.trace, by=recorded_hens.provider, because="")
        second = erasure.ask(trace=audit.trace, by=recorded_hens.provider, because="")
    assert first.pk == second.pk
    assert (second.state, second.decided_by) == ("done", None)
    assert erasure.confirm(erasure=second, by=None).texts == first.texts


def test_an_erased_trace_takes_no_appeal(recorded_hens: World, audit: Audit) -> None:
    erase(audit)
    with pytest.raises(AppealRefusedError, match="erased"):
        appeal(audit=audit, by=recorded_hens.provider, reason="misread", text="", now=database_now())
    page = signed_in(recorded_hens.provider).get(f"/audits/{audit.pk}/appeal").content.decode()
    assert ("nobody could look at it again" in page, "<textarea" in page) == (True, False)


def test_the_command_erases_and_says_what_remains(audit: Audit, capsys: Any) -> None:
    with pytest.raises(CommandError, match="no admin"):
        call_command("erase_trace", str(audit.trace_id), by="provider@example.org")
    call_command("erase_trace", str(audit.trace_id), by="admin@example.org")
    said = capsys.readouterr().out
    assert "backups" in said
    assert Erasure.objects.get().state == "done"


def test_the_guards_let_secrets_go_and_nothing_come(audit: Audit) -> None:
    erase(audit)
    for change in (
        "vote SET choice = 'fail'",
        "vote SET rationale_nonce = '\\x00'",
        "commitment SET digest = '\\x00'",
        "commitment SET kept = '\\x01'",
    ):
        with pytest.raises(IntegrityError, match="final"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE auditing_{change}")
