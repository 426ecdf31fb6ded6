"""Givens that a step tells otherwise, formulas in words, and facts in new words: errors, and right lines like them."""

import pytest

from auditing.checker.findings import Verdict
from tests.unit.checker.readings import findings, is_doubted, is_refuted

BLOGGER = (
    "Last week she wrote 5 articles on Monday and 3 on Tuesday. On Wednesday, she wrote twice the number of articles "
    "she wrote on Tuesday. Each of her 20 readers, with 9 friends, pays 50 percent of the remaining fee."
)
EXPANDED = "Let's expand $(a+b+c)^3$."
# rule -> problem, traces with an error, traces of which none may be accused by this rule
FORMS = {
    "a given told otherwise": (
        BLOGGER,
        [
            ["She wrote three times the number of articles she wrote on Tuesday."],
            ["On Wednesday, she wrote triple the number of articles she wrote on Tuesday."],
            ["Each of her 20 readers, with 11 friends."],
            ["A reader pays 60 percent of the remaining fee."],
        ],
        [
            ["She wrote twice the number of articles she wrote on Tuesday."],
            ["She wrote 2 times the number of articles she wrote on Tuesday."],
            ["On Wednesday, she wrote double the number of articles she wrote on Tuesday."],
            ["If she wrote three times the number of articles she wrote on Tuesday, it were more."],
            ["Suppose that she wrote three times the number of articles she wrote on Tuesday."],
            ["She wrote 3 * 2 = 6 of the number of articles she wrote on Tuesday."],
            ["She wrote 6 articles on Wednesday."],
            ["Instead, she wrote three times the number of articles she wrote on Tuesday."],
            ["She did not write three times the number of articles she wrote on Tuesday."],
            ["Each of her 20 readers, with 9 friends, pays something."],
            ["Each of her 20 readers has 12 friends."],
            ["A reader keeps 50 percent of the remaining fee."],
            ["A reader pays 100 percent of the remaining fee."],
            ["A reader pays 25 percent of the remaining fee."],
            ["So a reader pays 62 percent of the remaining fee."],
            ["Each of her 20 readers, with 12 friends, pays something."],
            ["Each of her 40 readers, with 19 friends, pays something."],
        ],
    ),
    "filled formula": (
        "What is her salary?",
        [
            [
                "- Hourly wage: $20 - Weeks worked per year: 50 Earnings = Hourly wage * Weeks worked per year = "
                "$20 * 45 = $900"
            ],
            [
                "The total is: Cost of new sitter = Rate x Hours = $13 x 6 = $78",
                "Saved = Cost of old sitter - Cost of new sitter = $96 - $86 = $10",
            ],
            [
                "Pieces in bundles = 3 * 10 Pieces in bundles = 30",
                "Pieces = Pieces in bundles + Single pieces\nPieces = 28 + 8\nPieces = 36",
            ],
        ],
        [
            ["- Hourly wage: $20 - Weeks worked per year: 50 Earnings = Hourly wage * Weeks worked = $20 * 45 = $900"],
            ["Miles told = 70 20% of 70 = 14 miles", "Left = Miles told - Miles run = 70 - 14 = 56"],
            ["Pieces in bundles = 30", "Pieces = Pieces in bundles + Single pieces\nPieces = 30 + 8"],
            ["Pieces in bundles = 30", "Pieces = Pieces in bundles + Single pieces\nTotal = 28 + 8"],
            ["Pieces in bundles = 30", "Pieces = Pieces in bundles * Single pieces\nPieces = 28 + 8"],
            ["Pieces left = 30", "Pieces = Pieces left + Single pieces\nPieces = 28 + 8"],
            ["Pieces in bundles = 30", "Pieces in bundles = 28", "Sum = Pieces in bundles + Rest = 28 + 8 = 36"],
            ["Share = 25%", "Part = Share * Whole = 0.25 * 80 = 20"],
            ["Rate - 3: 5 apples", "Sum = Rate * Hours = 4 * 5 = 20"],
            ["Hours: 5 to 6", "Sum = Rate * Hours = 4 * 7 = 28"],
        ],
    ),
    "said to be expanded": (
        "Suppose that (a+b+c)^3 - a^3 - b^3 - c^3 = 150.",
        [[EXPANDED, "$(a+b+c)^3 = a^3 + b^3 + c^3 + 3(a^2b + ab^2 + ac^2 + bc^2 + ca^2) + 6abc$"]],
        [
            [EXPANDED, "$(a+b+c)^3 = a^3 + b^3 + c^3 + 3(a^2b + ab^2 + ac^2 + bc^2 + ca^2 + cb^2) + 6abc$"],
            [EXPANDED, "$(a+b+c)^3 = a^3 + b^3 + c^3 + 3(a+b)(b+c)(c+a)$"],
            [EXPANDED, "$(a+b+c)^3 = 150 + a^3 + b^3 + c^3$, since the problem says so"],
            [EXPANDED, "$(a+b)^3 = a^3 + b^3$ if $ab(a+b) = 0$"],
            [EXPANDED, "$a^3 + b^3 + c^3 = (a+b+c)^3 - 150$"],
            [EXPANDED, "When $a = -b$, $(a+b+c)^3 = c^3 + a - a + b - b$"],
            ["It can be expanded.", "$(a+b+c)^3 = a^3 + b^3 + c^3 + 150$"],
            [EXPANDED, "Given the sum, $(a+b+c)^3 = a + b + c$."],
            [EXPANDED, "$a = 2$"],
            ["Let's expand $(a+b)^2$.", "$(a+b)^2 = a^2 + 2ab + b^2$"],
        ],
    ),
    "compared twice": (
        "Which is the least?",
        [["- 12 is greater than 10, but it is smaller than 11."], ["12 is less than 15 and greater than 13."]],
        [
            ["12 is greater than 10, but it is smaller than 13."],
            ["12 is greater than 10 and not less than 11."],
            ["If 12 is greater than 10 and less than 11, we stop."],
            ["12 is greater than 10, but 9 is smaller than 11."],
            ["12 is greater than 10, but x is smaller than 11."],
            ["3 * 12 is greater than 10, and smaller than 11."],
            ["12 is greater than 10, but it is smaller than 11 * 2."],
            ["12 is greater than 10, but it is smaller than 11^2."],
            ["Is it true that 12 is greater than 10, but smaller than 11?"],
            ["Nobody says that 12 is greater than 10 but smaller than 11."],
        ],
    ),
    "numbers of a kind": (
        "What is the chance?",
        [["The even prime numbers are 2 and 6."], ["The odd numbers are 1, 3 and 4."]],
        [
            ["The even prime numbers are 2 and no other."],
            ["The odd numbers are 1, 3, 5, 7 and 9."],
            ["The prime numbers are 2, 3, 5 and 9 is not."],
            ["The odd numbers are 3 and 5 + 3 = 8."],
            ["The squares of the odd numbers are 9 and 16."],
            ["If the odd numbers are 2 and 4, nothing is left."],
            ["The reciprocals of prime numbers are 2 and 4."],
            ["The odd numbers are not 2 and 4."],
            ["How many of the odd numbers are 2 and 4?"],
            ["The sums of the odd numbers are 4 and 8."],
            ["The odd numbers are 1, 3, ..., 9."],
        ],
    ),
    "said and rewritten": (
        "Simplify.",
        [[r"The term $3*2^{20}$ can be written as $2^{21}$ (since $2^{21} = 2*2^{20}$), so it becomes smaller."]],
        [
            ["The term $3*2^{20}$ can be written as $2^{20} + 2^{21}$."],
            [r"The number $5\frac{1}{2}$ can be written as $\frac{11}{2}$."],
            ["The ratio $2/4$ can be written as $1:2$."],
            [r"The set $3 \cdot 4$ can be written as $\{1, 2\}$."],
            [r"The product $3 \cdot 4 \cdot 5$ can be written as $5!/2$."],
            [r"The product $3 \cdot 4 \cdot 5$ cannot be written as $5!/3$."],
            [r"The product $3 \cdot 4$ can be written as $3 \cdot 5$ if we add something."],
            ["The term $3x^2$ can be written as $3x * x$."],
            ["Can $3*2^{20}$ be written as $2^{21}$?"],
            ["The number $12$ can be written as $2^2 * 3$."],
        ],
    ),
    "said nearly": (
        "How many are there?",
        [["This simplifies to 200 * 3^(2.4), which is approximately equal to 200 * 11.61 or 2322."]],
        [
            ["This simplifies to 200 * 3^(2.4), which is approximately equal to 200 * 13.97 or 2794."],
            ["This simplifies to 200 * 3^(2.4), which is approximately 2793."],
            ["This simplifies to 200 * 3^(2.4), which is approximately 2800."],
            ["This simplifies to 200 * 3^(2.4), which is approximately 2.8 thousand."],
            ["This simplifies to 200 * 3^(2.4), which is approximately 14 times 200."],
            ["This simplifies to 200 * 3^(2.4), which is not approximately 2322."],
            ["If it were 200 * 3^(2.4), which is approximately 2322, we would stop."],
            ["We need 200 * 3^(2.4), which is approximately 93% of 3000."],
            ["We get x * 3^(2.4), which is approximately 2322."],
            ["We get 10 m * 2, which is approximately 66 feet."],
        ],
    ),
}
FALSE = [(rule, problem, trace) for rule, (problem, wrong, _) in FORMS.items() for trace in wrong]
RIGHT = [(rule, problem, trace) for rule, (problem, _, right) in FORMS.items() for trace in right]


@pytest.mark.parametrize(("rule", "problem", "trace"), FALSE)
def test_what_is_told_otherwise_is_accused(rule, problem, trace):
    # "after 5 hours the tank has 20 gallons" tells of another time in the problem's words
    is_certain = rule != "a given told otherwise"
    assert (is_refuted if is_certain else is_doubted)(*trace, problem=problem)
    assert rule in refuting_rules(trace, problem)


@pytest.mark.parametrize(("rule", "problem", "trace"), RIGHT)
def test_what_is_told_as_it_is_or_not_claimed_is_left_alone(rule, problem, trace):
    assert rule not in refuting_rules(trace, problem)


@pytest.mark.parametrize(
    "line",
    [
        "The number 144 is the total number of minutes in a day.",
        "The number of minutes in an hour is 50.",
        "Only Choice D of 8.02 is slightly less than 8.",
        "In all, 9.5 is much less than 8.",
    ],
)
def test_a_fact_in_new_words_is_accused(line):
    assert is_refuted(line)


@pytest.mark.parametrize(
    "line",
    [
        "The number 1440 is the total number of minutes in a day.",
        "The number of minutes in an hour is 60.",
        "The number of minutes in an hour is 60 times 1.",
        "The number of hours in a day is 8.",
        "45 is the number of minutes in a class.",
        "Only Choice D of 7.92 is slightly less than 8.",
        "20% of 50 is slightly less than 8.",
        "F = 30 * ((6,400,000 - 6,000) / 6,400,000)^2 = 29.94",
    ],
)
def test_a_fact_in_new_words_is_left_alone(line):
    assert not is_refuted(line)


@pytest.mark.parametrize(
    ("problem", "step"),
    [
        # three words on either side, and one before it with five behind it
        ("Here the baker sells 17 loaves through his window.", "We know the baker sells 23 loaves through his door."),
        ("Here 17 loaves leave through the open window.", "Well, here 23 loaves leave through the open door."),
    ],
)
def test_words_that_agree_are_counted_on_both_sides_of_a_number(problem, step):
    assert "a given told otherwise" in refuting_rules([step], problem)


def test_a_number_with_thousands_is_no_pair():
    assert is_refuted("F = 30 * ((6,400,000 - 6,000) / 6,400,000)^2 = 27.88")
    assert not is_refuted("So (192,120,360) = 24.")


def test_common_factors_of_both_lists_are_those_of_the_numbers_before():
    lists = "The factors of 12 are 1, 2, 3, 4, 6 and 12.\nThe factors of 18 are 1, 2, 3, 6, 9 and 18."
    assert is_refuted(lists, "The common factors from both lists are 1, 2, 3, 6 and 9.")
    assert not is_refuted(lists, "The common factors from both lists are 1, 2, 3 and 6.")
    prime = "The prime factors of 12 are 2 and 3.\nThe prime factors of 18 are 2 and 3."
    assert not is_refuted(prime, "The common factors from both lists are 2 and 3.")


def test_a_line_break_is_put_back_before_several_terms():
    line = "2x + 2y = 60 (2x + 2y) - (2y - 3x) = 60 - 5 2x - 3x = 55 -x = 55"
    assert is_refuted("We have 2x + 2y = 60 and 2y - 3x = 5.", f"Subtract: {line[13:]}")
    assert not is_refuted("We have 2x + 2y = 60 and 2y - 3x = 5.", "Subtract: 2x + 2y - (2y - 3x) = 60 - 5 5x = 55")


def refuting_rules(trace, problem):
    placed = findings(*trace, problem=problem)
    return {each.finding.evidence.rule for each in placed if each.finding.verdict is Verdict.REFUTED}
