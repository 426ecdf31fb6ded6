"""Consensus in the corridor: redraws end, confirmation is asked for, certified unsoundness and refutations bind."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from auditing.core.ledger import bundle
from auditing.core.policy import FAST, Escalation
from auditing.core.values import Choice
from auditing.models import Audit, Leaf, Round, SegmentOutcome, SoundnessRun, SoundnessThreshold, TraceOutcome
from auditing.research.policy_lab.selectors.replay import replay
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.outcomes import bounding_soundness
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.policy.versions import load_policy
from auditing.services import corridor
from auditing.verifier import verify_audit
from hdag.core.values import Trace
from tests.factories.worlds import PROBLEM, make_world

pytestmark = pytest.mark.django_db


def stranger_agrees(audit: Audit) -> None:
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    assert report.ok, report.text()


def certified(audit: Audit, high: float, *, measured: bool) -> str:
    """A finished certificate about the audit's answer; `measured`: its model has a threshold of .5."""
    label = Round.objects.filter(audit=audit).order_by("-segment__position")[0].segment.label
    SoundnessRun.objects.create(
        audit=audit,
        owner=audit.trace.provider,
        state="done",
        model="m",
        statement="tau within .1",
        claims={label: {"tau": high - 0.05, "low": max(0.0, high - 0.1), "high": high, "local": 0.9}},
    )
    if measured:
        measure_threshold(0.5, false_alarms=0.01)
    return label


def measure_threshold(threshold: float, *, false_alarms: float | None) -> None:
    """As a study stores it; None for one that was stored before false alarms were measured."""
    figures = {"chains": 9, "macro_f1": 0.9, "deviation": 0.0, "body": {"false_alarms": false_alarms}}
    SoundnessThreshold.objects.create(model="m", data="here", threshold=threshold, **figures)


def test_a_claim_certified_as_unsound_bounds_its_trace_and_a_stranger_agrees() -> None:
    world = make_world()
    audit = world.submit()
    world.settle_machines()
    certified(audit, 0.2, measured=True)
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert set(SegmentOutcome.objects.filter(audit=audit).values_list("outcome", flat=True)) == {"pass"}
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert TraceOutcome.objects.get(audit=audit).score == 0.2
    assert any(b'"soundness":"0.2"' in bytes(leaf.body) for leaf in Leaf.objects.filter(kind="segment.outcome"))
    stranger_agrees(audit)
    assert replay(policy=load_policy(version=audit.policy)).audits[0].would_be == "fail"


def test_a_sound_claim_or_an_unmeasured_model_bounds_nothing() -> None:
    world = make_world(reviewers=1)
    audit = world.submit()
    world.settle_machines()
    label = certified(audit, 0.2, measured=False)
    assert bounding_soundness(audit=audit) == {}
    certified(audit, 0.6, measured=True)
    assert bounding_soundness(audit=audit) == {}
    measure_threshold(0.7, false_alarms=0.01)
    assert bounding_soundness(audit=audit) == {label: Decimal("0.6")}


@pytest.mark.parametrize("false_alarms", [None, 0.02])
def test_a_certificate_that_accuses_right_steps_bounds_nothing(false_alarms: float | None) -> None:
    world = make_world(reviewers=1)
    audit = world.submit()
    world.settle_machines()
    certified(audit, 0.2, measured=False)
    measure_threshold(0.5, false_alarms=false_alarms)
    assert bounding_soundness(audit=audit) == {}


def test_silence_is_redrawn_three_times_and_then_the_round_is_hung() -> None:
    world = make_world(reviewers=14)
    audit = world.submit()
    world.settle_machines()
    first = Round.objects.filter(audit=audit, tier="human", stage="committing")[0]
    redraws = []
    for day in range(1, 12):
        world.settle_machines()
        now = database_now() + timedelta(days=30 * day)
        for round in Round.objects.filter(pk=first.pk).select_related("audit__policy", "audit__trace"):
            corridor.advance_round(round=round, now=now)
        world.settle_machines()
        first.refresh_from_db()
        redraws.append(first.redraws)
        if first.stage == "tallied":
            break
    assert (first.stage, first.outcome, first.redraws) == ("tallied", "hung", 3)
    assert redraws == sorted(redraws)
    assert "redrawn 3 times" in first.tally["why"]


def test_a_policy_that_wants_confirmation_asks_a_second_tier_before_it_decides() -> None:
    world = make_world(policy=replace(FAST, escalation=Escalation.CONFIRM, domains=()))
    audit = world.submit()
    world.everybody_votes(audit)
    confirmed = Round.objects.filter(audit=audit, why="confirmation required")
    asked = set(confirmed.values_list("segment_id", flat=True))
    checked = Round.objects.filter(audit=audit, tier="computer", outcome="pass").values_list("segment_id", flat=True)
    assert asked & set(checked)
    stranger_agrees(audit)


def test_a_refuted_check_under_the_answer_fails_the_trace_whatever_people_and_weights_say() -> None:
    policy = replace(FAST, beta=Decimal("0.1"), computer=replace(FAST.computer, weight=Decimal("0.001")))
    world = make_world(policy=policy)
    wrong = "Each week the hens lay 12 * 5 = 70 eggs.\n\nIn 3 weeks they lay 70 * 3 = 210 eggs."
    audit = world.submit(Trace(problem=PROBLEM, thinking=wrong, answer="210 eggs", domain="school maths", title="Eggs"))
    world.everybody_votes(audit, Choice.PASS)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    found = TraceOutcome.objects.get(audit=audit)
    assert found.body["refuted"]
    assert found.paper_outcome == "pass"
    stranger_agrees(audit)
