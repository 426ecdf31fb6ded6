"""The studies of this room run and say what they claim."""

from auditing.core.families import Judgement, correlation_within, effective_votes, family_bias, seat_families
from auditing.studies.bias import run_bias
from auditing.studies.claimtrees import DEFAULT, run_claimtrees
from auditing.studies.runner import Run, find_studies


def test_both_studies_are_found_by_name():
    assert {"claimtrees", "bias"} <= set(find_studies())


def test_the_study_of_claim_trees_prints_every_method_beside_the_papers_figures(monkeypatch):
    monkeypatch.setattr("auditing.studies.claimtrees.LENGTHS", (5, 10))
    report = run_claimtrees(Run(options={"chains": "10"}))
    assert len(report.tables) == 5
    assert report.tables[0].rows[0][0] == DEFAULT
    assert report.passed


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


def test_bias_is_unknown_without_votes_on_both_sides():
    assert family_bias(judgements=[Judgement("a", "a", True)])[0].bias is None
    assert correlation_within(judgements=[Judgement("a", "a", True)]) is None
