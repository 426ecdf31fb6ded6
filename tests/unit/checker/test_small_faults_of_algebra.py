"""What no test noticed when one sign or number of a check of algebra was changed (`make mutants`)."""

import pytest

from tests.unit.checker.readings import findings, is_refuted


def verdicts_by_rule(*steps: str, problem: str = "Solve.") -> dict[str, str]:
    placed = findings(*steps, problem=problem)
    return {item.finding.evidence.rule: item.finding.verdict.value for item in placed}


@pytest.mark.parametrize(("value", "verdict"), [("-2", "verified"), ("5", "refuted")])
def test_a_matrix_is_read_in_a_step_without_any_bracket(value: str, verdict: str) -> None:
    determinant = rf"\begin{{vmatrix}} 1 & 2 \\ 3 & 4 \end{{vmatrix}} = {value}"
    assert verdicts_by_rule(determinant)["components"] == verdict


@pytest.mark.parametrize("operator", [r"\frac{d}{dx}", "d/dx"])
@pytest.mark.parametrize(("derived", "verdict"), [("2x", "verified"), ("3x", "refuted")])
def test_a_derivative_is_judged_where_its_operator_is_written(operator: str, derived: str, verdict: str) -> None:
    assert verdicts_by_rule(f"{operator} x^2 = {derived}")["derivative"] == verdict


@pytest.mark.parametrize(
    ("step", "is_told"),
    [
        ("2(x + 3) = 2x + 5", True),
        ("2(x + 3) = 2x + 6", False),
        ("2(x + 3) = 2x + 5 (mod 7)", False),
        ("f(2) + 3 = f(2) + 5", False),  # f(2) may be anything to this check; the derivation refutes it
    ],
)
def test_sides_that_differ_by_a_number_are_told_of_expressions_in_plain_symbols(step: str, is_told: bool) -> None:
    assert ("differs by a number" in verdicts_by_rule(step)) is is_told


@pytest.mark.parametrize(
    ("step", "is_told"),
    [
        ("-2x < 6, so x < -3", True),
        ("-2x < 6, so x > -3", False),
        ("1 < -2x < 6, so x < -3", False),  # a chain states two inequalities
        ("x > 5, so x < -3", False),
    ],
)
def test_an_inequality_is_compared_with_the_single_inequality_before_it(step: str, is_told: bool) -> None:
    assert ("solutions of an inequality" in verdicts_by_rule(step)) is is_told


@pytest.mark.parametrize(
    ("step", "is_told"), [("2x + 3x = 6x", True), ("2x + 3x = 5x", False), ("0.333...x + 2x = 6x", False)]
)
def test_like_terms_are_added_up_where_every_number_is_written_out(step: str, is_told: bool) -> None:
    assert ("like terms" in verdicts_by_rule(step)) is is_told


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        (r"\(x = 1\) or \(x = 2\)", "refuted"),
        (r"\(x = 1\)", "not_applicable"),  # a single value may be the one that is asked for
        (r"\(x = 1\), \(x = 2\) or \(x = 3\)", None),
    ],
)
def test_a_list_of_all_solutions_that_leaves_a_root_out_is_refuted(listed: str, verdict: str | None) -> None:
    step = rf"We get \(x^3 - 6x^2 + 11x - 6 = 0\). The solutions are {listed}."
    assert verdicts_by_rule(step).get("root lost") == verdict


@pytest.mark.parametrize(("value", "is_told"), [("2336", True), ("2352", False)])
def test_a_computation_is_also_compared_with_the_next_line_where_its_symbol_stands_behind_it(
    value: str, is_told: bool
) -> None:
    assert ("same label, other value" in verdicts_by_rule(f"42 * 56 = c or c = {value}")) is is_told


def test_a_value_of_a_function_ends_at_its_bracket() -> None:
    assert is_refuted("f(2) = 5, so f(2) + 1 = 7")
    assert not is_refuted("f(2) = 5, so f(2) + 1 = 6")


def test_each_curve_of_a_problem_has_an_equation_of_its_own() -> None:
    """Two equations of one line contradict each other in one step alone; k is no coordinate."""
    problem = "A line and a circle are drawn."
    assert not is_refuted("y = 2x + 1 at first.", "Then y = 2x + 4.", problem=problem)
    assert is_refuted("y = 2x + 1 at first. Then y = 2x + 4.", problem=problem)
    assert is_refuted("3k + m = 4.", "We have 3k + m = 5.", problem=problem)


def test_a_rewriting_of_the_given_equation_is_held_against_it_and_not_against_the_last() -> None:
    placed = findings("We have 2x + 3y = 7.", "We have a + b = 9.", "Simplifying the given equation: 2x + 5y = 8.")
    (sentence,) = (
        item.finding.evidence.sentence for item in placed if item.finding.evidence.rule == "not the same equation"
    )
    assert sentence.startswith("2 * x + 5 * y = 8 is not 2 * x + 3 * y = 7 rewritten")


@pytest.mark.parametrize(
    ("equations", "value", "rival"),
    [
        (("x^2 + y = 5", "x = 2"), "y = 1", "y = 2"),  # the value of x is put into the equation before it
        (("4x + 6y = 20", "2x + 2y = 8"), "y = 2", "y = 3"),  # no coefficient is 1
    ],
)
def test_a_value_that_earlier_equations_force_contradicts_any_other(
    equations: tuple[str, str], value: str, rival: str
) -> None:
    assert not is_refuted(*equations, value)
    assert is_refuted(*equations, rival)


def test_a_product_of_glued_letters_ends_before_the_full_stop() -> None:
    placed = findings("1 + 3xy = 3xy.")
    assert {item.finding.evidence.read for item in placed} == {"1 + 3xy = 3xy"}
