"""Inequalities, curves, deeds to both sides, functions: right lines are left alone, false ones refuted with a proof."""

import json
from fractions import Fraction

import pytest

from auditing.checker.checks.said import extremes, function_values
from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.knowledge import Knowledge
from auditing.checker.mathematics.polynomial import ONE
from auditing.checker.reading.passages import script_of
from auditing.verifier.verify_proofs import RefusedError, check_lost_root
from hdag.core.values import Trace
from tests.unit.checker.readings import findings, is_doubted, is_refuted, stated

X, Y, XY = (("x", 1),), (("y", 1),), (("x", 1), ("y", 1))


@pytest.mark.parametrize(("problem", "steps"), stated("curves_and_sides", "+"))
def test_a_right_line_is_not_even_doubted(problem: str, steps: list[str]) -> None:
    assert not is_refuted(*steps, problem=problem)
    assert not is_doubted(*steps, problem=problem)


@pytest.mark.parametrize(("problem", "steps"), stated("curves_and_sides", "-"))
def test_a_false_line_is_accused_with_a_proof(problem: str, steps: list[str]) -> None:
    accusing = [item.finding for item in findings(*steps, problem=problem) if item.finding.accuses]
    assert accusing
    assert all(json.loads(finding.proof) for finding in accusing)


@pytest.mark.parametrize(("problem", "steps"), stated("curves_and_sides", "?"))
def test_what_no_labelled_step_has_measured_is_doubted_alone(problem: str, steps: list[str]) -> None:
    assert is_doubted(*steps, problem=problem)
    assert not is_refuted(*steps, problem=problem)


def test_the_line_and_not_the_words_decide() -> None:
    right, false = ("The curves intersect at $x = 2$.", "The curves intersect at $x = 3$.")
    problem = "Find the area between $y = x^2$ and $y = x + 2$."
    assert not is_doubted(right, problem=problem)
    assert is_refuted(false, problem=problem)


def test_values_that_several_equations_force_are_put_into_products() -> None:
    known = Knowledge()
    known.learn({X: Fraction(1), Y: Fraction(1), ONE: Fraction(-5)}, 0)
    known.learn({XY: Fraction(1), ONE: Fraction(-6)}, 1)
    assert known.contradiction({X: Fraction(1), ONE: Fraction(-1)}, 2) == frozenset((0, 1, 2))
    assert known.contradiction({X: Fraction(1), ONE: Fraction(-2)}, 2) is None


def test_a_question_asked_of_what_is_known_leaves_it_as_it_is() -> None:
    known = Knowledge()
    known.learn({X: Fraction(1), Y: Fraction(1), ONE: Fraction(-5)}, 0)
    known.learn({XY: Fraction(1), ONE: Fraction(-6)}, 1)
    before = [(dict(row.polynomial), row.sources) for row in known.rows]
    known.contradiction({X: Fraction(1), ONE: Fraction(-1)}, 2)
    assert [(dict(row.polynomial), row.sources) for row in known.rows] == before
    assert not known.values


@pytest.mark.parametrize(("relation", "holds"), [("<", True), ("<=", True), (">", False), (">=", False)])
def test_the_file_of_strangers_puts_a_value_into_an_inequality(relation: str, holds: bool) -> None:
    proof = {"left": ["*", "3", "x"], "right": "20", "relation": relation, "point": {"x": "6"}}
    if holds:
        check_lost_root(proof, "refuted")
    else:
        with pytest.raises(RefusedError):
            check_lost_root(proof, "refuted")


def test_a_rule_that_is_told_twice_is_none() -> None:
    rules = function_values.Rules()
    assert rules.learn(["f(x)", "x + 1"], "f(x) = x + 1")
    assert rules.closed("f(f(2))") is not None
    assert rules.learn(["f(x)", "x + 2"], "f(x) = x + 2")
    assert rules.closed("f(f(2))") is None


def test_calls_within_calls_have_a_bound() -> None:
    rules = function_values.Rules()
    rules.learn(["f(x)", "x^2 + x"], "f(x) = x^2 + x")
    depth = function_values.MAX_DEPTH
    assert rules.closed("f(" * depth + "x" + ")" * depth) is not None
    assert rules.closed("f(" * (depth + 1) + "x" + ")" * (depth + 1)) is None


def test_of_many_links_between_functions_the_first_are_told() -> None:
    text = "$f(x) = 2x$. " + "So $f(f(x)) = 4x$. " * (2 * function_values.MOST_LINKS)
    told = [
        placed
        for placed in examine_script(script=script_of(Trace("A problem.", thinking=text)))[0]
        if placed.finding.evidence.rule == function_values.RULE
    ]
    assert len(told) == function_values.MOST_LINKS


def test_what_is_beyond_the_integer_that_is_said_has_its_sign() -> None:
    step = "We need $n^2 > 50$. The smallest integer such that $n^2 > 50$ is $8$."
    assert not [item for item in findings(step) if item.finding.evidence.rule == extremes.RULE]


@pytest.mark.parametrize(
    "text",
    [
        "The curves intersect at " + "(1," * 6_000,
        "the smallest positive integer value of " * 500,
        "triangle with vertices at " + "(1,2), " * 2_800,
        "f(x) = 2x. " + "f(" * 5_000 + "x" + ")" * 5_000,
        "plugging " * 700 + " into " * 3_000,
        "x = 2. " + "Squaring both sides, we get x = 4. " * 550,
    ],
)
def test_hostile_texts_are_read_to_their_end(text: str) -> None:
    placed, failures = examine_script(script=script_of(Trace("A problem.", thinking=text[:20_000])))
    assert not failures
    assert all(item.finding.verdict in Verdict for item in placed)
