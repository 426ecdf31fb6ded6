"""Points at stake: put there, taken back after notice, lost until then; and the tickets that they give in a draw."""

import json
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from auditing.core.policy import FAST
from auditing.models import Account, Audit, AuditEvent, Auditor, Withdrawal
from auditing.selectors.clock import database_now
from auditing.selectors.ledger.published import bundle_of
from auditing.selectors.points.stakes import Stake, stakes_of
from auditing.selectors.points.statement import balances_of
from auditing.selectors.seating.rosters import eligible_lines
from auditing.selectors.voting.bindings import pseudonym
from auditing.services.points import books, stakes
from auditing.services.points.stakes import StakeRefusedError
from auditing.services.points.transfers import Movement, accounts_of, post, stake_newcomers, system_account
from auditing.services.seating.auditors import auditor_of
from auditing.verifier import verify_audit
from tests.factories.worlds import TRACE, World, make_world, sequencer

pytestmark = pytest.mark.django_db
COUNTING = replace(FAST, ticket_stake=50, reward=40)


@pytest.fixture
def saver(idle_hens: World) -> Auditor:
    """A reviewer with the newcomer's stake of 100 and 80 released points."""
    auditor = auditor_of(user=idle_hens.reviewers[0])
    stake_newcomers(policy=idle_hens.campaign.policy, stake=100)
    earn(auditor, 80)
    return auditor


def earn(auditor: Auditor, points: int) -> None:
    target = accounts_of(auditors=[auditor], name="points")[auditor.pk]
    pool = system_account(name="pool")
    post(movements=[Movement(key=f"earned:{uuid4()}", kind="reward", points=points, source=pool, target=target)])


def lose(auditor: Auditor, points: int) -> None:
    """As a decision about somebody's conduct takes them."""
    target = accounts_of(auditors=[auditor], name="stake")[auditor.pk]
    pool = system_account(name="pool")
    post(movements=[Movement(key=f"lost:{uuid4()}", kind="conduct", points=-points, source=pool, target=target)])


def put(auditor: Auditor, points: int) -> None:
    stakes.put(auditor=auditor, points=points, key=uuid4())


def stake_of(auditor: Auditor) -> Stake:
    return stakes_of(auditors=[auditor])[auditor.pk]


def late(withdrawal: Withdrawal) -> int:
    """What the sweep does once the notice has ended."""
    return stakes.pay_due(now=withdrawal.due_at)


def test_released_points_are_put_at_stake_and_no_more_than_there_are(saver: Auditor) -> None:
    put(saver, 50)
    balances = balances_of(auditors=[saver])[saver.pk]
    assert (balances.points, balances.stake, stake_of(saver).own) == (30, 150, 50)
    for points, why in ((31, "You have 30 released points"), (0, "at least one")):
        with pytest.raises(StakeRefusedError, match=why):
            put(saver, points)
    assert list(books.find_faults()) == []


def test_points_are_withdrawn_when_the_notice_ends_and_not_before(saver: Auditor) -> None:
    put(saver, 50)
    now = database_now()
    notice = stakes.give_notice(auditor=saver, points=20, now=now)
    assert notice.due_at == now + timedelta(days=7)
    assert (late(notice) - stakes.pay_due(now=notice.due_at), balances_of(auditors=[saver])[saver.pk].points) == (1, 50)
    assert (stake_of(saver).own, stake_of(saver).under_notice) == (30, 0)
    assert list(books.find_faults()) == []


def test_nothing_is_paid_before_the_notice_has_ended(saver: Auditor) -> None:
    put(saver, 50)
    notice = stakes.give_notice(auditor=saver, points=20, now=database_now())
    assert stakes.pay_due(now=notice.due_at - timedelta(seconds=1)) == 0
    assert (stake_of(saver).counting, stake_of(saver).withdrawable) == (130, 30)


def test_what_is_lost_during_the_notice_is_not_paid(saver: Auditor) -> None:
    put(saver, 50)
    notice = stakes.give_notice(auditor=saver, points=50, now=database_now())
    lose(saver, 24)
    assert late(notice) == 1
    assert (balances_of(auditors=[saver])[saver.pk].points, stake_of(saver)) == (30 + 26, Stake(100, 0, 0))


def test_a_stake_that_is_lost_whole_leaves_a_notice_that_pays_nothing(saver: Auditor) -> None:
    put(saver, 10)
    notice = stakes.give_notice(auditor=saver, points=10, now=database_now())
    lose(saver, 24)
    assert late(notice) == 1
    notice.refresh_from_db()
    assert (notice.paid_at, notice.transfer) == (notice.due_at, None)


def test_notice_is_given_of_own_points_only_and_of_each_once(saver: Auditor) -> None:
    put(saver, 50)
    with pytest.raises(StakeRefusedError, match="50 points can be withdrawn"):
        stakes.give_notice(auditor=saver, points=51, now=database_now())
    stakes.give_notice(auditor=saver, points=30, now=database_now())
    with pytest.raises(StakeRefusedError, match="20 points can be withdrawn"):
        stakes.give_notice(auditor=saver, points=21, now=database_now())


def test_a_notice_is_taken_back_until_it_ends(saver: Auditor) -> None:
    put(saver, 50)
    notice = stakes.give_notice(auditor=saver, points=50, now=database_now())
    stakes.take_back(withdrawal=notice, now=database_now())
    assert (stake_of(saver).counting, late(notice)) == (150, 0)
    with pytest.raises(StakeRefusedError, match="ended already"):
        stakes.take_back(withdrawal=notice, now=database_now())


def test_a_form_that_is_sent_twice_puts_points_at_stake_once(saver: Auditor) -> None:
    key = uuid4()
    stakes.put(auditor=saver, points=20, key=key)
    with pytest.raises(StakeRefusedError, match="sent before"):
        stakes.put(auditor=saver, points=20, key=key)
    assert stake_of(saver).own == 20


def test_every_movement_of_a_stake_stands_in_the_history(saver: Auditor) -> None:
    put(saver, 50)
    late(stakes.give_notice(auditor=saver, points=20, now=database_now()))
    stakes.take_back(withdrawal=stakes.give_notice(auditor=saver, points=5, now=database_now()), now=database_now())
    kinds = AuditEvent.objects.filter(kind__startswith="stake.").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == [f"stake.{word}" for word in ("added", "noticed", "withdrawn", "noticed", "kept")]


@pytest.mark.parametrize(
    ("source", "target", "kind"), [("points", "stake", "staking"), ("stake", "points", "withdrawal")]
)
def test_the_database_refuses_points_that_are_not_there(saver: Auditor, source: str, target: str, kind: str) -> None:
    accounts: list[Account] = [accounts_of(auditors=[saver], name=name)[saver.pk] for name in (source, target)]
    movement = Movement(key="naive", kind=kind, points=81, source=accounts[0], target=accounts[1])
    with pytest.raises(IntegrityError, match=f"is not covered by the account {source}"), transaction.atomic():
        post(movements=[movement])


def test_the_database_refuses_notice_of_what_was_not_put_there_and_a_second_end(saver: Auditor) -> None:
    put(saver, 50)
    notice = stakes.give_notice(auditor=saver, points=50, now=database_now())
    with pytest.raises(IntegrityError, match="notice of 1 points, of 50"), transaction.atomic():
        Withdrawal.objects.create(auditor=saver, points=1, due_at=database_now())
    late(notice)
    with pytest.raises(IntegrityError, match="final"), transaction.atomic():
        Withdrawal.objects.filter(pk=notice.pk).update(taken_back_at=database_now())


def tickets(audit: Audit) -> dict[bytes, int]:
    return {bytes(line.auditor): line.weight for line in eligible_lines(audit=audit) if line.kind == "human"}


@pytest.mark.usefixtures("empty_database")
def test_stake_and_skill_give_tickets_and_a_stranger_repeats_the_draw_with_them() -> None:
    world = make_world(policy=COUNTING)
    first = world.submit()
    world.everybody_votes(first)
    assert set(tickets(first).values()) == {1}, "nobody was judged yet"
    rich = auditor_of(user=world.reviewers[0])
    earn(rich, 900)
    put(rich, 900)
    second = world.submit(replace(TRACE, problem="Others: " + TRACE.problem))
    world.everybody_votes(second)
    # Reputation .7 and a little: 2 r - 1 = .4 and a little, of 100 / 50 and of 1,000 / 50.
    assert sorted(tickets(second).values()) == [1, 1, 8]
    assert tickets(second)[bytes(pseudonym(audit=second, auditor=rich))] == 8
    sequencer().step()
    bundle = bundle_of(audit=second)
    assert verify_audit.verify(json.dumps(bundle).encode()).ok
    for line in bundle["eligible"]:
        line["weight"] = 1
    assert not verify_audit.verify(json.dumps(bundle).encode()).ok


def test_a_policy_that_counts_no_stake_gives_everybody_one_ticket(saver: Auditor, idle_hens: World) -> None:
    put(saver, 80)
    audit = idle_hens.submit()
    idle_hens.settle_machines()
    assert set(tickets(audit).values()) == {1}
