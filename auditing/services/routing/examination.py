"""The computer tier examines every segment: its votes are round 0 of each, and what they leave open gets a next round.

Reads Trace, Segment, Round; writes Audit, and through other rooms Seat, Vote, Round, SegmentOutcome, Leaf.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.prepared import PreparedQuery
from auditing.core.ledger.leaves import Leaf
from auditing.core.routing.computer_tier import place_findings, unit_votes, votes_on
from auditing.core.stages import AuditStage
from auditing.core.values import Vote
from auditing.models import Audit, Round
from auditing.models import Vote as VoteRow
from auditing.selectors.seating.crowds import crowd_of
from auditing.services.consensus.rounds import tally_checked
from auditing.services.gold.passages import without_own_word
from auditing.services.ledger import leaves
from auditing.services.routing import checker_votes
from auditing.services.routing.decisions import decided_graph, judged_graph
from auditing.services.seating.auditors import checker_auditor
from auditing.services.transitions import move_audit
from hdag.core.passages import Why
from hdag.selectors import StoredGraph, load_trace, stretches_of


def examine(*, audit: Audit) -> bool:
    """Examine all segments, cast the checker's votes, tally round 0 everywhere and open what comes next."""
    stored = judged_graph(audit=audit)
    votes = without_own_word(audit=audit, votes=votes_of(audit=audit, stored=stored))
    with transaction.atomic():
        if not move_audit(audit=audit, to=AuditStage.AUDITING):
            return False
        rounds = list(_first_rounds.rows(audit=audit.pk))
        rows_by_key = {row.pk: row for row in stored.rows.values()}
        for round in rounds:
            # with its trace, policy and campaign, and with its block: all that was loaded already
            round.audit, round.segment = audit, rows_by_key[round.segment_id]
        rounds.sort(key=lambda round: round.segment.position)
        ballots = [(round, votes[round.segment.label], stored.own[round.segment.label]) for round in rounds]
        rows = checker_votes.cast(audit=audit, auditor=crowd_of(audit=audit).once(checker_auditor), votes=ballots)
        before = _leaves(rounds, rows, {round.pk: text for round, _, text in ballots})
        tally_checked(audit=audit, rounds=rounds, votes=rows, before=before)
    return True


@PreparedQuery
def _first_rounds(audit: UUID) -> QuerySet[Round]:
    return Round.objects.filter(audit=audit, number=0).order_by().annotate(moment=Now())


def votes_of(*, audit: Audit, stored: StoredGraph) -> dict[str, Vote]:
    """The computer's vote on each segment, or unit, of what is judged."""
    if audit.job != audit.fine_job:
        return _votes_on_units(audit, stored)
    return votes_on(trace=load_trace(audit.trace), graph=stored.graph)


def _votes_on_units(audit: Audit, passages: StoredGraph) -> dict[str, Vote]:
    """The checkers examine the fine graph: what they are certain of in a unit's members decides the unit."""
    fine, decisions = decided_graph(audit=audit)
    return unit_votes(
        placed=place_findings(decisions=decisions, graph=fine),
        units={label: stretches_of(row=row, rows=passages.rows) for label, row in passages.rows.items()},
        proved={label for label, row in passages.rows.items() if row.unasked == Why.PROVED},
    )


def _leaves(rounds: list[Round], votes: list[VoteRow], texts: dict[UUID, str]) -> list[Leaf]:
    """The checker needs no window: its rounds open, fill and close at once; the tally opens its votes.

    A stranger who reads the ledger finds the same leaves, in the same order, as for a round of people.
    """
    now = int(max(round.moment for round in rounds).timestamp()) if rounds else 0  # type: ignore[attr-defined]
    opened = [
        # No vote of the checker is sealed to a key.
        leaves.opening_leaf(round=round, commit_by=now, reveal_by=now, key=None, text=texts[round.pk])
        for round in rounds
    ]
    seated = [leaves.seats_leaf(round=vote.seat.round, seats=[vote.seat], roster=0) for vote in votes]
    digests = [bytes(vote.seat.commitment.digest) for vote in votes]
    committed = [
        leaves.commit_leaf(seat=vote.seat, commitment=digest, sealed=None)
        for vote, digest in zip(votes, digests, strict=True)
    ]
    drawn = [(vote.seat.round_id, 0, digest) for vote, digest in zip(votes, digests, strict=True)]
    closed = leaves.closing_leaves(rounds=rounds, drawn=drawn)
    return [*opened, *seated, *committed, *closed]
