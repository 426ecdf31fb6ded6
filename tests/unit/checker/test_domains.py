"""Finite domains that a trace states: orders of objects, sorted words, bracket stacks; formulas in words."""

import pytest

from tests.unit.checker.readings import is_refuted, verdicts

BIRDS = (
    "The following statements each describe a set of three objects arranged in a fixed order. The statements are "
    "logically consistent.\n- On a branch, there are three birds: an owl, a crow, and a hawk.\n"
    "- The crow is to the left of the owl.\n- The hawk is the rightmost.\nQ: which is correct?"
)
FALSE = {
    "a place by the statements": (["So from left to right: first is the owl, then second is the crow."], BIRDS),
    "a place counted from the other end": (["So from right to left: first is the crow."], BIRDS),
    "a letter's place": (['The second letter: "kitten": "i" (8). "cat": "a" (1).'], ""),
    "a wrong letter": (['The second letter: "kitten": "t" (20). "cat": "a" (1).'], ""),
    "a word in another group": (['We now have: (2) ["being" ? "widen"] < (3) "cider".'], ""),
    "a word listed twice": (['Hence, we have "anne" < "bob" < "bob" < "cider".'], ""),
    "a closing bracket left on the stack": (["stack: empty", "( ; stack: (", ") ; stack: ( )"], "( ) ["),
    "an end that is none": (["stack: empty", "( ; stack: (", 'The final stack is "(".'], "( ["),
    "brackets popped in another order": (
        [
            "stack: empty",
            "( ; stack: (",
            "[ ; stack: ( [",
            'The final stack is "( [".',
            'We will need to pop out "(", "[" one by one in that order.',
        ],
        "( [",
    ),
    "a formula filled wrongly": (
        ["Weeks worked per year: 50", "Pay = Pay per week * Weeks worked per year = $20 * 45 = $900"],
        "",
    ),
    "a label computed before": (
        ["Cost of the new car = 72 + 6 = $78", "Saved = Cost of the old car - Cost of the new car = $96 - $86"],
        "",
    ),
    "a week of six days": (["There are 6 days in a week."], ""),
    "a rounded value": (["The integer closest to 4.64 is 4."], ""),
    "a product with i": (["(1+2i)6 = 1 * 6 + 2i * 6 = 6 + 6i"], ""),
}
TRAPS = {
    "the true order": (["So from left to right: first is the crow, then second is the owl, third is the hawk."], BIRDS),
    "an open place": (["So from left to right: first can be any bird, then second is an unknown bird."], BIRDS),
    "letters of a later place": (['The third letter: "kitten": "t" (20). "cat": "t" (20).'], ""),
    "a group by its third letter": (['We now have: (20) ["kitten" ? "cat"] < (21) "aqua".'], ""),
    "a formula filled rightly": (
        ["Weeks worked per year: 50", "Pay = Pay per week * Weeks worked per year = $20 * 50 = $1000"],
        "",
    ),
    "a label with two values": (
        ["Price: 5", "Price: 6", "Cost = Price * Number of days = 7 * 3 = 21"],
        "",
    ),
    "a percentage as a share": (["Tax rate: 5%", "Tax = Tax rate * Price paid = 0.05 * 20 = 1"], ""),
    "a number that was computed": (
        ["Then 2 * 30 = 60 apples from the tallest trees are left."],
        "He picks 30 apples from the tallest trees.",
    ),
    "a number that follows from two": (
        ["Kathy picks 10 quarts of strawberries per hour."],
        "Ann picks 5 quarts; 2 times; 6 quarts of strawberries per hour.",
    ),
    "a working week": (["Since there are 5 days in a week, 320 / 5 = 64."], ""),
    "a school week": (["There are 5 days in a school week."], ""),
    "i as an index": (["a_i = i + 1, so i = 3"], ""),
}


@pytest.mark.parametrize("name", FALSE)
def test_this_is_refuted(name):
    steps, problem = FALSE[name]
    assert is_refuted(*steps, problem=problem or "A problem.")


@pytest.mark.parametrize("name", TRAPS)
def test_this_is_left_alone(name):
    steps, problem = TRAPS[name]
    assert not is_refuted(*steps, problem=problem or "A problem.")


def test_statements_that_contradict_each_other_decide_nothing():
    impossible = BIRDS.replace("- The hawk is the rightmost.", "- The owl is to the left of the crow.")
    assert verdicts("So from left to right: first is the owl.", problem=impossible) == set()
