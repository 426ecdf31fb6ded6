"""What the votes of the small audit earned: gold opened, points posted, reputations moved."""

from fractions import Fraction

from auditing.core import points
from auditing.core.ledger import leaves
from auditing.core.points.reputation import next_reputation
from tests.verifier.world import AUDIT, POLICY, SECRET, World, number_of


def settle(*, world: World, number: int) -> None:
    at = {"audit": AUDIT, "segment": world.ids[number], "round": 0}
    known = world.truth[number]
    if known is not leaves.Truth.NONE:
        world.add(leaves.GoldReveal(audit=AUDIT, segment=world.ids[number], truth=known, salt=world.salts[number]))
    truth = str(known) if known is not leaves.Truth.NONE else str(world.final[number])
    judged = [_judged(seat, truth, known is not leaves.Truth.NONE) for seat in world.seats[number, 0]]
    postings = points.settle_votes(votes=judged, policy=POLICY, policy_digest="d", seed=SECRET)
    by_seat = {seat["auditor"].hex(): seat["seat"] for seat in world.seats[number, 0]}
    lines = tuple(
        leaves.PayoutLine(
            seat=by_seat[one.account],
            auditor=bytes.fromhex(one.account),
            posting=leaves.Posting(one.kind),
            points=one.amount,
        )
        for one in postings
        if one.account != points.POOL
    )
    world.add(leaves.Payout(**at, held=True, pool=-sum(line.points for line in lines), lines=lines))
    for seat, vote in zip(world.seats[number, 0], judged, strict=True):
        if vote.correct is not None or not vote.revealed:
            _step(world, at, seat, bool(vote.correct), known is not leaves.Truth.NONE)


def _judged(seat: dict, truth: str, gold: bool) -> points.JudgedVote:
    correct = None if truth not in ("pass", "fail") or not seat["choice"] else seat["choice"] == truth
    return points.JudgedVote(
        vote="v",
        round="r",
        auditor=seat["auditor"].hex(),
        seat=seat["seat"].bytes,
        correct=correct,
        gold=gold,
        revealed=seat["choice"] is not None,
        reputation=Fraction(seat["line"].reputation),
    )


def _step(world: World, at: dict, seat: dict, correct: bool, gold: bool) -> None:
    prior = seat["line"].reputation
    after = next_reputation(reputation=Fraction(prior), correct=correct, gamma=Fraction(POLICY.gamma))
    column = leaves.Column.GOLD if gold else leaves.Column.CONSENSUS
    world.add(
        leaves.ReputationUpdate(
            **at, auditor=seat["auditor"], column=column, prior=prior, correct=correct, after=number_of(value=after)
        )
    )
