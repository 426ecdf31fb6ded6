"""The votes of a decided audit, judged against gold where there is gold, else against the final outcome.

Reads Seat, Vote, GoldTruth, SegmentOutcome, Roster.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from uuid import UUID

from auditing.core.points import JudgedVote, correlated_agreement
from auditing.core.policy import Policy
from auditing.core.seating.rosters import EligibleLine
from auditing.core.stages import SeatStage
from auditing.core.values import Choice, Tier
from auditing.models import Audit, Seat
from auditing.selectors.gold.truths import final_outcomes, overturned_in, truths_of
from auditing.selectors.seating.rosters import eligible_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSeat:
    """A seat with its judgement in both columns; None where there is nothing to judge by."""

    seat: Seat
    value: JudgedVote
    against_gold: bool | None
    against_outcome: bool | None


def judged_seats(*, audit: Audit, policy: Policy, upto: Sequence[Audit] = ()) -> list[JudgedSeat]:
    """Every opened or silent seat of people and models; `upto`: the later audits whose outcomes are final instead."""
    seats = list(
        Seat.objects.filter(round__audit=audit, round__tier__in=(Tier.HUMAN, Tier.LLM))
        .filter(stage__in=(SeatStage.REVEALED, SeatStage.SILENT))
        .select_related("round", "auditor", "vote")
        .order_by("round__segment__position", "round__number", "place", "pk")
    )
    gold, outcomes = truths_of(audit=audit), final_outcomes(audits=[audit, *upto])
    overturned = overturned_in(audit=audit)
    # As the list states them: no vote of the audit can move its own slashes, and anyone repeats the figures.
    lines = {bytes(line.auditor): line for line in eligible_lines(audit=audit)}
    agreement = _agreements(seats, lines)
    start = policy.initial_reputation  # of a seat that no list holds: drawn by hand
    reputations = {pseudonym: line.reputation for pseudonym, line in lines.items()}
    return [
        _judge(
            seat,
            # Overturned gold takes every word for right: the fault is the house's, and nobody pays for it.
            gold | dict.fromkeys(overturned, _word(seat)),
            outcomes,
            Fraction(reputations.get(bytes(seat.pseudonym), start)),
            agreement,
        )
        for seat in seats
    ]


def _word(seat: Seat) -> str:
    return str(seat.vote.choice) if seat.stage == SeatStage.REVEALED else ""


def _judge(
    seat: Seat,
    gold: Mapping[UUID, str],
    outcomes: Mapping[UUID, str],
    reputation: Fraction,
    agreement: Mapping[UUID, Fraction],
) -> JudgedSeat:
    segment = seat.round.segment_id
    against_gold = _correct(seat, gold.get(segment))
    against_outcome = _correct(seat, outcomes.get(segment))
    # Gold is known from outside; the outcome is only what the voters themselves found. So gold decides where it exists.
    value = JudgedVote(
        vote=str(seat.pk),
        round=str(seat.round_id),
        auditor=str(seat.auditor_id),
        seat=seat.pk.bytes,
        correct=against_gold if segment in gold else against_outcome,
        gold=segment in gold,
        revealed=seat.stage == SeatStage.REVEALED,
        reputation=reputation,
        agreement=agreement.get(seat.pk),
    )
    return JudgedSeat(seat=seat, value=value, against_gold=against_gold, against_outcome=against_outcome)


def _correct(seat: Seat, truth: str | None) -> bool | None:
    """None without a truth and for an abstention; silence is never correct."""
    if truth is None:
        return None
    if seat.stage == SeatStage.SILENT:
        return False
    return None if seat.vote.choice == Choice.ABSTAIN else bool(seat.vote.choice == truth)


def _agreements(seats: Sequence[Seat], lines: Mapping[bytes, EligibleLine]) -> dict[UUID, Fraction]:
    """The agreement that each opened seat is paid for: as the list states it, or of revisions 1 and 2 with a peer."""
    if not any(line.against for line in lines.values()):
        return _agreements_with_peers(seats)
    stated = {pseudonym: line.agreement for pseudonym, line in lines.items() if line.agreement is not None}
    return {
        seat.pk: Fraction(stated[bytes(seat.pseudonym)])
        for seat in seats
        if seat.stage == SeatStage.REVEALED and not seat.round.adjudicates and bytes(seat.pseudonym) in stated
    }


def _agreements_with_peers(seats: Sequence[Seat]) -> dict[UUID, Fraction]:
    """Correlated agreement of each opened seat with its peer: the next opened seat of the round, by pseudonym."""
    votes: dict[UUID, dict[str, Choice]] = defaultdict(dict)
    rounds: dict[UUID, list[Seat]] = defaultdict(list)
    for seat in seats:
        # An adjudicator has read the others' votes: agreeing with them afterwards earns nothing.
        if seat.stage == SeatStage.REVEALED and not seat.round.adjudicates:
            votes[seat.auditor_id][str(seat.round_id)] = Choice(seat.vote.choice)
            rounds[seat.round_id].append(seat)
    agreements: dict[UUID, Fraction] = {}
    for sitting in rounds.values():
        # Pseudonyms are random and public: nobody chooses a peer, and anyone can repeat who was whose.
        ordered = sorted(sitting, key=lambda seat: bytes(seat.pseudonym))
        for seat, peer in zip(ordered, ordered[1:] + ordered[:1], strict=True):
            value = correlated_agreement(mine=votes[seat.auditor_id], peer=votes[peer.auditor_id])
            if seat is not peer and value is not None:
                agreements[seat.pk] = value
    return agreements
