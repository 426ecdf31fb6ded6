"""The verdict card: what it says, in which order, and what it never says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditing.research.reports.core.verdict import Segment, find_contradicted, give_verdict, resting_on
from auditing.research.reports.core.words import Place, accuse, confidence_words, name_places

STATES = ["pass", "fail", "hung", "undecided", "pending", "given", "parts", "unasked"]
LINE = Segment("O1", "fail", "3 x 4 = 13", "step 2", accusation="It says 3 × 4 = 13; it is 12.", is_proved=True)
STEP = Segment("ST2", "fail", "Hence 3 x 4 = 13.", "step 2", children=("O1",), accusation="A line of it is refuted.")
AFTER = Segment("ST3", "pass", "So 13 + 1 = 14.", "step 3", premises=("ST2",))
BESIDE = Segment("ST4", "pass", "Beside it.", "step 4", votes={"human": (2, 3)})


def test_the_smallest_failing_line_leads_and_what_rests_on_it_is_listed() -> None:
    verdict = give_verdict(segments=[STEP, LINE, AFTER, BESIDE], outcome="fail", probability=0.01)
    assert verdict.sentence == "Fails at step 2. It says 3 × 4 = 13; it is 12. Proved by computer."
    assert (verdict.leading, verdict.resting, verdict.failing) == ("O1", ("ST3",), ())
    assert verdict.confidence == "certain: an exact computation refutes it"


@given(st.lists(st.sampled_from(STATES), max_size=6), st.sampled_from(["pass", "fail", "hung", "undecided", ""]))
def test_the_reasoning_holds_never_stands_over_a_failed_segment(states: list[str], outcome: str) -> None:
    segments = [Segment(f"S{number}", state, "text", "step 1") for number, state in enumerate(states)]
    verdict = give_verdict(segments=segments, outcome=outcome, probability=0.9)
    assert ("holds" in verdict.headline) == (outcome == "pass" and "fail" not in states)
    assert ("Fails" in verdict.headline or "fails" in verdict.headline) == ("fail" in states or outcome == "fail")


def test_a_failure_that_people_found_says_how_many_of_them() -> None:
    wrong = Segment("P1", "fail", "It follows.", "P1, step 2 (ST2)", decided_by="human", votes={"human": (3, 4)})
    verdict = give_verdict(segments=[wrong], outcome="fail", probability=0.03)
    assert verdict.sentence == "Fails at P1, step 2 (ST2). Judged wrong: “It follows.” Judged so by 3 of 4 reviewers."
    assert verdict.confidence == "very likely: 97 % that it does not hold"


def test_who_looked_and_how_much_is_open() -> None:
    open_ = Segment("ST5", "undecided", "?", "step 5", votes={"computer": (0, 0), "llm": (1, 1), "human": (1, 2)})
    assert give_verdict(segments=[BESIDE, open_], outcome="undecided").looked == (
        "Of 2 segments models looked at 1 and people at 2; 1 is open."
    )


@pytest.mark.parametrize(
    ("state", "outcome", "says"), [("undecided", "undecided", "is open"), ("pass", "pass", "passed")]
)
def test_of_one_passage_nobody_is_told_that_the_others_are_open(state: str, outcome: str, says: str) -> None:
    verdict = give_verdict(segments=[Segment("P1", state, "?", "P1")], outcome=outcome, noun="passage")
    assert verdict.explanation == f"The one passage that was audited {says}."


def test_the_same_words_never_bear_opposite_marks() -> None:
    again = Segment("O9", "pass", "3  x 4 = 13", "step 9")
    assert find_contradicted(segments=[again, LINE, BESIDE]) == {"O9": "O1"}


def test_a_broken_graph_ends() -> None:
    first = Segment("A", "fail", "a", "", premises=("B",), children=("B",))
    second = Segment("B", "fail", "b", "", premises=("A",), children=("A",))
    assert give_verdict(segments=[first, second], outcome="fail").leading in ("A", "B")
    assert set(resting_on(segments=[first, second], label="A")) <= {"B"}


@pytest.mark.parametrize(
    ("read", "details", "says"),
    [
        (
            r"$\frac{1}{2} \cdot 3 = 2$",
            {"rule": "unequal", "left": "3/2", "right": "2"},
            "It says (1)/(2) · 3 = 2; it is 3/2.",
        ),
        (
            "2 + 2 = 1 + 4",
            {"rule": "unequal", "left": "4", "right": "5"},
            "It says 2 + 2 = 1 + 4; the left side is 4, the right side 5.",
        ),
        # no sign stands for an integral: the page draws it
        (
            r"$\int_0^1 x^2 \, dx = 5$.",
            {"rule": "unequal", "left": "1/3 = 0.333333...", "right": "5"},
            r"It says \(\int_0^1 x^2 \, dx = 5\); it is 1/3 = 0.333333…",
        ),
        ("x = 3", {"rule": "inconsistent equations"}, "Its own sentence."),
    ],
)
def test_what_is_right_stands_beside_what_is_said(read: str, details: dict[str, str], says: str) -> None:
    assert accuse(read=read, details=details, sentence="Its own sentence.") == says


def test_a_sentence_that_ends_with_digits_left_out_has_no_fourth_dot() -> None:
    sentence = "log(5, 45) is 2.36521..., not 2.5...."
    assert accuse(read="", details={"rule": "another"}, sentence=sentence) == "log(5, 45) is 2.36521…, not 2.5…"


def test_nothing_that_was_voted_on_is_called_certain() -> None:
    assert confidence_words(outcome="pass", probability=0.99999) == "almost certain: 99.9 % that it holds"
    assert confidence_words(outcome="undecided", probability=0.5) == ""


def test_steps_are_counted_as_they_were_handed_in() -> None:
    places = [Place("ST1", "step", "thinking", 4, ("O1",)), Place("O1", "operation", "thinking", 4)]
    names = name_places(places=[*places, Place("ST2", "step", "answer", None)])
    assert names == {"ST1": "step 5", "O1": "step 5", "ST2": "the answer"}
