"""Revealed rounds of people and models are tallied, many together, each of them once.

votes -> tally -> the segment's outcome, its next round, or a redraw. Each decision is one pure value
(core/consensus/rounds.py); this module reads what they rest on and stores them, with the leaves that let a stranger
repeat them, in one transaction and in as many statements as one round takes.

Reads Vote, Seat, Route, Round, SkillSnapshot, Leaf; writes Round, Seat, SegmentOutcome, Leaf, AuditEvent.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.prepared import PreparedQuery, among
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
from auditing.services.consensus.outcomes import DecidedSegment, counted, mark_counted, record_outcomes
from auditing.services.consensus.rounds import stored_tally, tally_columns, vote_value
from auditing.services.events import record_of_audits
from auditing.services.ledger import leaves as ledger
from auditing.services.transitions import store_tallies
from auditing.services.voting import reveal
from hdag.store.rows import insert


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
    """Close revealed rounds, of one audit or of several; returns how many moved.

    A vote that nobody opened by the deadline counts as silent; a round that still waits for one is passed over, and so
    is one that another worker closed first.
    """
    with transaction.atomic(savepoint=False):  # where the caller has one, all is undone or nothing
        # 1. Lock: the rounds in one order, and only then their audits in one order. Nobody changes a policy.
        locked = list(_locked.rows(rounds=[round.pk for round in rounds]))
        audits = {audit.pk: audit for audit in _audits.rows(audits=list({round.audit_id for round in locked}))}
        for round in locked:
            round.audit = audits[round.audit_id]
            if round.due_at is not None and round.due_at <= now:
                reveal.close(round=round)
        # 2. Read, and decide.
        revealed = _read(locked)
        # 3. Store.
        for row in revealed:
            if row.decision.segment is None:
                escalation.redraw(round=row.round, tally=row.decision.tally)
        decided = [(row, row.decision.segment) for row in revealed if row.decision.segment is not None]
        if decided:
            _store(decided)
            _follow_up(decided)
    # Noted under the lock of the audit by whoever tallies its last round; before that nothing could be decided.
    if decided and (ready := counted(audits=audits)):
        dispatch.enqueue("auditing.advance_audit", *ready)
    return len(revealed)


def _read(rounds: Sequence[Round]) -> list[_Revealed]:
    """The rounds whose votes are all open, each with its decision."""
    seats: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in _seats.rows(rounds=[round.pk for round in rounds]):
        seats[seat.round_id].append(seat)
    complete = [round for round in rounds if not any(seat.stage == SeatStage.COMMITTED for seat in seats[round.pk])]
    if not complete:
        return []
    votes: dict[UUID, list[Vote]] = defaultdict(list)
    for vote in _votes.rows(rounds=[round.pk for round in complete]):
        votes[vote.seat.round_id].append(vote)
    audits, segments = list({round.audit_id for round in complete}), [round.segment_id for round in complete]
    routes = {(row.audit_id, row.segment_id): row for row in _routes.rows(audits=audits, segments=segments)}
    known = _Known(
        earlier=_by_segment(_earlier.rows(audits=audits, segments=segments)),
        lines=ledger.weights_by_round(rounds=complete),
        suspects=suspects_of(audits=audits),
        skills=_skills(complete, votes),
    )
    return [
        _Revealed(
            round=round,
            route=(route := routes[round.audit_id, round.segment_id]),
            votes=votes[round.pk],
            seats=seats[round.pk],
            decision=_decide(round, route, votes[round.pk], seats[round.pk], known),
        )
        for round in complete
    ]


@dataclass(frozen=True, slots=True)
class _Known:
    """What is read of many rounds at once, by audit and segment but for the skills, which are by round."""

    earlier: Mapping[tuple[UUID, UUID], Sequence[Round]]
    lines: Mapping[tuple[UUID, UUID], ledger.Weights]
    suspects: set[tuple[UUID, UUID]]
    skills: Mapping[UUID, Mapping[str, Skill]]


def _decide(
    round: Round, route: Route, votes: Sequence[Vote], seats: Sequence[Seat], known: _Known
) -> core.RoundDecision:
    place, tier = (round.audit_id, round.segment_id), Tier(round.tier)
    lines = known.lines.get(place, {})
    # The finished rounds as they were published: what is believed of auditors today changes nothing of them.
    earlier = [stored_tally(round=row) for row in known.earlier.get(place, ()) if row.number < round.number]
    revealed = core.RevealedRound(
        tier=tier,
        k=round.k,
        votes=[vote_value(vote=vote, tier=tier) for vote in votes],
        tiers=route.tiers,
        redraws=round.redraws,
        skills=_skills_before(known.skills[round.pk], votes, lines.get(round.number, {})),
        earlier=earlier,
        heard=_heard(round, lines),
        adjudicates=round.adjudicates,
        is_deserted=not seats or bool(_withdrawn(seats)),
        is_suspect=place in known.suspects,
    )
    return core.decide_round(revealed=revealed, policy=_policy_of(round))


def _store(decided: Sequence[_Decided]) -> None:
    """The tallies, with the leaves of their openings."""
    leaves: list[tuple[UUID, Leaf]] = []
    for row, segment in decided:
        round, tally = row.round, row.decision.tally
        opened = ledger.opened_leaves(round=round, votes=row.votes, seats=row.seats)
        leaves += [(round.audit_id, leaf) for leaf in (*opened, ledger.tally_leaf(round=round, tally=tally))]
        round.stage, round.due_at, round.outcome = RoundStage.TALLIED, None, tally.outcome
        round.tally = tally_columns(tally=tally, decision=segment) | _withdrawn(row.seats)
    ledger.write_of_audits(leaves=leaves)
    store_tallies(rounds=[row.round for row, _ in decided])


def _follow_up(decided: Sequence[_Decided]) -> None:
    """Record the decided segments, open the next rounds of others, or give the planner its turn."""
    ended = [(row, segment) for row, segment in decided if segment.outcome is not None]
    if ended:
        record_outcomes(decided=[DecidedSegment(row.round, row.decision.tally, segment) for row, segment in ended])
    going_on = [(row, segment) for row, segment in decided if segment.outcome is None and not segment.waits]
    if going_on:
        insert(escalation.next_round(round=row.round, route=row.route, decision=segment) for row, segment in going_on)
        record_of_audits(events=[_opening(row.round, segment.why) for row, segment in going_on])
        leaves = [ledger.escalation_leaf(round=row.round, decision=segment) for row, segment in going_on]
        ledger.write_of_audits(leaves=[(leaf.audit, leaf) for leaf in leaves])
    waiting = [row.round.audit_id for row, segment in decided if segment.outcome is None and segment.waits]
    if waiting:
        mark_counted(audits=waiting, is_planned=True)


def _opening(round: Round, why: str) -> tuple[Audit, EventKind, dict[str, Any]]:
    return round.audit, EventKind.ROUND_OPENED, {"segment": str(round.segment_id), "why": why}


def _skills(rounds: Sequence[Round], votes: Mapping[UUID, Sequence[Vote]]) -> dict[UUID, dict[str, Skill]]:
    """What is believed today of everyone who voted: the same in rounds of one policy, campaign, domain and level."""
    alike: dict[Any, list[Round]] = defaultdict(list)
    for round in rounds:
        audit = round.audit
        alike[audit.policy_id, audit.campaign_id, audit.trace.domain, round.segment.level].append(round)
    skills: dict[UUID, dict[str, Skill]] = {}
    for members in alike.values():
        auditors = {vote.seat.auditor_id: vote.seat.auditor for round in members for vote in votes[round.pk]}
        believed = skills_for(auditors=auditors.values(), policy=_policy_of(members[0]), round=members[0])
        skills |= dict.fromkeys([round.pk for round in members], believed)
    return skills


def _skills_before(
    skills: Mapping[str, Skill], votes: Sequence[Vote], weights: Mapping[bytes, AuditorSkill]
) -> dict[str, Skill]:
    """The weights that the ledger fixed before these votes were opened, as sure as their auditors are known today."""
    before = {}
    for vote in votes:
        auditor = str(vote.seat.auditor_id)
        line, now = weights.get(bytes(vote.seat.pseudonym)), skills[auditor]
        # Whoever sealed before weights were fixed first is weighed as before.
        if line is not None:
            sides = now.sensitivity.at(mean=line.sensitivity), now.specificity.at(mean=line.specificity)
        before[auditor] = now if line is None else _skill_of(line, sides)
    return before


def _skill_of(line: AuditorSkill, sides: tuple[Beta, Beta]) -> Skill:
    return Skill(*sides, str(line.family or ""), line.correlation, str(line.follows or ""), line.following)


def _heard(round: Round, lines: ledger.Weights) -> list[core.Heard]:
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


def _by_segment(rounds: Iterable[Round]) -> dict[tuple[UUID, UUID], list[Round]]:
    rows: dict[tuple[UUID, UUID], list[Round]] = defaultdict(list)
    for round in rounds:
        rows[round.audit_id, round.segment_id].append(round)
    return rows


def _policy_of(round: Round) -> Policy:
    return load_policy(version=round.audit.policy, domain=round.audit.trace.domain)


@PreparedQuery
def _locked() -> QuerySet[Round]:
    rounds = Round.objects.select_for_update(of=("self",)).select_related("segment").defer("drawn")
    return rounds.filter(among("auditing_round.id", "rounds"), stage=RoundStage.REVEALING).order_by("pk")


@PreparedQuery
def _audits() -> QuerySet[Audit]:
    audits = Audit.objects.select_for_update(of=("self",)).filter(among("auditing_audit.id", "audits"))
    return audits.select_related("policy", "trace").defer("policy__body").order_by("pk")


@PreparedQuery
def _votes() -> QuerySet[Vote]:
    votes = Vote.objects.filter(among("auditing_seat.round_id", "rounds"))
    return votes.select_related("seat__commitment", "seat__auditor").order_by("seat_id")


@PreparedQuery
def _seats() -> QuerySet[Seat]:
    seats = Seat.objects.filter(among("auditing_seat.round_id", "rounds"))
    return seats.select_related("commitment").order_by("draw", "pk")


@PreparedQuery
def _routes() -> QuerySet[Route]:
    theirs = among("auditing_route.audit_id", "audits"), among("auditing_route.segment_id", "segments")
    return Route.objects.filter(*theirs)


@PreparedQuery
def _earlier() -> QuerySet[Round]:
    theirs = among("auditing_round.audit_id", "audits"), among("auditing_round.segment_id", "segments")
    return Round.objects.filter(*theirs).defer("drawn").order_by("number")
