"""Forms that say a thing again: labels behind a chain, "is equivalent to", computations over lines, products.

Each with an error that is refuted for certain, and what is near it and right.
"""

import cProfile
import json
import pstats
import re

import pytest

from auditing.checker.checks.numbers.remainders import _LEFT_BY
from auditing.checker.examination import examine_script
from auditing.checker.findings import Verdict
from auditing.checker.mathematics.vocabulary import are_factors
from auditing.checker.reading.passages import Passage, script_of
from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from hdag.core.values import Source
from hdag.readers.records import read_record
from tests.tools.sweeping import sampled
from tests.unit.checker.readings import findings, is_doubted, is_refuted

# form -> steps with an error, and steps that nobody may accuse
FORMS = {
    "an arrow to a label": (["24 + 6 = 31 → total"], ["24 + 6 = 30 → total", "24 + 6 = 31 → 62 in both"]),
    "an arrow from a label": (["24 + 6 = 31 ← total"], ["24 + 6 = 30 <- total"]),
    "a dash and a label": (["24 + 6 = 31 — the total"], ["24 + 6 = 40 - the discount"]),
    "a label set off": (["24 + 6 = 31 *apples*"], ["24 + 6 = 30 * the apples of each"]),
    "a quoted label": (['24 + 6 = 31 "apples"'], ['Then 24 + 6 = 30 "apples"']),
    "a number sign": (["24 + 6 = 31 # of apples"], ["24 + 6 = 30 # of apples"]),
    "a tick": (["24 + 6 = 31 ✓"], ["24 + 6 = 30 ✓"]),
    "or approximately": (
        ["The probability is (1/4)^4 = 0.00006 or approximately 1 in 16,384."],
        ["The probability is (1/4)^4 = 0.004 or approximately 1 in 256.", "It is 3 * 4 = 10 or roughly a dozen."],
    ),
    "one expression and another": (
        ["So $(x + 1)^2$, which is equivalent to $x^2 + 2x + 2$."],
        ["So $(x + 1)^2$, which is equivalent to $x^2 + 2x + 1$."],
    ),
    "an expression, or equivalently another": (
        ["The area is $2(x + 3)$, or equivalently $2x + 5$."],
        ["The area is $2(x + 3)$, or equivalently $2x + 6$."],
    ),
    "one equation and another": (
        ["$x^2 + y^2 = 5$, which is equivalent to $x^2 = 5 + y^2$."],
        ["$x^2 + y^2 = 5$, which is equivalent to $x^2 = 5 - y^2$.", "$x^2 = 9$ is equivalent to $x = 3$ or $x = -3$."],
    ),
    "an equation solved for a symbol": (
        ["mv^2/r = μmg. Solving this for m gives: m = μv^2/(rg)."],
        ["mv^2/r = μmg. Solving this for r gives: r = v^2/(μg)."],
    ),
    "a computation over lines": (
        ["x = 3/4 + 1/6 + 1/12\nx = 9/12 + 2/12"],
        ["x = 3/4 + 1/6 + 1/12\nx = 9/12 + 3/12", "x = 3 + 4 + 5, or\nx = 2 * 7"],
    ),
    "a labelled computation over lines": (
        ["Remaining capacity = 135 kg - (100 kg + 25 kg + 4 kg)\nRemaining capacity = 135 kg - 130 kg"],
        ["Remaining capacity = 135 kg - (100 kg + 25 kg + 4 kg)\nRemaining capacity = 135 kg - 129 kg"],
    ),
    "products of two letters": (
        ["Expand: (a + b)^2 = a^2 + ab + b^2", "Factor: ab + ac = a(b + c + 1)"],
        ["Expand: (a + b)^2 = a^2 + ab + ba + b^2", "Factor: ab + ac = a(b + c)", "So a + b = 5, so we add 5 mg."],
    ),
    "a factor taken out": (
        ["Then we get $23x^3 - 46x^2 + 69x - 92 = 46(x^3 - 2x^2 + 3x - 4)$."],
        ["Then we get $23x^3 - 46x^2 + 69x - 92 = 23(x^3 - 2x^2 + 3x - 4)$."],
    ),
    "what is called a term": (
        [r"The nth term $\frac{n}{2^n} = \frac{1}{2^{n-1}}$."],
        [r"The nth term $\frac{2n}{2^n} = \frac{n}{2^{n-1}}$.", "Find where the sum $x + 1 = 2x$."],
    ),
    "an equation simplified on one side": (
        ["We simplify the equation by canceling: sin(2θ) = 2sin(θ)cos(θ) = sin²(θ)/cos(θ)."],
        ["We simplify the equation by canceling: 2sin(θ)cos(θ)/2 = sin(θ)cos(θ) = cos(θ)sin(θ)."],
    ),
    "a division of whole numbers": (
        ["The sum is 1023/512 = 1.9999995."],
        ["The sum is 1023/512 = 1.998.", "Each pays $100/12 = $8.33."],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_error_in_this_form_is_refuted(form: str) -> None:
    wrong, _ = FORMS[form]
    assert [step for step in wrong if not is_refuted(step)] == []


@pytest.mark.parametrize("form", FORMS)
def test_what_is_near_it_and_right_is_not(form: str) -> None:
    _, right = FORMS[form]
    assert [step for step in right if is_refuted(step) or is_doubted(step)] == []


@pytest.mark.parametrize("form", FORMS)
def test_an_error_in_this_form_has_a_proof_that_the_file_re_checks(form: str) -> None:
    assert reasons_of(*FORMS[form][0]) == {""}


def reasons_of(*steps: str, problem: str = "A problem.") -> set[str]:
    """Why the verifier's file refuses a proof of these steps: empty for each that it computed again."""
    trace = read_record({"id": "t", "problem": problem, "steps": list(steps)}, where="test")
    record = json.loads(json.dumps({"id": "t", **audit_trace(trace=trace)}))
    return {reason for _, reason in check_record(record)}


LABELLED = {
    "a sum and its total": (["Total = 27 + 22 + 11", "Total = 61."], ["Total = 27 + 22 + 11", "Total = 60."]),
    "steps with numbers": (
        ["Step 1: Total score = 89 + 71 + 92", "Step 2: Total score = 251"],
        ["Step 1: Total score = 89 + 71 + 92", "Step 2: For Bob, total score = 251"],
    ),
    "words in a formula": (
        [r"\[ \text{Pink balls} = 4 \times 12 + 22 \]", r"\[ \text{Pink balls} = 71 \]"],
        [r"\[ \text{Pink balls} = 4 \times 12 + 22 \]", r"\[ \text{Red balls} = 71 \]"],
    ),
    "within a step": (
        ["This gives us total shells = 27 + 22 + 11. Therefore, total shells = 61."],
        ["This gives us total shells = 27 + 22 + 11. Then he finds 1, so total shells = 61."],
    ),
    "a quotient with its label": (
        ["Shells per person = 60 / 3. Therefore, shells per person = 21."],
        ["The score = 3/4. The score = 5.", "Total cost = 20/4. Total cost with tax = 6."],
    ),
    "a time": (
        ["Time = 100/30 hours", "Time = 210 minutes"],
        ["Time = 100/30 hours", "Time = 200 minutes"],
    ),
    "money": (["Cost = 3 * $2.50. Cost = $8.50"], ["Cost = 3 * $2.50. Cost = 750 cents"]),
    "a whole number of boxes": (
        ["The number of boxes = 100/30", "The number of boxes = 5"],
        ["The number of boxes = 100/30", "The number of boxes = 4"],
    ),
    "a percentage": (["Growth = 15/100", "Growth = 16"], ["Growth = 15/100", "Growth = 15"]),
    "millions": (
        ["Population = 3 * 1100000", "Population = 3400000"],
        ["Population = 3 * 1100000", "Population = 3.3"],
    ),
    "a clock": (["Time = 9 + 5", "Time = 15"], ["Hour = 9 + 5", "Hour = 2"]),
    "a line that goes on": (["The boxes = 100/30", "= 5"], ["The boxes = 100/30", "= 4"]),
    "another case": (["Age = 27 + 22", "Age = 61."], ["Age = 27 + 22", "Case 2: Age = 61."]),
    "what is left": (["Apples = 27 - 22", "Apples = 6"], ["Apples left = 27 - 22", "Apples left = 6"]),
    "an equation in words": (
        ["His age = 2 * 9 - 10", "His age = 9"],
        ["So his age = 2 his age - 10", "So -his age = -10", "f(a, total = 3 + 4), total = 8"],
    ),
}


@pytest.mark.parametrize("form", LABELLED)
def test_a_label_keeps_the_value_that_was_computed_for_it(form: str) -> None:
    wrong, right = LABELLED[form]
    assert is_refuted(*wrong)
    assert reasons_of(*wrong) == {""}
    assert not is_refuted(*right)
    assert not is_doubted(*right)


GIVEN = "If $x^2 - x - 1 = 0$, what is the value of $x^3 - 2x + 1$?"


def test_what_no_solution_of_the_given_equation_solves_contradicts_it() -> None:
    values = r"So x can be $\frac{1 + \sqrt{5}}{2}$ or $\frac{1 - \sqrt{5}}{2}$."
    assert is_refuted(values, "We have $x^3 - 2x + 1 = x(x + 1) - 2x - 1$.", problem=GIVEN)
    assert not is_refuted(values, "We have $x^3 - 2x + 1 = x(x + 1) - 2x + 1$.", problem=GIVEN)
    assert reasons_of("We have $x^3 - 2x + 1 = x(x + 1) - 2x - 1$.", problem=GIVEN) == {""}


def test_a_given_equation_in_roots_excludes_nothing() -> None:
    problem = r"Solve $x = \sqrt{11 - 2x} + 4$."
    assert not is_refuted(r"So $(x - 4)^2 = 11 - 2x$.", problem=problem)


def test_a_slip_in_solving_is_one_of_the_line_that_solves() -> None:
    steps = ["She bikes 12 * 4.5 = 54 miles, so 54 + 2.5x = 79."]
    assert is_refuted(*steps, "Solving for x, we get: x = 12.", problem="She bikes 12 miles an hour, 79 in all.")
    assert not is_refuted(*steps, "Solving for x, we get: x = 10.", problem="She bikes 12 miles an hour, 79 in all.")


def test_a_step_that_simplifies_the_line_before_it_computes_the_same() -> None:
    before = "Step 2: F = 2 * (3 + 4) * 5"
    assert is_refuted(before, "Step 3: Simplify the equation: F = 2 * 6 * 5")
    assert not is_refuted(before, "Step 3: Simplify the equation: F = 2 * 7 * 5")
    assert not is_refuted(before, "Step 3: Another force: F = 2 * 6 * 5")


def test_brackets_that_a_line_has_lost_accuse_nobody() -> None:
    lines = "WAM = (1 * 30 + 2 * 90 + 3 * 180 + 4 * 360) / 10\nWAM = 30 + 180 + 540 + 1440 / 10"
    assert not is_refuted(lines)


def test_congruent_triangles_leave_no_remainders() -> None:
    problem = "How many non-congruent triangles are there with sides of 2, 4 and 6?"
    assert is_refuted("It works because 2 + 4 > 6.", problem=problem)
    assert Passage(Source.PROBLEM, 0, "17 is congruent to 2").is_modular
    assert not Passage(Source.PROBLEM, 0, problem).is_modular


def test_a_symbol_with_an_index_is_no_ring() -> None:
    line = "z_1/z_2 + z_2/z_1 = 1. Multiplying both sides by z_1 z_2, we get z_1 z_2 + z_2 z_1 = z_1 z_2."
    assert is_refuted(line)
    assert Passage(Source.PROBLEM, 0, "In Z_5 we have 3 + 4 = 2").is_modular


@pytest.mark.parametrize(
    "text",
    [
        "When n is divided by 5, the remainder is 7.",
        "When n is divided by 5, the remainder is -3.",
        "The number n leaves a remainder of 5 when divided by 5.",
        "Dividing n by 5 leaves a remainder of 12.",
    ],
)
def test_a_number_that_is_no_remainder_is_doubted_and_accuses_nobody(text: str) -> None:
    rules = {placed.finding.evidence.rule for placed in findings(text) if placed.finding.doubts}
    assert "no remainder" in rules
    assert not is_refuted(text)


@pytest.mark.parametrize(
    "text",
    [
        "When n is divided by 5, the remainder is 4.",
        "When n is divided by x - 5, the remainder is 7.",
        "The number n leaves a remainder of 3 when divided by 5.",
        "When n is divided by 5, the remainder is 7x.",
    ],
)
def test_a_remainder_below_its_divisor_is_not_doubted(text: str) -> None:
    assert not is_doubted(text)


def test_money_that_is_rounded_up_accuses_nobody() -> None:
    assert not is_refuted("Each pays $100/12 = $8.34.")


def test_words_and_units_are_no_products() -> None:
    text = "a + b = c, so we add 5 kg / dm and by = is"
    assert [
        word for word in ("so", "we", "kg", "dm", "by", "is") if are_factors(text, word, at := text.index(word), at + 2)
    ] == []


FRAGMENTS = [
    "divided by 5 ",
    "the remainder is 7 when ",
    "which is equivalent to ",
    "24 + 6 = 31 → ",
    "ab + ",
    "x = 3/4 + 1/6 + 1/12\n",
    "= 31 * ",
    "congruent triangles ",
    "Solving for x, x = 3. ",
    "a+b=ab ",
    "(a+b)^2 = a^2 + ab + b^2, or equivalently, ",
]


@pytest.mark.parametrize("fragment", sampled(FRAGMENTS, one_in=4))
def test_twice_as_many_of_a_fragment_take_twice_the_work(fragment: str) -> None:
    def calls(size: int) -> int:
        steps = [fragment * (size // len(fragment))]
        script = script_of(read_record({"id": "t", "problem": "", "steps": steps}, where="test"))
        profile = cProfile.Profile()
        profile.runcall(examine_script, script=script)
        return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]  # the stubs leave it out

    calls(8_000)  # patterns are made when they are used for the first time
    assert calls(8_000) < 2.4 * calls(4_000)


def test_patterns_of_remainders_end_within_their_sentence() -> None:
    assert all(re.search(pattern, "divided by 5. The remainder is 7") is None for pattern in _LEFT_BY)
    assert Verdict.REFUTED not in {placed.finding.verdict for placed in findings("Divide by 5. The remainder is 7.")}
