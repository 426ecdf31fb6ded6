"""Gold out of a pool that is not what is asked: each choice is near to it, and in the mean all are like it."""

import random
from statistics import mean

import pytest

from auditing.checker.planting import Shape, lean


def a_shape(dice: random.Random, median: float) -> Shape:
    characters = int(dice.lognormvariate(median, 0.4))
    return Shape(
        characters=characters,
        lines=characters // 90,
        formulas=dice.choice((0, 2, 4)),
        position=dice.random(),
        around=3 * characters,
        numbers=characters // 40,
    )


def chosen(seed: int, *, leans: bool) -> list[tuple[float, ...]]:
    """By how much each of sixty choices, out of thirty texts that are too short, is not what was asked."""
    dice, apart = random.Random(seed), list[tuple[float, ...]]()
    for _ in range(60):
        asked, pool = a_shape(dice, 5.0), [a_shape(dice, 4.7) for _ in range(30)]
        wanted = asked.moved(lean(apart=apart)) if leans else asked
        apart.append(min(pool, key=wanted.distance).apart(asked))
    return apart


@pytest.mark.parametrize("seed", range(5))
def test_what_leans_is_as_long_in_the_mean_as_what_is_asked(seed: int) -> None:
    plain, leaning = (chosen(seed, leans=leans) for leans in (False, True))
    assert mean(apart[0] for apart in plain) < -0.02
    assert abs(mean(apart[0] for apart in leaning)) < 0.015
    # It costs a little of the likeness of each.
    cost = mean(sum(map(abs, apart)) for apart in leaning) / mean(sum(map(abs, apart)) for apart in plain)
    assert cost < 1.35
