"""votes -> round tally -> segment outcome -> trace outcome.

Reads Vote, Route, Round; writes Round, SegmentOutcome, TraceOutcome, the next Round and the leaves of each.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists
from django.db.models.functions import Now

from auditing.core import consensus as core
from auditing.core.consensus.skills import Skill
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import Leaf
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import Audit, Round, Route, SegmentOutcome, TraceOutcome, Vote
from auditing.selectors.consensus.outcomes import bounding_soundness, core_outcomes, stated_soundness
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.policy.versions import load_policy
from auditing.services.consensus import escalation
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import move_audit, move_round
from hdag.selectors import load_graph


def tally_checked(*, audit: Audit, rounds: Sequence[Round], votes: Sequence[Vote]) -> None:
    """Tally the computer tier's rounds of a whole audit at once and open what comes next."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    routes = {route.segment_id: route for route in Route.objects.filter(audit=audit)}
    by_round = {vote.seat.round_id: vote for vote in votes}
    decided: list[tuple[Round, core.Tally, core.SegmentDecision]] = []
    opened: list[Round] = []
    leaves: list[Leaf] = []
    for round in rounds:
        tally = core.tally_round(
            votes=[_value(by_round[round.pk], Tier.COMPUTER)], policy=policy, tier=Tier.COMPUTER, k=1
        )
        decision = core.decide_segment(tallies=[tally], tiers=routes[round.segment_id].tiers, policy=policy)
        leaves += ledger.opened_leaves(round=round, votes=[by_round[round.pk]])
        leaves += ledger.tally_leaves(round=round, found=tally, skills={}, votes=())
        _write_tally(round, tally, decision)
        if decision.outcome is None:
            leaves.append(ledger.escalation_leaf(round=round, decision=decision))
            opened.append(escalation.next_round(round=round, route=routes[round.segment_id], decision=decision))
        else:
            decided.append((round, tally, decision))
    Round.objects.bulk_update(rounds, ["stage", "outcome", "tally"])
    Round.objects.bulk_create(opened)
    ledger.write(audit=audit, leaves=leaves)
    record_outcomes(audit=audit, decided=decided)


def tally(*, round: Round) -> bool:
    """Close a revealed round: count, then redraw, open the next round, or decide the segment."""
    with transaction.atomic():
        rows = Round.objects.select_for_update(of=("self", "audit"))  # never the policy, which is final
        round = rows.select_related("audit__policy", "audit__trace").get(pk=round.pk)
        if round.stage != RoundStage.REVEALING:
            return False
        audit, policy = round.audit, load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
        votes = list(
            Vote.objects.filter(seat__round=round)
            .select_related("seat__commitment", "seat__auditor")
            .order_by("seat_id")
        )
        skills = skills_for(auditors=[vote.seat.auditor for vote in votes], policy=policy, round=round)
        found = _tally_value(round, votes, policy, skills)
        if found.redraw:
            return escalation.redraw(round=round, tally=found)
        leaves = ledger.tally_leaves(round=round, found=found, skills=skills, votes=votes)
        ledger.write(audit=audit, leaves=[*ledger.opened_leaves(round=round, votes=votes), *leaves])
        decision = _decide(round, found, policy)
        _write_tally(round, found, decision)
        move_round(
            round=_at(round, RoundStage.REVEALING),
            to=RoundStage.TALLIED,
            due_at=None,
            outcome=round.outcome,
            tally=round.tally,
        )
        _go_on(audit, round, found, decision)
    return True


def _decide(round: Round, found: core.Tally, policy: Policy) -> core.SegmentDecision:
    """What follows from all rounds of a segment; an adjudicator's word decides by itself, abstaining leaves it open."""
    tallies = [*_earlier_tallies(round), found]
    if round.adjudicates:
        return core.adjudicate_segment(tallies=tallies, policy=policy)
    route = Route.objects.get(audit=round.audit_id, segment=round.segment_id)
    decision = core.decide_segment(tallies=tallies, tiers=route.tiers, policy=policy)
    return escalation.with_a_person(round=round, decision=decision)


def _go_on(audit: Audit, round: Round, found: core.Tally, decision: core.SegmentDecision) -> None:
    """Record the decided segment, or open its next round."""
    if decision.outcome is not None:
        record_outcomes(audit=audit, decided=[(round, found, decision)])
        return
    route = Route.objects.get(audit=audit, segment=round.segment_id)
    Round.objects.bulk_create([escalation.next_round(round=round, route=route, decision=decision)])
    record_event(audit=audit, kind=EventKind.ROUND_OPENED, segment=str(round.segment_id), why=decision.why)
    ledger.write(audit=audit, leaves=[ledger.escalation_leaf(round=round, decision=decision)])


def record_outcomes(
    *, audit: Audit, decided: Sequence[tuple[Round, core.Tally, core.SegmentDecision]]
) -> list[SegmentOutcome]:
    """Write final segment outcomes with their leaves; the walker decides the trace when none is missing."""
    rows = SegmentOutcome.objects.bulk_create(
        SegmentOutcome(
            audit=audit,
            segment_id=round.segment_id,
            round=round,
            outcome=str(decision.outcome),
            paper_outcome=found.paper_outcome,
            posterior=float(decision.posterior),
            low=decision.interval[0],
            high=decision.interval[1],
        )
        for round, found, decision in decided
    )
    stated = core_outcomes(audit=audit, only=[round.segment_id for round, _, _ in decided])
    bounds = _bound(audit, [round for round, _, _ in decided], stated)
    ledger.write(
        audit=audit,
        leaves=[
            ledger.segment_leaf(
                round=round,
                outcome=stated[round.segment_id],
                adjudicated=decision.adjudicated,
                soundness=bounds.get(round.segment_id),
            )
            for round, _, decision in decided
        ],
    )
    if decided:
        record_event(audit=audit, kind=EventKind.SEGMENTS_DECIDED, count=len(rows))
    _mark_counted(audit)
    return rows


def _mark_counted(audit: Audit) -> None:
    """So that the walker finds an audit without an open round, though its bell was lost, without looking at all."""
    still_open = Round.objects.filter(audit=audit).exclude(stage=RoundStage.TALLIED)
    Audit.objects.filter(~Exists(still_open), pk=audit.pk).update(counted_at=Now())


def _bound(audit: Audit, rounds: Sequence[Round], stated: Mapping[UUID, core.SegmentOutcome]) -> dict[UUID, Decimal]:
    """Soundness of decided segments that a certificate calls unsound, kept with the round that decided them."""
    known = bounding_soundness(audit=audit)
    found = {key: known[one.segment] for key, one in stated.items() if one.segment in known}
    bounded = [round for round in rounds if round.segment_id in found]
    for round in bounded:
        round.tally["soundness"] = str(found[round.segment_id])
    Round.objects.bulk_update(bounded, ["tally"])
    return found


def decide(*, audit: Audit) -> bool:
    """Decide the trace once every routed segment has its outcome; False while one is open."""
    if (
        Route.objects.filter(audit=audit)
        .exclude(segment__in=SegmentOutcome.objects.filter(audit=audit).values("segment"))
        .exists()
    ):
        return False
    heads = [head for _, head in ledger.draw_heads(audit=audit)]
    if not heads:
        return False  # the seed of the draws is not fixed yet: the sequencer rings when it is
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    stored = load_graph(audit.job)
    outcomes = {one.segment: one for one in core_outcomes(audit=audit).values()}
    found = core.decide_trace(
        outcomes=outcomes, graph=stored.graph, policy=policy, soundness=stated_soundness(audit=audit)
    )
    failing = next(
        (one.id for one in stored.graph.segments if one.id in outcomes and outcomes[one.id].outcome is Outcome.FAIL),
        None,
    )
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.DECIDED, outcome=found.outcome):
            return False
        TraceOutcome.objects.create(
            audit=audit,
            outcome=found.outcome,
            paper_outcome=found.paper_outcome,
            score=float(found.posterior),
            weighted_score=float(found.weight_passed),
            first_failing=stored.rows[failing] if failing else None,
            body=_trace_body(found),
        )
        ledger.decide_trace(audit=audit, found=found, heads=heads)
    return True


def _trace_body(found: core.TraceOutcome) -> dict[str, Any]:
    return {
        "rule": str(found.rule),
        "score": float(found.score),
        "theta_pass": float(found.theta_pass),
        "theta_fail": float(found.theta_fail),
        "basis": list(found.basis),
        "refuted": list(found.refuted),
        "weight_passed": float(found.weight_passed),
        "weight_needed": float(found.weight_needed),
        "why": found.why,
    }


def _tally_value(round: Round, votes: Sequence[Vote], policy: Policy, skills: Mapping[str, Skill]) -> core.Tally:
    tier = Tier(round.tier)
    return core.tally_round(
        votes=[_value(vote, tier) for vote in votes],
        policy=policy,
        tier=tier,
        k=round.k,
        redraws=policy.max_redraws if round.adjudicates else round.redraws,
        skills=skills,
    )


def _earlier_tallies(round: Round) -> list[core.Tally]:
    """The finished rounds as they were published: what is believed of auditors today changes nothing of them."""
    earlier = Round.objects.filter(audit=round.audit_id, segment=round.segment_id, number__lt=round.number)
    return [_stored_tally(one) for one in earlier.order_by("number")]


def _stored_tally(round: Round) -> core.Tally:
    said = round.tally
    return core.Tally(
        tier=Tier(round.tier),
        outcome=Outcome(round.outcome),
        paper_outcome=Outcome(said["paper_outcome"]),
        posterior=Fraction(said["exact"]),
        interval=(said["low"], said["high"]),
        rule=ConsensusRule(said["rule"]),
        k=round.k,
        passes=said["passes"],
        fails=said["fails"],
        abstentions=said["abstentions"],
        need_pass=said["need_pass"],
        need_fail=said["need_fail"],
        need_turnout=0,
        redraw=False,
        escalate=round.outcome == Outcome.HUNG,
        why=said["why"],
        votes=(),
    )


def _at(round: Round, stage: RoundStage) -> Round:
    round.stage = stage
    return round


def _value(vote: Vote, tier: Tier) -> VoteValue:
    return VoteValue(
        choice=Choice(vote.choice),
        auditor=str(vote.seat.auditor_id),
        tier=tier,
        confidence=None if vote.confidence is None else vote.confidence / 10_000,
    )


def _write_tally(round: Round, found: core.Tally, decision: core.SegmentDecision) -> None:
    round.stage = RoundStage.TALLIED
    round.outcome = found.outcome
    round.tally = {
        "passes": found.passes,
        "fails": found.fails,
        "abstentions": found.abstentions,
        "need_pass": found.need_pass,
        "need_fail": found.need_fail,
        "rule": str(found.rule),
        "paper_outcome": str(found.paper_outcome),
        "posterior": float(found.posterior),
        "exact": str(found.posterior),
        "segment": str(decision.posterior),
        "low": found.interval[0],
        "high": found.interval[1],
        "why": found.why,
    }
