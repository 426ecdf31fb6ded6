"""What the votes of the small audit earned: gold opened, points posted, reputations moved."""

from fractions import Fraction

from auditing.core import points
from auditing.core.ledger import leaves
from auditing.core.points.reputation import next_reputation, published
from auditing.core.values import Tier
from tests.verifier.world import AUDIT, POLICY, SECRET, World, number_of


def reveal_gold(*, world: World) -> None:
    for number, known in enumerate(world.truth):
        if known is not leaves.Truth.NONE:
            leaf = leaves.GoldReveal(audit=AUDIT, segment=world.ids[number], truth=known, salt=world.salts[number])
            world.add(leaf)


def settle(*, world: World) -> None:
    """All payouts, then all steps: people are paid, people and models have a reputation."""
    rounds = [key for key, seats in world.seats.items() if seats[0]["line"].kind is not Tier.COMPUTER]
    for number, round in rounds:
        if world.seats[number, round][0]["line"].kind is Tier.HUMAN:
            _pay(world, number, round)
    for column in leaves.Column:
        for number, round in rounds:
            for seat in world.seats[number, round]:
                _step(world, (number, round), seat, column)


def _pay(world: World, number: int, round: int) -> None:
    at = {"audit": AUDIT, "segment": world.ids[number], "round": round}
    seats = world.seats[number, round]
    gold = world.truth[number] is not leaves.Truth.NONE
    truth = str(world.truth[number]) if gold else str(world.final[number])
    judged = [_judged(seat, truth, gold) for seat in seats]
    postings = points.settle_votes(votes=judged, policy=POLICY, policy_digest="d", seed=SECRET)
    amounts = {
        posting.account: (posting.kind, posting.amount) for posting in postings if posting.account != points.POOL
    }
    lines = []
    for seat, vote in zip(seats, judged, strict=True):
        spared = ("slash", 0) if vote.correct is False and vote.revealed else None
        kind, amount = amounts.get(vote.auditor, spared) or ("", 0)
        chance = Fraction(1) if gold else points.slash_probability(reputation=vote.reputation, policy=POLICY)
        if kind:
            p = number_of(value=chance) if kind == "slash" else None
            posting = leaves.Posting(kind)
            line = leaves.PayoutLine(seat=seat["seat"], auditor=seat["auditor"], posting=posting, points=amount, p=p)
            lines.append(line)
    world.add(leaves.Payout(**at, held=True, pool=-sum(line.points for line in lines), lines=tuple(lines)))


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


def _step(world: World, key: tuple[int, int], seat: dict, column: leaves.Column) -> None:
    number, round = key
    truth = str(world.truth[number]) if column is leaves.Column.GOLD else str(world.final[number])
    if truth not in ("pass", "fail") or (column is leaves.Column.CONSENSUS and round == 1):
        return
    chain = (seat["auditor"], column)
    exact = world.reputations.get(chain, Fraction(seat["line"].reputation))
    prior, correct = published(reputation=exact), seat["choice"] == truth
    world.reputations[chain] = next_reputation(reputation=exact, correct=correct, gamma=Fraction(POLICY.gamma))
    after = next_reputation(reputation=prior, correct=correct, gamma=Fraction(POLICY.gamma))
    world.add(
        leaves.ReputationUpdate(
            audit=AUDIT,
            segment=world.ids[number],
            round=round,
            auditor=seat["auditor"],
            column=column,
            prior=number_of(value=prior),
            correct=correct,
            after=number_of(value=after),
        )
    )
