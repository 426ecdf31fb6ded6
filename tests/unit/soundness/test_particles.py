"""Particles, the exact tau and the certificate that ties them together."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.core.soundness.claims import BaseClaim, Chain, DerivedClaim
from auditing.core.soundness.entailment import NoisyOracle, Oracle, Query
from auditing.core.soundness.particles import certify, exact_soundness, particles_needed, sample_particles
from auditing.research.studies.instruments.claimtree_chains import follows, make_line
from tests.tools.sweeping import sampled

EPSILON, DELTA, RUNS, CHUNK = 0.1, 0.1, 1000, 50


def with_prior(chain, prior):
    return Chain(tuple(BaseClaim(c.id, c.text, prior) for c in chain.base), chain.derived)


@pytest.mark.parametrize("length", sampled([5, 10, 20, 30, 50], one_in=5, first=1))
def test_the_certificate_holds_over_a_thousand_runs(length):
    chain = with_prior(make_line(length=length, seed=length).chain, 0.95)
    model = NoisyOracle(Oracle(follows), 0.1, certainty=0.9)
    exact = exact_soundness(chain=chain, model=model)
    n = particles_needed(derived=len(chain.derived), epsilon=EPSILON, delta=DELTA)
    violations = 0
    for chunk in range(RUNS // CHUNK):
        run = sample_particles(chain=chain, model=model, particles=n * CHUNK, seed=chunk)
        error = np.abs(run.entailments.reshape(CHUNK, n, -1).mean(axis=1) - exact).max(axis=1)
        violations += int((error > EPSILON).sum())
    assert violations / RUNS <= DELTA


def test_tau_of_a_line_decays_as_the_prior_to_the_power_of_its_depth():
    tree = next(t for s in range(99) if all((t := make_line(length=8, seed=s)).original) and not t.corrected[0])
    whole = Chain((*tree.chain.base, BaseClaim("have", tree.chain.derived[0].text.split(",")[0])), tree.chain.derived)
    first = whole.derived[0]
    mended = DerivedClaim(first.id, first.text, (*first.premises, "have"))
    chain = with_prior(Chain(whole.base, (mended, *whole.derived[1:])), 0.9)
    tau = exact_soundness(chain=chain, model=Oracle(follows))
    assert tau == pytest.approx([0.9 ** (k + 2) for k in range(7)])


def tiny_chain(draw_parents):
    base = tuple(BaseClaim(f"b{i}", f"b{i}", 0.3 + 0.2 * i) for i in range(3))
    names, derived = ["b0", "b1", "b2"], []
    for k, picks in enumerate(draw_parents):
        parents = tuple(sorted({names[p % len(names)] for p in picks}))
        derived.append(DerivedClaim(f"d{k}", f"d{k}", parents))
        names.append(f"d{k}")
    return Chain(base, tuple(derived))


def brute_force(chain, model):
    """Sum over every combination of claims that hold."""
    ahead, total = len(chain.base), len(chain.claims)
    tau = np.zeros(len(chain.derived))
    for code in range(2**total):
        bits = [bool(code >> i & 1) for i in range(total)]
        weight = np.prod([c.prior if bits[i] else 1 - c.prior for i, c in enumerate(chain.base)])
        answers = [model.entail([chain.query(k, [bits[p] for p in ps])])[0] for k, ps in enumerate(chain.parents)]
        for k, answer in enumerate(answers):
            tau[k] += weight * answer * 2.0 ** -(len(answers) - k)
            weight *= answer if bits[ahead + k] else 1 - answer
    return tau


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), min_size=0, max_size=3), min_size=1, max_size=4), st.integers(0, 99))
def test_the_exact_tau_equals_the_sum_over_all_combinations(picks, seed):
    chain = tiny_chain(picks)
    model = NoisyOracle(Oracle(lambda query: len(query.premises) % 2 == 1), 0.3, seed=seed, certainty=0.8)
    assert exact_soundness(chain=chain, model=model) == pytest.approx(brute_force(chain, model))


class Counting:
    """Counts questions and batches on their way to a model."""

    name = "counting"

    def __init__(self, model):
        self.model, self.calls, self.batches, self.seen = model, 0, 0, []

    def entail(self, queries):
        self.calls, self.batches = self.calls + len(queries), self.batches + 1
        self.seen.extend(queries)
        return self.model.entail(queries)


def test_an_oracle_settles_a_chain_with_one_particle_and_no_margin():
    tree = make_line(length=20, seed=3)
    certificate = certify(chain=tree.chain, model=Oracle(follows), seed=1)
    assert certificate.settled
    assert certificate.particles == 1
    assert [c.tau == 1.0 for c in certificate.claims] == list(tree.corrected)


def test_no_question_is_asked_twice_and_questions_do_not_grow_with_particles():
    model = Counting(NoisyOracle(Oracle(follows), 0.1, certainty=0.9))
    chain = with_prior(make_line(length=20, seed=3).chain, 0.95)
    few = certify(chain=chain, model=model, seed=1, epsilon=0.1)
    assert len(set(model.seen)) == len(model.seen) == few.calls
    assert certify(chain=chain, model=model, seed=1, epsilon=0.01).calls <= 19 * 2**2


def test_claims_of_one_level_are_asked_in_one_batch():
    base = (BaseClaim("b", "b", 0.5),)
    wide = Chain(base, tuple(DerivedClaim(f"d{i}", f"d{i}", ("b",)) for i in range(30)))
    model = Counting(Oracle(lambda query: bool(query.premises)))
    assert sample_particles(chain=wide, model=model, particles=50, seed=1).batches == 1
    assert model.batches == 1


def test_premises_are_shown_in_their_original_order_and_only_declared_ones():
    base = (BaseClaim("a", "A."), BaseClaim("b", "B."), BaseClaim("c", "C."))
    chain = Chain(base, (DerivedClaim("d", "D.", ("c", "a")), DerivedClaim("e", "E.")))
    assert chain.query(0, [True, True]) == Query(("A.", "C."), "D.", ("a", "c"), "d")
    assert chain.query(1, [True] * 4).premises == ("A.", "B.", "C.", "D.")


def test_local_errors_are_told_from_propagated_ones():
    tree = make_line(length=12, seed=2)
    broken = tree.corrected.index(False)
    said = [c.verdict(0.5) for c in certify(chain=tree.chain, model=Oracle(follows), seed=1).claims]
    assert said == ["sound"] * broken + ["local error"] + ["propagated error"] * (11 - broken - 1)


def test_a_certificate_speaks_of_its_model_and_not_of_truth():
    chain = with_prior(make_line(length=5, seed=1).chain, 0.95)
    words = certify(chain=chain, model=Oracle(follows), seed=1).statement
    assert "220 independent particles" in words
    assert "does not certify that a claim is true" in words


@pytest.mark.parametrize(
    ("claims", "complaint"),
    [
        (((BaseClaim("a", "A"), BaseClaim("a", "B")), ()), "a stands twice"),
        (((), (DerivedClaim("d", "D", ("e",)), DerivedClaim("e", "E", ()))), "d leans on e"),
        (((BaseClaim("a", "A", 1.5),), ()), "prior of a is 1.5"),
    ],
)
def test_a_broken_chain_is_refused_by_name(claims, complaint):
    with pytest.raises(ValueError, match=complaint):
        Chain(*claims)


@pytest.mark.parametrize("answer", [[], [0.5, 0.5], [float("nan")], [1.2]])
def test_a_model_that_answers_nonsense_is_refused(answer):
    model = type("Wrong", (), {"name": "wrong", "entail": lambda self, queries: answer})()
    chain = Chain((BaseClaim("a", "A"),), (DerivedClaim("d", "D", ("a",)),))
    with pytest.raises(ValueError, match="one probability"):
        certify(chain=chain, model=model, seed=1)
