"""RADO: training rows of several iterations: whose models they name, what is one sample, what is no pair."""

from dataclasses import replace

from auditing.research.rado.core import accumulate, dialogue_row, preference_pairs
from auditing.research.rado.core.evaluations import Correction
from tests.unit.research.test_rado import SOURCES, sample


def test_a_text_found_right_and_wrong_is_not_set_against_itself():
    twins = [sample("a"), sample("b", score=0), sample("c", score=0, scores=(1, 1))]
    rows = preference_pairs(samples=twins, sources=SOURCES, most=1)
    assert [(row["chosen"][:6], row["rejected"][:6]) for row in rows] == [("[0, 0]", "[1, 1]")]


def test_each_row_names_the_models_of_its_own_iteration():
    wrong = replace(sample("b", score=0, scores=(1, 1)), iteration=1)
    (pair,) = preference_pairs(samples=[sample("a"), wrong], sources=SOURCES)
    assert (pair["meta"]["reward_model"], pair["meta"]["audit_model"]) == ("rm-2", "am-2")
    assert dialogue_row(audited=sample("a"), sources=SOURCES)["meta"]["reward_model"] == "rm-1"


def test_another_evaluation_under_the_same_id_is_another_sample():
    first, second = sample("a"), sample("a", scores=(1, 1))
    assert accumulate(iterations=[[first], [second]]) == [first, second]


def test_a_sample_that_is_handed_in_again_does_not_lose_a_persons_word():
    corrected = sample("a", correction=Correction(0, "person-1"))
    assert accumulate(iterations=[[corrected], [sample("a")]]) == [corrected]
