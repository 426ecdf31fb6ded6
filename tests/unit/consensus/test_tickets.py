"""Tickets by stake and skill: from 1 to 8, more for more of either, none for one of them alone."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.core.errors import BadParameterError
from auditing.core.seating.tickets import joined, tickets_by_stake

POINTS = st.integers(0, 10**9)
REPUTATIONS = st.integers(0, 100).map(lambda cents: Decimal(cents) / 100)


def tickets(stake: int, reputation: str, per_ticket: int = 50) -> int:
    return tickets_by_stake(stake=stake, reputation=Decimal(reputation), per_ticket=per_ticket)


@given(stake=POINTS, more=POINTS, reputation=REPUTATIONS, per_ticket=st.integers(1, 10**9))
def test_more_at_stake_never_gives_fewer_tickets_and_never_more_than_eight(
    stake: int, more: int, reputation: Decimal, per_ticket: int
) -> None:
    few, many = (
        tickets_by_stake(stake=points, reputation=reputation, per_ticket=per_ticket) for points in (stake, stake + more)
    )
    assert 1 <= few <= many <= 8


@given(stake=POINTS, low=REPUTATIONS, high=REPUTATIONS)
def test_who_judges_better_has_at_least_as_many(stake: int, low: Decimal, high: Decimal) -> None:
    few, many = (
        tickets_by_stake(stake=stake, reputation=reputation, per_ticket=50) for reputation in sorted((low, high))
    )
    assert few <= many


@pytest.mark.parametrize("reputation", ["0", "0.3", "0.5"])
def test_points_alone_buy_nothing(reputation: str) -> None:
    assert tickets(10**9, reputation) == 1


def test_skill_alone_gives_nothing_and_a_policy_that_counts_no_stake_one_ticket_each() -> None:
    assert (tickets(0, "1"), tickets(-24, "1"), tickets(10**9, "1", 0)) == (1, 1, 1)


def test_a_share_of_a_ticket_is_none() -> None:
    # 62 / 50 (2 * .9 - 1) = .992, 63 / 50 * .8 = 1.008
    assert (tickets(62, "0.9"), tickets(63, "0.9")) == (1, 2)


def test_the_draw_of_a_decoy_has_the_product_of_both_and_at_most_eight() -> None:
    assert [joined(by_stake=stake, for_gold=gold) for stake, gold in ((1, 1), (2, 3), (3, 4))] == [1, 6, 8]


@pytest.mark.parametrize(("reputation", "per_ticket"), [("1.01", 50), ("-0.1", 50), ("0.9", -1)])
def test_what_is_no_reputation_or_no_price_is_refused(reputation: str, per_ticket: int) -> None:
    with pytest.raises(BadParameterError):
        tickets(100, reputation, per_ticket)
