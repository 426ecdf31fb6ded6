"""The studies of this room run and say what they claim."""

from fractions import Fraction

import pytest

from auditing.core.model_tier.families import (
    Judgement,
    correlation_in_use,
    correlation_within,
    effective_votes,
    family_bias,
    paired_segments,
    seat_families,
)
from auditing.core.soundness.entailment import Oracle, Proved
from auditing.core.soundness.particles import certify
from auditing.research.soundness.core.thresholds import best_of
from auditing.research.soundness.services.proofs import prove
from auditing.research.studies.bias import run_bias
from auditing.research.studies.claimtrees import DEFAULT, run_claimtrees
from auditing.research.studies.instruments.claimtree_chains import follows, make_attempts
from auditing.research.studies.instruments.labelled import Labelled
from auditing.research.studies.instruments.runner import Run, find_studies
from auditing.research.studies.soundness import measure
from hdag.readers.records import read_record


def test_both_studies_are_found_by_name():
    assert {"claimtrees", "bias"} <= set(find_studies())


def test_the_study_of_claim_trees_prints_every_method_beside_the_papers_figures(monkeypatch):
    monkeypatch.setattr("auditing.research.studies.claimtrees.LENGTHS", (5, 10))
    report = run_claimtrees(Run(options={"chains": "10"}))
    assert len(report.tables) == 17
    beside = report.tables[0]
    assert beside.columns == ("row", "method", "line of 5", "line of 10")
    assert ["printed", "ARES-1", 0.873, 0.936] in [list(row) for row in beside.rows]
    assert report.tables[1].rows[0][0] == DEFAULT
    assert report.tables[1].rows[0][4] == 0.873
    assert report.passed
    assert all(float(row[1]) > 0.6 > float(row[3]) for row in report.tables[-3].rows)


@pytest.mark.parametrize("word", ["mean", "last"])
def test_the_best_of_several_chains_is_the_one_without_a_leap(word):
    for seed in range(6):
        attempts = make_attempts(length=9, count=4, seed=seed)
        assert sum(all(one.corrected) for one in attempts) == 1
        found = [certify(chain=one.chain, model=Oracle(follows), seed=1) for one in attempts]
        assert all(attempts[best_of(means=[getattr(one, word) for one in found])].corrected)
        local = [[claim.verdict(0.5) for claim in one.claims].count("local error") for one in found]
        assert sorted(local) == [0, 1, 1, 1]


def labelled(first_error):
    steps = ["There are 17 + 25 = 42 pens.", "Then 42 + 8 = 51 pens.", "So 51 + 1 = 53 pens."]
    fields = {"problem": "Anna has 17 pens, Ben has 25, Cleo has 8.", "steps": steps}
    return Labelled(read_record(fields, where="here"), first_error)


def test_steps_up_to_the_first_error_are_labelled_and_scored():
    found = measure(labelled=labelled(1), model=Proved(prove), seed=1)
    assert found.sound.tolist() == [True, False]
    assert found.scores["Soundness"][1] == 0.0 < found.scores["Soundness"][0]
    assert measure(labelled=labelled(None), model=Proved(prove), seed=1).sound.tolist() == [True] * 3


def test_the_study_of_bias_finds_the_planted_bias():
    assert run_bias(Run()).passed


def test_no_family_judges_its_own_trace_and_families_differ_as_far_as_they_reach():
    assert seat_families(families=["a", "b", "c"], author="a", seats=2) == (1, 2)
    assert seat_families(families=["a", "a"], author="a", seats=2) == ()
    assert seat_families(families=["a", "b"], author="", seats=3) == (0, 1, 0)


def test_votes_that_always_agree_count_once():
    votes = [Judgement("a", "b", True, str(n), n % 3 == 0) for n in range(30) for _ in range(3)]
    assert correlation_within(judgements=votes) == 1.0
    assert effective_votes(votes=3, correlation=1.0) == 1.0


def test_the_measured_correlation_counts_and_is_never_nothing():
    believed = Fraction(42, 100)
    figures = [correlation_in_use(measured=0.8, segments=n, believed=believed) for n in (0, 20, 1000)]
    assert figures == [believed, Fraction(61, 100), Fraction(79, 100)]
    assert correlation_in_use(measured=0.0, segments=10**6, believed=Fraction(0)) == Fraction(1, 100)
    votes = [Judgement("a", "b", True, segment, known) for segment, known in (("1", True), ("1", False), ("2", True))]
    assert paired_segments(judgements=votes) == 1


def test_the_error_of_a_bias_is_that_of_two_shares():
    """Own 3 of 4, others 1 of 5: sqrt(.75 * .25 / 4 + .2 * .8 / 5)."""
    votes = [Judgement("a", "a", number < 3) for number in range(4)]
    votes += [Judgement("a", "b", number < 1) for number in range(5)]
    bias = next(row for row in family_bias(judgements=votes) if row.family == "a")
    assert bias.bias == pytest.approx(0.55)
    assert bias.error == pytest.approx((0.75 * 0.25 / 4 + 0.2 * 0.8 / 5) ** 0.5)


def test_bias_is_unknown_without_votes_on_both_sides():
    assert family_bias(judgements=[Judgement("a", "a", True)])[0].bias is None
    assert correlation_within(judgements=[Judgement("a", "a", True)]) is None
