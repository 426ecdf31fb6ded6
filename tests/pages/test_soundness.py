"""Soundness on the trace page: asked for by page or API, computed as a job, shown beside the votes, in the report."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client

from auditing.core.soundness.parc_alarms import PARC_ALARMS
from auditing.models import Audit, SoundnessRun, SoundnessThreshold
from auditing.research.soundness.services import runs
from auditing.selectors.clock import database_now
from auditing.selectors.soundness import soundness_of
from auditing.services import jobs
from hdag.chat.address import read_allowlist
from hdag.core.values import Trace
from hdag.models import ChatCall, Endpoint
from hdag.services.answer_cache import forget
from tests.doubles.chat_server import run_server
from tests.factories.models import make_endpoint
from tests.factories.worlds import World, make_user, make_world
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
LEANS = Trace(
    problem="Tom has 3 bags of 14 nuts. He finds 8 more nuts.",
    thinking="The bags hold 3 * 14 = 44 nuts.\n\nThen he has 44 + 8 = 52 nuts.",
    answer="52 nuts",
    domain="school maths",
    title="Nuts",
)


@pytest.fixture
def unreviewed_hens() -> World:
    return make_world(reviewers=0)


@pytest.fixture
def audit(unreviewed_hens: World) -> Audit:
    audit = unreviewed_hens.submit(LEANS)
    unreviewed_hens.walk()
    audit.refresh_from_db()
    return audit


@pytest.fixture
def client(unreviewed_hens: World) -> Client:
    return signed_in(unreviewed_hens.provider)


def compute(run: SoundnessRun, allowed: str = "") -> SoundnessRun:
    """What the worker does when the bell rings."""
    runs.run(run=run, now=database_now(), allowed=read_allowlist(allowed))
    run.refresh_from_db()
    return run


def test_asked_on_the_page_computed_and_shown_beside_the_votes(client: Client, audit: Audit) -> None:
    assert "Compute soundness" in client.get(f"/audits/{audit.pk}").content.decode()
    assert client.post(f"/audits/{audit.pk}/soundness").headers["Location"] == f"/audits/{audit.pk}#soundness"
    waiting = client.get(f"/audits/{audit.pk}").content.decode()
    assert "Waiting for a worker" in waiting
    assert f'hx-get="/audits/{audit.pk}/soundness"' in waiting
    assert compute(SoundnessRun.objects.get()).state == "done"
    page = client.get(f"/audits/{audit.pk}", {"segment": "O1"})
    body = page.content.decode()
    assert page.context["view"].shown.line.soundness.word == "local error"
    for words in ("does not certify that a claim is true", "± 0.1", "not calibrated", "computer tier", "local error"):
        assert words in body, words
    assert "every 2s" not in body
    part = client.get(f"/audits/{audit.pk}/soundness", HTTP_HX_REQUEST="true").content.decode()
    assert " ".join(part.split()).startswith('<section class="section" id="soundness"')


def test_what_the_computer_tier_cannot_settle_is_open_and_never_sound(audit: Audit) -> None:
    SoundnessThreshold.objects.create(
        model="computer tier", data="X", chains=9, threshold=0.25, macro_f1=0.7, deviation=0
    )
    compute(runs.ask(audit=audit, owner=audit.trace.provider))
    found = soundness_of(audit=audit)
    assert found is not None
    assert {one.word for one in found.claims.values() if one.local == 0.5} == {"open"}
    assert found.counts["local error"] >= 1


def test_a_threshold_comes_with_the_data_it_was_measured_on(client: Client, audit: Audit) -> None:
    SoundnessThreshold.objects.create(
        model="computer tier", data="set X", chains=40, threshold=0.31, macro_f1=0.71, deviation=0.02
    )
    compute(runs.ask(audit=audit, owner=audit.trace.provider))
    body = client.get(f"/audits/{audit.pk}").content.decode()
    for words in ("0.31", "40 chains of set X", "0.710 ± 0.020 over five folds"):
        assert words in body, words


def test_the_api_asks_follows_and_gives_the_claims(client: Client, audit: Audit) -> None:
    address = f"/api/v1/audits/{audit.pk}/soundness"
    assert client.get(address).json() == {"run": None, "certificate": None, "claims": {}, "forecast": []}
    asked = client.post(address, {}, content_type="application/json")
    assert (asked.status_code, asked.json()["run"]["state"]) == (202, "waiting")
    compute(SoundnessRun.objects.get())
    said = client.get(address).json()
    assert said["claims"]["O1"]["word"] == "local error"
    assert said["certificate"]["threshold"] == 0.5
    assert said["certificate"]["false_alarms_on_parc"] == PARC_ALARMS["declared first"].as_json()
    assert PARC_ALARMS["declared first"].sentence in client.get(f"/audits/{audit.pk}").content.decode()
    report = client.get(f"/audits/{audit.pk}/report.json").json()
    assert report["soundness"]["statement"] == said["certificate"]["statement"]
    assert next(one for one in report["segments"] if one["id"] == "O1")["soundness"]["tau"] == 0.0
    assert "It decided no segment" in client.get(f"/audits/{audit.pk}/report").content.decode()


def test_a_proof_of_the_audit_goes_before_an_open_figure_wherever_pages_show_it(client: Client, audit: Audit) -> None:
    run = compute(runs.ask(audit=audit, owner=audit.trace.provider))
    unsure = {**run.claims["O1"], "tau": 0.47, "low": 0.4, "high": 0.6, "local": 0.5}
    SoundnessRun.objects.update(claims={**run.claims, "O1": unsure})
    page = client.get(f"/audits/{audit.pk}", {"segment": "O1"})
    assert page.context["view"].shown.line.soundness.shown == "refuted"
    part = client.get(f"/audits/{audit.pk}/soundness", HTTP_HX_REQUEST="true")
    for answer in (page, client.get(f"/audits/{audit.pk}/report"), part):
        body = " ".join(answer.content.decode().split())
        assert "A computer check refuted O1 when it was audited." in body
        assert "<b>0.47</b>" not in body
    assert "a proof goes before a figure" in page.content.decode()
    segments = client.get(f"/audits/{audit.pk}/report.json").json()["segments"]
    assert next(one for one in segments if one["id"] == "O1")["soundness"]["word"] == "open"


def test_asking_twice_makes_one_run_and_a_dead_run_starts_again(audit: Audit) -> None:
    first, second = (runs.ask(audit=audit, owner=audit.trace.provider) for _ in range(2))
    assert first.pk == second.pk
    assert jobs.claim(job=first, now=database_now())
    assert runs.run(run=second, now=database_now(), allowed=frozenset()) == "running"
    SoundnessRun.objects.update(lease_until=database_now() - timedelta(seconds=1))
    assert compute(first).state == "done"
    assert compute(runs.ask(audit=audit, owner=audit.trace.provider)).pk != first.pk


def test_a_stopped_run_keeps_nothing(client: Client, audit: Audit) -> None:
    run = runs.ask(audit=audit, owner=audit.trace.provider)
    client.post(f"/audits/{audit.pk}/soundness/stop")
    assert compute(run).state == "cancelled"
    assert soundness_of(audit=audit) is None


def test_a_model_is_asked_only_with_consent_for_whole_traces_and_never_about_its_own(
    client: Client, unreviewed_hens: World, audit: Audit
) -> None:
    row = make_endpoint("https://models.example.com/v1", may_see="whole traces")
    make_endpoint("https://models.example.com/v1", "narrow")
    address = f"/api/v1/audits/{audit.pk}/soundness"

    def asked() -> int:
        return client.post(address, {"endpoints": ["first"]}, content_type="application/json").status_code

    assert asked() == 400
    client.post(f"/audits/{audit.pk}/soundness", {"endpoints": [str(row.pk)]})
    assert not SoundnessRun.objects.exists()
    audit.trace.whole_to_models = True
    audit.trace.save()
    assert client.post(address, {"endpoints": ["narrow"]}, content_type="application/json").status_code == 400
    own = unreviewed_hens.submit(replace(LEANS, model_name="first-7b", answer="So 52 nuts"))
    own.trace.whole_to_models = True
    own.trace.save()
    unreviewed_hens.walk()
    own_address = f"/api/v1/audits/{own.pk}/soundness"
    assert client.post(own_address, {"endpoints": ["first"]}, content_type="application/json").status_code == 400
    assert asked() == 202


@pytest.mark.django_db(transaction=True)
def test_models_answer_where_checkers_are_silent_and_the_audit_pays(unreviewed_hens: World, audit: Audit) -> None:
    audit.trace.whole_to_models = True
    audit.trace.save()
    with run_server() as server:
        rows = [make_endpoint(server.url(name), name, may_see="whole traces", audit_cap=9) for name in ("oracle", "x")]
        run = compute(runs.ask(audit=audit, owner=audit.trace.provider, endpoints=rows), server.origin)
    assert run.state == "done", run.error
    assert run.model.startswith("computer tier, then panel of oracle")
    assert run.certificate["settled"]
    assert set(ChatCall.objects.values_list("account", flat=True)) == {f"audit:{audit.pk}"}


FACTS = Trace(
    problem="It rains in May.",
    thinking="\n\n".join(f"Then the mill of village {name} can grind." for name in "abcdefgh"),
    answer="They grind.",
)


@pytest.fixture
def wordy(unreviewed_hens: World) -> Audit:
    """Nine claims of which the checkers say nothing; its provider agrees that models see it."""
    audit = unreviewed_hens.submit(FACTS, whole_to_models=True)
    unreviewed_hens.walk()
    audit.refresh_from_db()
    return audit


@pytest.mark.django_db(transaction=True)
def test_a_run_that_met_its_limit_of_money_is_partial_and_the_next_fills_its_holes(
    client: Client, wordy: Audit
) -> None:
    address = f"/api/v1/audits/{wordy.pk}/soundness"
    with run_server() as server:
        make_endpoint(server.url("oracle"), may_see="whole traces", audit_cap=9, price_in=100, max_concurrency=1)
        asked = {"endpoints": ["first"], "limit_money": "1.2"}
        assert client.post(address, asked, content_type="application/json").status_code == 202
        run = compute(SoundnessRun.objects.get(audit=wordy), server.origin)
        spent = ChatCall.objects.count()
        counted = run.certificate
        assert (run.state, run.is_partial) == ("done", True), run.error
        assert 0 < len(run.claims) < 9
        assert counted["coverage"] == len(run.claims) / 9
        assert counted["asked"] == counted["answered"] + counted["failed"]
        assert "has spent" in counted["why"]
        assert run.statement.startswith(f"Partial: {len(run.claims)} of 9 claims")
        assert client.get(address).json()["run"]["counts"].startswith("partial: asked")
        assert "partial: asked" in client.get(f"/audits/{wordy.pk}").content.decode()
        page = {"endpoints": [str(Endpoint.objects.get().pk)], "premises": "declared first", "limit_money": "8"}
        client.post(f"/audits/{wordy.pk}/soundness", page)
        forget()  # nothing but what the first run kept
        again = compute(SoundnessRun.objects.latest("created"), server.origin)
        assert (again.state, again.is_partial, len(again.claims)) == ("done", False, 9), again.error
        assert 0 < again.certificate["reused"] <= counted["answered"]
        assert ChatCall.objects.count() > spent
        assert again.answers == {}
        assert {label: again.claims[label]["tau"] for label in run.claims} == {
            label: figures["tau"] for label, figures in run.claims.items()
        }
        assert client.post(address, {"limit_money": "-1"}, content_type="application/json").status_code == 400


@pytest.mark.django_db(transaction=True)
def test_a_limit_that_no_call_fits_into_leaves_no_certificate_but_the_reason(wordy: Audit) -> None:
    with run_server() as server:
        row = make_endpoint(server.url("oracle"), may_see="whole traces", audit_cap=9, price_in=100)
        run = runs.ask(audit=wordy, owner=wordy.trace.provider, endpoints=[row], limit_money=Decimal("0.0001"))
        run = compute(run, server.origin)
    assert run.state == "failed"
    assert "has spent" in run.error


@pytest.mark.django_db(transaction=True)
def test_a_model_that_gives_no_answer_leaves_no_certificate_but_a_reason(client: Client, audit: Audit) -> None:
    audit.trace.whole_to_models = True
    audit.trace.save()
    with run_server() as server:
        row = make_endpoint(server.url("prose"), may_see="whole traces", audit_cap=9)
        run = compute(runs.ask(audit=audit, owner=audit.trace.provider, endpoints=[row]), server.origin)
    assert run.state == "failed"
    assert "invalid_answer" in client.get(f"/audits/{audit.pk}").content.decode()
    assert soundness_of(audit=audit) is None


@pytest.mark.parametrize("role", ["reviewer", "consumer", "researcher", "provider"])
def test_who_may_not_ask_finds_nothing(audit: Audit, role: str) -> None:
    client = signed_in(make_user("other@example.org", role))
    for address in (f"/audits/{audit.pk}/soundness", f"/audits/{audit.pk}/soundness/stop"):
        assert client.post(address).status_code in (403, 404)
    api = client.post(f"/api/v1/audits/{audit.pk}/soundness", {}, content_type="application/json")
    assert api.status_code in (403, 404)
    assert not SoundnessRun.objects.exists()


def test_what_a_claim_may_lean_on_is_chosen_on_the_page_and_by_the_api(client: Client, audit: Audit) -> None:
    page = client.get(f"/audits/{audit.pk}").content.decode()
    assert "What a claim may lean on" in page
    client.post(f"/audits/{audit.pk}/soundness", {"premises": "all"})
    compute(SoundnessRun.objects.get())
    found = soundness_of(audit=audit)
    assert found is not None
    assert "Every claim was granted everything before it" in found.run.statement
    assert {line.context for line in found.claims.values()} == {"everything earlier"}
    address = f"/api/v1/audits/{audit.pk}/soundness"
    wrong = client.post(address, {"premises": "some"}, content_type="application/json")
    assert wrong.status_code == 400
    client.post(address, {"premises": "declared"}, content_type="application/json")
    assert SoundnessRun.objects.latest("created").premises == "declared"
    client.post(f"/audits/{audit.pk}/soundness", {"premises": "some"})
    assert SoundnessRun.objects.count() == 2
