"""Leaves of what was decided: the tally of a round, the outcome of a segment and of a trace, and what overturns them.

Writes Leaf.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, QuerySet

from accounts.prepared import Mark, PreparedQuery, PreparedRows, Written, among
from auditing.core import consensus as core
from auditing.core.consensus.planning import Plan
from auditing.core.consensus.skills import Skill
from auditing.core.ledger import leaves as kinds
from auditing.core.ledger.leaves import Digest, Name, published
from auditing.core.values import Outcome, Tier
from auditing.models import Audit, Checkpoint, Leaf, Round, Seat
from auditing.selectors.voting.bindings import gold_salt
from auditing.services.ledger.leaves.writing import chunks, round_fields, word, write

Weights = dict[int, dict[bytes, kinds.AuditorSkill]]  # of one segment: round -> pseudonym -> line


def tally_leaf(*, round: Round, tally: core.Tally) -> kinds.OutcomePreliminary:
    """outcome.preliminary: what the votes of a round come to, weighed by the skills leaves before its closing."""
    return kinds.OutcomePreliminary(
        **round_fields(round=round),
        tier=tally.tier,
        rule=word(text=tally.rule),
        k=tally.k,
        redraws=round.redraws,
        passes=tally.passes,
        fails=tally.fails,
        abstentions=tally.abstentions,
        outcome=tally.outcome,
        paper_outcome=tally.paper_outcome,
        posterior=published(number=tally.posterior),
    )


def skills_leaves(
    *, round: Round, seats: Sequence[Seat], skills: Mapping[str, Skill], sources: Mapping[UUID, bytes]
) -> list[kinds.Skills]:
    """skills: what is believed of those who sealed a vote, written before anybody can open one of them.

    sources: digest of what each seat's weight came from, by seat.
    """
    weighed = [
        replace(_skill(bytes(seat.pseudonym), skills[str(seat.auditor_id)]), sources=Digest(sources[seat.pk]))
        for seat in seats
    ]
    return [kinds.Skills(**round_fields(round=round), auditors=chunk) for chunk in chunks(entries=weighed)]


def weights_of(*, round: Round) -> dict[bytes, kinds.AuditorSkill]:
    """Pseudonym -> what the ledger said of it before the votes of a round were opened; empty in older audits."""
    return weights_by_round(rounds=[round]).get((round.audit_id, round.segment_id), {}).get(round.number, {})


def weights_by_round(*, rounds: Sequence[Round]) -> Mapping[tuple[UUID, UUID], Weights]:
    """The same of every round so far of the segments of these rounds, by audit and segment."""
    # An audit has as many of these leaves as rounds: those that name none of the segments stay in the database.
    names = [str(round.segment_id).encode() for round in rounds]
    rows = _weights.rows(audits=list({round.audit_id for round in rounds}), names=names)
    lines: dict[tuple[UUID, UUID], Weights] = defaultdict(lambda: defaultdict(dict))
    for leaf in (kinds.decode(entry=bytes(body)) for (body,) in rows):
        if isinstance(leaf, kinds.Skills):
            lines[leaf.audit, leaf.segment][leaf.round] |= {bytes(line.auditor): line for line in leaf.auditors}
    return lines


@PreparedRows
def _weights() -> QuerySet[Leaf, Any]:
    names_one = "EXISTS (SELECT FROM unnest(%s::bytea[]) AS name WHERE position(name in auditing_leaf.body) > 0)"
    named = Written(names_one, [Mark("names")], BooleanField())
    leaves = Leaf.objects.filter(among("auditing_leaf.audit_id", "audits"), named, kind=kinds.Skills.TYPE)
    return leaves.order_by("id").values_list("body")


def escalation_leaf(*, round: Round, decision: core.SegmentDecision) -> kinds.Escalation:
    """escalation: the segment goes on to another tier, or to the adjudicator."""
    # No next tier is left: the adjudicator.
    to = Name("adjudicator" if decision.adjudicate or decision.next_tier is None else str(decision.next_tier))
    return kinds.Escalation(**round_fields(round=round), to=to, reason=word(text=decision.why or "hung"))


def plan_leaves(*, audit: Audit, wave: int, plan: Plan, asked: Sequence[kinds.AskedPassage]) -> list[Leaf]:
    """wave.plan: what the planner decided, written. One leaf at least, also where nobody is asked."""
    bound = None if plan.most == 1 else published(number=plan.most)
    return write(
        audit=audit,
        leaves=[
            kinds.WavePlan(
                audit=audit.pk,
                wave=wave,
                right=published(number=plan.right),
                reason=word(text=plan.why),
                asked=chunk,
                outcome=plan.outcome,
                bound=bound,
            )
            for chunk in chunks(entries=asked) or [()]
        ],
    )


def waves_planned(*, audit: Audit) -> int:
    """How often the planner has decided about an audit."""
    last = _last_plan.first(audit=audit.pk)
    leaf = None if last is None else kinds.decode(entry=bytes(last.body))
    return leaf.wave if isinstance(leaf, kinds.WavePlan) else 0


@PreparedQuery
def _last_plan(audit: UUID) -> QuerySet[Leaf]:
    return Leaf.objects.filter(audit=audit, kind=kinds.WavePlan.TYPE).order_by("-id")[:1]


def segment_leaf(
    *, round: Round, outcome: core.SegmentOutcome, adjudicated: bool, soundness: Decimal | None = None
) -> kinds.SegmentOutcome:
    """The segment.outcome leaf of a segment whose last round is `round`."""
    assert outcome.weight is not None  # every routed segment has its weight
    return kinds.SegmentOutcome(
        audit=round.audit_id,
        segment=round.segment_id,
        rounds=round.number + 1,
        tier=Tier(round.tier),
        outcome=outcome.outcome,
        paper_outcome=outcome.paper_outcome or outcome.outcome,
        posterior=published(number=outcome.posterior),
        refuted=outcome.refuted,
        adjudicated=adjudicated,
        weight=outcome.weight,
        soundness=soundness,
    )


def decide_trace(*, audit: Audit, decision: core.TraceOutcome, heads: Sequence[Checkpoint]) -> Leaf:
    """trace.outcome, which opens the secret of the draws; heads: those of draw_heads."""
    # The first head seeds the draws from the first list; each extension of the list has a head of its own.
    first, *later = heads
    extensions = tuple(kinds.DrawHead(size=head.size, root=Digest(bytes(head.root))) for head in later)
    leaf = kinds.TraceOutcome(
        audit=audit.pk,
        outcome=decision.outcome,
        posterior=published(number=decision.posterior),
        score=published(number=decision.score),
        rule=word(text=decision.rule),
        paper_outcome=decision.paper_outcome,
        weight_passed=published(number=decision.weight_passed),
        weight_needed=published(number=decision.weight_needed),
        seed=Digest(bytes(audit.seed)),
        draw_size=first.size,
        draw_root=Digest(bytes(first.root)),
        extensions=extensions or None,
    )
    return write(audit=audit, leaves=[leaf])[0]


def reveal_gold(*, audit: Audit, truths: Mapping[UUID, str]) -> list[Leaf]:
    """gold.reveal: what was known beforehand of the segments of an audit that are gold."""
    return write(
        audit=audit,
        leaves=[
            kinds.GoldReveal(
                audit=audit.pk,
                segment=segment,
                truth=kinds.Truth(truth),
                salt=Digest(gold_salt(audit=audit, segment=segment)),
            )
            for segment, truth in truths.items()
        ],
    )


def overturn_gold(*, audit: Audit, segment: UUID, stands: str) -> list[Leaf]:
    """gold.overturn: what was revealed of a segment was wrong, and what is known now."""
    leaf = kinds.GoldOverturn(audit=audit.pk, segment=segment, stands=kinds.Truth(stands))
    return write(audit=audit, leaves=[leaf])


def roll_back(*, audit: Audit, stands: Iterable[tuple[Round, Outcome]], reason: str) -> list[Leaf]:
    """outcome.rollback: what these last rounds decided no longer stands, and what stands instead."""
    return write(
        audit=audit,
        leaves=[
            kinds.OutcomeRollback(**round_fields(round=round), reason=word(text=reason), outcome=outcome)
            for round, outcome in stands
        ],
    )


def _skill(auditor: bytes, skill: Skill) -> kinds.AuditorSkill:
    return kinds.AuditorSkill(
        auditor=Digest(auditor),
        sensitivity=skill.sensitivity.mean,
        specificity=skill.specificity.mean,
        family=word(text=skill.family) if skill.family else None,
        correlation=skill.correlation,
        follows=word(text=skill.follows) if skill.follows else None,
        following=skill.following,
    )
