"""One vote as its own auditor may read it: the text, the outcome, postings, and peers' reasons once all is decided.

Reads Audit, Commitment, Vote, SegmentOutcome, Posting.
"""

from dataclasses import dataclass
from uuid import UUID

from auditing.core.stages import RoundStage
from auditing.core.voting.rationale import Rationale, read
from auditing.models import Audit, Auditor, Commitment, Seat, SegmentOutcome
from auditing.selectors.consensus.adjudication import OpenedVote, opened_votes
from auditing.selectors.gold.truths import standing_outcome
from auditing.selectors.points.statement import StatementLine, statement_of
from auditing.selectors.voting.bindings import current_reasoning
from auditing.selectors.voting.neighbourhood import neighbourhood_of
from auditing.selectors.voting.panes import Panes, panes_of
from hdag.store import content

AFTER = ("decided", "settled", "recorded")  # earlier, a reason could sway the same people's votes on what rests on it


@dataclass(frozen=True, slots=True)
class OwnVote:
    """A sealed vote; choice, rationale and outcome once its round is tallied, the peers' once the trace is decided."""

    sealed: Commitment
    label: str
    level: str
    text: str
    choice: str
    confidence: float | None
    rationale: Rationale | None
    outcome: str
    stands: str  # the same, or what an audit after an appeal found instead
    pseudonym: str
    postings: tuple[StatementLine, ...]
    peers: tuple[OpenedVote, ...]
    may_read_peers: bool
    second: Audit | None  # that an appeal opened

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The marked spans of the text, as the template tag trace_text takes them."""
        if self.rationale is None or self.rationale.start is None or self.rationale.end is None:
            return ()
        return ((self.rationale.start, self.rationale.end),)

    @property
    def digest(self) -> str:
        """The commitment, as it stands in the ledger."""
        return bytes(self.sealed.digest).hex()


def find_own_panes(*, auditor: Auditor, seat_id: UUID) -> Panes | None:
    """The panes of an own sealed vote as they were shown; None for others and where the degree is unknown."""
    seats = Seat.objects.filter(pk=seat_id, auditor=auditor, commitment__isnull=False).select_related(
        "round__audit__policy", "round__audit__trace__provider", "round__audit__trace__payload", "round__segment__block"
    )
    seat = seats.first()
    # Without the degree that the budget left at the time, nobody can say what was shown.
    if seat is None or "degree" not in seat.shown or seat.round.audit.trace.erased_at is not None:
        return None
    return panes_of(seat=seat, near=neighbourhood_of(round=seat.round))


def find_own_vote(*, auditor: Auditor, seat_id: UUID) -> OwnVote | None:
    """What the auditor may read of the vote on a seat of their own; None for everybody else's and before sealing."""
    commitments = Commitment.objects.filter(seat=seat_id, seat__auditor=auditor).select_related(
        "seat__round__audit__campaign",
        "seat__round__audit__successor",
        "seat__round__segment__block",
        "seat__vote__rationale",
        "guidelines",
        "signs",
    )
    # seat__auditor in the query: to ask for somebody else's seat finds nothing, exactly as for an unknown id.
    sealed = commitments.first()
    if sealed is None:
        return None
    round = sealed.seat.round
    vote = getattr(sealed.seat, "vote", None) if round.stage == RoundStage.TALLIED else None
    outcomes = SegmentOutcome.objects.filter(audit=round.audit_id, segment=round.segment_id)
    outcome = outcomes.annotate(stands=standing_outcome(audit="audit", segment="segment")).first()
    after = vote is not None and outcome is not None and round.audit.stage in AFTER
    name = bytes(sealed.seat.pseudonym).hex()[:8]
    return OwnVote(
        sealed=sealed,
        label=round.segment.label,
        level=round.segment.level,
        text=current_reasoning(seat=sealed.seat),
        choice=vote.choice if vote else "",
        confidence=vote.confidence / 10_000 if vote and vote.confidence else None,
        rationale=read(text=content.read(vote.rationale)) if vote else None,
        outcome=outcome.outcome if outcome is not None and vote else "",
        stands=outcome.stands if outcome is not None and vote else "",
        pseudonym=name,
        postings=tuple(statement_of(auditor=auditor, seat=sealed.seat_id)),
        peers=tuple(peer for peer in opened_votes(round=round) if peer.auditor != name) if after else (),
        may_read_peers=after,
        second=getattr(round.audit, "successor", None) if vote else None,
    )
