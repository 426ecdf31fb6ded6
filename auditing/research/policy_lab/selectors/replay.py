"""Replay: recorded votes counted under another policy. Seats that it would have drawn otherwise are not imagined.

Reads Audit, SegmentOutcome, Round, Route, Vote, and skills leaves of the ledger.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from uuid import UUID

from auditing.core.consensus import SegmentDecision, decide_trace
from auditing.core.consensus import SegmentOutcome as CoreOutcome
from auditing.core.consensus.skills import Beta, Skill
from auditing.core.policy import Followers, Policy, for_domain
from auditing.core.stages import RoundStage
from auditing.core.values import Choice, Outcome, Tier
from auditing.core.values import Vote as VoteValue
from auditing.models import Audit, Campaign, Leaf, Round, Route, SegmentOutcome, Vote
from auditing.research.policy_lab.core.lab import RecordedRound, replay_segment
from auditing.selectors.consensus.outcomes import stated_soundness
from auditing.selectors.gold.decoys import ordinary_audits
from auditing.selectors.policy.versions import load_policy
from auditing.selectors.seating.rosters import routes_of
from hdag.selectors import load_graph

MOST_AUDITS = 50  # each costs a handful of queries and a graph; a page must come within seconds


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
        return sum(audit.segments for audit in self.audits)

    @property
    def changed_segments(self) -> int:
        """Segments whose outcome would differ."""
        return sum(len(audit.changed) for audit in self.audits)

    @property
    def changed_audits(self) -> tuple[ReplayedAudit, ...]:
        """Audits whose outcome would differ, or one of whose segments would."""
        return tuple(audit for audit in self.audits if audit.was != audit.would_be or audit.changed)


def replay(*, policy: Policy, campaign: Campaign | None = None, limit: int = MOST_AUDITS) -> Replay:
    """Replay the newest recorded audits, of one campaign or of all."""
    audits = ordinary_audits().filter(stage="recorded").select_related("trace", "decomposition", "policy")
    if campaign is not None:
        audits = audits.filter(campaign=campaign)
    newest = audits.order_by("-recorded_at")[: min(limit, MOST_AUDITS)]
    return Replay(tuple(replay_audit(audit=audit, policy=policy) for audit in newest))


def replay_audit(*, audit: Audit, policy: Policy) -> ReplayedAudit:
    """One audit's recorded votes under `policy`, with the overrides of its domain."""
    policy = for_domain(policy=policy, domain=audit.trace.domain)
    rows = {row.segment_id: row for row in SegmentOutcome.objects.filter(audit=audit).select_related("segment")}
    routes = routes_of(audit=audit)
    rounds = _rounds(audit, policy)
    replayed, changed = [], []
    for segment, row in sorted(rows.items(), key=lambda pair: pair[1].segment.position):
        decision, outcome = _replayed(row, rounds[segment], routes[segment], policy)
        replayed.append(outcome)
        if outcome.outcome != row.outcome:
            changed.append(ChangedSegment(row.segment.label, row.outcome, str(outcome.outcome), _why(decision)))
    stored = load_graph(audit.job)
    trace = decide_trace(
        outcomes=replayed,
        graph=stored.graph,
        policy=policy,
        soundness=stated_soundness(audit=audit),
        plan=stored.plan_units,
    )
    return ReplayedAudit(audit, audit.outcome, str(trace.outcome), len(rows), tuple(changed))


def _replayed(
    row: SegmentOutcome, rounds: list[RecordedRound], route: Route, policy: Policy
) -> tuple[SegmentDecision, CoreOutcome]:
    decision, tallies = replay_segment(rounds=rounds, tiers=route.tiers, policy=policy)
    outcome = decision.outcome or Outcome.UNDECIDED
    # A computer's fail that was overruled by people is no refutation of the segment any more.
    accused = any(tally.tier is Tier.COMPUTER and tally.fails for tally in tallies)
    return decision, CoreOutcome(
        segment=row.segment.label,
        outcome=outcome,
        posterior=decision.posterior,
        weight=route.weight,
        tier=tallies[-1].tier if tallies else Tier.HUMAN,
        refuted=accused and outcome is not Outcome.PASS,
        paper_outcome=tallies[-1].paper_outcome if tallies else None,
    )


def _why(decision: SegmentDecision) -> str:
    if decision.outcome is not None:
        return decision.why
    return (
        f"would go to {'the adjudicator' if decision.adjudicate else f'the {decision.next_tier} tier'}: {decision.why}"
    )


def _rounds(audit: Audit, policy: Policy) -> dict[UUID, list[RecordedRound]]:
    """Each finished round, by segment, in order."""
    rows = list(Round.objects.filter(audit=audit).order_by("number"))
    believed = _believed(audit, policy, rows)
    votes: dict[UUID, list[VoteValue]] = defaultdict(list)
    skills: dict[UUID, dict[str, Skill]] = defaultdict(dict)
    for vote in Vote.objects.filter(seat__round__audit=audit).select_related("seat__round").order_by("seat_id"):
        round, auditor = vote.seat.round, str(vote.seat.auditor_id)
        # Without its confidence: no rule counts how sure a vote says it is.
        votes[round.pk].append(VoteValue(choice=Choice(vote.choice), auditor=auditor, tier=Tier(round.tier)))
        skill = believed.get((str(round.segment_id), round.number, bytes(vote.seat.pseudonym).hex()))
        if skill is not None:
            skills[round.pk][auditor] = skill
    rounds: dict[UUID, list[RecordedRound]] = defaultdict(list)
    # In their order: what a round decides rests on the tallies of those before it.
    for round in rows:
        if round.stage != RoundStage.TALLIED:
            continue
        rounds[round.segment_id].append(
            RecordedRound(
                tier=Tier(round.tier),
                k=round.k,
                votes=votes[round.pk],
                skills=skills[round.pk],
                adjudicates=round.adjudicates,
            )
        )
    return rounds


def _believed(audit: Audit, policy: Policy, rounds: Sequence[Round]) -> dict[tuple[str, int, str], Skill]:
    """(segment, round, pseudonym) -> skill as published, in tiers of which `policy` believes what the audit's did.

    Elsewhere the new policy's prior stands in: gold as it was known then, under another prior, was never published.
    """
    # A published skill holds only the mean; its strength is that of the prior, which must be the same to be used.
    own = load_policy(version=audit.policy, domain=audit.trace.domain)
    same = {tier for tier in Tier if _prior(own, tier) == _prior(policy, tier)}
    tiers = {(str(row.segment_id), row.number): Tier(row.tier) for row in rounds}
    skills: dict[tuple[str, int, str], Skill] = {}
    for body in Leaf.objects.filter(audit=audit, kind="skills").order_by("id").values_list("body", flat=True):
        leaf = json.loads(bytes(body))
        round_key = leaf["segment"], leaf["round"]
        if tiers[round_key] in same:
            strength = sum(_prior(policy, tiers[round_key]), start=Fraction(0))
            skills |= {(*round_key, line["auditor"]): _skill(line, strength, policy) for line in leaf["auditors"]}
    return skills


def _prior(policy: Policy, tier: Tier) -> tuple[Fraction, Fraction]:
    rules = policy.tier(tier)
    return Fraction(rules.prior_right), Fraction(rules.prior_wrong)


def _skill(line: Mapping[str, str], strength: Fraction, policy: Policy) -> Skill:
    right, fail = Fraction(line["sensitivity"]) * strength, Fraction(line["specificity"]) * strength
    measured = Fraction(line["correlation"]) if "correlation" in line else None
    skill = Skill(Beta(right, strength - right), Beta(fail, strength - fail), line.get("family", ""), measured)
    if "following" not in line or policy.followers is Followers.APART:
        return skill
    return replace(skill, follows=line["follows"], following=Fraction(line["following"]))
