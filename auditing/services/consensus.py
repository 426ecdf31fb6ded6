"""votes -> round tally -> segment outcome -> trace outcome.

Reads Vote, Route, Round; writes Round, SegmentOutcome, TraceOutcome, the next Round and the leaves of each.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.db import transaction

from auditing.core import consensus as core
from auditing.core.policy import Policy
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import Audit, Round, Route, SegmentOutcome, TraceOutcome, Vote
from auditing.selectors.outcomes import core_outcomes
from auditing.selectors.policies import load_policy
from auditing.selectors.skills import skills_for
from auditing.services import escalation, ledger
from auditing.services.doors import advance_audit, advance_round, note
from hdag.selectors import load_graph


def tally_checked(*, audit: Audit, rounds: Sequence[Round], votes: Sequence[Vote]) -> None:
    """Tally the computer tier's rounds of a whole audit at once and open what comes next."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    routes = {route.segment_id: route for route in Route.objects.filter(audit=audit)}
    ledger.open_votes(audit=audit, votes=votes)
    by_round = {vote.seat.round_id: vote for vote in votes}
    decided: list[tuple[Round, core.Tally, core.SegmentDecision]] = []
    opened: list[Round] = []
    for round in rounds:
        tally = core.tally_round(
            votes=[_value(by_round[round.pk], Tier.COMPUTER)], policy=policy, tier=Tier.COMPUTER, k=1
        )
        decision = core.decide_segment(tallies=[tally], tiers=routes[round.segment_id].tiers, policy=policy)
        _write_tally(round, tally)
        if decision.outcome is None:
            opened.append(escalation.next_round(round=round, route=routes[round.segment_id], decision=decision))
        else:
            decided.append((round, tally, decision))
    Round.objects.bulk_update(rounds, ["stage", "outcome", "tally"])
    Round.objects.bulk_create(opened)
    record_outcomes(audit=audit, decided=decided)


def tally(*, round: Round) -> bool:
    """Close a revealed round: count, then redraw, open the next round, or decide the segment."""
    with transaction.atomic():
        round = Round.objects.select_for_update().select_related("audit__policy", "audit__trace").get(pk=round.pk)
        if round.stage != RoundStage.REVEALING:
            return False
        audit, policy = round.audit, load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
        votes = list(
            Vote.objects.filter(seat__round=round)
            .select_related("seat__commitment", "seat__auditor")
            .order_by("seat_id")
        )
        found = _tally_value(round, votes, policy)
        if found.redraw:
            return escalation.redraw(round=round, tally=found)
        ledger.open_votes(audit=audit, votes=votes)
        _write_tally(round, found)
        advance_round(round=_at(round, RoundStage.REVEALING), to=RoundStage.TALLIED, due_at=None,
                      outcome=round.outcome, tally=round.tally)  # fmt: skip
        _go_on(audit, round, found, policy)
    return True


def _go_on(audit: Audit, round: Round, found: core.Tally, policy: Policy) -> None:
    """Decide the segment from all its rounds, or open the next one."""
    if round.adjudicates:
        decision = core.SegmentDecision(outcome=_word(found), posterior=found.posterior, why="adjudicated")
    else:
        route = Route.objects.get(audit=audit, segment=round.segment_id)
        tallies = [*_earlier_tallies(round, policy), found]
        decision = core.decide_segment(tallies=tallies, tiers=route.tiers, policy=policy)
        decision = escalation.with_a_person(round=round, decision=decision)
        if decision.outcome is None:
            Round.objects.bulk_create([escalation.next_round(round=round, route=route, decision=decision)])
            note(audit=audit, kind="round.opened", segment=str(round.segment_id), why=decision.why)
            ledger.append(
                kind="escalation", audit=audit, segment=round.segment_id.hex, round=round.number + 1,
                tier=str(decision.next_tier or "adjudicator"),
            )  # fmt: skip
            return
    record_outcomes(audit=audit, decided=[(round, found, decision)])


def _word(found: core.Tally) -> Outcome:
    """An adjudicator's word binds, however sure one vote can be; without one the segment stays undecided."""
    if found.passes == found.fails:
        return Outcome.UNDECIDED
    return Outcome.PASS if found.passes > found.fails else Outcome.FAIL


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
            low=found.interval[0],
            high=found.interval[1],
        )
        for round, found, decision in decided
    )
    ledger.append_all(
        kind="segment.outcome",
        audit=audit,
        bodies=[
            {
                "segment": round.segment_id.hex,
                "round": round.number,
                "tier": round.tier,
                "outcome": str(decision.outcome),
                "passes": found.passes,
                "fails": found.fails,
                "k": found.k,
                "posterior": fraction_text(decision.posterior),
            }
            for round, found, decision in decided
        ],
    )
    if decided:
        note(audit=audit, kind="segments.decided", count=len(rows))
    return rows


def decide(*, audit: Audit) -> bool:
    """Decide the trace once every routed segment has its outcome; False while one is open."""
    if (
        Route.objects.filter(audit=audit)
        .exclude(segment__in=SegmentOutcome.objects.filter(audit=audit).values("segment"))
        .exists()
    ):
        return False
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    stored = load_graph(audit.job)
    outcomes = core_outcomes(audit=audit)
    found = core.decide_trace(outcomes=outcomes, graph=stored.graph, policy=policy)
    failing = next((one.id for one in stored.graph.segments
                    if one.id in outcomes and outcomes[one.id].outcome is Outcome.FAIL), None)  # fmt: skip
    with transaction.atomic():
        if not advance_audit(audit=audit, to=AuditStage.DECIDED, outcome=found.outcome):
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
        ledger.append(
            kind="trace.outcome", audit=audit, outcome=str(found.outcome), paper=str(found.paper_outcome),
            rule=str(found.rule), posterior=fraction_text(found.posterior),
            weight_passed=fraction_text(found.weight_passed), weight_needed=fraction_text(found.weight_needed),
        )  # fmt: skip
    return True


def fraction_text(value: Fraction) -> str:
    """A fraction as decimal text, 12 digits: the ledger holds no floats."""
    return f"{float(value):.12f}"


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


def _tally_value(round: Round, votes: Sequence[Vote], policy: Policy) -> core.Tally:
    tier = Tier(round.tier)
    return core.tally_round(
        votes=[_value(vote, tier) for vote in votes],
        policy=policy,
        tier=tier,
        k=round.k,
        redraws=policy.max_redraws if round.adjudicates else round.redraws,
        skills=skills_for(auditors=[vote.seat.auditor for vote in votes], policy=policy, round=round),
    )


def _earlier_tallies(round: Round, policy: Policy) -> list[core.Tally]:
    earlier = Round.objects.filter(audit=round.audit_id, segment=round.segment_id, number__lt=round.number)
    found = []
    for one in earlier.order_by("number"):
        votes = Vote.objects.filter(seat__round=one).select_related("seat__auditor").order_by("seat_id")
        found.append(_tally_value(_spent(one, policy), list(votes), policy))
    return found


def _spent(round: Round, policy: Policy) -> Round:
    round.redraws = policy.max_redraws
    return round


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


def _write_tally(round: Round, found: core.Tally) -> None:
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
        "low": found.interval[0],
        "high": found.interval[1],
        "why": found.why,
    }
