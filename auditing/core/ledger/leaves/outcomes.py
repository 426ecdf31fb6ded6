"""Leaves of consensus: skills in use, tallies, escalations, outcomes of segments and of the trace."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar
from uuid import UUID

from auditing.core.ledger.leaves.fields import Digest, Name
from auditing.core.values import Outcome, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditorSkill:
    """Published sensitivity and specificity (means); family groups models of one maker, absent for none.

    correlation: of errors within the family, where it was measured; else the policy's family_correlation counts.
    sources: salted digest of the older leaves that the two means came from (core.consensus.weight_sources).
    follows: family of models whose answers a person's votes are taken for, as often as `following` says.
    """

    auditor: Digest
    sensitivity: Fraction
    specificity: Fraction
    family: Name | None = None
    correlation: Fraction | None = None
    sources: Digest | None = None
    follows: Name | None = None
    following: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skills:
    """What the binding rule believes of those who sealed a vote, fixed before the closing after which votes are opened.

    In audits of revision 1 it was written at the tally, of those whose votes were open.
    """

    TYPE: ClassVar = "skills"
    audit: UUID
    segment: UUID
    round: int
    auditors: tuple[AuditorSkill, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomePreliminary:
    """A round's tally. posterior: probability that the segment is valid, rounded half even to 12 places."""

    TYPE: ClassVar = "outcome.preliminary"
    audit: UUID
    segment: UUID
    round: int
    tier: Tier
    rule: Name  # ConsensusRule in effect, `auto` resolved
    k: int  # seats drawn
    redraws: int
    passes: int
    fails: int
    abstentions: int
    outcome: Outcome
    paper_outcome: Outcome
    posterior: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRollback:
    """What a round decided no longer stands. outcome: what stands instead, as a successor audit found it."""

    TYPE: ClassVar = "outcome.rollback"
    audit: UUID
    segment: UUID
    round: int
    reason: Name
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Escalation:
    """A segment goes on from a finished round to another tier, or to the adjudicator."""

    TYPE: ClassVar = "escalation"
    audit: UUID
    segment: UUID
    round: int
    to: Name  # computer, llm, human, adjudicator
    reason: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPassage:
    """A passage in the next wave: its round and its seats. ratio: P(evidence | wrong) / P(evidence | right).

    sampled: people look at it whatever the machines found; absent otherwise. inclusion: with what probability people
    were asked about it at all, where the random sample alone asked; absent for 1.
    """

    segment: UUID
    round: int
    seats: int
    ratio: Decimal
    sampled: bool | None = None
    inclusion: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WavePlan:
    """What the planner decided from all tallies before it: the next wave (asked), or the outcome of the trace.

    Waves count from 1; one of many passages takes several leaves, with the same numbers. right: P(no passage is wrong).
    bound: the least soundness that a certificate leaves to a passage that the answer rests on; absent for none.
    """

    TYPE: ClassVar = "wave.plan"
    audit: UUID
    wave: int
    right: Decimal
    reason: Name
    asked: tuple[AskedPassage, ...]
    outcome: Outcome | None = None
    bound: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOutcome:
    """A segment is decided after `rounds` rounds. soundness: certified (ARES), where computed."""

    TYPE: ClassVar = "segment.outcome"
    audit: UUID
    segment: UUID
    rounds: int
    tier: Tier
    outcome: Outcome
    paper_outcome: Outcome
    posterior: Decimal
    refuted: bool
    adjudicated: bool
    weight: Decimal
    soundness: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawHead:
    """The first checkpoint that held an eligible.extend leaf: its root seeds the draws from the longer list."""

    size: int
    root: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceOutcome:
    """The trace is decided. seed opens seed_commit; draw_size, draw_root: first checkpoint that held audit.open.

    extensions: the like for each eligible.extend leaf, in order; absent when there is none.
    """

    TYPE: ClassVar = "trace.outcome"
    audit: UUID
    outcome: Outcome
    posterior: Decimal
    score: Decimal
    rule: Name
    paper_outcome: Outcome
    weight_passed: Decimal
    weight_needed: Decimal
    seed: Digest
    draw_size: int
    draw_root: Digest
    beacon: Digest | None = None
    extensions: tuple[DrawHead, ...] | None = None
