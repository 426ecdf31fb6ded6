"""Revealed rounds of people and models are tallied, those of one audit together, each of them once.

votes -> tally -> the segment's outcome, its next round, or a redraw. Each decision is one pure value
(core/consensus/rounds.py); this module reads what they rest on and stores them, with the leaves that let a stranger
repeat them, in one transaction: what one audit costs is read and written once, however many rounds it has.

Reads Vote, Seat, Route, Round, SkillSnapshot, Leaf; writes Round, Seat, SegmentOutcome, Leaf, AuditEvent.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedQuery, Written
from auditing import dispatch
from auditing.core import consensus as core
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.events import EventKind
from auditing.core.ledger.leaves import AuditorSkill, Leaf
from auditing.core.policy import Policy
from auditing.core.stages import RoundStage, SeatStage
from auditing.core.values import Choice, Tier
from auditing.models import Audit, Round, Route, Seat, Vote
from auditing.selectors.consensus.skills import skills_for
from auditing.selectors.model_tier.endpoints import suspects_of
from auditing.selectors.policy.versions import load_policy
from auditing.services.consensus import escalation
from auditing.services.consensus.outcomes import DecidedSegment, is_counted, mark_counted, record_outcomes
from auditing.services.consensus.rounds import stored_tally, tally_columns, vote_value
from auditing.services.events import record_events
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import store_tallies
from auditing.services.voting import reveal
from hdag.store.rows import insert

Weights = Mapping[int, Mapping[bytes, AuditorSkill]]  # of one segment: round -> pseudonym -> line of the ledger


@dataclass(frozen=True, slots=True)
class _Revealed:
    """A round with what its decision rests on."""

    round: Round
    route: Route
    votes: Sequence[Vote]
    seats: Sequence[Seat]
    decision: core.RoundDecision


_Decided = tuple[_Revealed, core.SegmentDecision]


def tally(*, rounds: Sequence[Round], now: datetime) -> int:
    """Close revealed rounds of one audit; returns how many moved.

    A vote that nobody opened by the deadline counts as silent; a round that still waits for one is passed over, and so
    is one that another worker closed first.
    """
    audit_id = rounds[0].audit_id
    with transaction.atomic(savepoint=False):  # where the caller has one, all is undone or nothing
        # 1. Lock: the rounds, always in one order, and only then their audit. Nobody changes the policy.
        locked = list(_locked.rows(rounds=[round.pk for round in rounds]))
        audit = next(_audit.rows(key=audit_id)) if locked else None
        if audit is None:
            return 0
        for round in locked:
            if round.due_at is not None and round.due_at <= now:
                reveal.close(round=round)
        # 2. Read, and decide.
        revealed = _read(audit, locked)
        # 3. Store.
        for row in revealed:
            if row.decision.segment is None:
                escalation.redraw(round=row.round, tally=row.decision.tally)
        decided = [(row, row.decision.segment) for row in revealed if row.decision.segment is not None]
        if decided:
            _store(audit, decided)
            _follow_up(audit, decided)
    # Noted under the lock of the audit by whoever tallies its last round; before that nothing could be decided.
    if decided and is_counted(audit=audit_id):
        dispatch.enqueue("auditing.advance_audit", audit_id)
    return len(revealed)


def _read(audit: Audit, rounds: Sequence[Round]) -> list[_Revealed]:
    """The rounds whose votes are all open, each with its decision."""
    policy = load_policy(version=audit.policy, domain=audit.trace.domain)
    seats = _by_round(_seats.rows(rounds=[round.pk for round in rounds]))
    complete = [round for round in rounds if not any(seat.stage == SeatStage.COMMITTED for seat in seats[round.pk])]
    if not complete:
        return []
    keys, segments = [round.pk for round in complete], [round.segment_id for round in complete]
    votes: dict[UUID, list[Vote]] = defaultdict(list)
    for vote in _votes.rows(rounds=keys):
        votes[vote.seat.round_id].append(vote)
    routes = {route.segment_id: route for route in _routes.rows(audit=audit.pk, segments=segments)}
    earlier = _by_segment(_earlier.rows(audit=audit.pk, segments=segments))
    lines = ledger.weights_by_round(audit=audit.pk, segments=segments)
    suspects = suspects_of(audit=audit.pk)
    skills = _skills_by_level(audit, complete, votes, policy)
    revealed = []
    for round in complete:
        round.audit = audit
        mine, weights = votes[round.pk], lines.get(round.segment_id, {})
        evidence = core.RevealedRound(
            tier=Tier(round.tier),
            k=round.k,
            votes=[vote_value(vote=vote, tier=Tier(round.tier)) for vote in mine],
            tiers=routes[round.segment_id].tiers,
            redraws=round.redraws,
            skills=_skills_before(skills[round.segment.level], mine, weights.get(round.number, {})),
            earlier=[stored_tally(round=row) for row in earlier[round.segment_id] if row.number < round.number],
            heard=_heard(round, weights),
            adjudicates=round.adjudicates,
            is_deserted=not seats[round.pk] or bool(_withdrawn(seats[round.pk])),
            is_suspect=round.segment_id in suspects,
        )
        decision = core.decide_round(revealed=evidence, policy=policy)
        revealed.append(_Revealed(round, routes[round.segment_id], mine, seats[round.pk], decision))
    return revealed


def _store(audit: Audit, decided: Sequence[_Decided]) -> None:
    """The tallies, with the leaves of their openings."""
    leaves: list[Leaf] = []
    for row, segment in decided:
        round, tally = row.round, row.decision.tally
        leaves += ledger.opened_leaves(round=round, votes=row.votes, seats=row.seats)
        leaves.append(ledger.tally_leaf(round=round, tally=tally))
        round.stage, round.due_at, round.outcome = RoundStage.TALLIED, None, tally.outcome
        round.tally = tally_columns(tally=tally, decision=segment) | _withdrawn(row.seats)
    ledger.write(audit=audit, leaves=leaves)
    store_tallies(rounds=[row.round for row, _ in decided])


def _follow_up(audit: Audit, decided: Sequence[_Decided]) -> None:
    """Record the decided segments, open the next rounds of others, or give the planner its turn."""
    ended = [(row, segment) for row, segment in decided if segment.outcome is not None]
    if ended:
        outcomes = [DecidedSegment(row.round, row.decision.tally, segment) for row, segment in ended]
        record_outcomes(audit=audit, decided=outcomes)
    going_on = [(row, segment) for row, segment in decided if segment.outcome is None and not segment.waits]
    if going_on:
        insert(escalation.next_round(round=row.round, route=row.route, decision=segment) for row, segment in going_on)
        opened = ({"segment": str(row.round.segment_id), "why": segment.why} for row, segment in going_on)
        record_events(audit=audit, events=[(EventKind.ROUND_OPENED, body) for body in opened])
        leaves = [ledger.escalation_leaf(round=row.round, decision=segment) for row, segment in going_on]
        ledger.write(audit=audit, leaves=leaves)
    if len(ended) + len(going_on) < len(decided):
        mark_counted(audit=audit, is_planned=True)


def _skills_by_level(
    audit: Audit, rounds: Sequence[Round], votes: Mapping[UUID, Sequence[Vote]], policy: Policy
) -> dict[str, dict[str, Skill]]:
    """What is believed today of everyone who voted on segments of a level: the same in all rounds of an audit."""
    alike: dict[str, list[Round]] = defaultdict(list)
    for round in rounds:
        round.audit = audit
        alike[round.segment.level].append(round)
    skills = {}
    for level, members in alike.items():
        auditors = {vote.seat.auditor_id: vote.seat.auditor for round in members for vote in votes[round.pk]}
        skills[level] = skills_for(auditors=auditors.values(), policy=policy, round=members[0])
    return skills


def _skills_before(
    skills: Mapping[str, Skill], votes: Sequence[Vote], weights: Mapping[bytes, AuditorSkill]
) -> dict[str, Skill]:
    """The weights that the ledger fixed before these votes were opened, as sure as their auditors are known today."""
    before = {str(vote.seat.auditor_id): skills[str(vote.seat.auditor_id)] for vote in votes}
    for vote in votes:
        line, now = weights.get(bytes(vote.seat.pseudonym)), before[str(vote.seat.auditor_id)]
        # Whoever sealed before weights were fixed first is weighed as before.
        if line is not None:
            sides = now.sensitivity.at(mean=line.sensitivity), now.specificity.at(mean=line.specificity)
            before[str(vote.seat.auditor_id)] = _skill_of(line, sides)
    return before


def _skill_of(line: AuditorSkill, sides: tuple[Beta, Beta]) -> Skill:
    return Skill(*sides, str(line.family or ""), line.correlation, str(line.follows or ""), line.following)


def _heard(round: Round, lines: Weights) -> list[core.Heard]:
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


def _withdrawn(seats: Sequence[Seat]) -> dict[str, Any]:
    """Seats that were withdrawn in mid-wave; empty where none was."""
    count = sum(seat.declined_because == ledger.WITHDRAWN for seat in seats)
    return {"withdrawn": count} if count else {}


def _by_round(seats: Iterable[Seat]) -> dict[UUID, list[Seat]]:
    rows: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in seats:
        rows[seat.round_id].append(seat)
    return rows


def _by_segment(rounds: Iterable[Round]) -> dict[UUID, list[Round]]:
    rows: dict[UUID, list[Round]] = defaultdict(list)
    for round in rounds:
        rows[round.segment_id].append(round)
    return rows


def _among(column: str, mark: str) -> Written:
    return Written(f"{column} = ANY(%s)", [Mark(mark)], output_field=BooleanField())


@PreparedQuery
def _locked() -> QuerySet[Round]:
    rounds = Round.objects.select_for_update(of=("self",)).select_related("segment").defer("drawn")
    return rounds.filter(_among("auditing_round.id", "rounds"), stage=RoundStage.REVEALING).order_by("pk")


@PreparedQuery
def _audit(key: UUID) -> QuerySet[Audit]:
    audits = Audit.objects.select_for_update(of=("self",)).filter(pk=key)
    return audits.select_related("policy", "trace").defer("policy__body")


@PreparedQuery
def _votes() -> QuerySet[Vote]:
    votes = Vote.objects.filter(_among("auditing_seat.round_id", "rounds"))
    return votes.select_related("seat__commitment", "seat__auditor").order_by("seat_id")


@PreparedQuery
def _seats() -> QuerySet[Seat]:
    seats = Seat.objects.filter(_among("auditing_seat.round_id", "rounds"))
    return seats.select_related("commitment").order_by("draw", "pk")


@PreparedQuery
def _routes(audit: UUID) -> QuerySet[Route]:
    return Route.objects.filter(_among("auditing_route.segment_id", "segments"), audit=audit)


@PreparedQuery
def _earlier(audit: UUID) -> QuerySet[Round]:
    rounds = Round.objects.filter(_among("auditing_round.segment_id", "segments"), audit=audit)
    return rounds.defer("drawn").order_by("number")
