"""Brackets on a stack: every step of a right trace is proved, and nobody is asked about it."""

import pytest

from auditing.research.offline.one_trace import audit_trace
from hdag.readers.records import read_record
from tests.unit.checker.readings import is_refuted

ASKED = "( [ ( )"
RIGHT = [
    "We should process each input one by one and keep track of the stack configuration.",
    "stack: empty",
    "( ; stack: (",
    "[ ; stack: ( [",
    "( ; stack: ( [ (",
    ") ; stack: ( [",
    'Now, we have reached the end. The final stack is "( [".',
    'We will need to pop out "[", "(" one by one in that order.',
    'So, we need "]", ")". So the answer is ] )',
]


def audited(steps, problem=ASKED):
    return audit_trace(trace=read_record({"problem": problem, "steps": steps}, where="test"))


def changed(**lines: str) -> list[str]:
    """RIGHT with other steps, by number."""
    return [lines.get(f"s{number}", step) for number, step in enumerate(RIGHT)]


@pytest.mark.parametrize(
    "steps",
    [
        RIGHT,
        changed(
            s7='We will need to pop out "[" and "(" one by one in that order.',
            s8="So, we need ] ). So the answer is ] )",
        ),
        changed(s7='We will need to pop out "[" ,"(" one by one in that order.'),
        changed(s7="So the answer is ] )")[:8],
    ],
)
def test_a_right_trace_of_brackets_is_proved_and_asked_of_nobody(steps):
    row = audited(steps)
    assert [segment["vote"] for segment in row["segments"][2:]] == ["pass"] * (len(steps) - 1)
    assert [passage["why"] for passage in row["passages"]] == ["proved"]


@pytest.mark.parametrize(
    ("number", "step"),
    [
        (7, 'We will need to pop out "(", "[" one by one in that order.'),
        (8, 'So, we need "]", ")". So the answer is ) ]'),
        (8, 'So, we need ")", "]". So the answer is ) ]'),
        (4, "( ; stack: ( ("),
        (6, 'Now, we have reached the end. The final stack is "(".'),
    ],
)
def test_a_wrong_step_of_brackets_is_refuted_at_its_place(number, step):
    row = audited(changed(**{f"s{number}": step}))
    assert next(segment["step"] for segment in row["segments"] if segment["vote"] == "fail") == number


def test_an_answer_is_not_judged_by_a_stack_that_was_not_read_to_its_end():
    assert not is_refuted("stack: empty", "( ; stack: (", "So the answer is )", problem="( [")


def test_a_step_that_says_more_than_its_state_is_not_passed():
    row = audited(changed(s7='We will need to pop out "[", "(" one by one in that order, since 7 is prime.'))
    assert row["segments"][8]["vote"] == "abstain"
    assert row["passages"][0]["asked"]


def test_a_statement_of_other_signs_is_not_proved_by_one_of_the_same_letters():
    # "( ; stack: (" and "[ ; stack: (" have the same letters: one is proved, the other false
    row = audited(changed(s3="[ ; stack: ("))
    assert next(segment["step"] for segment in row["segments"] if segment["vote"] == "fail") == 3
    assert [passage["why"] for passage in row["passages"]] == ["refuted"]
