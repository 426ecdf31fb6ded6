"""Waves on simulated votes: what the planner does with a trace whose truth is known."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditing.core.consensus.planning.evidence import PassageState
from auditing.core.consensus.planning.wave import PlanRules, plan_wave
from auditing.core.values import Outcome


@dataclass(frozen=True, slots=True)
class PlannedTrace:
    """A simulated trace: its outcome, the seats that it took, and its waves."""

    outcome: Outcome
    seats: int
    waves: int


def simulate_waves(*, votes: Sequence[Sequence[bool]], wrong: int | None, rules: PlanRules) -> PlannedTrace:
    """Run one trace to its end. votes: by passage, whether its first, second, ... seat is right, `cap` of them each.

    wrong: number of the wrong passage, None in a right trace. Skills are known: every seat is as good as planned.

    >>> from fractions import Fraction
    >>> tenth = Fraction(1, 10)
    >>> rules = PlanRules(base_rate=5 * tenth, theta_pass=9 * tenth, theta_fail=tenth, accuracy=8 * tenth)
    >>> simulate_waves(votes=[[True] * 13] * 2, wrong=None, rules=rules)
    PlannedTrace(outcome=<Outcome.PASS: 'pass'>, seats=4, waves=2)
    """
    count = len(votes)
    margins, seats, waves = [0] * count, [0] * count, 0  # margin: passes less fails
    while True:
        plan = plan_wave(
            passages=[
                PassageState(passage=str(number), ratio=rules.step ** margins[number], seats=seats[number])
                for number in range(count)
            ],
            rules=rules,
        )
        if plan.outcome is not None or plan.adjudicates:  # nobody adjudicates here: what people leave open stays so
            return PlannedTrace(plan.outcome or Outcome.UNDECIDED, sum(seats), waves)
        waves += 1
        for passage, more in plan.seats.items():
            number = int(passage)
            cast = votes[number][seats[number] : seats[number] + more]
            # int: what numpy counts would overflow as the exponent of a fraction
            passes = int(sum(is_right == (number != wrong) for is_right in cast))
            margins[number] += 2 * passes - more
            seats[number] += more
