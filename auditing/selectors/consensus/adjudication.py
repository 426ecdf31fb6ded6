"""The adjudication queue, and the earlier votes with their reasons that an adjudicator reads, by pseudonym.

Reads Round, Seat, Vote and the blocks of rationales.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from auditing.core.stages import RoundStage, SeatStage
from auditing.core.voting.rationale import Rationale, read
from auditing.models import Auditor, Campaign, Round, Seat, Vote
from auditing.selectors.policy.versions import load_policy
from hdag.store import content

SNIPPET = 160  # characters of a text in the queue
OPEN_SEATS = (SeatStage.OFFERED, SeatStage.HELD)
MOST = 200  # the queue of a page; the oldest rounds come first, so nothing is starved


@dataclass(frozen=True, slots=True)
class Contested:
    """A segment that waits for an adjudicator."""

    round: Round
    rounds_before: int
    passes: int
    fails: int
    abstentions: int
    deadline: datetime | None
    is_mine: bool
    reason: str
    snippet: str = ""  # how the text begins, for its adjudicator alone

    @property
    def contest(self) -> float:
        """Share of the smaller side among the votes: .5 is an even split, 0 is nobody or one voice."""
        total = self.passes + self.fails
        return min(self.passes, self.fails) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class OpenedVote:
    """One opened vote of an earlier round; immutable, whatever the adjudicator says."""

    auditor: str
    tier: str
    round: int
    choice: str
    confidence: float | None
    rationale: Rationale


def contested_rounds(*, auditor: Auditor | None = None, sees_all: bool = False) -> list[Contested]:
    """Open rounds before an adjudicator, most contested first; `auditor`: whose seats are marked. Three queries.

    An auditor sees nothing of campaigns that name other adjudicators, unless they `sees_all`, or hold the seat already.
    """
    waiting = Round.objects.filter(adjudicates=True).exclude(stage=RoundStage.TALLIED)
    if auditor is not None and not sees_all:
        theirs = Q(audit__campaign__in=Campaign.objects.filter(adjudicators=auditor.user_id))
        holds = Q(Exists(Seat.objects.filter(round=OuterRef("pk"), auditor=auditor, stage__in=OPEN_SEATS)))
        waiting = waiting.filter(Q(audit__campaign__any_adjudicator=True) | theirs | holds)
    related = ("audit__trace", "audit__policy", "audit__campaign", "segment__block", "adjudication")
    rounds = list(waiting.select_related(*related).prefetch_related("seats").order_by("stage_since")[:MOST])
    before = _earlier_tallies(rounds)
    contested = [_contested(round, before[round.audit_id, round.segment_id], auditor) for round in rounds]
    contested = _with_snippets(contested)
    # The most evenly split first: there an adjudicator's word changes most.
    return sorted(contested, key=lambda segment: (-segment.contest, -segment.rounds_before, segment.round.stage_since))


def _with_snippets(contested: list[Contested]) -> list[Contested]:
    """The beginning of each text, masked, where the asking adjudicator holds the seat: nobody else may read it."""
    blocks = {case.round.segment.block_id: case.round.segment.block for case in contested if case.is_mine}
    if not blocks:
        return contested
    content.fetch(blocks.values())
    texts = {key: content.read_json(block)["own"][:SNIPPET] for key, block in blocks.items()}
    return [replace(case, snippet=texts[case.round.segment.block_id]) if case.is_mine else case for case in contested]


def _earlier_tallies(rounds: Sequence[Round]) -> dict[tuple[UUID, UUID], list[dict[str, int]]]:
    """The tallies of finished ordinary rounds of the same segments."""
    audits, segments = {round.audit_id for round in rounds}, {round.segment_id for round in rounds}
    # Audits and segments are filtered apart, so a few pairs too many may come; the dictionary is asked by exact pair.
    done = Round.objects.filter(audit__in=audits, segment__in=segments, adjudicates=False, stage=RoundStage.TALLIED)
    tallies: dict[tuple[UUID, UUID], list[dict[str, int]]] = defaultdict(list)
    for audit, segment, tally in done.values_list("audit", "segment", "tally"):
        tallies[audit, segment].append(tally)
    return tallies


def seat_of(*, round: Round, auditor: Auditor) -> Seat | None:
    """The adjudicator's seat in a round that still takes votes; None when they hold none."""
    seats = Seat.objects.filter(round=round, auditor=auditor, round__adjudicates=True)
    open_seats = seats.filter(stage__in=OPEN_SEATS, round__stage=RoundStage.COMMITTING)
    return open_seats.select_related("round__audit__trace", "round__segment__block").first()


def opened_votes(*, round: Round) -> list[OpenedVote]:
    """Votes of the segment's finished rounds, oldest round first."""
    votes = Vote.objects.filter(
        seat__round__audit=round.audit_id,
        seat__round__segment=round.segment_id,
        seat__round__stage=RoundStage.TALLIED,
    )
    rows = votes.select_related("seat__round", "rationale").order_by("seat__round__number", "seat__place")
    content.fetch(vote.rationale for vote in rows)  # all texts at once, not one by one
    return [
        OpenedVote(
            auditor=bytes(vote.seat.pseudonym).hex()[:8],
            tier=vote.seat.round.tier,
            round=vote.seat.round.number,
            choice=vote.choice,
            confidence=None if vote.confidence is None else vote.confidence / 10_000,
            rationale=read(text=content.read(vote.rationale)),
        )
        for vote in rows
    ]


def _contested(round: Round, tallies: Sequence[dict[str, int]], auditor: Auditor | None) -> Contested:
    """One line of the queue. Before somebody sits, the deadline is the policy's; afterwards the round's window."""
    policy = load_policy(version=round.audit.policy, domain=round.audit.trace.domain)
    # Nobody sits yet, so that the round has no window of its own.
    waiting = round.stage == RoundStage.DRAWING
    passes, fails, abstentions = (
        sum(int(tally.get(name, 0)) for tally in tallies) for name in ("passes", "fails", "abstentions")
    )
    return Contested(
        round=round,
        rounds_before=len(tallies),
        passes=passes,
        fails=fails,
        abstentions=abstentions,
        deadline=round.stage_since + timedelta(seconds=policy.adjudication_seconds) if waiting else round.due_at,
        is_mine=any(
            auditor is not None and seat.auditor_id == auditor.pk and seat.stage in OPEN_SEATS
            for seat in round.seats.all()
        ),
        reason=round.adjudication.get_reason_display() if hasattr(round, "adjudication") else "",
    )
