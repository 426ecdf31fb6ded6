"""A trace before a simulated crowd in waves: the planner of a running system asks until the trace is decided.

    plan_wave -> seats for passages -> votes -> posteriors by skills -> plan_wave -> ... -> an outcome

Every passage is asked of people alone: there are no checkers, models, certificates or windows here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from auditing.core.consensus import SegmentOutcome, passage_state, tally_round
from auditing.core.consensus.planning import PassageState, decide_right, plan_rules, plan_wave
from auditing.core.consensus.skills import Skill
from auditing.core.policy import Policy
from auditing.core.values import Choice, Outcome, Tier, Vote
from auditing.research.population.conducts import Passage

Ask = Callable[[Passage, int, Mapping[int, bool]], dict[int, bool]]


@dataclass(slots=True)
class Heard:
    """What came of one passage. posterior: P(valid) by the votes; word: an adjudicator's pass or fail."""

    passage: Passage
    posterior: Fraction
    choices: dict[int, bool] = field(default_factory=dict)  # auditor -> passed
    seats: int = 0
    word: bool | None = None
    is_spent: bool = False  # nobody answered last

    def outcome(self, *, policy: Policy) -> Outcome:
        """The word where there is one, else what the posterior says; undecided where nobody was asked."""
        if self.word is not None:
            return Outcome.PASS if self.word else Outcome.FAIL
        if not self.choices:
            return Outcome.UNDECIDED
        thetas = Fraction(policy.theta_pass), Fraction(policy.theta_fail)
        return decide_right(right=self.posterior, theta_pass=thetas[0], theta_fail=thetas[1])


@dataclass(frozen=True, slots=True)
class AskedTrace:
    """A trace that is decided. seats: of people, an adjudicator's not among them."""

    passages: tuple[Heard, ...]
    outcome: Outcome
    waves: int
    seats: int


def ask_in_waves(
    *,
    passages: Sequence[Passage],
    policy: Policy,
    skills: Sequence[Skill],
    ask: Ask,
    adjudicate: Callable[[Passage], bool],
) -> AskedTrace:
    """Ask about a trace until the planner decides it.

    ask: (passage, seats, votes so far) -> further votes by auditor. adjudicate: what an adjudicator says of a passage.
    skills: by auditor, as they weigh the votes.

    >>> from auditing.core.policy import DEFAULT
    >>> from auditing.core.consensus.skills import Beta
    >>> crowd = [Skill(Beta(Fraction(17), Fraction(3)), Beta(Fraction(17), Fraction(3)))] * 9
    >>> right = Passage(valid=True, level="step", model_is_right=True, targeted=False, bribes=False)
    >>> all_pass = lambda passage, seats, votes: dict.fromkeys(range(len(votes), len(votes) + seats), True)
    >>> asked = ask_in_waves(
    ...     passages=[right, right], policy=DEFAULT, skills=crowd, ask=all_pass, adjudicate=lambda passage: True
    ... )
    >>> str(asked.outcome), asked.seats, asked.waves
    ('pass', 5, 2)
    """
    heard = [Heard(passage, Fraction(policy.base_rate)) for passage in passages]
    rules, waves = plan_rules(policy=policy), 0
    while True:
        states = [_state(str(number), one, policy) for number, one in enumerate(heard)]
        plan = plan_wave(passages=states, rules=rules)
        if plan.outcome is not None:
            return AskedTrace(tuple(heard), plan.outcome, waves, sum(one.seats for one in heard))
        waves += not plan.adjudicates
        for number, seats in plan.seats.items():
            one = heard[int(number)]
            if plan.adjudicates:
                one.word = adjudicate(one.passage)
            else:
                _hear(one, seats, policy, skills, ask)


def _hear(one: Heard, seats: int, policy: Policy, skills: Sequence[Skill], ask: Ask) -> None:
    further = ask(one.passage, seats, one.choices)
    one.choices |= further
    one.seats, one.is_spent = one.seats + seats, not further
    votes = [
        Vote(choice=Choice.PASS if passed else Choice.FAIL, auditor=str(auditor))
        for auditor, passed in one.choices.items()
    ]
    # Rounds multiply, so that all votes together say what the rounds say one by one.
    one.posterior = tally_round(
        votes=votes,
        policy=policy,
        tier=Tier.HUMAN,
        skills={str(auditor): skills[auditor] for auditor in one.choices},
        k=max(1, one.seats),
        redraws=policy.max_redraws,
    ).posterior


def _state(number: str, one: Heard, policy: Policy) -> PassageState:
    error = Fraction(policy.adjudicator_error)
    believed = one.posterior if one.word is None else 1 - error if one.word else error
    decided = SegmentOutcome(
        segment=number,
        outcome=one.outcome(policy=policy),
        posterior=believed,
        tier=Tier.HUMAN,
        adjudicated=one.word is not None,
    )
    state = passage_state(decided=decided, base_rate=Fraction(policy.base_rate), seats=one.seats)
    return replace(state, is_spent=one.is_spent, is_heard=one.word is not None)
