"""Points that two spend at once: a stake under two notices, one credit for two traces. Naive movers fail each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError

from accounts.models import User
from auditing.core.policy import FAST
from auditing.models import Account, Audit, Auditor, Withdrawal
from auditing.research.treasury.services import grant
from auditing.selectors.clock import database_now
from auditing.selectors.points.credit import balance_of, credit_of
from auditing.selectors.points.stakes import stakes_of
from auditing.services.points import books, stakes
from auditing.services.points.prices import PriceNotCoveredError
from auditing.services.points.stakes import StakeRefusedError
from auditing.services.points.transfers import Movement, accounts_of, post, system_account
from auditing.services.seating.auditors import auditor_of
from tests.factories.worlds import TRACE, World, make_user, make_world

Together = Callable[[Sequence[Callable[[], Any]]], list[Any]]
Meeting = Callable[[int], Callable[[], None]]
AT_ONCE = 4
pytestmark = pytest.mark.django_db(transaction=True)


def saver(points: int) -> Auditor:
    """A reviewer who has put so many points at stake."""
    auditor = auditor_of(user=make_user("saver@example.org", "reviewer"))
    own = accounts_of(auditors=[auditor], name="points")[auditor.pk]
    post(movements=[Movement(key="earned", kind="reward", points=points, source=pool(), target=own)])
    stakes.put(auditor=auditor, points=points, key=uuid4())
    return auditor


def pool() -> Account:
    return system_account(name="pool")


def refusals(answers: list[Any], error: type[Exception]) -> int:
    return sum(isinstance(answer, error) for answer in answers)


def test_of_notices_given_at_once_no_more_stand_than_the_stake_covers(together: Together) -> None:
    auditor, now = saver(100), database_now()
    answers = together([lambda: stakes.give_notice(auditor=auditor, points=60, now=now)] * AT_ONCE)
    assert refusals(answers, StakeRefusedError) == AT_ONCE - 1
    assert Withdrawal.objects.get().points == 60


def notice_naively(auditor: Auditor, points: int, wait: Callable[[], None]) -> Withdrawal | None:
    """Read, think, save: looks at what is there, then writes."""
    stake = stakes_of(auditors=[auditor])[auditor.pk]
    wait()
    if points > stake.withdrawable:
        return None
    return Withdrawal.objects.create(auditor=auditor, points=points, due_at=database_now())


def test_a_naive_notice_meets_the_database(together: Together, meeting: Meeting) -> None:
    auditor, wait = saver(100), meeting(AT_ONCE)
    answers = together([lambda: notice_naively(auditor, 60, wait)] * AT_ONCE)
    # All have seen a stake that covers them: only the trigger stands between this mover and four notices of one stake.
    assert refusals(answers, IntegrityError) == AT_ONCE - 1
    assert Withdrawal.objects.count() == 1


def test_a_notice_is_paid_once_by_workers_at_once(together: Together) -> None:
    auditor = saver(100)
    notice = stakes.give_notice(auditor=auditor, points=60, now=database_now())
    answers = together([lambda: stakes.pay(key=notice.pk, now=notice.due_at)] * AT_ONCE)
    assert sorted(answers) == [False] * (AT_ONCE - 1) + [True]
    assert balance_of(account=Account.objects.get(auditor=auditor, name="points")) == 60
    assert list(books.find_faults()) == []


def pay_naively(notice: Withdrawal, wait: Callable[[], None]) -> bool:
    """Looks whether the notice is open, then pays it."""
    is_open = Withdrawal.objects.filter(pk=notice.pk, paid_at__isnull=True).exists()
    wait()
    if not is_open:
        return False
    own, stake = (accounts_of(auditors=[notice.auditor], name=name)[notice.auditor_id] for name in ("points", "stake"))
    post(
        movements=[Movement(key=f"naive:{uuid4()}", kind="withdrawal", points=notice.points, source=stake, target=own)]
    )
    return True


def test_a_naive_payment_meets_the_database(together: Together, meeting: Meeting) -> None:
    notice, wait = stakes.give_notice(auditor=saver(100), points=60, now=database_now()), meeting(AT_ONCE)
    answers = together([lambda: pay_naively(notice, wait)] * AT_ONCE)
    assert refusals(answers, IntegrityError) == AT_ONCE - 1
    assert balance_of(account=Account.objects.get(auditor=notice.auditor, name="stake")) == 40


def dear_world() -> World:
    """A trace costs 50 points, and the provider has 60."""
    world = make_world(reviewers=1, policy=replace(FAST, trace_price=50))
    by = User.objects.get(email="admin@example.org")
    grant(to=world.provider, points=60, reason="For one trace.", by=by, key=uuid4())
    return world


def test_of_two_traces_at_once_one_is_paid_and_the_other_refused(together: Together) -> None:
    world = dear_world()
    traces = [replace(TRACE, problem=f"{number} hens?") for number in range(AT_ONCE)]
    answers = together([lambda trace=trace: world.submit(trace) for trace in traces])
    assert refusals(answers, PriceNotCoveredError) == AT_ONCE - 1
    assert (credit_of(provider=world.provider), Audit.objects.count()) == (10, 1)


def pay_a_trace_naively(provider: User, wait: Callable[[], None]) -> bool:
    credit = credit_of(provider=provider)
    wait()
    if credit < 50:
        return False
    account = Account.objects.get(provider=provider)
    post(movements=[Movement(key=f"naive:{uuid4()}", kind="price", points=50, source=account, target=pool())])
    return True


def test_a_naive_price_meets_the_database(together: Together, meeting: Meeting) -> None:
    world, wait = dear_world(), meeting(AT_ONCE)
    answers = together([lambda: pay_a_trace_naively(world.provider, wait)] * AT_ONCE)
    assert refusals(answers, IntegrityError) == AT_ONCE - 1
    assert credit_of(provider=world.provider) == 10
