"""The released sampling as we follow it: what it draws again, what it asks, and how counts become whole numbers."""

import numpy as np
import pytest

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.particles import particles_needed
from benchmarks.soundness import released_loop

FACTS = 12


class Recorder:
    """Says what `probability` says of the premises and the hypothesis; keeps every call's queries."""

    name = "recorder"

    def __init__(self, probability):
        self.probability, self.calls = probability, []

    def entail(self, queries):
        self.calls.append(list(queries))
        return [self.probability(set(query.premise_ids), query.hypothesis_id) for query in queries]


def chain(prior, derived=2):
    facts = tuple(BaseClaim(f"F{n}", f"fact {n}", prior) for n in range(FACTS))
    return Chain(facts, tuple(DerivedClaim(f"S{n}", f"claim {n}") for n in range(1, derived + 1)))


def test_certain_facts_and_hard_answers_ask_two_questions_a_claim():
    model = Recorder(lambda premises, claim: 1.0)
    taus = released_loop(chain(1.0, derived=5), model, np.random.default_rng(1))
    assert taus.tolist() == [1.0] * 5
    # Once with every premise, then each distinct subset: there is one.
    assert [len(queries) for queries in model.calls] == [1] * 10


@pytest.mark.parametrize("seed", range(5))
def test_the_first_claim_is_asked_about_what_was_drawn_again(seed):
    model = Recorder(lambda premises, claim: 1.0)
    released_loop(chain(0.5, derived=1), model, np.random.default_rng(seed))
    rng, size = np.random.default_rng(seed), particles_needed(derived=1)
    drawn = [tuple(row) for row in (rng.random((size, FACTS)) <= 0.5).tolist()]
    distinct = list(dict.fromkeys(drawn))
    shares = np.array([drawn.count(subset) for subset in distinct]) / size
    again = set(rng.choice(len(distinct), size=size, p=shares).tolist())
    assert [len(queries) for queries in model.calls] == [1, len(again)]
    assert len(again) < len(distinct)


def test_the_least_share_becomes_a_whole_count_so_that_a_soft_answer_keeps_its_weight():
    """The first claim follows with .2; the second where the first is granted: .2 and not the half of ceil(.2)."""
    model = Recorder(lambda premises, claim: 0.2 if claim == "S1" else float("S1" in premises))
    taus = [released_loop(chain(0.5), model, np.random.default_rng(seed)) for seed in range(10)]
    assert np.mean([tau[0] for tau in taus]) == pytest.approx(0.2)
    assert np.mean([tau[1] for tau in taus]) == pytest.approx(0.2, abs=0.03)
