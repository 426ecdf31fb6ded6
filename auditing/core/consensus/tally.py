"""The votes of one round -> its tally: pass, fail or hung, the posterior, and what to do when it is hung.

Source: TRUST, section 3.2 (quorum rule); docs/formulas.md (posterior of the two-coin model, thresholds theta).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil

from auditing.core.consensus.followers import Heard
from auditing.core.consensus.posterior import credible_interval, posterior_valid
from auditing.core.consensus.skills import Skill
from auditing.core.errors import BadVotesError
from auditing.core.policy import ConsensusRule, Policy
from auditing.core.values import Choice, Outcome, Tier, Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The count of a round. `outcome` binds; `paper_outcome` is what the paper's quorum rule says, shown beside it."""

    tier: Tier
    outcome: Outcome
    paper_outcome: Outcome
    posterior: Fraction  # that the segment is valid
    interval: tuple[float, float]  # 95 % credible, from what is unknown about the skills
    rule: ConsensusRule  # the one in effect, `auto` resolved
    k: int  # seats drawn
    passes: int
    fails: int
    abstentions: int
    need_pass: int
    need_fail: int
    need_turnout: int
    redraw: bool  # too few seats answered: draw the silent ones again in this tier
    escalate: bool  # hung for good: the next tier, then the adjudicator
    why: str
    votes: tuple[Vote, ...]

    @property
    def revealed(self) -> int:
        """Votes revealed, abstentions included: the turnout."""
        return self.passes + self.fails + self.abstentions


def quorum(*, share: Decimal, k: int) -> int:
    """Seats that must agree out of the k drawn: ceil(share k - 1e-9) (TRUST, section 3.2).

    The 1e-9 keeps a share that is a rounded fraction from asking for one seat more: .6 of 5 seats is 3.

    >>> quorum(share=Decimal("0.6"), k=5)
    3
    """
    return ceil(Fraction(share) * k - Fraction(1, 10**9))


def quorum_outcome(*, passes: int, fails: int, need_pass: int, need_fail: int) -> Outcome:
    """The paper's rule made three-valued: both quorums met (even k, tau = .5) or neither is hung."""
    if (passes >= need_pass) == (fails >= need_fail):
        return Outcome.HUNG
    return Outcome.PASS if passes >= need_pass else Outcome.FAIL


def tally_round(
    *,
    votes: Sequence[Vote],
    policy: Policy,
    tier: Tier,
    skills: Mapping[str, Skill] | None = None,
    k: int | None = None,
    redraws: int = 0,
    heard: Sequence[Heard] = (),
) -> Tally:
    """Tally the revealed votes of one round.

    votes: the revealed ones, abstentions included, at most one an auditor. skills: by auditor, from
    skills.published_skills; who is missing is believed at the tier's prior. k: seats drawn when routing asked for
    another number than the tier's. redraws: how often silent seats were drawn again already. heard: votes of the
    segment's earlier rounds, which whoever follows a model may only repeat.

    Too low a turnout asks for a redraw (at most policy.max_redraws), then the round is hung. Only abstentions: hung.
    Raises BadVotesError on a vote of another tier, an auditor who votes twice, or more votes than seats.
    """
    rules = policy.tier(tier)
    seats = rules.k if k is None else k
    check_votes(votes=votes, tier=tier, k=seats)
    skills = skills or {}
    # 1. Count. Quorums are shares of the seats drawn, not of the votes that came: silence never helps a side.
    counts = {choice: sum(vote.choice is choice for vote in votes) for choice in Choice}
    passes, fails = counts[Choice.PASS], counts[Choice.FAIL]
    need_pass, need_fail = quorum(share=rules.tau, k=seats), quorum(share=rules.tau_fail, k=seats)
    need_turnout = quorum(share=rules.turnout, k=seats)
    is_silent = len(votes) < need_turnout
    # 2. Apply the paper's rule, and the rule that binds.
    paper = quorum_outcome(passes=passes, fails=fails, need_pass=need_pass, need_fail=need_fail)
    rule = binding_rule(policy=policy)
    posterior = posterior_valid(
        votes=votes, skills=skills, policy=policy, prior=Fraction(policy.base_rate), heard=heard
    )
    outcome = _outcome(rule, paper, (passes, fails), posterior, policy)
    # 3. Nothing binds without turnout, or where everybody abstains.
    if is_silent or passes + fails == 0:
        outcome = Outcome.HUNG
    redraw = is_silent and redraws < policy.max_redraws
    return Tally(
        tier=tier,
        outcome=outcome,
        paper_outcome=Outcome.HUNG if is_silent else paper,
        posterior=posterior,
        interval=credible_interval(posterior=posterior, votes=votes, skills=skills, policy=policy),
        rule=rule,
        k=seats,
        passes=passes,
        fails=fails,
        abstentions=counts[Choice.ABSTAIN],
        need_pass=need_pass,
        need_fail=need_fail,
        need_turnout=need_turnout,
        redraw=redraw,
        escalate=outcome is Outcome.HUNG and not redraw,
        why=_why(outcome, is_silent, (len(votes), need_turnout, redraws), (passes, fails, posterior)),
        votes=tuple(votes),
    )


def check_votes(*, votes: Sequence[Vote], tier: Tier, k: int) -> None:
    """Raise BadVotesError unless these can be the votes of one round of k seats of `tier`."""
    if k < 1:
        raise BadVotesError(f"a round needs at least one seat, not {k}")
    if len(votes) > k:
        raise BadVotesError(f"{len(votes)} votes for {k} seats")
    strangers = sorted({vote.tier for vote in votes} - {tier})
    if strangers:
        raise BadVotesError(f"a vote of tier {strangers[0]} in a round of tier {tier}")
    # Votes of studies may have no author; those that have one count once.
    named = [vote.auditor for vote in votes if vote.auditor]
    twice = sorted({name for name in named if named.count(name) > 1})
    if twice:
        raise BadVotesError(f"auditor {twice[0]} votes twice in one round")


def binding_rule(*, policy: Policy) -> ConsensusRule:
    """The rule that decides a round: `auto` is gold-only two-coin unless a batch run has shown EM to be better."""
    return ConsensusRule.TWO_COIN_GOLD if policy.consensus is ConsensusRule.AUTO else policy.consensus


def _outcome(
    rule: ConsensusRule, paper: Outcome, counts: tuple[int, int], posterior: Fraction, policy: Policy
) -> Outcome:
    """What the binding rule says of these counts, turnout aside."""
    passes, fails = counts
    if rule is ConsensusRule.QUORUM:
        return paper
    if rule is ConsensusRule.MAJORITY:
        if passes == fails:
            return Outcome.HUNG
        return Outcome.PASS if passes > fails else Outcome.FAIL
    # Every other rule differs in how it learns skills, and so in the posterior; the thresholds are the same.
    if posterior >= Fraction(policy.theta_pass):
        return Outcome.PASS
    return Outcome.FAIL if posterior <= Fraction(policy.theta_fail) else Outcome.HUNG


def _why(outcome: Outcome, is_silent: bool, turnout: tuple[int, int, int], count: tuple[int, int, Fraction]) -> str:
    """The reason in words. turnout: votes revealed, votes needed, redraws; count: passes, fails, posterior."""
    revealed, needed, redraws = turnout
    passes, fails, posterior = count
    if is_silent:
        return f"turnout too low: {revealed} revealed, {needed} needed, redrawn {redraws} times"
    if passes + fails == 0:
        return "every revealed vote abstains"
    return f"{passes} pass, {fails} fail: {outcome} at posterior {float(posterior):.3f}"
