"""What another policy would have made of the votes that were cast: nothing is imagined, nothing is written."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from auditing.core.consensus import SegmentDecision, decide_trace
from auditing.core.consensus import SegmentOutcome as CoreOutcome
from auditing.core.lab import replay_segment
from auditing.core.policy import Policy, for_domain
from auditing.core.values import Choice, Outcome, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import Audit, Campaign, Round, Route, SegmentOutcome, Vote
from hdag.selectors import load_graph

MOST_AUDITS = 50


@dataclass(frozen=True, slots=True)
class ChangedSegment:
    """A segment whose outcome would have been another."""

    label: str
    was: str
    would_be: str
    why: str


@dataclass(frozen=True, slots=True)
class ReplayedAudit:
    """An audit under the other policy."""

    audit: Audit
    was: str
    would_be: str
    segments: int
    changed: tuple[ChangedSegment, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """All replayed audits with their sums."""

    audits: tuple[ReplayedAudit, ...]

    @property
    def segments(self) -> int:
        """Segments looked at."""
        return sum(one.segments for one in self.audits)

    @property
    def changed_segments(self) -> int:
        """Segments whose outcome would differ."""
        return sum(len(one.changed) for one in self.audits)

    @property
    def changed_audits(self) -> tuple[ReplayedAudit, ...]:
        """Audits whose outcome would differ, or one of whose segments would."""
        return tuple(one for one in self.audits if one.was != one.would_be or one.changed)


def replay(*, policy: Policy, campaign: Campaign | None = None, limit: int = MOST_AUDITS) -> Replay:
    """Replay the newest recorded audits, of one campaign or of all."""
    audits = Audit.objects.filter(stage="recorded").select_related("trace", "decomposition", "policy")
    if campaign is not None:
        audits = audits.filter(campaign=campaign)
    newest = audits.order_by("-recorded_at")[: min(limit, MOST_AUDITS)]
    return Replay(tuple(replay_audit(audit=audit, policy=policy) for audit in newest))


def replay_audit(*, audit: Audit, policy: Policy) -> ReplayedAudit:
    """One audit's recorded votes under `policy`, with the overrides of its domain."""
    policy = for_domain(policy=policy, domain=audit.trace.domain)
    graph = load_graph(audit.job)
    rows = {row.segment_id: row for row in SegmentOutcome.objects.filter(audit=audit).select_related("segment")}
    routes = {row.segment_id: row for row in Route.objects.filter(audit=audit)}
    rounds = _rounds(audit)
    found, changed = {}, []
    for segment, row in sorted(rows.items(), key=lambda item: item[1].segment.position):
        decision, refuted = _decide(rounds[segment], routes[segment], policy)
        outcome = decision.outcome or Outcome.UNDECIDED
        tier = rounds[segment][-1][1] if rounds[segment] else Tier.HUMAN
        found[row.segment.label] = CoreOutcome(
            segment=row.segment.label, outcome=outcome, posterior=decision.posterior, tier=tier,
            weight=routes[segment].weight, refuted=refuted,
        )  # fmt: skip
        if outcome != row.outcome:
            changed.append(ChangedSegment(row.segment.label, row.outcome, str(outcome), _why(decision)))
    trace = decide_trace(outcomes=found, graph=graph.graph, policy=policy)
    return ReplayedAudit(audit, audit.outcome, str(trace.outcome), len(rows), tuple(changed))


def _decide(rounds: list[Any], route: Route, policy: Policy) -> tuple[SegmentDecision, bool]:
    """The decision of all ordinary rounds; where it would go to an adjudicator who sat, the adjudicator's word."""
    ordinary = [(tier, k, votes) for adjudicates, tier, k, votes in rounds if not adjudicates]
    decision = replay_segment(rounds=ordinary, tiers=route.tiers, policy=policy)
    refuted = any(tier is Tier.COMPUTER and any(vote.choice is Choice.FAIL for vote in votes)
                  for tier, _, votes in ordinary)  # fmt: skip
    said = [votes[0].choice for adjudicates, _, _, votes in rounds if adjudicates and votes]
    if decision.outcome is None and decision.adjudicate and said and said[-1] is not Choice.ABSTAIN:
        word = Outcome(str(said[-1]))
        decision = SegmentDecision(outcome=word, posterior=decision.posterior, why="adjudicated")
    return decision, refuted


def _why(decision: SegmentDecision) -> str:
    if decision.outcome is not None:
        return decision.why
    return (
        f"would go to {'the adjudicator' if decision.adjudicate else f'the {decision.next_tier} tier'}: {decision.why}"
    )


def _rounds(audit: Audit) -> dict[UUID, list[Any]]:
    """(adjudicates, tier, k, votes) of each finished round, by segment, in order."""
    votes: dict[UUID, list[VoteValue]] = defaultdict(list)
    for vote in Vote.objects.filter(seat__round__audit=audit).select_related("seat__round").order_by("seat_id"):
        votes[vote.seat.round_id].append(
            VoteValue(
                choice=Choice(vote.choice), auditor=str(vote.seat.auditor_id), tier=Tier(vote.seat.round.tier),
                confidence=None if vote.confidence is None else vote.confidence / 10_000,
            )
        )  # fmt: skip
    found: dict[UUID, list[Any]] = defaultdict(list)
    for round in Round.objects.filter(audit=audit, stage="tallied").order_by("number"):
        found[round.segment_id].append((round.adjudicates, Tier(round.tier), round.k, votes[round.pk]))
    return found
