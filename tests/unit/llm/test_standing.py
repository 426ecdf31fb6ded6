"""How a model stands as a judge: the alternative annotator test, drift that may be looked at any time, reliability."""

import random

import pytest
from scipy.stats import t as student

from auditing.research.qualification.core.alternative_annotator import find_test, student_below
from auditing.research.qualification.core.drift import watch
from auditing.research.qualification.core.reliability import calibration_error, error_correlation, reliability

ITEMS = [str(number) for number in range(60)]


def annotators(error, seed=1, people=4):
    """People who are each wrong with this probability about a truth that alternates."""
    rng = random.Random(seed)
    truth = {item: "pass" if int(item) % 2 else "fail" for item in ITEMS}
    return {
        f"p{number}": {item: noisy(label, error, rng) for item, label in truth.items()} for number in range(people)
    }, truth


def noisy(label, error, rng):
    other = "fail" if label == "pass" else "pass"
    return other if rng.random() < error else label


def test_students_distribution_is_that_of_the_textbooks():
    for freedom in (1, 2, 29, 30, 500):
        for t in (-6.0, -2.045, -0.3, 0.0, 1.0, 4.2):
            assert student_below(t=t, freedom=freedom) == pytest.approx(student.cdf(t, freedom), abs=1e-9)


def test_a_model_that_knows_the_truth_may_stand_in_for_everybody():
    people, truth = annotators(0.15)
    test = find_test(people=people, model=truth)
    assert (test.winning_rate, test.passes) == (1.0, True)
    assert all(person.model >= person.human for person in test.people)


def test_a_coin_may_stand_in_for_nobody():
    people, truth = annotators(0.05)
    rng = random.Random(7)
    test = find_test(people=people, model={item: noisy(label, 0.5, rng) for item, label in truth.items()})
    assert (test.winning_rate, test.passes) == (0.0, False)


def test_p_values_are_those_of_a_paired_t_test():
    people, truth = annotators(0.2)
    person = find_test(people=people, model=truth).people[0]
    differences = []
    for item in ITEMS:
        others = [labels[item] for name, labels in people.items() if name != person.person]
        mine, theirs = others.count(truth[item]), others.count(people[person.person][item])
        differences.append(int(theirs >= mine) - int(mine >= theirs))
    mean = sum(differences) / 60
    deviation = (sum((d - mean) ** 2 for d in differences) / 59) ** 0.5
    assert person.p == pytest.approx(student.cdf((mean - 0.15) / (deviation / 60**0.5), 59))


@pytest.mark.parametrize(("people", "items"), [(2, 60), (4, 29)])
def test_with_fewer_people_or_items_it_is_not_testable_yet(people, items):
    labels, truth = annotators(0.1, people=people)
    few = {name: {item: label for item, label in own.items() if int(item) < items} for name, own in labels.items()}
    assert find_test(people=few, model=truth) is None


def test_looking_after_every_vote_does_not_mislead():
    rng, misled = random.Random(3), 0
    for _ in range(100):
        votes = [rng.random() < 0.8 for _ in range(120)]
        sights = [watch(votes=votes[: count + 1]) for count in range(len(votes))]
        misled += any(sight.has_drifted(below=0.8) for sight in sights)
    assert misled <= 10  # five in a hundred are promised


def test_a_model_that_grew_worse_is_found_out():
    assert not watch(votes=[True] * 40).has_drifted(below=0.8)
    assert watch(votes=[True, False] * 40).has_drifted(below=0.8)
    assert not watch(votes=[]).has_drifted(below=0.8)


def test_reliability_tells_claims_from_what_was_right():
    bins = reliability(votes=[(0.95, True)] * 6 + [(0.95, False)] * 4 + [(1.0, True)] + [(0.5, False)])
    assert [(one.low, one.right.of) for one in bins] == [(0.5, 1), (0.9, 11)]
    assert calibration_error(bins=bins) == pytest.approx((abs(0.5 - 0) * 1 + abs(10.5 / 11 - 7 / 11) * 11) / 12)


def test_errors_on_other_items_say_nothing_about_each_other():
    rights = {"a": True, "b": False, "c": True}
    assert error_correlation(mine=rights, theirs={"x": True}).items == 0
    assert error_correlation(mine=rights, theirs={"a": False, "b": True, "c": False}).value == -1.0
    assert error_correlation(mine=rights, theirs=dict.fromkeys("abc", True)).value is None
