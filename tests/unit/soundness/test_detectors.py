"""Soundness beside the i.i.d. reference and the baselines, on chains whose truth is known."""

import numpy as np
import pytest

from auditing.checker.findings import Verdict
from auditing.core.soundness.entailment import (
    Confirmed,
    ExternalScores,
    NoisyOracle,
    Oracle,
    Panel,
    Proved,
    Query,
    read_likert,
)
from auditing.core.soundness.particles import certify
from auditing.research.soundness.core.temperature import (
    Rescaled,
    at_temperature,
    fit_temperature,
    log_loss,
    rescale,
)
from auditing.research.soundness.core.thresholds import best_threshold, five_fold, macro_f1
from auditing.research.studies.instruments.baselines import BASELINES
from auditing.research.studies.instruments.claimtree_chains import (
    follows,
    insert_errors,
    make_line,
    make_recipe,
    make_wide,
)
from tests.tools.sweeping import sampled


def folded(trees, score):
    labels = [np.array(tree.corrected) for tree in trees]
    return five_fold(scores=[score(tree.chain) for tree in trees], sound=labels, seed=1).mean


def taus(model):
    return lambda chain: np.array([c.tau for c in certify(chain=chain, model=model, seed=1, tell_local=False).claims])


@pytest.mark.parametrize("length", sampled([10, 20, 30, 50], one_in=4))
def test_the_default_beats_the_reference_and_every_baseline_on_the_same_noise(length):
    noisy = NoisyOracle(Oracle(follows), 0.1)
    trees = [make_line(length=length, seed=seed) for seed in range(30 if length < 30 else 15)]
    ours = folded(trees, taus(Confirmed(noisy)))
    assert ours >= folded(trees, lambda chain: taus(noisy)(chain.undeclared()))
    assert ours > max(folded(trees, lambda chain, b=b: b(chain, noisy)) for b in BASELINES.values())


@pytest.mark.parametrize(
    "tree",
    [
        make_line(length=30, seed=4),
        make_wide(depth=5, sources=3, seed=4),
        make_recipe(steps=12, seed=4),
        insert_errors(tree=make_line(length=10, seed=4), count=3, seed=5),
    ],
)
def test_an_oracle_finds_exactly_the_claims_that_do_not_follow(tree):
    assert [tau == 1.0 for tau in taus(Oracle(follows))(tree.chain)] == list(tree.corrected)
    assert not all(tree.corrected)


def test_the_original_labels_call_a_chain_without_its_start_fact_sound():
    trees = [make_line(length=10, seed=seed) for seed in range(100)]
    odd = [tree for tree in trees if tree.corrected != tree.original]
    assert 1 <= len(odd) <= 25
    assert all(all(tree.original) and not any(tree.corrected) for tree in odd)


def test_a_noisy_oracle_errs_at_its_rate_and_repeats_itself():
    noisy = NoisyOracle(Oracle(lambda query: True), 0.2, seed=5)
    queries = [Query((), f"claim {i}") for i in range(4000)]
    answers = noisy.entail(queries)
    assert answers == noisy.entail(queries)
    assert np.mean(answers) == pytest.approx(0.8, abs=0.02)


def test_asking_again_decides_and_stops_early():
    asked = []
    truth = Oracle(lambda query: asked.append(query.wording) or query.wording != 0)
    assert Confirmed(truth).entail([Query(("p",), "h")]) == [1.0]
    assert asked == list(range(len(asked)))
    assert len(asked) < 7


def test_answers_that_never_settle_stay_a_probability():
    undecided = Oracle(lambda query: query.wording % 2 == 0)
    (answer,) = Confirmed(undecided, most=4, granted_prior=0.5).entail([Query((), "h")])
    assert 0 < answer < 1


def test_proved_and_refuted_claims_never_reach_the_model():
    asked = []
    model = Oracle(lambda query: asked.append(query.hypothesis) or True)
    verdicts = {"yes": Verdict.VERIFIED, "no": Verdict.REFUTED, "?": Verdict.NOT_APPLICABLE}
    tier = Proved(lambda query: verdicts[query.hypothesis], model)
    assert tier.entail([Query((), "yes"), Query((), "?"), Query((), "no")]) == [1.0, 1.0, 0.0]
    assert asked == ["?"]


def test_a_panel_averages_and_external_scores_name_the_missing():
    scores = ExternalScores({"d": 0.2})
    query = Query((), "D", (), "d")
    assert Panel((scores, Oracle(lambda query: True))).entail([query]) == [0.6]
    with pytest.raises(KeyError, match="other"):
        scores.entail([Query((), "D", (), "other")])


def test_temperature_is_found_on_labelled_answers():
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 2, 4000)
    labels = (rng.random(4000) < 1 / (1 + np.exp(-logits))).astype(float)
    overconfident = 1 / (1 + np.exp(-3 * logits))
    assert fit_temperature(scores=overconfident, labels=labels) == pytest.approx(3.0, rel=0.15)
    assert Rescaled(ExternalScores({"d": 0.9}), 2.0).entail([Query((), "D", (), "d")])[0] == pytest.approx(0.75)


def test_at_a_temperature_each_answer_is_scaled_before_answers_are_combined():
    """Answers of .9 have the odds 9; at temperature 3 only 2, so that more of them are needed for a decision."""
    asked = []

    class Steady:
        name = "steady"

        def entail(self, queries):
            asked.extend(queries)
            return [0.9 for _ in queries]

    query = Query((), "D", (), "d")
    assert at_temperature(model=Steady(), temperature=1).name == "steady"
    Confirmed(Steady()).entail([query])
    first = len(asked)
    Confirmed(at_temperature(model=Steady(), temperature=3.0)).entail([query])
    assert len(asked) - first >= first
    with pytest.raises(ValueError, match="above 0"):
        at_temperature(model=Steady(), temperature=0)


def test_the_fitted_temperature_has_the_least_log_loss():
    scores, labels = np.array([0.99] * 12), np.array([1.0] * 9 + [0.0] * 3)
    best = fit_temperature(scores=scores, labels=labels)
    losses = {t: log_loss(scores=rescale(scores=scores, temperature=t), labels=labels) for t in (1.0, best, 20.0)}
    assert min(losses, key=losses.__getitem__) == best
    # At the best temperature what is stated comes true as often as it says: 9 of 12.
    assert rescale(scores=np.array([0.99]), temperature=best)[0] == pytest.approx(0.75, abs=0.01)


def test_the_seven_words_and_nothing_else_have_a_value():
    words = ["Very Likely", "likely", "SOMEWHAT LIKELY", "neutral", "somewhat unlikely", "Unlikely", "very  unlikely"]
    assert [read_likert(word) for word in words] == [1, 0.8, 0.6, 0.5, 0.4, 0.2, 0]
    assert read_likert("pass") == 0.5


def test_the_best_threshold_is_the_best_of_all_thresholds():
    rng = np.random.default_rng(2)
    scores = rng.random(60).round(1)
    sound = rng.random(60) < scores
    best = macro_f1(scores=scores, sound=sound, threshold=best_threshold(scores=scores, sound=sound))
    assert best == max(macro_f1(scores=scores, sound=sound, threshold=t) for t in np.linspace(0, 1.05, 211))
