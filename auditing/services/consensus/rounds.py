"""Rounds of the computer tier, tallied for a whole audit at once; and a tally as it is stored and read back.

The decision is pure (core/consensus/); rounds of people and models are tallied in tallying.py.

Reads Route; writes Round, SegmentOutcome, Leaf.
"""

from collections.abc import Sequence
from fractions import Fraction

from auditing.core import consensus as core
from auditing.core.ledger.leaves import Leaf
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.stages import RoundStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import Audit, Round, Route, Vote
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rosters import routes_of
from auditing.services.consensus import escalation
from auditing.services.consensus.outcomes import DecidedSegment, record_outcomes
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import store_tallies
from hdag.store.rows import insert


def tally_checked(*, audit: Audit, rounds: Sequence[Round], votes: Sequence[Vote], before: Sequence[Leaf] = ()) -> None:
    """Tally the computer tier's rounds of a whole audit in a few statements, and open what comes next.

    The checker casts its votes in the caller's transaction, so that no round here is ever seen revealing. before: the
    leaves that stand in front of the tallies and are written with them.
    """
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    routes = routes_of(audit=audit)
    by_round = {vote.seat.round_id: vote for vote in votes}  # the checker has one seat a round
    decided: list[DecidedSegment] = []
    next_rounds: list[Round] = []
    leaves = list(before)
    for round in rounds:
        route, vote = routes[round.segment_id], by_round[round.pk]
        tally, decision = _decide_checked(route, vote, policy)
        if audit.follows_id:
            decision = core.question_refuted(decision=decision, tallies=[tally])
        leaves += ledger.opened_leaves(round=round, votes=[vote], seats=[])  # the checker has none that stays silent
        leaves.append(ledger.tally_leaf(round=round, tally=tally))
        round.stage, round.outcome, round.tally = (
            RoundStage.TALLIED,
            tally.outcome,
            tally_columns(tally=tally, decision=decision),
        )
        if decision.outcome is None and decision.waits:
            continue  # for the first wave
        if decision.outcome is None:
            leaves.append(ledger.escalation_leaf(round=round, decision=decision))
            next_rounds.append(escalation.next_round(round=round, route=route, decision=decision))
        else:
            decided.append(DecidedSegment(round, tally, decision))
    # The sweep finds an audit without an open round by an index, even when its message was lost.
    store_tallies(rounds=rounds, counted=None if next_rounds else audit.pk)
    insert(next_rounds)
    ledger.write(audit=audit, leaves=leaves)
    if decided:
        record_outcomes(decided=decided)


def _decide_checked(route: Route, vote: Vote, policy: Policy) -> tuple[core.Tally, core.SegmentDecision]:
    """One vote on one seat: a turnout that no redraw can better."""
    tally = core.tally_round(votes=[vote_value(vote=vote, tier=Tier.COMPUTER)], policy=policy, tier=Tier.COMPUTER, k=1)
    decide = core.follow_planned if policy.planner else core.decide_segment
    return tally, decide(tallies=[tally], tiers=route.tiers, policy=policy)


def vote_value(*, vote: Vote, tier: Tier) -> VoteValue:
    """A stored vote as the core counts it."""
    return VoteValue(
        choice=Choice(vote.choice),
        auditor=str(vote.seat.auditor_id),
        tier=tier,
        confidence=None if vote.confidence is None else vote.confidence / 10_000,  # stored in basis points
    )


def stored_tally(*, round: Round) -> core.Tally:
    """The inverse of tally_columns, as far as later rounds need it: votes and turnout are not counted again."""
    columns = round.tally
    return core.Tally(
        tier=Tier(round.tier),
        outcome=Outcome(round.outcome),
        paper_outcome=Outcome(columns["paper_outcome"]),
        posterior=Fraction(columns["exact"]),
        interval=(columns["low"], columns["high"]),
        rule=ConsensusRule(columns["rule"]),
        k=round.k,
        passes=columns["passes"],
        fails=columns["fails"],
        abstentions=columns["abstentions"],
        need_pass=columns["need_pass"],
        need_fail=columns["need_fail"],
        need_turnout=0,
        redraw=False,
        escalate=round.outcome == Outcome.HUNG,
        why=columns["why"],
        votes=(),
    )


def tally_columns(*, tally: core.Tally, decision: core.SegmentDecision) -> dict[str, object]:
    """Round.tally: what pages show, and what later rounds of the segment are decided from."""
    return {
        "passes": tally.passes,
        "fails": tally.fails,
        "abstentions": tally.abstentions,
        "need_pass": tally.need_pass,
        "need_fail": tally.need_fail,
        "rule": str(tally.rule),
        "paper_outcome": str(tally.paper_outcome),
        "posterior": float(tally.posterior),
        "exact": str(tally.posterior),  # a fraction such as "81/85": products of floats would drift
        "segment": str(decision.posterior),
        "low": tally.interval[0],
        "high": tally.interval[1],
        "why": tally.why,
    }
