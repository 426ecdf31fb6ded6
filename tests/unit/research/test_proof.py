"""PROOF scores: judges, audits and experts on one scale."""

import pytest

from auditing.research.rado.core import Scores, compare_with_experts, proof_score


def test_proof_scores_average_three_aspects_and_map_the_audit_to_one_to_seven():
    proof = proof_score(judges={"a": Scores(6, 7, 5), "b": Scores(7, 7, 7)}, audit_score=1.0)
    assert (proof.score, proof.spread) == (pytest.approx(20 / 3), 1)
    with pytest.raises(ValueError, match="between 1 and 7"):
        Scores(0, 4, 4)


def test_models_are_compared_with_the_experts_means():
    found = compare_with_experts(experts=[{"a": 6, "b": 7}, {"a": 5, "b": 5}], models=[7.0, 4.0])
    assert (found.deviation, found.absolute_deviation, found.experts) == (-0.25, 0.75, 5.75)
    assert found.kappa.value == pytest.approx(0.2)
