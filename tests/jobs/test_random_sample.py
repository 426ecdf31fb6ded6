"""People are asked about a random sample of what models settled; its probability is recorded, its draw repeatable."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from auditing.core.consensus.planning import draw_sample
from auditing.core.ledger import bundle
from auditing.core.policy import Grain
from auditing.models import Audit, Round, Seat
from auditing.research.policy_lab.selectors.sample import sample_in_effect
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.seating.rosters import segment_lines
from auditing.selectors.voting.desk import desk_of
from auditing.services.model_tier.asking import shown_to
from auditing.services.seating.sortition import first_seed
from auditing.verifier import verify_audit
from hdag.core.values import Trace
from tests.doubles.chat_server import run_server
from tests.factories.models import everything_moves, make_endpoint, models_vote
from tests.factories.passages import PLANNED
from tests.factories.worlds import World, make_world
from tests.rooms.consensus.test_waves import EIGHT, WAVES, failures, plans

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    with run_server() as running:
        yield running


def sampled_world(
    server: Any, monkeypatch: pytest.MonkeyPatch, share: str, trace: Trace = EIGHT, grain: Grain = Grain.SEGMENT
) -> tuple[World, Audit]:
    """Three families of models that pass everything, and eight passages that the answer rests on."""
    monkeypatch.setenv("TRUST_CHAT_ALLOWED_ORIGINS", server.origin)
    for family in ("first", "second", "third"):
        make_endpoint(server.url("oracle"), name=family)
    world = make_world(reviewers=3, policy=replace(WAVES, sample_share=Decimal(share)), grain=grain)
    return world, world.submit(trace)


@pytest.fixture(scope="module")
def sampled_once(built_once: Path, server: Any) -> Iterator[tuple[Audit, int]]:
    """An audit whose models have settled everything and whose people were asked about all of it. Built once.

    With it, how many passages the policy's page had counted before.
    """
    with pytest.MonkeyPatch.context() as patch:
        world, audit = sampled_world(server, patch, "1")
        before = sample_in_effect(policy=WAVES, number=audit.policy.number)
        everything_moves(world)
        yield audit, before.judged + before.drawn


@pytest.fixture
def everybody_asked(sampled_once: tuple[Audit, int], db: None) -> Audit:
    return Audit.objects.get(pk=sampled_once[0].pk)


def asked_of_people(audit: Audit) -> set[str]:
    return {str(key) for key in Round.objects.filter(audit=audit, tier="human").values_list("segment", flat=True)}


@pytest.mark.parametrize("share", ["0", "0.5"])
@pytest.mark.usefixtures("empty_database")
def test_people_are_asked_about_the_drawn_share_of_what_models_settled(server, monkeypatch, share):
    world, audit = sampled_world(server, monkeypatch, share)
    everything_moves(world)
    audit.refresh_from_db()
    check_share(audit, share)


def test_people_are_asked_about_all_of_it_where_the_share_is_one(everybody_asked):
    check_share(everybody_asked, "1")


def check_share(audit: Audit, share: str) -> None:
    names = [str(line.segment) for line in segment_lines(audit=audit)]
    assert (audit.stage, audit.outcome) == ("recorded", "pass")
    assert asked_of_people(audit) == draw_sample(seed=first_seed(audit=audit), passages=names, share=Fraction(share))
    assert set(Round.objects.filter(audit=audit, tier="human").values_list("inclusion", flat=True)) <= {Decimal(share)}
    assert failures(audit) == []


LIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another probability": lambda leaf: leaf["asked"][0].update(inclusion="0.5"),
    "no probability": lambda leaf: leaf["asked"][0].pop("inclusion"),
    "a passage left out": lambda leaf: leaf["asked"].pop(),
    "nobody asked": lambda leaf: leaf.update(asked=[], outcome="pass", reason="sure-enough-to-pass"),
    "another reason": lambda leaf: leaf.update(reason="first-wave"),
    "more seats": lambda leaf: leaf["asked"][0].update(seats=2),
}


def test_a_stranger_refuses_every_other_sample(everybody_asked):
    audit = everybody_asked
    story = verify_audit.read_bundle(bundle.encode(bundle=bundle_of(audit=audit)))
    for name, lie in {"": lambda leaf: None, **LIES}.items():
        report = verify_audit.Report()
        view = verify_audit.Audit(story, report)
        view.seeds.append((0, first_seed(audit=audit)))
        for leaf in view.by_type["round.open"]:
            verify_audit.check_round(report, view, leaf)
        lie(view.by_type["wave.plan"][0])
        report.run("plan", verify_audit.check_plan, view, 1, verify_audit.waves_of(view)[0])
        assert report.ok is (not name), name


@pytest.mark.usefixtures("empty_database")
def test_while_an_audit_runs_its_file_can_be_read_and_the_sample_is_as_stated(server, monkeypatch):
    world, audit = sampled_world(server, monkeypatch, "1")
    world.settle_machines()
    while models_vote():
        world.settle_machines()
    assert plans(audit)[0].reason == "a-random-sample-of-what-models-settled"
    assert {entry.inclusion for entry in plans(audit)[0].asked} == {Decimal(1)}
    assert failures(audit) == []


def test_the_policy_s_page_counts_what_the_sample_asked(sampled_once, everybody_asked):
    after = sample_in_effect(policy=WAVES, number=everybody_asked.policy.number)
    assert sampled_once[1] == 0
    assert (after.judged, after.drawn) == (8, 8)


@pytest.mark.usefixtures("empty_database")
def test_models_judge_the_same_passages_as_people(server, monkeypatch):
    """A long trace: whoever is asked after the models is shown the very text and the very problem that they were."""
    world, _ = sampled_world(server, monkeypatch, "1", trace=PLANNED, grain=Grain.PASSAGE)
    everything_moves(world)
    seats = Seat.objects.select_related("round__audit__trace", "round__segment__block", "auditor")
    by_models = {seat.round.segment_id: shown_to(seat=seat) for seat in seats.filter(round__tier="llm")}
    by_people = {seat.round.segment_id: desk_of(seat=seat) for seat in seats.filter(round__tier="human")}
    assert by_models.keys() & by_people.keys()
    for segment in by_models.keys() & by_people.keys():
        shown, desk = by_models[segment], by_people[segment]
        assert (shown.reasoning, shown.context) == (desk.text, desk.problem)
