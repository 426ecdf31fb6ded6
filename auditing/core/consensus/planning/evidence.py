"""What is known of a trace's passages, and the probability that the trace is right, in exact fractions.

The prior is the trace's, spread over its passages: with probability `base_rate` (policy.trace_base_rate) nothing is
wrong, otherwise the first error is in any passage alike. So a trace does not fail because it is long.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from auditing.core.consensus.posterior import posterior_valid
from auditing.core.consensus.skills import Skill
from auditing.core.policy import Policy
from auditing.core.values import Outcome, Vote

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageState:
    """A passage as the planner reads it.

    ratio: P(its evidence | wrong) / P(its evidence | right), from every vote and finding on it; 1 before any.
    """

    passage: str
    ratio: Fraction = Fraction(1)
    seats: int = 0  # people's seats that it had in earlier waves
    is_refuted: bool = False  # a certain finding: the trace fails
    is_proved: bool = False  # what is proved is asked of nobody, and cannot be wrong
    rests: bool = True  # the answer rests on it; beside the answer it is asked about in the first wave only
    is_spent: bool = False  # people were asked last, and nobody voted: no further seats
    is_heard: bool = False  # an adjudicator was asked: nobody is asked after one
    has_model_vote: bool = False  # a model said pass or fail: the random sample may draw it

    @property
    def is_certain(self) -> bool:
        """Whether machines have settled it: nobody is asked."""
        return self.is_refuted or self.is_proved


def ratio_of(*, posterior: Fraction, base_rate: Fraction) -> Fraction:
    """P(evidence | wrong) / P(evidence | right) of a passage whose posterior began at `base_rate`.

    >>> ratio_of(posterior=Fraction(4, 5), base_rate=Fraction(4, 5)), ratio_of(posterior=Fraction(1), base_rate=HALF)
    (Fraction(1, 1), Fraction(0, 1))
    """
    return (1 - posterior) / posterior * base_rate / (1 - base_rate)


def decide_right(*, right: Fraction, theta_pass: Fraction, theta_fail: Fraction) -> Outcome:
    """What P(trace right) says: the one place where a probability becomes an outcome, for planner and trace alike.

    >>> decide_right(right=Fraction(9, 10), theta_pass=Fraction(9, 10), theta_fail=Fraction(1, 4))
    <Outcome.PASS: 'pass'>
    """
    if right >= theta_pass:
        return Outcome.PASS
    return Outcome.FAIL if right <= theta_fail else Outcome.UNDECIDED


def evidence_ratio(*, votes: Sequence[Vote], skills: Mapping[str, Skill], policy: Policy) -> Fraction:
    """P(votes | wrong) / P(votes | right) of one passage, people's and models' votes alike.

    It is read from the project's own posterior at even odds, so that families of models count as they do there.

    >>> from auditing.core.policy import PAPER
    >>> from auditing.core.values import Choice
    >>> evidence_ratio(votes=[Vote(choice=Choice.PASS, auditor="a")], skills={}, policy=PAPER)
    Fraction(3, 7)
    """
    valid = posterior_valid(votes=votes, skills=skills, policy=policy, prior=HALF)
    return (1 - valid) / valid


def trace_right(*, passages: Sequence[PassageState], base_rate: Fraction, most: Fraction = Fraction(1)) -> Fraction:
    """P(no passage is wrong | evidence) = b / (b + (1 - b) * mean of the passages' ratios), and at most `most`.

    b: base_rate. If passage i holds the first error (prior (1 - b) / n), the evidence is r_i times as likely as in a
    right trace: Bayes' rule over those n + 1 cases. Passages beside the answer do not count. most: the least soundness
    that a certificate leaves to one of them. Shapes: n passages, one Fraction.

    >>> two = [PassageState(passage="P1", ratio=Fraction(1, 9)), PassageState(passage="P2", ratio=Fraction(1, 9))]
    >>> trace_right(passages=two, base_rate=Fraction(1, 2))
    Fraction(9, 10)
    """
    rested = [state for state in passages if state.rests]
    if any(state.is_refuted for state in rested):
        return Fraction(0)
    if not rested:
        return min(base_rate, most)
    total = sum((state.ratio for state in rested if not state.is_proved), start=Fraction(0))
    return min(right_from_total(total=total, count=len(rested), base_rate=base_rate), most)


def right_from_total(*, total: Fraction, count: int, base_rate: Fraction) -> Fraction:
    """The same from the sum of the ratios of `count` passages."""
    return base_rate / (base_rate + (1 - base_rate) * total / count)


def largest_total(*, theta: Fraction, count: int, base_rate: Fraction) -> Fraction:
    """The sum of ratios at which P(right) is exactly `theta`: below it the trace is surer.

    >>> largest_total(theta=Fraction(9, 10), count=2, base_rate=Fraction(1, 2))
    Fraction(2, 9)
    """
    return base_rate * (1 - theta) * count / (theta * (1 - base_rate))
