"""Exports from the corridor's tables: who may take what, what never leaves, and jobs that end exactly once."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.models import Audit, Decoy, Vote
from auditing.research.exports import services
from auditing.research.exports.formats import DATASETS, ExportRefusedError, Format, Shape, hash_rows, read_rows
from auditing.research.exports.selectors.scope import Filters
from auditing.research.models import ExportJob
from auditing.selectors.clock import database_now
from auditing.services import jobs
from hdag.core.values import Trace
from hdag.models import Block
from hdag.store import content
from tests.factories.worlds import PROBLEM, World, make_user, make_world
from tests.pages.test_corridor_pages import signed_in

pytestmark = pytest.mark.django_db
SHORT = Trace(
    problem=PROBLEM,
    thinking="Each week the hens lay 12 * 5 = 60 eggs. I trust it.",
    answer="60 eggs",
    title="Eggs",
    domain="school maths",
)


@pytest.fixture(autouse=True)
def _folder(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = tmp_path / "exports"


@pytest.fixture(scope="module")
def failed_hens(built_once: Path) -> World:
    """One recorded audit for the whole file; each test runs in a savepoint inside."""
    made = make_world()
    made.everybody_votes(made.submit(SHORT), Choice.FAIL)
    return made


@pytest.fixture
def researcher(failed_hens: World) -> Any:
    return make_user("researcher@example.org", "researcher")


def export(owner: Any, dataset: str, format: Format = Format.JSONL, **said: Any) -> ExportJob:
    text, bundle = said.pop("with_text", False), said.pop("bundle", None)
    filters = Filters.read(said)
    job = services.ask(owner=owner, dataset=dataset, format=format, filters=filters, with_text=text, bundle=bundle)
    services.run(job=job, now=database_now())
    return job


def rows_in(job: ExportJob) -> list[Any]:
    assert job.state == "done", job.error
    path = services.path_of(job=job)
    return list(read_rows(path=path, dataset=DATASETS[job.dataset], format=Format(job.format)))


def test_every_data_set_can_be_written(failed_hens: World, researcher: Any) -> None:
    for dataset in DATASETS:
        job = export(researcher, dataset, with_text=True)
        rows = rows_in(job)
        assert job.rows == len(rows) > 0 or dataset in ("soundness", "criteria", "remarks", "overruled"), dataset
        assert job.content_hash == hash_rows(rows=rows, dataset=DATASETS[dataset])


def test_every_format_of_one_scope_has_one_content_hash(failed_hens: World, researcher: Any) -> None:
    bundle = export(researcher, "outcomes").bundle
    hashes = {export(researcher, "outcomes", format, bundle=bundle).content_hash for format in Format}
    assert len(hashes) == 1


def test_steps_carry_labels_and_leave_as_records_that_training_code_reads(failed_hens: World, researcher: Any) -> None:
    """Everybody voted fail on what people saw; the computer passed the sum: the first step of the thinking fails."""
    first = export(researcher, "steps", with_text=True)
    rows = rows_in(first)
    assert [row["step"] for row in rows] == list(range(rows[0]["steps"]))
    assert {row["label"] for row in rows} <= {1, -1, None}
    assert rows[0]["problem"] == PROBLEM
    assert [row["problem"] for row in rows[1:]] == [None] * (len(rows) - 1)
    assert all(0 <= row["soft_label"] <= 1 for row in rows if row["soft_label"] is not None)
    assert {row["content"] for row in rows_in(export(researcher, "steps"))} == {None}
    for shape in Shape:
        job = export(researcher, "steps", shape, with_text=True, bundle=first.bundle)  # type: ignore[arg-type]
        lines = services.path_of(job=job).read_text().splitlines()
        digest = hash_rows(rows=rows, dataset=DATASETS["steps"])
        assert (job.state, job.rows, job.content_hash) == ("done", len(lines), digest)
        record = json.loads(lines[0])
        if shape is Shape.PROCESSBENCH:
            assert (record["label"], record["steps"]) == (rows[0]["first_error"], [row["content"] for row in rows])
        else:
            assert record["label"]["finish_reason"] == "found_error"
    with pytest.raises(ExportRefusedError, match="need its text"):
        export(researcher, "steps", Shape.PRM800K)  # type: ignore[arg-type]


def test_votes_leave_under_pseudonyms_that_change_with_the_export(failed_hens: World, researcher: Any) -> None:
    first, second = (rows_in(export(researcher, "votes", tier="human")) for _ in range(2))
    assert len(first) == Vote.objects.filter(seat__round__tier="human").count()
    assert not {row["auditor"] for row in first} & {row["auditor"] for row in second}
    assert not {str(pk) for pk in Vote.objects.values_list("seat__auditor_id", flat=True)} & {
        row["auditor"] for row in first
    }


def test_no_vote_leaves_before_its_round_is_counted(researcher: Any, failed_hens: World) -> None:
    before = len(rows_in(export(make_user("a@example.org", "admin"), "votes", tier="human")))
    failed_hens.submit(SHORT, copy=True)
    failed_hens.settle_machines()
    assert failed_hens.vote(failed_hens.reviewers[0]) is not None
    assert len(rows_in(export(make_user("b@example.org", "admin"), "votes", tier="human"))) == before


def test_a_researcher_gets_recorded_audits_only(failed_hens: World, researcher: Any) -> None:
    failed_hens.submit(SHORT, copy=True)
    failed_hens.settle_machines()
    assert len({row["audit"] for row in rows_in(export(researcher, "segments"))}) == 1
    assert len({row["audit"] for row in rows_in(export(make_user("a@example.org", "admin"), "segments"))}) == 2


def test_text_leaves_only_when_asked_for_and_never_after_erasure(failed_hens: World, researcher: Any) -> None:
    assert {row["content"] for row in rows_in(export(researcher, "segments"))} == {None}
    assert any("12 * 5 = 60" in row["content"] for row in rows_in(export(researcher, "segments", with_text=True)))
    content.erase(Block.objects.all())
    for dataset, column in (("segments", "content"), ("votes", "reason")):
        assert {row[column] for row in rows_in(export(researcher, dataset, with_text=True))} == {None}


def test_filters_narrow_votes(failed_hens: World, researcher: Any) -> None:
    kept = ({"outcome": "fail"}, {"agreement": "unanimous"}, {"domain": "school maths"}, {"since": "2020-01-01"})
    lost = (
        {"outcome": "hung"},
        {"agreement": "split"},
        {"domain": "law"},
        {"simulated": "only"},
        {"policy": "99"},
        {"until": "2020-01-01"},
        {"gold": "only"},
        {"imported": "only"},
        {"campaign": str(uuid4())},
    )
    for said in (*kept, *lost):
        assert bool(rows_in(export(researcher, "votes", tier="human", **said))) is (said in kept), said


WHOLES = ["edges", "steps", "outcomes", "postings", "ledger"]


@pytest.mark.parametrize("dataset", WHOLES)
def test_without_gold_no_row_of_a_decoy_leaves_and_with_gold_only_no_other(
    failed_hens: World, researcher: Any, dataset: str
) -> None:
    counts = {gold: len(rows_in(export(researcher, dataset, gold=gold))) for gold in ("any", "without", "only")}
    assert counts["any"] == counts["without"] > counts["only"] == 0
    trace = Audit.objects.get().trace
    at = {"source": "answer", "start": 0, "end": 1, "at": 0}
    Decoy.objects.create(trace=trace, original=trace, origin="planted", truth="fail", explanation=trace.payload, **at)
    segments = counts["any"] - 1 if dataset == "outcomes" else 0  # these are none of them gold
    counts |= {gold: len(rows_in(export(researcher, dataset, gold=gold))) for gold in ("without", "only")}
    assert (counts["without"], counts["only"]) == (segments, counts["any"] - segments)


def test_a_card_says_by_what_its_rows_were_not_narrowed() -> None:
    filters = Filters.read({"tier": "human", "gold": "without"})
    narrowed, others = filters.sentence(dataset="steps").split(". ")
    assert narrowed == "Narrowed to: gold: without; simulated: any; imported: without"
    assert others == "Not narrowed by tier: human, which no row of it has."
    assert filters.sentence(dataset="votes").startswith("Narrowed to: tier: human; ")


def test_the_stream_refuses_what_is_no_filter(failed_hens: World, researcher: Any) -> None:
    answer = signed_in(researcher).get("/research/stream/votes.jsonl?teir=human")
    assert (answer.status_code, b"'teir' is no filter; there are: campaign, " in answer.content) == (400, True)


def test_a_foreign_bundle_is_refused_by_its_own_name(failed_hens: World, researcher: Any) -> None:
    client, body = signed_in(researcher), {"dataset": "votes", "format": "csv", "bundle": str(uuid4())}
    answer = client.post("/api/v1/exports", json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["bundle"]) == (400, ["you have no export in this bundle"])


@pytest.mark.parametrize(
    "said", [{"tier": "x"}, {"since": "never"}, {"campaign": "1"}, {"policy": "-1"}, {"policy": "0"}]
)
def test_a_bad_filter_is_named(said: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(iter(said))):
        Filters.read(said)


@pytest.mark.parametrize("number", ["1_0", "٣", "1e1", "0"])
def test_the_form_takes_the_number_of_a_policy_in_plain_digits_alone(researcher: Any, number: str) -> None:
    sent = {"dataset": "votes", "format": "csv", "gold": "any", "simulated": "any", "imported": "without"}
    answer = signed_in(researcher).post("/research/exports", sent | {"policy": number})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["policy"])


def test_a_cancelled_export_leaves_no_file(failed_hens: World, researcher: Any) -> None:
    job = services.ask(owner=researcher, dataset="votes", format="csv", filters=Filters())
    assert jobs.claim(job=job, now=database_now())
    jobs.cancel(job=job)
    with pytest.raises(jobs.JobStoppedError):
        services._write(job)
    assert [path for path in services.settings.EXPORT_DIR.rglob("*") if path.is_file()] == []
    assert not jobs.cancel(job=job)


def test_two_workers_of_one_job_write_one_file(failed_hens: World, researcher: Any) -> None:
    job = services.ask(owner=researcher, dataset="votes", format="csv", filters=Filters())
    late = ExportJob.objects.get(pk=job.pk)
    assert jobs.claim(job=late, now=database_now() - timedelta(hours=1))
    assert services.run(job=job, now=database_now()) == "done"
    with pytest.raises(jobs.JobStoppedError):
        services._write(late)
    job.refresh_from_db()
    assert services.path_of(job=job).is_file()


def test_a_worker_that_dies_each_time_fails_the_job(researcher: Any) -> None:
    job = services.ask(owner=researcher, dataset="votes", format="csv", filters=Filters())
    old = database_now() - timedelta(hours=1)
    for _ in range(jobs.MAX_ATTEMPTS):
        assert jobs.claim(job=job, now=old)
        ExportJob.objects.filter(pk=job.pk).update(lease_until=old - timedelta(seconds=1))
    assert not jobs.claim(job=job, now=database_now())
    assert job.state == "failed"


def test_the_sweep_announces_and_counts_what_waits_and_what_a_dead_worker_left(researcher: Any) -> None:
    now, asked = database_now(), {"owner": researcher, "dataset": "votes", "format": "csv", "filters": Filters()}
    waiting, left, running = (services.ask(**asked) for _ in range(3))
    assert jobs.claim(job=left, now=now - timedelta(days=1))
    assert jobs.claim(job=running, now=now)
    assert jobs.enqueue_due(now=now) == len([waiting, left])
    assert jobs.cancel(job=waiting)
    assert jobs.enqueue_due(now=now) == 1


def test_a_broken_download_resumes_where_it_stopped(failed_hens: World, researcher: Any) -> None:
    job, client = export(researcher, "votes"), Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    url = f"/research/exports/{job.pk}/file"
    whole = b"".join(client.get(url).streaming_content)  # type: ignore[attr-defined]
    rest = client.get(url, headers={"Range": "bytes=100-"})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 100-{len(whole) - 1}/{len(whole)}")
    assert whole[:100] + b"".join(rest.streaming_content) == whole  # type: ignore[attr-defined]
    assert client.get(url, headers={"Range": f"bytes={len(whole)}-"}).status_code == 416
    changed = client.get(url, headers={"Range": "bytes=5-", "If-Range": '"another"'})
    assert (changed.status_code, len(b"".join(changed.streaming_content))) == (200, len(whole))  # type: ignore[attr-defined]
    assert 'filename="trust-votes-' in rest["Content-Disposition"]


def test_somebody_elses_export_is_unknown(failed_hens: World, researcher: Any) -> None:
    job, client = export(researcher, "votes"), Client()
    client.force_login(
        make_user("other@example.org", "researcher"), backend="django.contrib.auth.backends.ModelBackend"
    )
    for tail in ("", "/file"):
        assert client.get(f"/research/exports/{job.pk}{tail}").status_code == 404


def test_the_stream_gives_the_same_rows_at_once(failed_hens: World, researcher: Any) -> None:
    client = Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get("/research/stream/votes.jsonl?tier=human")
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert [json.loads(line)["choice"] for line in lines] == ["fail"] * len(
        rows_in(export(researcher, "votes", tier="human"))
    )
    assert client.get("/research/stream/votes.jsonl?tier=x").status_code == 400


def test_the_page_asks_and_the_api_follows(failed_hens: World, researcher: Any) -> None:
    client = Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    said = {"dataset": "outcomes", "format": "csv", "gold": "any", "simulated": "any", "imported": "without"}
    page = client.post("/research/exports", said, follow=True)
    assert b"Waiting for a worker" in page.content
    job = ExportJob.objects.get()
    assert services.run(job=job, now=database_now()) == "done"
    assert client.get(f"/api/v1/exports/{job.pk}").json()["content_hash"] == job.content_hash
    assert job.content_hash.encode() in client.get(f"/research/exports/{job.pk}").content


def test_the_command_writes_the_same_rows(failed_hens: World, tmp_path: Path, capsys: Any) -> None:
    from django.core.management import CommandError, call_command

    with pytest.raises(CommandError, match=r"nobody@example\.org may not export"):
        call_command("export", "votes", str(tmp_path / "v.parquet"), "--as", "nobody@example.org")
    call_command("export", "votes", str(tmp_path / "v.parquet"), "--tier", "human")
    assert "content hash" in capsys.readouterr().out
    assert len(list(read_rows(path=tmp_path / "v.parquet", dataset=DATASETS["votes"], format=Format.PARQUET))) > 0
