"""Earlier steps that are not weighed at all are none that their weights could have carried over the threshold."""

import random

import pytest

from hdag.decomposers.rules.derivation import BIAS, THRESHOLD, WEIGHTS, Derivation
from hdag.decomposers.rules.evidence import read_evidence

WORDS = "bakery orchard lantern harvest cousin ribbon market saddle".split()


def steps(seed: int) -> list[str]:
    rng = random.Random(seed)
    openings = ("So", "Given that", "By step 2,", "Let n be", "The")
    pairs = [f"{rng.choice(openings)} {rng.choice(WORDS)} {rng.choice(WORDS)}" for _ in range(23)]
    # the last one gathers what nothing has used, and then what shares nothing else may be a premise
    return [f"{pair} has {rng.randint(3, 40)} = {rng.randint(3, 90)}." for pair in (*pairs, "Altogether, it")]


def passes(row: list[float]) -> bool:
    return BIAS + sum(weight * value for weight, value in zip(WEIGHTS.values(), row, strict=True)) > -0.754


@pytest.mark.parametrize("seed", range(8))
def test_a_step_that_is_not_weighed_could_not_be_a_premise(seed: int) -> None:
    derivation = Derivation(
        steps=[read_evidence(text=text) for text in steps(seed)], givens=frozenset(map(str, range(41)))
    )
    left_out = 0
    for index, step in enumerate(derivation.steps):
        every, weighed = derivation.candidates(index), derivation.candidates(index, may_pass=True)
        assert weighed == {premise: every[premise] for premise in weighed}
        assert not any(passes(row) for premise, row in every.items() if premise not in weighed)
        left_out += len(every) - len(weighed)
        derivation.memory.learn(index, step, [premise for premise, row in weighed.items() if passes(row)])
    assert left_out > 20
    assert THRESHOLD == 0.32  # of which -0.754 are the log-odds
