"""One revealed round -> one value: its tally, and what follows for the segment.

    too few votes       -> the silent seats are drawn again in the same round
    otherwise           -> the segment is decided, or its next round is opened (the next tier, or an adjudicator)

Everything that the decision rests on is in `RevealedRound`; services/consensus/outcomes.py reads it from the database,
calls `decide_round`, and stores the result once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from auditing.core.consensus.followers import Heard
from auditing.core.consensus.segment import SegmentDecision, adjudicate_segment, decide_segment, follow_planned
from auditing.core.consensus.skills import Skill
from auditing.core.consensus.tally import Tally, tally_round
from auditing.core.policy import Policy
from auditing.core.values import Outcome, Tier, Vote

NEEDS_A_PERSON = "a model saw words that speak to its auditors: a person looks as well"
PEOPLE_DISAGREE = "words that speak to auditors, and people disagree"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedRound:
    """A round whose votes are open, with what is known of its segment."""

    tier: Tier
    k: int  # seats drawn
    votes: Sequence[Vote]
    tiers: Sequence[Tier]  # of the segment's route: primary, then secondaries
    redraws: int = 0  # how often silent seats were drawn again already
    skills: Mapping[str, Skill] = field(default_factory=dict)  # by auditor
    earlier: Sequence[Tally] = ()  # the segment's rounds before this one, in order, as they were published
    heard: Sequence[Heard] = ()  # their votes, where somebody who votes follows a model
    adjudicates: bool = False  # its one seat was an adjudicator's
    is_deserted: bool = False  # nobody was left to be drawn, or the seats were withdrawn
    is_suspect: bool = False  # a model found words in the segment that address its auditors


@dataclass(frozen=True, slots=True)
class RoundDecision:
    """The tally of a round. segment: what follows for its segment; None when the silent seats are drawn again."""

    tally: Tally
    segment: SegmentDecision | None


def decide_round(*, revealed: RevealedRound, policy: Policy) -> RoundDecision:
    """Tally a round and decide what follows. Raises BadVotesError for votes that cannot be those of one round."""
    # 1. Count. An adjudicator who stays silent is not asked twice: that round has no redraw left; nor where nobody is.
    tally = tally_round(
        votes=revealed.votes,
        policy=policy,
        tier=revealed.tier,
        skills=revealed.skills,
        k=revealed.k,
        heard=revealed.heard,
        redraws=policy.max_redraws if revealed.adjudicates or revealed.is_deserted else revealed.redraws,
    )
    if tally.redraw:
        return RoundDecision(tally, None)
    # 2. Decide from all rounds of the segment. An adjudicator's word decides by itself.
    tallies = [*revealed.earlier, tally]
    if revealed.adjudicates:
        return RoundDecision(tally, adjudicate_segment(tallies=tallies, policy=policy))
    # Where waves are planned, a suspect text is in their sample.
    if policy.planner:
        return RoundDecision(tally, follow_planned(tallies=tallies, tiers=revealed.tiers, policy=policy))
    decision = decide_segment(tallies=tallies, tiers=revealed.tiers, policy=policy)
    # 3. A text that tries to talk its auditors round is never decided by machines alone.
    if revealed.is_suspect and decision.outcome is not None:
        decision = _require_person(decision, tallies)
    return RoundDecision(tally, decision)


def _require_person(decision: SegmentDecision, tallies: Sequence[Tally]) -> SegmentDecision:
    """The decision once people have had a round; until then that round, and an adjudicator where they disagreed.

    tallies: all rounds of the segment, with the one that was just counted: it may be the people's own.
    """
    by_people = [tally for tally in tallies if tally.tier is Tier.HUMAN]
    if not by_people:
        return replace(decision, outcome=None, next_tier=Tier.HUMAN, why=NEEDS_A_PERSON)
    if by_people[-1].outcome is Outcome.HUNG:
        return replace(decision, outcome=None, adjudicate=True, why=PEOPLE_DISAGREE)
    return decision
