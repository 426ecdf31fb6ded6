"""Judges by chance: a family a recorded author and two strangers, with planted self-preference on whole traces.

On passages the author is hidden and no judge of the author's family sits: nothing is planted there.
"""

from collections.abc import Sequence

import numpy as np

from auditing.core.values import Choice, Tier
from auditing.research.studies.arms.cuts import PASSAGES, Unit, cut_by
from auditing.research.studies.arms.favour import Opinion
from auditing.research.studies.arms.recording import Case
from auditing.research.studies.arms.simulated import RATES, Voter, cast, computer_votes
from auditing.research.studies.arms.solutions import RECORDED, Solution

__all__ = ["FAVOURS", "simulated_votes"]

APPROVES = (0.85, 0.35)  # P(pass) of a right and of a wrong solution
FAVOURS = {RECORDED[0]: 0.15, RECORDED[2]: -0.10}
STRANGERS = ("stranger 1", "stranger 2")
_SEATS = 3


def simulated_votes(*, solutions: Sequence[Solution], seed: int) -> tuple[list[Opinion], list[Case]]:
    """Every judge on every whole solution, and three strangers to its author on each of its passages."""
    judges = sorted({solution.author for solution in solutions}) + list(STRANGERS)
    opinions, passages = list[Opinion](), list[Case]()
    for number, solution in enumerate(solutions):
        rng = np.random.default_rng([seed, 20_000, number])
        for judge in judges:
            favour = FAVOURS.get(judge, 0.0) if judge == solution.author else 0.0
            passed = bool(rng.random() < APPROVES[not solution.is_right] + favour)
            opinions.append(Opinion(judge, judge, solution.author, solution.id, solution.is_right, passed))
        passages.append(_passage_case(solution, judges, rng, (seed, number)))
    return opinions, passages


def _passage_case(solution: Solution, judges: Sequence[str], rng: np.random.Generator, key: tuple[int, int]) -> Case:
    labelled = solution.labelled(first_error=None)
    units = cut_by(cuts=[PASSAGES], labelled=labelled, seed=key[0], number=key[1])[0]
    still_open = [unit for unit in units if unit.computer is Choice.ABSTAIN]
    votes = computer_votes(units)
    # The set says only that the answer is wrong: the error is put into one of the passages that are still open.
    at = int(rng.integers(len(still_open))) if still_open and not solution.is_right else -1
    strangers = [name for name in judges if name != solution.author]
    for number, unit in enumerate(still_open):
        names = [strangers[index] for index in rng.choice(len(strangers), min(_SEATS, len(strangers)), replace=False)]
        accuracy = 1 - RATES["model"]
        voters = [Voter(name, Tier.LLM, accuracy, accuracy) for name in names]
        holding = Unit(unit.id, unit.shown, unit.tier, unit.computer, number == at)
        votes += cast(unit=holding, voters=voters, rng=rng)
    return Case(solution.id, solution.is_right, tuple(votes), tuple(unit.id for unit in units))
