"""What a simulated system knows of one auditor: points, reputations, votes on gold, what was judged."""

from dataclasses import dataclass, field, replace
from fractions import Fraction

from auditing.core.consensus.skills import GoldCounts
from auditing.core.points.reputation import ReputationValue
from auditing.core.policy import Policy, SlashBasis
from auditing.research.conduct.core import JudgedPassage

NOTHING = GoldCounts(0, 0, 0, 0)


@dataclass(slots=True)
class Account:
    """What the system knows of one simulated auditor."""

    gold: ReputationValue
    outcome: ReputationValue
    counts: GoldCounts = NOTHING
    points: int = 0
    votes: int = 0
    suspended_at: int | None = None
    ordinary_right: int = 0
    unjudged: int = 0  # votes of passages that stayed undecided: neither right nor wrong
    judged: list[JudgedPassage] = field(default_factory=list)

    @property
    def gold_votes(self) -> int:
        """Votes on gold."""
        return self.counts.valid + self.counts.wrong

    @property
    def gold_right(self) -> int:
        """Right ones of them."""
        return self.counts.valid_passed + self.counts.wrong_failed


def after(value: ReputationValue, correct: bool, gamma: Fraction) -> ReputationValue:
    """The next step, kept to twelve decimals as the table of steps keeps it."""
    stepped = value.after(correct=correct, gamma=gamma)
    return ReputationValue(Fraction(round(stepped.value * 10**12), 10**12), stepped.votes)


def slash_basis(account: Account, policy: Policy) -> Fraction:
    """The reputation that sets the chance of a slash, as selectors.points.reputations takes it."""
    if policy.slashing is SlashBasis.OUTCOME or (
        policy.slashing is SlashBasis.GOLD_ELSE_OUTCOME and not account.gold.votes
    ):
        return account.outcome.value
    return account.gold.value


def counted(counts: GoldCounts, valid: bool, correct: bool) -> GoldCounts:
    """With one more vote on gold of that truth."""
    if valid:
        return replace(counts, valid=counts.valid + 1, valid_passed=counts.valid_passed + correct)
    return replace(counts, wrong=counts.wrong + 1, wrong_failed=counts.wrong_failed + correct)
