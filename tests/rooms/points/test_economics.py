"""Points: held, released, reversed; always summing to zero; repeatable by a stranger."""

from collections import defaultdict
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditing.core.policy import to_json
from auditing.core.values import Choice
from auditing.models import Account, Audit, GoldTruth, Posting, ReputationStep, Seat, SegmentOutcome, Transfer
from auditing.selectors.clock import database_now
from auditing.selectors.points.settlement import judged_seats
from auditing.selectors.points.statement import balances_of, statement_of, worst_loss
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.eligible import eligible_auditors
from auditing.selectors.seating.rosters import eligible_lines
from auditing.services.points import books, settlement
from auditing.services.points.transfers import Movement, accounts_of, post, system_account
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from tests.factories.worlds import World

pytestmark = pytest.mark.django_db


def recorded(world: World, *, choices: tuple[Choice, ...] = (Choice.PASS, Choice.PASS, Choice.FAIL)) -> Audit:
    """An audit whose reviewers each vote their own way to the end."""
    audit = world.submit()
    plant_gold(audit, world)
    for _ in range(60):
        world.settle_machines()
        if not world.vote_on_all_seats(dict(zip(world.reviewers, choices, strict=True))):
            break
    audit.refresh_from_db()
    assert audit.stage == "recorded", (audit.stage, audit.failure)
    return audit


def plant_gold(audit: Audit, world: World) -> None:
    """One human segment is gold: it is wrong, whatever people say."""
    world.settle_machines()
    seat = Seat.objects.filter(round__audit=audit, round__tier="human").order_by("round__segment__position").first()
    assert seat is not None
    GoldTruth.objects.create(segment_id=seat.round.segment_id, truth=Choice.FAIL, source="test")


def test_a_stranger_recomputes_every_point_from_vote_truth_policy_and_seed(idle_hens: World) -> None:
    audit = recorded(idle_hens)
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    judged = [one for one in judged_seats(audit=audit, policy=policy) if settlement.is_paid(one)]
    outcomes = SegmentOutcome.objects.filter(audit=audit)
    stranger = SimpleNamespace(
        params=to_json(policy=policy),
        truth={str(row.segment_id): row.truth for row in GoldTruth.objects.all()},
        outcome={"seed": bytes(audit.seed).hex()},
        eligible={
            bytes(line.auditor).hex(): {"reputation": str(line.reputation)} for line in eligible_lines(audit=audit)
        },
        by_type={"outcome.rollback": [], "gold.overturn": []},
        report=verify_audit.Report(),
        outcome_of={str(row.segment_id): {"outcome": row.outcome} for row in outcomes}.get,
    )
    posted = defaultdict(int)
    for transfer in Transfer.objects.filter(audit=audit, is_held=True).exclude(kind="agreement"):
        posted[transfer.seat_id] += sum(
            line.amount for line in transfer.postings.filter(account__auditor__isnull=False)
        )
    assert {one.value.gold for one in judged} == {True, False}
    for one in judged:
        opening = {"vote": Choice(one.seat.vote.choice).code} if one.value.revealed else None
        name = bytes(one.seat.pseudonym).hex()
        seat = verify_audit.Seat(0, str(one.seat.pk), name, opening, True, "")
        amounts = verify_audit.amounts_of(stranger, seat, str(one.seat.round.segment_id), 0, None)
        assert sum(points for points, _ in amounts.values()) == posted[one.seat.pk]


def test_on_gold_the_truth_pays_and_not_the_majority(idle_hens: World) -> None:
    audit = recorded(idle_hens)
    policy = load_policy(version=audit.policy)
    on_gold = Transfer.objects.filter(audit=audit, seat__round__segment__gold_truth__isnull=False).exclude(
        kind="agreement"
    )
    by_choice = {row.seat.vote.choice: settlement._points(row) for row in on_gold}
    assert by_choice == {"pass": -policy.honeypot_multiplier * policy.penalty, "fail": policy.reward}


def test_points_are_held_until_the_window_closes_and_released_once_by_new_postings(idle_hens: World) -> None:
    audit = recorded(idle_hens)
    auditor = auditor_of(user=idle_hens.reviewers[0])
    before = balances_of(auditors=[auditor])[auditor.pk]
    assert (before.points, before.stake > 0) == (0, True)
    assert settlement.release_due(now=database_now()) == 0
    late = audit.appeals_until + timedelta(seconds=1)
    assert (settlement.release_due(now=late), settlement.release_due(now=late)) == (1, 0)
    after = balances_of(auditors=[auditor])[auditor.pk]
    assert (after.points, after.held) == (before.held, 0)
    audit.refresh_from_db()
    assert audit.stage == "recorded"
    lines = statement_of(auditor=auditor)
    assert {line.state for line in lines} >= {"released", "posted"}
    seats = {line.transfer.seat_id for line in lines if line.transfer.seat_id}
    assert len(seats) > 1
    for seat in seats:
        assert {line.transfer.seat_id for line in statement_of(auditor=auditor, seat=seat)} == {seat}


def test_an_overturned_outcome_is_reversed_by_new_postings(idle_hens: World) -> None:
    audit = recorded(idle_hens, choices=(Choice.PASS, Choice.PASS, Choice.PASS))
    held = Transfer.objects.filter(audit=audit, is_held=True).count()
    later = Audit.objects.create(
        trace=audit.trace,
        campaign=audit.campaign,
        policy=audit.policy,
        decomposition=audit.decomposition,
        follows=audit,
        seed=b"s" * 32,
    )
    segment = (
        SegmentOutcome.objects.filter(audit=audit, round__tier="human")
        .exclude(segment__gold_truth__isnull=False)
        .first()
    )
    SegmentOutcome.objects.create(audit=later, segment=segment.segment, round=segment.round, outcome="fail")
    assert settlement.correct(audit=audit) == 3
    assert settlement.correct(audit=audit) == 0
    undone = Transfer.objects.filter(kind="reversal")
    assert undone.count() >= 3
    assert Transfer.objects.filter(audit=audit, is_held=True).count() >= held
    assert books.check(now=database_now()) == 0


def test_reputation_moves_in_both_columns_and_no_step_can_be_edited(idle_hens: World) -> None:
    audit = recorded(idle_hens)
    steps = ReputationStep.objects.filter(seat__round__audit=audit)
    assert set(steps.values_list("column", flat=True)) == {"gold", "consensus"}
    gold = {step.seat.vote.choice: step.correct for step in steps.filter(column="gold").select_related("seat__vote")}
    assert gold == {"pass": False, "fail": True}
    with pytest.raises(IntegrityError, match="final"), transaction.atomic():
        steps.update(correct=True)


def test_a_policy_without_a_price_moves_no_points(idle_hens: World) -> None:
    idle_hens.submit()
    assert not Transfer.objects.filter(kind="price").exists()


def test_who_cannot_cover_the_worst_loss_is_not_drawn(idle_hens: World) -> None:
    audit = idle_hens.submit()
    idle_hens.settle_machines()
    round = audit.rounds.filter(tier="human").first()
    poor = auditor_of(user=idle_hens.reviewers[0])
    before = {
        one.pk
        for one in eligible_auditors(
            round=audit.rounds.model(audit=audit, segment_id=audit.pk, tier="human", stage_since=round.stage_since)
        )
    }
    stake = accounts_of(auditors=[poor], name="stake")[poor.pk]
    loss = balances_of(auditors=[poor])[poor.pk].stake - worst_loss(policy=load_policy(version=audit.policy)) + 1
    post(movements=[Movement(key="fine", kind="slash", points=-loss, source=system_account(name="pool"), target=stake)])
    after = {
        one.pk
        for one in eligible_auditors(
            round=audit.rounds.model(audit=audit, segment_id=audit.pk, tier="human", stage_since=round.stage_since)
        )
    }
    assert before - after == {poor.pk}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(points=st.lists(st.integers(-1000, 1000).filter(bool), min_size=1, max_size=6))
def test_whatever_is_posted_the_books_sum_to_zero(points: list[int]) -> None:
    with transaction.atomic():
        pool, treasury = system_account(name="pool"), system_account(name="treasury")
        start = Transfer.objects.count()
        post(
            movements=[
                Movement(key=f"{start}:{number}", kind="reward", points=value, source=pool, target=treasury)
                for number, value in enumerate(points)
            ]
        )
        assert list(books.find_faults()) == []
        assert sum(Posting.objects.values_list("amount", flat=True)) == 0


def test_the_nightly_check_names_a_transfer_that_lost_a_line() -> None:
    Transfer.objects.create(key="empty", kind="reward")
    assert any("empty" in fault for fault in books.find_faults())


def test_an_account_has_one_owner_and_one_name() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(auditor=None, name="held")
    system_account(name="pool")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(auditor=None, name="pool")
