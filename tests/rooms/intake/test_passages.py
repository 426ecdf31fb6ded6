"""A trace becomes passages: a second graph beside the fine one, and what of it is judged."""

from dataclasses import replace

import pytest

from auditing.core.policy import FAST, Grain
from auditing.models import Route, SegmentOutcome
from auditing.research.campaigns.services.campaigns import open_campaign
from auditing.research.policy_lab.services import publish_policy
from auditing.services.intake.decomposition import decompose
from auditing.services.routing.decisions import judged_graph
from benchmarks.public_traces import DATA, records
from hdag.core.invariants import find_violations
from hdag.models import Decomposition
from hdag.readers.records import read_record
from hdag.selectors import load_graph, load_trace
from tests.factories.passages import PLANNED, REFUTED, passage_world
from tests.factories.worlds import make_world

pytestmark = pytest.mark.django_db


def units_of(audit):
    return [route.segment.unit for route in Route.objects.filter(audit=audit).order_by("segment__position")]


def opened(world, trace):
    audit = world.submit(trace)
    world.settle_machines()
    audit.refresh_from_db()
    return audit


def test_a_trace_is_judged_by_passages_and_by_its_plan():
    audit = opened(passage_world(), PLANNED)
    units = units_of(audit)
    assert [unit for unit in units if unit != "passage"] == ["goal", "strategy", "answer"]
    assert 2 <= units.count("passage") <= 6


def test_a_short_trace_is_one_unit_on_one_form():
    world = passage_world()
    audit = world.submit()
    world.settle_machines()
    audit.refresh_from_db()
    unit = Route.objects.get(audit=audit).segment
    own = load_graph(audit.job).own[unit.label]
    assert (unit.unit, own.endswith("180 eggs")) == ("passage", True)


def test_the_policy_says_how_long_a_passage_is_and_what_is_one_unit():
    world = passage_world()
    admin = world.campaign.owner

    def units_under(policy, title):
        published = publish_policy(policy=replace(policy, grain=Grain.PASSAGE), author=admin)
        campaign = open_campaign(title=title, owner=admin, policy=published, guidelines="")
        return units_of(
            opened(replace(world, campaign=campaign), replace(PLANNED, problem=f"{PLANNED.problem} {title}."))
        )

    usual = units_under(FAST, "As usual")
    short = units_under(replace(FAST, passage_least=50, passage_most=250), "Short")
    whole = units_under(replace(FAST, one_unit_below=10_000), "Whole")
    assert short.count("passage") > usual.count("passage") > 1
    assert whole == ["passage"]


def test_the_fine_graph_stays_beside_the_passages():
    audit = opened(passage_world(), PLANNED)
    passages, fine = load_graph(audit.job), load_graph(audit.fine_job)
    assert audit.job.derived_from == audit.fine_job
    assert len(fine.graph.segments) > len(passages.graph.segments)
    assert not find_violations(trace=load_trace(audit.trace), graph=passages.graph)


def test_numbered_steps_stand_where_the_stored_numbers_say():
    audit = opened(passage_world(), PLANNED)
    passages, fine = load_graph(audit.job), load_graph(audit.fine_job)
    texts = {segment.id: segment.content for segment in fine.graph.segments}
    steps = [(passages.own[label], step) for label, row in passages.rows.items() for step in row.numbered]
    assert steps
    for own, step in steps:
        assert own[step.start : step.end].startswith(texts[step.labels[0]])


def test_what_the_computer_refutes_is_asked_whatever_else_it_is():
    audit = opened(passage_world(), REFUTED)
    failed = [line.segment for line in SegmentOutcome.objects.filter(audit=audit, outcome="fail")]
    assert [segment.unit for segment in failed] == ["passage"]


def test_a_policy_of_segments_makes_no_passages():
    audit = opened(make_world(), PLANNED)
    assert audit.job.derived_from is None
    assert not Decomposition.objects.filter(decomposer="passages").exists()


def test_two_audits_of_a_trace_do_not_share_their_passages():
    world = passage_world()
    first = opened(world, PLANNED)
    again = world.submit(PLANNED, copy=True)
    world.settle_machines()
    again.refresh_from_db()
    assert first.job != again.job


def columns_of(graph):
    return {
        label: {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        for label, row in graph.rows.items()
    }


def assert_alike(stored, read):
    assert (stored.graph, stored.own, stored.plan_units) == (read.graph, read.own, read.plan_units)
    assert columns_of(stored) == columns_of(read)


def test_what_a_task_keeps_of_a_graph_that_it_stores_is_what_another_reads():
    world = passage_world()
    for trace in (PLANNED, REFUTED):
        audit = world.submit(trace)
        assert decompose(audit=audit)
        assert_alike(judged_graph(audit=audit), load_graph(Decomposition.objects.get(pk=audit.job.pk)))


def test_so_it_is_of_public_traces():
    if not DATA.exists():
        pytest.skip("the public traces are not on this machine")
    world = passage_world()
    for name, record in records(per_file=1):
        audit = world.submit(read_record(record, where=name))
        if decompose(audit=audit):
            assert_alike(judged_graph(audit=audit), load_graph(Decomposition.objects.get(pk=audit.job.pk)))
