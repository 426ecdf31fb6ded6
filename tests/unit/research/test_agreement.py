"""Agreement equals published tables, the PyPI reference and hand calculation, and says when it is undefined."""

from fractions import Fraction

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from auditing.research.agreement.core import (
    Coefficient,
    VoteTableRefusedError,
    compare_pairs,
    estimate_agreement,
    measure_agreement,
    tabulate_votes,
)

FLEISS_1971 = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
_ = None
KRIPPENDORFF_2011 = [  # four observers, twelve units
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
VOTES_2011 = [
    (unit, observer, value)
    for observer, row in enumerate(KRIPPENDORFF_2011)
    for unit, value in enumerate(row)
    if value is not None
]
COUNTS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, 4), min_size=width, max_size=width), min_size=2, max_size=12)
)


def exact_fleiss(rows: list[list[int]]) -> Fraction:
    """Fleiss (1971) for equal numbers of votes, in fractions."""
    n, size = sum(rows[0]), len(rows)
    observed = sum(Fraction(sum(x * (x - 1) for x in row), n * (n - 1)) for row in rows) / size
    expected = sum(Fraction(sum(column), n * size) ** 2 for column in zip(*rows, strict=True))
    return (observed - expected) / (1 - expected)


def exact_ac1(rows: list[list[int]]) -> Fraction:
    """Gwet (2008) for any numbers of votes, in fractions."""
    paired = [row for row in rows if sum(row) >= 2]
    observed = sum(Fraction(sum(x * (x - 1) for x in row), sum(row) * (sum(row) - 1)) for row in paired) / len(paired)
    voted = [row for row in rows if sum(row)]
    shares = [sum(Fraction(row[q], sum(row)) for row in voted) / len(voted) for q in range(len(rows[0]))]
    expected = sum(share * (1 - share) for share in shares) / (len(shares) - 1)
    return (observed - expected) / (1 - expected)


def test_fleiss_kappa_equals_the_table_of_1971():
    found = measure_agreement(counts=np.array(FLEISS_1971))[Coefficient.FLEISS_KAPPA].value
    assert found == pytest.approx(float(exact_fleiss(FLEISS_1971)), abs=1e-12)
    assert found == pytest.approx(0.2099, abs=5e-5)


def test_the_example_of_krippendorff_gives_the_printed_coefficients():
    counts = tabulate_votes(votes=VOTES_2011, categories=[1, 2, 3, 4, 5]).counts()
    found = {name: estimate.value for name, estimate in measure_agreement(counts=counts).items()}
    assert found[Coefficient.ALPHA_NOMINAL] == pytest.approx(0.743, abs=5e-4)
    assert found[Coefficient.ALPHA_ORDINAL] == pytest.approx(0.815, abs=5e-4)
    assert found[Coefficient.GWET_AC1] == pytest.approx(0.77544, abs=5e-6)
    assert found[Coefficient.FLEISS_KAPPA] == pytest.approx(0.76117, abs=5e-6)
    assert found[Coefficient.GWET_AC1] == pytest.approx(float(exact_ac1(counts.tolist())), abs=1e-12)


@given(COUNTS)
@settings(max_examples=80, deadline=None)
def test_alpha_equals_the_pypi_reference_on_any_table(rows):
    counts = np.array(rows)
    paired = counts[counts.sum(axis=1) >= 2]
    assume(len(paired) and (paired.sum(axis=0) > 0).sum() >= 2)
    found = measure_agreement(counts=counts)
    assume(found[Coefficient.ALPHA_NOMINAL].items >= 2)
    for name, level in ((Coefficient.ALPHA_NOMINAL, "nominal"), (Coefficient.ALPHA_ORDINAL, "ordinal")):
        expected = krippendorff.alpha(value_counts=counts, level_of_measurement=level)
        assert found[name].value == pytest.approx(expected, abs=1e-9)


@given(st.permutations(range(10)), st.permutations(range(5)))
@settings(max_examples=20, deadline=None)
def test_nominal_coefficients_ignore_the_order_of_items_and_categories(items, categories):
    moved = np.array(FLEISS_1971)[list(items)][:, list(categories)]
    before, after = measure_agreement(counts=np.array(FLEISS_1971)), measure_agreement(counts=moved)
    for name in (Coefficient.FLEISS_KAPPA, Coefficient.GWET_AC1, Coefficient.ALPHA_NOMINAL):
        assert after[name].value == pytest.approx(before[name].value, abs=1e-12)


def test_perfect_agreement_is_one_in_every_coefficient():
    found = measure_agreement(counts=np.array([[3, 0], [0, 3], [3, 0]]))
    assert [estimate.value for estimate in found.values()] == pytest.approx([1, 1, 1, 1])


def test_one_category_only_leaves_kappa_undefined_with_a_sentence_but_not_ac1():
    found = measure_agreement(counts=np.array([[3, 0], [2, 0]]))
    assert found[Coefficient.FLEISS_KAPPA].value is None
    assert "one category" in found[Coefficient.FLEISS_KAPPA].sentence
    assert found[Coefficient.GWET_AC1].value == 1


@pytest.mark.parametrize(("rows", "words"), [([[1, 0], [0, 1]], "no item has two votes"), ([[2, 0]], "only 1 of the")])
def test_too_little_overlap_is_said_in_a_sentence(rows, words):
    found = measure_agreement(counts=np.array(rows))
    assert all(estimate.value is None and words in estimate.sentence for estimate in found.values())


def test_the_same_seed_gives_the_same_interval_and_it_contains_the_point():
    counts = np.array(FLEISS_1971 * 8)
    first, second = (estimate_agreement(counts=counts, rng=np.random.default_rng(5)) for _ in range(2))
    assert first == second
    assert all(e.low < e.value < e.high for e in first.values())


def test_bootstrap_on_distinct_rows_has_the_spread_of_drawing_items_one_by_one():
    counts, rng = np.array(FLEISS_1971 * 4), np.random.default_rng(1)
    naive = [measure_agreement(counts=counts[rng.integers(0, 40, 40)])[Coefficient.GWET_AC1].value for _ in range(1500)]
    fast = estimate_agreement(counts=counts, rng=rng, resamples=1500)[Coefficient.GWET_AC1]
    assert (fast.low, fast.high) == pytest.approx(tuple(np.quantile(naive, [0.025, 0.975])), abs=0.02)


def test_pairs_have_cohens_kappa_over_their_shared_items_only():
    pairs = [("pass", "pass")] * 20 + [("pass", "fail")] * 5 + [("fail", "pass")] * 10 + [("fail", "fail")] * 15
    votes = [(n, who, said) for n, pair in enumerate(pairs) for who, said in zip("ab", pair, strict=True)]
    votes += [(100 + n, "a", "fail") for n in range(30)] + [(0, "c", "pass")]
    matrix = compare_pairs(table=tabulate_votes(votes=votes, categories=["fail", "pass"]))
    found = matrix.pair(first="a", second="b")
    assert (found.shared, found.agreement, found.kappa) == (50, pytest.approx(0.7), pytest.approx(0.4))
    assert matrix.pair(first="b", second="a") == found
    assert "Fewer than 5 shared items (1)" in matrix.pair(first="a", second="c").sentence


def test_two_votes_of_one_auditor_on_one_item_are_refused_by_name():
    with pytest.raises(VoteTableRefusedError, match="auditor 'a' has more than one vote on item 's1'"):
        tabulate_votes(votes=[("s1", "a", 0), ("s1", "b", 0), ("s1", "a", 1)], categories=[0, 1])


def test_abstentions_are_left_out_and_counted():
    table = tabulate_votes(votes=[("s", "a", 0), ("s", "b", "abstain")], categories=[0, 1])
    assert table.left_out == 1
    assert table.counts().tolist() == [[1, 0]]
