"""A revealed round is tallied once: votes -> tally -> the segment's outcome, its next round, or a redraw.

The decision is one pure value (core/consensus/rounds.py); this module reads what it rests on and stores it, with the
leaves that let a stranger repeat it, in one transaction.

Reads Vote, Seat, Route, Round, SkillSnapshot; writes Round, SegmentOutcome, Leaf, AuditEvent.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.prepared import PreparedQuery
from auditing.core import consensus as core
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import AuditorSkill, Leaf
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.stages import RoundStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import Audit, Round, Route, Seat, Vote
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.model_tier.endpoints import is_suspect
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rosters import routes_of
from auditing.services.consensus import escalation
from auditing.services.consensus.outcomes import DecidedSegment, mark_counted, record_outcomes
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import move_round, store_tallies
from hdag.store.rows import insert

Weights = Mapping[bytes, AuditorSkill]  # by pseudonym


def tally(*, round: Round) -> bool:
    """Close a revealed round: decide purely, then store the decision; False when another worker was first."""
    with transaction.atomic():
        # 1. Lock the round and its audit (never the policy, which nobody changes), and read.
        round = next(_locked.rows(key=round.pk))
        if round.stage != RoundStage.REVEALING:
            return False
        policy = load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
        votes, seats = list(_votes.rows(round=round.pk)), list(_seats.rows(round=round.pk))
        lines = ledger.weights_by_round(round=round)
        skills, withdrawn = _skills_before(round, votes, policy, lines.get(round.number, {})), _withdrawn(seats)
        route = next(_route.rows(audit=round.audit_id, segment=round.segment_id))
        # 2. Decide.
        is_deserted = bool(withdrawn) or not seats
        revealed = _revealed_round(round, route, votes, skills, _heard(round, lines), is_deserted)
        decision = core.decide_round(revealed=revealed, policy=policy)
        # 3. Store.
        if decision.segment is None:
            return escalation.redraw(round=round, tally=decision.tally)
        ledger.write(
            audit=round.audit,
            leaves=[
                *ledger.opened_leaves(round=round, votes=votes, seats=seats),
                ledger.tally_leaf(round=round, tally=decision.tally),
            ],
        )
        columns = _tally_columns(decision.tally, decision.segment) | withdrawn
        move_round(round=round, to=RoundStage.TALLIED, due_at=None, outcome=decision.tally.outcome, tally=columns)
        _follow_up(round, route, decision.tally, decision.segment)
    return True


@PreparedQuery
def _locked(key: UUID) -> QuerySet[Round]:
    rounds = Round.objects.select_for_update(of=("self", "audit")).filter(pk=key)
    return rounds.select_related("audit__policy", "audit__trace", "segment").defer("audit__policy__body")


@PreparedQuery
def _votes(round: UUID) -> QuerySet[Vote]:
    votes = Vote.objects.filter(seat__round=round).select_related("seat__commitment", "seat__auditor")
    return votes.order_by("seat_id")


@PreparedQuery
def _seats(round: UUID) -> QuerySet[Seat]:
    return Seat.objects.filter(round=round).select_related("commitment").order_by("draw", "pk")


@PreparedQuery
def _route(audit: UUID, segment: UUID) -> QuerySet[Route]:
    return Route.objects.filter(audit=audit, segment=segment)


def _skills_before(round: Round, votes: Sequence[Vote], policy: Policy, weights: Weights) -> dict[str, Skill]:
    """The weights that the ledger fixed before these votes were opened, as sure as their auditors are known today."""
    skills = skills_for(auditors=[vote.seat.auditor for vote in votes], policy=policy, round=round)
    for vote in votes:
        line, now = weights.get(bytes(vote.seat.pseudonym)), skills[str(vote.seat.auditor_id)]
        # Whoever sealed before weights were fixed first is weighed as before.
        if line is not None:
            sides = now.sensitivity.at(mean=line.sensitivity), now.specificity.at(mean=line.specificity)
            skills[str(vote.seat.auditor_id)] = _skill_of(line, sides)
    return skills


def _skill_of(line: AuditorSkill, sides: tuple[Beta, Beta]) -> Skill:
    return Skill(*sides, str(line.family or ""), line.correlation, str(line.follows or ""), line.following)


def _heard(round: Round, lines: Mapping[int, Weights]) -> list[core.Heard]:
    """Votes of the segment's earlier rounds as they were weighed then; empty where nobody follows a model."""
    if not round.number or not any(line.follows for weights in lines.values() for line in weights.values()):
        return []
    votes = Vote.objects.filter(
        seat__round__audit=round.audit_id, seat__round__segment=round.segment_id, seat__round__number__lt=round.number
    )
    heard: list[core.Heard] = []
    for number, name, choice in votes.values_list("seat__round__number", "seat__pseudonym", "choice"):
        line = lines.get(number, {}).get(bytes(name))
        if line is not None:
            # Only the means count in what is heard.
            sides = Beta(line.sensitivity, 1 - line.sensitivity), Beta(line.specificity, 1 - line.specificity)
            heard.append((Choice(choice), _skill_of(line, sides)))
    return heard


def tally_checked(*, audit: Audit, rounds: Sequence[Round], votes: Sequence[Vote]) -> None:
    """Tally the computer tier's rounds of a whole audit in a few statements, and open what comes next.

    The checker casts its votes in the caller's transaction, so that no round here is ever seen revealing.
    """
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    routes = routes_of(audit=audit)
    by_round = {vote.seat.round_id: vote for vote in votes}  # the checker has one seat a round
    decided: list[DecidedSegment] = []
    next_rounds: list[Round] = []
    leaves: list[Leaf] = []
    for round in rounds:
        route, vote = routes[round.segment_id], by_round[round.pk]
        tally, decision = _decide_checked(route, vote, policy)
        if audit.follows_id:
            decision = core.question_refuted(decision=decision, tallies=[tally])
        leaves += ledger.opened_leaves(round=round, votes=[vote], seats=[])  # the checker has none that stays silent
        leaves.append(ledger.tally_leaf(round=round, tally=tally))
        round.stage, round.outcome, round.tally = RoundStage.TALLIED, tally.outcome, _tally_columns(tally, decision)
        if decision.outcome is None and decision.waits:
            continue  # for the first wave
        if decision.outcome is None:
            leaves.append(ledger.escalation_leaf(round=round, decision=decision))
            next_rounds.append(escalation.next_round(round=round, route=route, decision=decision))
        else:
            decided.append(DecidedSegment(round, tally, decision))
    store_tallies(rounds=rounds)
    insert(next_rounds)
    ledger.write(audit=audit, leaves=leaves)
    record_outcomes(audit=audit, decided=decided)


def _decide_checked(route: Route, vote: Vote, policy: Policy) -> tuple[core.Tally, core.SegmentDecision]:
    """One vote on one seat: a turnout that no redraw can better."""
    tally = core.tally_round(votes=[_vote_value(vote, Tier.COMPUTER)], policy=policy, tier=Tier.COMPUTER, k=1)
    decide = core.follow_planned if policy.planner else core.decide_segment
    return tally, decide(tallies=[tally], tiers=route.tiers, policy=policy)


def _follow_up(round: Round, route: Route, tally: core.Tally, decision: core.SegmentDecision) -> None:
    """Record the decided segment, or open its next round."""
    audit = round.audit
    if decision.outcome is not None:
        record_outcomes(audit=audit, decided=[DecidedSegment(round, tally, decision)])
        return
    if decision.waits:
        mark_counted(audit=audit, is_planned=True)  # the planner has its turn
        return
    insert([escalation.next_round(round=round, route=route, decision=decision)])
    record_event(audit=audit, kind=EventKind.ROUND_OPENED, segment=str(round.segment_id), why=decision.why)
    ledger.write(audit=audit, leaves=[ledger.escalation_leaf(round=round, decision=decision)])


def _revealed_round(
    round: Round,
    route: Route,
    votes: Sequence[Vote],
    skills: Mapping[str, Skill],
    heard: Sequence[core.Heard],
    is_deserted: bool,
) -> core.RevealedRound:
    """The rows of a round as the value that the core decides on."""
    tier = Tier(round.tier)
    return core.RevealedRound(
        tier=tier,
        k=round.k,
        votes=[_vote_value(vote, tier) for vote in votes],
        tiers=route.tiers,
        redraws=round.redraws,
        skills=skills,
        earlier=_earlier_tallies(round),
        heard=heard,
        adjudicates=round.adjudicates,
        is_deserted=is_deserted,
        is_suspect=is_suspect(audit=round.audit_id, segment=round.segment_id),
    )


def _withdrawn(seats: Sequence[Seat]) -> dict[str, int]:
    """Seats that were withdrawn in mid-wave; empty where none was."""
    count = sum(seat.declined_because == ledger.WITHDRAWN for seat in seats)
    return {"withdrawn": count} if count else {}


def _vote_value(vote: Vote, tier: Tier) -> VoteValue:
    return VoteValue(
        choice=Choice(vote.choice),
        auditor=str(vote.seat.auditor_id),
        tier=tier,
        confidence=None if vote.confidence is None else vote.confidence / 10_000,  # stored in basis points
    )


def _earlier_tallies(round: Round) -> list[core.Tally]:
    """The finished rounds as they were published: what is believed of auditors today changes nothing of them."""
    rows = _earlier.rows(audit=round.audit_id, segment=round.segment_id, number=round.number)
    return [stored_tally(round=row) for row in rows]


@PreparedQuery
def _earlier(audit: UUID, segment: UUID, number: int) -> QuerySet[Round]:
    return Round.objects.filter(audit=audit, segment=segment, number__lt=number).order_by("number")


def stored_tally(*, round: Round) -> core.Tally:
    """The inverse of _tally_columns, as far as later rounds need it: votes and turnout are not counted again."""
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


def _tally_columns(tally: core.Tally, decision: core.SegmentDecision) -> dict[str, object]:
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
