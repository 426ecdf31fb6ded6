"""Waves: people are asked as few times as the trace needs, and every decision of the planner stands in the ledger."""

import os
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from accounts.models import User
from auditing.core.consensus.planning import plan_rules
from auditing.core.ledger import bundle
from auditing.core.ledger import leaves as kinds
from auditing.core.policy import DEFAULT, Policy
from auditing.core.values import Choice
from auditing.models import Audit, Leaf, Round, Seat, SegmentOutcome, Vote
from auditing.research.policy_lab.core.planned_traces import PlannedTrace, simulate_waves
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.adjudication import contested_rounds
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.seating.rosters import segment_lines
from auditing.services import corridor
from auditing.services.consensus.adjudication import state_reason
from auditing.services.seating import assignment
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from hdag.core.values import Trace
from tests.factories.worlds import World, make_user, make_world
from tests.tools.sweeping import sampled

pytestmark = pytest.mark.django_db

# A short text is shown whole, and not mixed with those of others: the world has one provider.
WAVES = replace(DEFAULT, short_trace_characters=9_000, batch_size=1, batch_providers=1, batch_minutes=0)


def waves_world(policy: Policy = WAVES, reviewers: int = 12) -> tuple[World, Audit]:
    world = make_world(reviewers=reviewers, policy=policy)
    audit = world.submit()
    world.settle_machines()
    return world, audit


def plans(audit: Audit) -> list[kinds.WavePlan]:
    bodies = Leaf.objects.filter(audit=audit, kind="wave.plan").order_by("id").values_list("body", flat=True)
    return [leaf for body in bodies if isinstance(leaf := kinds.decode(entry=bytes(body)), kinds.WavePlan)]


def failures(audit: Audit) -> list[object]:
    report = verify_audit.verify(bundle.encode(bundle=bundle_of(audit=audit)))
    return [line for line in report.lines if not line[0]]


def test_the_first_wave_gives_each_passage_one_seat() -> None:
    _, audit = waves_world()
    rounds = Round.objects.filter(audit=audit, tier="human")
    assert set(rounds.values_list("k", flat=True)) == {1}
    assert {asked.segment for asked in plans(audit)[0].asked} == set(rounds.values_list("segment", flat=True))


def test_passes_decide_a_trace_with_few_seats_and_a_stranger_agrees() -> None:
    world, audit = waves_world()
    world.everybody_votes(audit)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "pass")
    assert plans(audit)[-1].outcome == "pass"
    assert failures(audit) == []


def test_fails_decide_a_trace_and_a_stranger_agrees() -> None:
    world, audit = waves_world()
    world.everybody_votes(audit, Choice.FAIL)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert failures(audit) == []


def test_what_nobody_was_asked_about_is_undecided_and_beside_the_trace_s_outcome() -> None:
    """A policy that is sure from the start: nothing needs a vote, and nothing pretends to have had one."""
    sure = replace(WAVES, trace_base_rate=Decimal("0.97"))
    _, audit = waves_world(sure, reviewers=0)
    audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "pass")
    unasked = SegmentOutcome.objects.filter(audit=audit, round__tier="computer").exclude(outcome="pass")
    assert set(unasked.values_list("outcome", flat=True)) == {"undecided"}
    assert not Seat.objects.filter(round__audit=audit, round__tier="human").exists()
    assert failures(audit) == []


def test_reviewers_who_stay_silent_end_as_undecided_under_the_cap() -> None:
    world, audit = waves_world(replace(WAVES, cap=2, max_redraws=0), reviewers=6)
    late = 0
    audit.refresh_from_db()
    while audit.stage == "auditing" and late < 40:
        late += 1
        for round in Round.objects.filter(audit=audit, stage="committing").select_related(*ROUND):
            assert round.due_at is not None
            corridor.advance_round(round=round, now=round.due_at)
        # And no adjudicator comes: what nobody voted on is asked of one, not of more people.
        for round in Round.objects.filter(audit=audit, stage="seated", adjudicates=True).select_related(*ROUND):
            corridor.advance_round(round=round, now=database_now() + timedelta(days=4))
        world.settle_machines()
        audit.refresh_from_db()
    assert (audit.stage, audit.outcome) == ("recorded", "undecided")
    assert failures(audit) == []


SEAT = ("round__audit", "round__segment__block", "auditor__user")
ROUND = ("audit__policy", "audit__trace", "audit__campaign", "segment")
# Each step names the one before it: the answer rests on all eight, and no checker reads any of them.
PLACES = ("yard", "barn", "field", "coop", "store", "well", "gate")
EIGHT = Trace(
    problem="Why do the hens of the farm lay fewer eggs in winter than in summer?",
    thinking="\n\n".join(
        f"Step {number}: {f'By step {number - 1} the' if number > 1 else 'The'} {place} is colder in winter."
        for number, place in enumerate(PLACES, 1)
    ),
    answer="By step 7 the hens lay fewer eggs.",
    domain="farming",
    title="Winter",
)
# The same at another accuracy and cap: WAVE_AT="0.80 21".
ACCURACY, CAP = os.environ.get("WAVE_AT", "0.85 13").split()
KNOWN = replace(
    WAVES,
    cap=int(CAP),
    human=replace(
        WAVES.human,
        error=1 - Decimal(ACCURACY),
        malicious=Decimal(0),
        prior_right=4 * Decimal(ACCURACY),
        prior_wrong=4 * (1 - Decimal(ACCURACY)),
    ),
)


def vote_at(world: World, luck: random.Random, wrong: Any) -> bool:
    """Everybody who has a seat votes on it, right as often as their skill says."""
    cast = False
    for user in world.reviewers:
        auditor = auditor_of(user=user)
        seat = assignment.claim_next(auditor=auditor, now=database_now())
        if seat is not None:
            is_pass = (luck.random() < float(ACCURACY)) == (seat.round.segment_id != wrong)
            world.seal(seat, auditor, Choice.PASS if is_pass else Choice.FAIL)
            cast = True
    return cast


def retold(audit: Audit, wrong: Any) -> PlannedTrace:
    """The trace as the pure simulation tells it from the same votes."""
    votes = []
    for line in segment_lines(audit=audit):
        cast = Vote.objects.filter(seat__round__audit=audit, seat__round__segment=line.segment)
        choices = (
            cast.filter(seat__round__tier="human").order_by("seat__round__number").values_list("choice", flat=True)
        )
        right = [(choice == Choice.PASS) == (line.segment != wrong) for choice in choices]
        votes.append(right + [True] * (KNOWN.cap - len(right)))
    numbers = [line.segment for line in segment_lines(audit=audit)]
    return simulate_waves(
        votes=votes, wrong=None if wrong is None else numbers.index(wrong), rules=plan_rules(policy=KNOWN)
    )


# The same with more traces: WAVE_SEEDS=60 (docs/measurements.md says what came out).
SEEDS = range(1, int(os.environ.get("WAVE_SEEDS", "4")) + 1)


@pytest.mark.parametrize("seed", sampled(SEEDS, one_in=4))
def test_eight_passages_take_the_seats_and_waves_that_the_planner_was_measured_with(seed: int) -> None:
    """One of eight is wrong in half of the traces; services and simulation agree, and so does a stranger."""
    world = make_world(reviewers=KNOWN.cap + 3, policy=KNOWN)
    audit, luck = world.submit(EIGHT), random.Random(seed)
    world.settle_machines()
    segments = [line.segment for line in segment_lines(audit=audit)]
    assert [line.basis for line in segment_lines(audit=audit)] == [True] * 8
    wrong = luck.choice(segments) if seed % 2 else None
    while vote_at(world, luck, wrong):
        world.settle_machines()
    audit.refresh_from_db()
    told = retold(audit, wrong)
    seats = Seat.objects.filter(round__audit=audit, round__tier="human").count()
    assert (audit.outcome, seats, len(plans(audit)) - 1) == (told.outcome, told.seats, told.waves)
    assert failures(audit) == []
    print(f"seed {seed}: {audit.outcome}, {seats} seats, {len(plans(audit)) - 1} waves, wrong: {wrong is not None}")


LIES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "surer": lambda leaf: leaf.update(right="0.999"),
    "another reason": lambda leaf: leaf.update(reason="sure-enough-to-pass"),
    "decided": lambda leaf: leaf.update(outcome="pass", asked=[]),
    "nobody asked": lambda leaf: leaf.update(asked=[]),
    "one asked less": lambda leaf: leaf["asked"].pop(),
    "more seats": lambda leaf: leaf["asked"][0].update(seats=2),
    "another round": lambda leaf: leaf["asked"][0].update(round=7),
    "another ratio": lambda leaf: leaf["asked"][0].update(ratio="2"),
    "sampled": lambda leaf: leaf["asked"][0].update(sampled=True),
    "another wave": lambda leaf: leaf.update(wave=9),
    "bound": lambda leaf: leaf.update(bound="0.5"),
    "the end twice": lambda leaf: None,
}


def test_a_stranger_refuses_every_other_plan_than_the_one_that_follows() -> None:
    world, audit = waves_world()
    world.everybody_votes(audit)
    story = verify_audit.read_bundle(bundle.encode(bundle=bundle_of(audit=audit)))
    for name, lie in {"": lambda leaf: None, **LIES}.items():
        report = verify_audit.Report()
        view = verify_audit.Audit(story, report)
        lie(view.by_type["wave.plan"][0])
        if name == "the end twice":
            view.by_type["wave.plan"].append(view.by_type["wave.plan"][-1])
        view.seeds.append((0, bytes(32)))  # draws are not what is asked here
        for leaf in view.by_type["round.open"]:
            verify_audit.check_round(report, view, leaf)
        for number, leaves in enumerate(verify_audit.waves_of(view), 1):
            report.run(f"wave {number}", verify_audit.check_plan, view, number, leaves)
        assert report.ok is (not name), name


def judge(audit: Audit, world: World, choice: Choice | None) -> int:
    """An adjudicator says the same of every case; None: says nothing, and the window ends."""
    world.settle_machines()
    auditor, now = auditor_of(user=User.objects.get(email="judge@example.org")), database_now()
    cases = contested_rounds(auditor=auditor)
    for case in cases:
        if choice is None:
            corridor.advance_round(round=case.round, now=case.round.due_at or now)
            continue
        state_reason(round=case.round, auditor=auditor, reason="split_vote", now=now)
        seat = Seat.objects.select_related("round__audit", "round__segment__block").get(
            round=case.round, auditor=auditor, stage="held"
        )
        world.seal(seat, auditor, choice)
    world.settle_machines()
    audit.refresh_from_db()
    return len(cases)


def split_world() -> tuple[World, Audit]:
    """Two seats a passage at once, four at most, and the two reviewers are never of one mind."""
    make_user("judge@example.org", "adjudicator")
    world, audit = waves_world(replace(WAVES, cap=4, first_seats=2), reviewers=2)
    for _ in range(20):
        cast = [
            world.vote(user, choice) for user, choice in zip(world.reviewers, (Choice.PASS, Choice.FAIL), strict=True)
        ]
        world.settle_machines()
        if not any(cast):
            break
    return world, audit


@pytest.mark.parametrize(
    ("word", "outcome"),
    [(Choice.PASS, "pass"), (Choice.FAIL, "fail"), (Choice.ABSTAIN, "undecided"), (None, "undecided")],
)
def test_what_people_leave_open_an_adjudicator_decides_and_a_stranger_agrees(word: Choice | None, outcome: str) -> None:
    world, audit = split_world()
    assert plans(audit)[-1].reason == "an-adjudicator-decides-what-people-left-open"
    while judge(audit, world, word):
        pass
    assert (audit.stage, audit.outcome) == ("recorded", outcome)
    assert failures(audit) == []


def test_where_nobody_is_left_who_never_sat_there_the_planner_goes_on_to_the_adjudicator() -> None:
    """One reviewer, who fails everything; the next wave waits for somebody else, and nobody comes."""
    make_user("judge@example.org", "adjudicator")
    world, audit = waves_world(reviewers=1)
    while world.vote(world.reviewers[0], Choice.FAIL):
        world.settle_machines()
    waiting = Round.objects.filter(audit=audit, tier="human", stage="seated", adjudicates=False)
    assert waiting.exists()
    late = database_now() + timedelta(seconds=WAVES.adjudication_seconds + 60)
    while waiting.exists():
        for round in waiting.select_related(*ROUND):
            assert corridor.advance_round(round=round, now=late)
        world.settle_machines()
    while judge(audit, world, Choice.FAIL):
        pass
    assert (audit.stage, audit.outcome) == ("recorded", "fail")
    assert failures(audit) == []
