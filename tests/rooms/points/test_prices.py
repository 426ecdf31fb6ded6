"""A price a trace: paid from the provider's credit into the pool, refused where that does not cover it, given back."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from auditing.core.policy import FAST, DomainOverride
from auditing.models import Account, Audit, AuditEvent, Transfer
from auditing.research.importing.services import import_traces
from auditing.research.ledger_checks.services.points import unclosed, wrong_prices
from auditing.research.treasury.selectors import (
    book_of_all,
    books_of_campaigns,
    credit_statement,
    providers_with_credit,
)
from auditing.research.treasury.services import GrantRefusedError, grant
from auditing.selectors.points.credit import credit_of
from auditing.services.intake.decomposition import NotAgainError, decompose_again
from auditing.services.intake.submission import withdraw
from auditing.services.points import books, settlement
from auditing.services.points.prices import PriceNotCoveredError, refund, refund_due
from auditing.services.points.transfers import Movement, post, system_account
from tests.factories.worlds import TRACE, World, make_user, make_world

pytestmark = pytest.mark.django_db
DEAR = replace(
    FAST, trace_price=50, domains=(*FAST.domains, DomainOverride(domain="law", changes=(("trace_price", 80),)))
)


@pytest.fixture(scope="module")
def _dear_hens(built_once: Path) -> World:
    return make_world(policy=DEAR)


@pytest.fixture
def dear_hens(_dear_hens: World) -> World:
    """A campaign in which a trace costs 50 points, of law 80; nobody has any yet."""
    return _dear_hens.afresh()


def faults() -> list[str]:
    return [*books.find_faults(), *unclosed(), *wrong_prices()]


def give(world: World, points: int) -> Transfer:
    return grant(to=world.provider, points=points, reason="For the pilot.", by=admin(), key=uuid4())


def admin() -> User:
    return User.objects.get(email="admin@example.org")


def test_a_trace_is_paid_from_its_providers_credit_into_the_pool(dear_hens: World) -> None:
    give(dear_hens, 120)
    audit = dear_hens.submit()
    (line, _) = credit_statement(provider=dear_hens.provider)
    assert (line.amount, line.balance, line.transfer.audit) == (-50, 70, audit)
    assert audit.transfers.get().postings.get(account__name="pool").amount == 50
    assert faults() == []


def test_the_price_is_that_of_the_traces_field(dear_hens: World) -> None:
    give(dear_hens, 120)
    dear_hens.submit(replace(TRACE, domain="law"))
    assert credit_of(provider=dear_hens.provider) == 40


def test_a_trace_beyond_the_credit_is_refused_with_price_and_credit_and_leaves_nothing(dear_hens: World) -> None:
    give(dear_hens, 49)
    with pytest.raises(PriceNotCoveredError, match=r"costs 50 points here, and your credit is 49"):
        dear_hens.submit()
    assert not Audit.objects.exists()


def test_the_same_trace_again_is_paid_once(dear_hens: World) -> None:
    give(dear_hens, 60)
    assert dear_hens.submit() == dear_hens.submit()
    assert credit_of(provider=dear_hens.provider) == 10


def test_a_file_beyond_the_credit_is_refused_whole_and_says_how_many_it_covers(dear_hens: World) -> None:
    give(dear_hens, 120)
    traces = [replace(TRACE, problem=f"{number} hens?") for number in range(3)]
    with pytest.raises(PriceNotCoveredError, match=r"credit is 120\. That covers 2 of these traces; none was stored"):
        import_traces(provider=dear_hens.provider, campaign=dear_hens.campaign, traces=traces)
    assert (credit_of(provider=dear_hens.provider), Audit.objects.count()) == (120, 0)


def test_a_trace_that_is_withdrawn_before_anybody_judged_gives_its_price_back_once(dear_hens: World) -> None:
    give(dear_hens, 50)
    audit = dear_hens.submit()
    assert withdraw(audit=audit, actor=dear_hens.provider)
    assert (refund(audit=audit), refund_due()) == (False, 0)
    assert credit_of(provider=dear_hens.provider) == 50
    assert faults() == []


def test_a_trace_that_is_withdrawn_after_a_vote_is_not_given_back(dear_hens: World) -> None:
    give(dear_hens, 50)
    audit = dear_hens.submit()
    dear_hens.settle_machines()
    assert dear_hens.vote(dear_hens.reviewers[0]) is not None
    audit.refresh_from_db()
    assert withdraw(audit=audit, actor=dear_hens.provider)
    assert (refund_due(), credit_of(provider=dear_hens.provider)) == (0, 0)


def test_the_sweep_gives_the_price_of_a_failed_trace_back(dear_hens: World) -> None:
    give(dear_hens, 50)
    audit = dear_hens.submit()
    assert refund_due() == 0
    Audit.objects.filter(pk=audit.pk).update(stage="failed", failure="No graph.")
    assert (refund_due(), refund_due(), credit_of(provider=dear_hens.provider)) == (1, 0, 50)


def test_another_graph_of_a_trace_is_not_paid_twice(dear_hens: World) -> None:
    give(dear_hens, 50)
    made = decompose_again(audit=dear_hens.submit(), decomposer="rules", actor=dear_hens.provider)
    assert credit_of(provider=dear_hens.provider) == 0
    assert made.transfers.filter(kind="price").count() == 1
    # Given back meanwhile and spent elsewhere: there is nothing left to pay another graph with.
    Audit.objects.filter(pk=made.pk).update(stage="failed")
    refund_due()
    dear_hens.submit(replace(TRACE, problem="Another?"))
    made.refresh_from_db()
    with pytest.raises(NotAgainError, match="your credit is 0"):
        decompose_again(audit=made, decomposer="rules", actor=dear_hens.provider)


def test_the_book_of_a_campaign_closes_while_points_are_held_and_when_they_are_released(dear_hens: World) -> None:
    give(dear_hens, 100)
    audit = dear_hens.submit()
    dear_hens.everybody_votes(audit)
    (line,) = books_of_campaigns()
    assert (line.traces, line.paid_in, line.paid_out, line.held + line.left) == (1, 50, 0, 50)
    audit.refresh_from_db()
    settlement.release(audit=audit, now=audit.appeals_until)
    (line,) = books_of_campaigns()
    assert (line.held, line.paid_out + line.left, line.is_closed) == (0, 50, True)
    assert line.paid_out > 0
    assert faults() == []


def test_what_the_treasury_issued_is_what_all_others_have(dear_hens: World) -> None:
    give(dear_hens, 100)
    grant(to=None, points=30, reason="To begin with.", by=admin(), key=uuid4())
    dear_hens.submit()
    dear_hens.settle_machines()  # newcomers get their stakes
    book = book_of_all()
    assert (book.to_providers, book.to_pool, book.stakes) == (100, 30, 3 * DEAR.stake)
    assert (book.credit, book.pool, book.issued, book.is_closed) == (50, 80, 130 + 3 * DEAR.stake, True)


def test_a_grant_says_who_and_why_and_stands_in_the_history(dear_hens: World) -> None:
    transfer = give(dear_hens, 100)
    assert (transfer.by, transfer.reason) == (admin(), "For the pilot.")
    event = AuditEvent.objects.get(kind="points.granted")
    assert (event.actor, event.body["points"], event.body["why"]) == (admin(), 100, "For the pilot.")
    with pytest.raises(IntegrityError, match="a_grant_says_who_and_why"), transaction.atomic():
        Transfer.objects.create(key="silent", kind="grant", by=admin())


@pytest.mark.parametrize(
    ("points", "reason", "why"),
    [(5, " ", "Say why"), (0, "x", "Grant 1"), (-101, "x", "Their credit is 100"), (10**10, "x", "Grant 1")],
)
def test_a_grant_that_makes_no_sense_is_refused(dear_hens: World, points: int, reason: str, why: str) -> None:
    give(dear_hens, 100)
    with pytest.raises(GrantRefusedError, match=why):
        grant(to=dear_hens.provider, points=points, reason=reason, by=admin(), key=uuid4())
    assert credit_of(provider=dear_hens.provider) == 100


def test_a_form_that_is_sent_twice_grants_once_and_credit_can_be_taken_back(dear_hens: World) -> None:
    key = uuid4()
    grant(to=dear_hens.provider, points=100, reason="x", by=admin(), key=key)
    with pytest.raises(GrantRefusedError, match="sent before"):
        grant(to=dear_hens.provider, points=100, reason="x", by=admin(), key=key)
    grant(to=dear_hens.provider, points=-40, reason="A nought too many.", by=admin(), key=uuid4())
    assert [person.credit for person in providers_with_credit()] == [60]


def test_only_a_provider_is_granted_credit_and_nothing_is_taken_from_the_pool(dear_hens: World) -> None:
    for to, points in ((make_user("idle@example.org", "reviewer"), 5), (None, -5)):
        with pytest.raises(GrantRefusedError):
            grant(to=to, points=points, reason="x", by=admin(), key=uuid4())


def spent(world: World, points: int) -> Movement:
    """A price that no service has checked."""
    account = Account.objects.get(provider=world.provider)
    pool = system_account(name="pool")
    return Movement(key=f"naive:{uuid4()}", kind="price", points=points, source=account, target=pool)


def test_the_database_lets_no_credit_fall_below_zero(dear_hens: World) -> None:
    give(dear_hens, 50)
    with pytest.raises(IntegrityError, match="is not covered by the account credit"), transaction.atomic():
        post(movements=[spent(dear_hens, 51)])
    assert credit_of(provider=dear_hens.provider) == 50


def test_the_nightly_check_names_a_price_that_is_not_the_policys(dear_hens: World) -> None:
    give(dear_hens, 50)
    movement = spent(dear_hens, 20)
    audit = Audit.objects.create(
        trace=(free := make_audit(dear_hens)).trace,
        campaign=free.campaign,
        policy=free.policy,
        decomposition=free.decomposition,
        follows=free,
        seed=b"s" * 32,
    )
    post(movements=[replace(movement, audit=audit)])
    assert any("is not the price of its policy, 50" in fault for fault in faults())


def make_audit(world: World) -> Audit:
    """An audit that is paid for."""
    give(world, 50)
    return world.submit()
