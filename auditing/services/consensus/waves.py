"""Waves: once no round of an audit is open, the planner decides who is asked about what next, or decides the trace.

    no round is open -> state of every passage from its tallies -> core plan_wave
        more seats   -> wave.plan, and a round of people, or of one adjudicator, for each passage that gets seats
        an outcome   -> wave.plan, and the outcome of every passage that is still open; outcomes.decide follows

The plan, its leaf and what it leads to are one transaction under the lock of the audit: a worker that dies before its
end leaves an audit without an open round, which the next sweep takes up.

Reads Round, Roster, SegmentOutcome, Leaf, SoundnessRun, SeatAttempt; writes Round, SegmentOutcome, Leaf, Audit,
AuditEvent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.prepared import UNHURRIED, Changes, PreparedQuery, PreparedRows, PreparedUpdate
from auditing.core import consensus as core
from auditing.core.consensus.planning import PassageState, Plan, draw_sample, plan_rules, plan_wave
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import AskedPassage, published
from auditing.core.policy import Policy
from auditing.core.stages import AuditStage, RoundStage
from auditing.core.values import Outcome, Tier
from auditing.crash_points import crash_at
from auditing.models import Audit, Round, SeatAttempt, SegmentOutcome, SoundnessRun
from auditing.selectors.clock import database_now
from auditing.selectors.consensus.outcomes import bounding_soundness, stated_soundness
from auditing.selectors.model_tier.endpoints import suspects_of
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rosters import segment_lines
from auditing.services.consensus import adjudication, outcomes
from auditing.services.consensus.outcomes import DecidedSegment, record_outcomes
from auditing.services.consensus.rounds import stored_tally
from auditing.services.events import record_event
from auditing.services.ledger import leaves as ledger
from auditing.services.seating import assignment, sortition
from hdag.store.rows import fresh, insert

_ROUND = ("audit__policy", "audit__trace", "audit__campaign", "segment")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the planner reads: passages in the order of the draw, and the tallied rounds of each."""

    passages: tuple[PassageState, ...]
    rounds: Mapping[UUID, Sequence[Round]]


def plan_or_decide(*, audit: Audit) -> bool:
    """auditing -> decided; where the policy plans waves, the next one is opened first while the trace needs it."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    if policy.planner:
        plan = plan_next(audit=audit, policy=policy)
        if plan is not None and plan.outcome is None:
            return False  # its rounds are open
        if plan is None:
            withdraw_unopened(audit=audit, policy=policy)
    return outcomes.decide(audit=audit)


def withdraw_unopened(*, audit: Audit, policy: Policy) -> int:
    """In mid-wave: where the tallied rounds decide the trace alone, seats that nobody has opened are taken back.

    Opened ones are counted and paid: the outcome is planned once every round is tallied. Returns the seats taken back.
    """
    if not _open_rounds.rows(audit=audit.pk):
        return 0
    open_rounds = Round.objects.filter(audit=audit).exclude(stage=RoundStage.TALLIED)
    # The sweep need not look again before the next tally: one that came meanwhile has another moment.
    Audit.objects.filter(Exists(open_rounds), pk=audit.pk, counted_at=audit.counted_at).update(counted_at=None)
    asked = list(open_rounds.filter(tier=Tier.HUMAN, adjudicates=False).select_related(*_ROUND).order_by("pk"))
    if not asked or not ledger.waves_planned(audit=audit):
        return 0
    sampled = {str(segment) for _, segment in suspects_of(audits=[audit.pk])}
    plan = _plan(audit, policy, _read_evidence(audit, policy), bounding_soundness(audit=audit), sampled)
    if plan.outcome not in (Outcome.PASS, Outcome.FAIL):
        return 0
    # Not under the audit's lock: whoever tallies a round holds that round first.
    return sum(_withdraw(round, database_now()) for round in asked)


def _withdraw(round: Round, now: datetime) -> int:
    # Nobody was ever drawn for it: nobody need be.
    if round.stage == RoundStage.DRAWING and not round.redraws:
        return int(adjudication.close_unseated(round=round, now=now, kind=EventKind.SEATS_WITHDRAWN))
    return assignment.withdraw(round=round, now=now)


def plan_next(*, audit: Audit, policy: Policy) -> Plan | None:
    """Plan once all rounds are tallied; None while one is open, or when everything is decided."""
    with transaction.atomic():
        # 1. One planner at a time: whoever comes second finds the first one's rounds, or its outcomes.
        if not _locked.rows(audit=audit.pk):
            return None
        ((is_open, decided, suspects, is_certified),) = _standing.rows(audit=audit.pk)
        if is_open:
            return None
        evidence = _read_evidence(audit, policy)
        waiting = [key for key in evidence.rounds if key not in decided]
        if not waiting:
            return None
        # 2. Decide, from what stands in the ledger alone.
        bounds = bounding_soundness(audit=audit) if is_certified else {}
        sampled = set(map(str, suspects))
        plan = _plan(audit, policy, evidence, bounds, sampled)
        # 3. Store: the plan, and what it leads to.
        asked = _asked(evidence, plan, sampled, policy)
        wave = ledger.waves_planned(audit=audit) + 1
        ledger.plan_leaves(audit=audit, wave=wave, plan=plan, asked=asked)
        seats = sum(plan.seats.values())
        record_event(audit=audit, kind=EventKind.WAVE_PLANNED, wave=wave, seats=seats, why=plan.why)
        crash_at("wave.plan")
        if plan.outcome is None:
            _open_wave(audit, asked, plan)
        else:
            _close(audit, [evidence.rounds[key] for key in waiting], policy, bounds)
    return plan


@PreparedRows
def _locked(audit: UUID) -> QuerySet[Audit, Any]:
    rows = Audit.objects.filter(pk=audit, stage=AuditStage.AUDITING)
    return rows.select_for_update(of=("self",)).values_list("pk")


@PreparedRows
def _open_rounds(audit: UUID) -> QuerySet[Round, Any]:
    return Round.objects.filter(audit=audit).exclude(stage=RoundStage.TALLIED).values_list("pk")[:1]


# Not with the lock: of whoever waits for it, a statement would see what stood before the other's plan.
@PreparedRows
def _standing(audit: UUID) -> QuerySet[Audit, Any]:
    """Whether a round is open, which segments are decided, which look injected, and whether there is a certificate."""
    theirs = Round.objects.filter(audit=OuterRef("pk"))
    suspects = SeatAttempt.objects.filter(seat__round__audit=OuterRef("pk"), is_suspect=True)
    rows = Audit.objects.filter(pk=audit).annotate(
        is_open=Exists(theirs.exclude(stage=RoundStage.TALLIED)),
        decided=ArraySubquery(SegmentOutcome.objects.filter(audit=OuterRef("pk")).values("segment")),
        suspects=ArraySubquery(suspects.values("seat__round__segment")),
        is_certified=Exists(SoundnessRun.objects.filter(audit=OuterRef("pk"), state=SoundnessRun.State.DONE)),
    )
    return rows.values_list("is_open", "decided", "suspects", "is_certified")


def _plan(audit: Audit, policy: Policy, evidence: _Evidence, bounds: Mapping[str, Decimal], sampled: set[str]) -> Plan:
    most = _least_soundness(audit, evidence, bounds)
    return plan_wave(
        passages=evidence.passages,
        rules=plan_rules(policy=policy),
        sampled=sampled,
        drawn=_sample(audit, policy, evidence),
        most=most,
    )


def _sample(audit: Audit, policy: Policy, evidence: _Evidence) -> frozenset[str]:
    """What people are asked about although models settled it: the same at every plan of the audit."""
    seen = [state.passage for state in evidence.passages if state.has_model_vote]
    if not policy.sample_share or not seen:
        return frozenset()
    seed = sortition.first_seed(audit=audit)
    assert seed is not None  # a model that voted was drawn by it
    return draw_sample(seed=seed, passages=seen, share=Fraction(policy.sample_share))


def _read_evidence(audit: Audit, policy: Policy) -> _Evidence:
    """Every routed passage with its tallied rounds."""
    lines = segment_lines(audit=audit)
    rounds: dict[UUID, list[Round]] = {line.segment: [] for line in lines}
    for round in _tallied.rows(audit=audit.pk):
        round.audit = audit
        rounds[round.segment_id].append(round)
    rests = {line.segment for line in lines if line.basis} or set(rounds)
    return _Evidence(
        passages=tuple(_state(key, rows, policy, key in rests) for key, rows in rounds.items()), rounds=rounds
    )


_READ = ("audit", "number", "tier", "adjudicates", "k", "stage", "outcome", "tally")


@PreparedQuery
def _tallied(audit: UUID) -> QuerySet[Round]:
    rounds = Round.objects.filter(audit=audit, stage=RoundStage.TALLIED)
    # What a state is made of; the pool of a round is as long as a campaign has people.
    return rounds.select_related("segment").only(*_READ, "segment__label").order_by("number")


def _state(key: UUID, rounds: Sequence[Round], policy: Policy, rests: bool) -> PassageState:
    last = rounds[-1]
    passes, fails = last.tally["passes"], last.tally["fails"]
    is_overruled = last.adjudicates and passes > fails
    # Seats that were withdrawn say nothing of whether people are there.
    is_empty = not passes + fails + last.tally["abstentions"] + last.tally.get("withdrawn", 0)
    is_spent = last.tier == Tier.HUMAN and not last.adjudicates and is_empty
    # As the trace will read it: one function makes the state for the plan and for the outcome.
    state = core.passage_state(
        decided=core.SegmentOutcome(
            segment=str(key),
            outcome=Outcome(last.outcome),
            posterior=Fraction(last.tally["segment"]),
            tier=Tier(last.tier),
            refuted=not is_overruled and any(row.tier == Tier.COMPUTER and row.tally["fails"] for row in rounds),
            adjudicated=last.adjudicates and passes != fails,
        ),
        base_rate=Fraction(policy.base_rate),
        seats=sum(round.k - round.tally.get("withdrawn", 0) for round in rounds if round.tier == Tier.HUMAN),
        rests=rests,
    )
    by_models = [row.tally for row in rounds if row.tier == Tier.LLM]
    has_model_vote = any(tally["passes"] + tally["fails"] for tally in by_models)
    return replace(state, is_spent=is_spent, is_heard=last.adjudicates, has_model_vote=has_model_vote)


def _least_soundness(audit: Audit, evidence: _Evidence, bounds: Mapping[str, Decimal]) -> Fraction:
    """The least soundness of a passage that the answer rests on: stated with its outcome, or as it is known now."""
    # What is stated with an outcome stands in the tally of its round too: mostly nothing.
    is_stated = any("soundness" in row.tally for rows in evidence.rounds.values() for row in rows)
    stated = stated_soundness(audit=audit) if is_stated else {}
    rested = [evidence.rounds[UUID(state.passage)][-1].segment.label for state in evidence.passages if state.rests]
    soundness = {label: Fraction(bound) for label, bound in bounds.items()} | stated
    return min((soundness[label] for label in rested if label in soundness), default=Fraction(1))


def _asked(evidence: _Evidence, plan: Plan, sampled: set[str], policy: Policy) -> list[AskedPassage]:
    ratios = {state.passage: state.ratio for state in evidence.passages}
    return [
        AskedPassage(
            segment=UUID(passage),
            round=evidence.rounds[UUID(passage)][-1].number + 1,
            seats=seats,
            ratio=published(number=ratios[passage]),
            sampled=passage in sampled or None,
            inclusion=published(number=Fraction(policy.sample_share)) if passage in plan.drawn else None,
        )
        for passage, seats in plan.seats.items()
    ]


def _open_wave(audit: Audit, asked: Sequence[AskedPassage], plan: Plan) -> None:
    """A round of people for each passage of the wave, for which the audit rests; the sweep draws them together."""
    insert(
        fresh(
            Round,
            audit=audit,
            segment_id=passage.segment,
            number=passage.round,
            tier=Tier.HUMAN,
            adjudicates=plan.adjudicates,
            k=passage.seats,
            why=plan.why[:300],
            inclusion=passage.inclusion,
        )
        for passage in asked
    )
    _rest.run(audit=audit.pk)
    audit.lease_until = None


# A worker plans again what a falling server forgets: nobody waits for the disk.
@PreparedUpdate
def _rest(audit: UUID) -> Changes:
    return Audit.objects.filter(UNHURRIED, pk=audit), {"counted_at": None, "lease_until": None, "attempts": 0}


def _close(
    audit: Audit, open_passages: Sequence[Sequence[Round]], policy: Policy, bounds: Mapping[str, Decimal]
) -> None:
    """The trace is decided: every passage that is still open gets the outcome that its votes give."""
    decided = []
    for rounds in open_passages:
        tallies = [stored_tally(round=round) for round in rounds]
        decision = core.close_planned(tallies=tallies, policy=policy)
        decided.append(DecidedSegment(rounds[-1], tallies[-1], decision))
    record_outcomes(decided=decided, bounds=bounds)
