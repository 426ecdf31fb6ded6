"""Bundles of exports: data sets that join, equal hashes in every format, and what changed since an earlier one."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client

from auditing.core.values import Choice
from auditing.research.agreement.selectors.comparison import compare_outcomes, decided_traces
from auditing.research.agreement.views import coefficient_rows, only_paired
from auditing.research.exports import services
from auditing.research.exports.formats import DATASETS, ExportRefusedError, Format, read_rows
from auditing.research.exports.formats.datasets import OF_NO_TRACE, OF_VOTES
from auditing.research.exports.selectors.scope import Filters, Scope
from auditing.research.models import ExportJob
from auditing.selectors.clock import database_now
from hdag.models import Block
from hdag.store import content
from tests.factories.worlds import TRACE, World, make_user

pytestmark = pytest.mark.django_db
NAMED = replace(TRACE, model_name="lathe-3", id="order-17")


@pytest.fixture
def named_hens(idle_hens: World) -> World:
    idle_hens.everybody_votes(idle_hens.submit(NAMED), Choice.FAIL)
    return idle_hens


@pytest.fixture
def researcher(named_hens: World) -> Any:
    return make_user("bundles@example.org", "researcher")


def export(owner: Any, dataset: str, format: Format = Format.JSONL, bundle: Any = None) -> ExportJob:
    job = services.ask(owner=owner, dataset=dataset, format=format, filters=Filters(), with_text=True, bundle=bundle)
    assert services.run(job=job, now=database_now()) == "done", job.error
    return job


def rows_in(job: ExportJob) -> list[Any]:
    return list(read_rows(path=services.path_of(job=job), dataset=DATASETS[job.dataset], format=Format(job.format)))


def test_votes_have_one_hash_in_every_format_of_a_bundle_and_another_outside(researcher: Any) -> None:
    first = export(researcher, "votes")
    others = [export(researcher, "votes", format, first.bundle) for format in Format]
    assert {job.content_hash for job in others} == {first.content_hash}
    assert export(researcher, "votes").content_hash != first.content_hash


def test_the_data_sets_of_a_bundle_join_by_pseudonym_and_by_vote(researcher: Any) -> None:
    votes = export(researcher, "votes")
    names = {row["vote"] for row in rows_in(votes)}
    assert len(names) == votes.rows
    evidence = rows_in(export(researcher, "evidence", bundle=votes.bundle))
    assert evidence
    assert {row["vote"] for row in evidence} <= names
    standing = rows_in(export(researcher, "reputation", bundle=votes.bundle))
    assert {row["auditor"] for row in standing} == {row["auditor"] for row in rows_in(votes)}


def test_every_data_set_says_whose_trace_it_is_and_which_model_wrote_it(named_hens: World, researcher: Any) -> None:
    for name in DATASETS.keys() - OF_NO_TRACE - {"soundness", "criteria", "remarks", "overruled"}:
        origins = {(row["provider"], row["external_id"], row["model"]) for row in rows_in(export(researcher, name))}
        ((provider, external_id, model),) = [origin for origin in origins if origin[0]]
        assert (external_id, model) == ("order-17", "lathe-3"), name
        assert provider.startswith("p-")
    assert {name for name, dataset in DATASETS.items() if "vote" in dataset.names} == OF_VOTES


def test_what_was_erased_names_no_model(researcher: Any) -> None:
    content.erase(Block.objects.all())
    assert {row["model"] for row in rows_in(export(researcher, "outcomes"))} == {None}


def test_nobody_joins_somebody_elses_bundle(researcher: Any) -> None:
    foreign = export(make_user("stranger@example.org", "researcher"), "outcomes")
    for bundle in (foreign.bundle, uuid4()):
        with pytest.raises(ExportRefusedError, match="no export in this bundle"):
            export(researcher, "votes", bundle=bundle)


def test_a_later_snapshot_says_what_came_since(named_hens: World, researcher: Any) -> None:
    earlier = export(researcher, "votes", Format.CSV)
    named_hens.everybody_votes(named_hens.submit(replace(TRACE, problem=f"{TRACE.problem} Count again.")), Choice.PASS)
    later = export(researcher, "votes", Format.PARQUET, earlier.bundle)
    assert services.are_comparable(earlier=earlier, later=later)
    difference = services.compare(earlier=earlier, later=later)
    assert (difference.came, difference.gone, difference.stayed) == (later.rows - earlier.rows, 0, earlier.rows)
    back = services.compare(earlier=later, later=earlier)
    assert (back.came, back.gone) == (0, difference.came)
    client = Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    page = " ".join(client.get(f"/research/exports/{later.pk}?since={earlier.pk}").content.decode().split())
    assert f'<b class="num">{difference.came}</b> rows came' in page
    assert not services.are_comparable(earlier=export(researcher, "votes", Format.CSV), later=later)


def test_several_data_sets_are_asked_for_at_once_and_form_a_bundle(researcher: Any) -> None:
    client = Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    asked = {"dataset": ["votes", "outcomes"], "format": "csv", "gold": "any", "simulated": "any"}
    page = client.post("/research/exports", asked | {"imported": "without"}, follow=True).content.decode()
    assert len(ExportJob.objects.values_list("bundle", flat=True).distinct()) == 1
    assert ExportJob.objects.count() == 2
    assert "Its bundle" in page


def test_items_with_a_single_vote_move_no_figure_of_agreement() -> None:
    paired = np.array([[2, 0], [0, 2], [1, 1], [2, 0]] * 5)
    alone = np.array([[0, 1]] * 40)
    mixed = {"x": np.concatenate([paired, alone])}
    assert coefficient_rows(mixed)[0][4] != coefficient_rows({"x": paired})[0][4]
    assert coefficient_rows(only_paired(mixed)) == coefficient_rows({"x": paired})
    assert only_paired({"x": alone})["x"] is alone


def test_models_are_compared_with_intervals_by_field(researcher: Any) -> None:
    scope = Scope(researcher, Filters(), "page")
    (line,) = compare_outcomes(decided=decided_traces(scope=scope, by="model"), within=lambda each: each.domain)
    assert (line.group, line.failed, line.passed) == ("lathe-3", 1, 0)
    assert line.rate.low == 0
    assert 0 < (line.rate.high or 0) < 1
    for by in ("provider", "policy"):
        assert len(decided_traces(scope=scope, by=by)) == 1
    client = Client()
    client.force_login(researcher, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/research/compare").content.decode()
    assert "lathe-3" in page
    assert "lathe-3" not in client.get("/research/compare?by=policy").content.decode()
