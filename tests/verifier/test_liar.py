"""A seeded piece of the liar's table; `python -m benchmarks.liar` tells all of it."""

import random

import pytest

from benchmarks import liar

# of audits that the liar puts into a tree of its own; a frozen seed is one of another tree
WHOLE = [tale for tale in liar.told(sample=400, seed=7) if tale[0] in liar.STORIES]
TALES = random.Random("tales").sample(WHOLE, 12)


def test_no_lie_of_a_seeded_sample_is_accepted_silently() -> None:
    table, silent = liar.run(sample=88, seed=2026)
    assert not silent
    assert sum(fates["refused"] for fates in table.values()) > 60


@pytest.mark.parametrize("number", range(len(TALES)))
def test_the_quick_judge_says_what_the_file_of_the_audit_says(number: int) -> None:
    _, log, honest, name, lie = TALES[number]
    assert liar.judge(log, name, lie, honest) == liar.judge_file(log, name, lie, honest)
