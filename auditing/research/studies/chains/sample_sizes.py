"""What epsilon and the number of particles buy: the error of soundness beside its exact value, and macro-F1.

Source: ARES, section 5 (table 2, sample efficiency) and theorem 3.1; exact values by dynamic programming.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditing.core.soundness.claims import BaseClaim, Chain
from auditing.core.soundness.entailment import EntailmentModel
from auditing.core.soundness.particles import exact_soundness, particles_needed, sample_particles
from auditing.research.studies.chains.whole_judge import CountedChains
from auditing.research.studies.instruments.claimtree_chains import ClaimTree, make_line
from auditing.research.studies.instruments.runner import Cell, Run, Table
from auditing.research.studies.steps.folded_rates import folded_rates

__all__ = ["by_epsilon", "by_particles"]

EPSILONS = (0.1, 0.2, 0.3, 0.4)  # table 2 of the paper
SIZES = (10, 30, 100, 300, 1000)
PRIOR, DELTA = 0.95, 0.1  # below 1 a line is left to chance
LENGTHS = (5, 10, 20, 50)


def by_epsilon(*, run: Run, model: EntailmentModel, many: int) -> Table:
    """One row a length and epsilon: particles, the greatest error of a chain, how often it exceeds epsilon."""
    rows: list[list[Cell]] = []
    for length in LENGTHS:
        for epsilon in EPSILONS:
            particles = particles_needed(derived=length - 1, epsilon=epsilon, delta=DELTA)
            key = f"epsilon {epsilon}, line of {length}"
            worst, beyond, f1, questions = _piece(run, key, length, particles, (model, many, epsilon))
            rows.append([f"line of {length}", epsilon, particles, worst, beyond, f1, questions])
    columns = ("chains", "epsilon", "particles", "mean greatest error", "share beyond epsilon", "macro-F1", "questions")
    note = f"Prior {PRIOR:g}, delta {DELTA:g}: at most {DELTA:.0%} of the chains may lie beyond epsilon."
    return Table("Epsilon", columns, rows, note)


def by_particles(*, run: Run, model: EntailmentModel, many: int) -> Table:
    """One row a number of particles, on lines of 20."""
    rows: list[list[Cell]] = []
    for particles in SIZES:
        key = f"{particles} particles, line of 20"
        worst, _, f1, questions = _piece(run, key, 20, particles, (model, many, 0.1))
        rows.append([particles, worst, f1, questions])
    columns = ("particles", "mean greatest error", "macro-F1", "questions")
    return Table("Number of particles, line of 20", columns, rows, curve=("particles", "mean greatest error"))


def _piece(run: Run, key: str, length: int, particles: int, setting: tuple[EntailmentModel, int, float]) -> list[float]:
    model, many, epsilon = setting
    trees = [make_line(length=length, seed=run.seed * 100_000 + number) for number in range(many)]
    make: Callable[[], Any] = partial(_measured, trees, model, particles, epsilon, run.seed)
    values: list[float] = run.piece(key=key, make=make)
    return values


def _measured(
    trees: Sequence[ClaimTree], model: EntailmentModel, particles: int, epsilon: float, seed: int
) -> list[float]:
    """[mean greatest error, share of chains beyond epsilon, macro-F1, questions a chain]"""
    counted = CountedChains(model)
    scores, errors = list[NDArray[np.float64]](), list[float]()
    for number, tree in enumerate(trees):
        chain = _with_prior(tree.chain)
        drawn = sample_particles(chain=chain, model=counted, particles=particles, seed=seed + number)
        scores.append(drawn.entailments.mean(axis=0))
        # Beside the exact value under the same model: what is left is the error of sampling alone.
        errors.append(float(np.abs(scores[-1] - exact_soundness(chain=chain, model=model)).max()))
    f1 = folded_rates(scores=scores, sound=[np.array(tree.corrected) for tree in trees], seed=seed).f1
    beyond = sum(error > epsilon for error in errors) / len(trees)
    return [sum(errors) / len(trees), beyond, f1, counted.calls / len(trees)]


def _with_prior(chain: Chain) -> Chain:
    return Chain(tuple(BaseClaim(claim.id, claim.text, PRIOR) for claim in chain.base), chain.derived)
