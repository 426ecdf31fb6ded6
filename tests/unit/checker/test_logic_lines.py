"""Orders, sorted lists and swaps: false lines are found, right ones left alone, and each accusation is proved."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditing.research.offline.one_trace import audit_trace
from auditing.verifier.verify_proofs import check_record
from hdag.readers.records import read_record
from tests.unit.checker.readings import findings, is_doubted, is_refuted

VECTORS = Path(__file__).parents[2] / "vectors" / "logic"
FILES = sorted(path.stem for path in VECTORS.glob("*.txt"))
RACE = "Three friends, Ann, Ben, and Cleo, ran a race. Ann finished before Ben. Ben finished before Cleo."
SWAPS = "Ann has a red ball, and Ben has a blue ball. Ann and Ben swap balls."
WORDS = "Sort these words alphabetically: kiwi, banana, apple, cherry, mango"


def lines(name: str, kind: str) -> Iterator[tuple[str, str]]:
    problem = ""
    for line in (VECTORS / f"{name}.txt").read_text().splitlines():
        text = line[2:].strip().replace(" | ", "\n")
        if line.startswith("P:"):
            problem = text
        elif line.startswith(kind):
            yield problem, text


def audited(problem: str, *steps: str) -> dict[str, Any]:
    trace = read_record({"id": "t", "problem": problem, "steps": list(steps)}, where="test")
    return {"id": "t", **audit_trace(trace=trace)}


def accusations(record: dict[str, Any]) -> list[dict[str, Any]]:
    evidence = [finding for segment in record["segments"] for finding in segment["evidence"]]
    return [finding for finding in evidence if finding["verdict"] == "refuted" and finding["grade"] == "certain"]


@pytest.mark.parametrize("name", FILES)
def test_right_lines_are_left_alone(name: str) -> None:
    assert not [text for problem, text in lines(name, "+") if is_refuted(text, problem=problem)]


@pytest.mark.parametrize("name", FILES)
def test_false_lines_are_found(name: str) -> None:
    assert not [text for problem, text in lines(name, "- ") if not is_refuted(text, problem=problem)]


@pytest.mark.parametrize("name", FILES)
def test_each_accusation_has_a_proof_that_holds(name: str) -> None:
    for problem, text in lines(name, "- "):
        record = audited(problem, text)
        assert all("proof" in finding for finding in accusations(record)), text
        assert not [reason for _, reason in check_record(record) if reason], text


CHANGES: dict[str, tuple[str, str, tuple[str, Any]]] = {
    "a rule is left out": (RACE, "So Cleo finished first.", ("rules", [["before", "ann", "ben"]])),
    "another claim": (RACE, "So Cleo finished first.", ("claim", ["at", "cleo", 2])),
    "a claim about somebody else": (RACE, "So Cleo finished first.", ("claim", ["at", "ben", 0])),
    "a rule that no text holds": (RACE, "So Cleo finished first.", ("texts", ["Ann finished before Ben.", RACE[:21]])),
    "no such rule": (RACE, "So Cleo finished first.", ("rules", [["near", "ann", "ben"]])),
    "an open place": (RACE, "So Cleo finished first.", ("claim", ["open", 3])),
    "another swap": (SWAPS, "At the end, Ann has the red ball.", ("swaps", [])),
    "another start": (SWAPS, "At the end, Ann has the red ball.", ("start", [["Ann", "blue"], ["Ben", "red"]])),
    "another time": (SWAPS, "At the end, Ann has the red ball.", ("states", [0])),
    "a holder who is not named": (SWAPS, "At the end, Ann has the red ball.", ("claims", [["Ben", "blue"]])),
    "two that stand in order": (WORDS, "banana < apple", ("items", ["apple", "banana"])),
    "words that were not read": (WORDS, "banana < apple", ("items", ["mango", "kiwi"])),
    "a word that stands there": (WORDS, "Sorted: apple, banana, cherry, kiwi", ("items", ["kiwi"])),
    "a word that stands once": (WORDS, "Sorted: apple, apple, banana, cherry, kiwi, mango", ("items", ["kiwi"])),
    "a word that is given": (WORDS, "Sorted: apple, banana, cherry, kiwi, melon", ("items", ["kiwi"])),
    "the letter that it is": (WORDS, 'The first letter of "kiwi" is "m".', ("items", ["kiwi", "1", "k"])),
    "the word that it is": (WORDS, "The third word in alphabetical order is mango.", ("items", ["mango", "5"])),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_proof_that_was_changed_is_refused(name: str) -> None:
    problem, step, (field, value) = CHANGES[name]
    record = audited(problem, step)
    assert {reason for _, reason in check_record(copy.deepcopy(record))} == {""}
    for finding in accusations(record):
        finding["proof"][field] = value
    assert all(reason for _, reason in check_record(record))


@pytest.mark.parametrize(
    ("problem", "steps"),
    [
        (RACE, ["Suppose Ben was the winner.", "So Cleo finished second."]),
        (SWAPS, ["Case 1: they do not swap.", "At the end, Ann has the red ball."]),
    ],
)
def test_what_rests_on_a_supposition_is_a_doubt(problem: str, steps: list[str]) -> None:
    assert not is_refuted(*steps, problem=problem)
    assert is_doubted(*steps, problem=problem)
    assert is_refuted(steps[-1], problem=problem)


@pytest.mark.parametrize(
    ("problem", "step"),
    [
        (RACE, "It is false that Cleo finished before Ann."),
        (RACE, "It is impossible that Cleo finished first."),
        (RACE, "Does it follow that Cleo finished first?"),
        (SWAPS, "It is wrong that Ann has the red ball and Ben has the blue ball at the end."),
        (SWAPS, "At the end, maybe Ann has the red ball."),
        (WORDS, "It is false that banana comes before apple."),
    ],
)
def test_what_is_asked_or_denied_accuses_nobody(problem: str, step: str) -> None:
    assert not is_refuted(step, problem=problem)


def test_a_list_that_says_that_it_is_not_whole_loses_nothing() -> None:
    assert is_refuted("The sorted list is apple, banana, cherry, kiwi.", problem=WORDS)
    assert not is_refuted("So far the sorted list is apple, banana, cherry, kiwi.", problem=WORDS)
    assert not is_refuted("The sorted list is apple, banana, cherry, kiwi, ...", problem=WORDS)


def test_a_word_that_was_copied_wrongly_before_is_not_lost_again() -> None:
    steps = ("The words are kiwi, banana, appel, cherry, mango.", "Sorted: appel, banana, cherry, kiwi, mango")
    assert not is_refuted(*steps, problem=WORDS)
    assert is_refuted("Sorted: appel, banana, cherry, kiwi, mango", problem=WORDS)


def test_hyphens_and_apostrophes_leave_an_order_open() -> None:
    problem = "Sort alphabetically: well, we'll, re-sign, resign, zoo"
    assert not is_refuted("Sorted: resign, re-sign, well, we'll, zoo", problem=problem)
    assert not is_refuted("Sorted: re-sign, resign, we'll, well, zoo", problem=problem)
    assert is_refuted("Sorted: zoo, re-sign, resign, we'll, well", problem=problem)


def test_a_place_is_no_longer_open_once_its_statement_was_taken_up() -> None:
    birds = "There are three birds: an owl, a crow, and a hawk."
    problem = f"{birds} The crow is the leftmost. The hawk is to the left of the owl."
    row = "So from left to right: first, second and third can be any bird."
    assert is_refuted(f"The crow is the leftmost. {row}", problem=problem)
    assert not is_refuted(f"The hawk is to the left of the owl. {row}", problem=problem)


FRUIT = (
    "The following statements each describe a set of four objects arranged in a fixed order. A stand has four fruits: "
    "kiwis, plums, pears, and mangoes.\n- The kiwis are the cheapest.\n- The plums are the second-cheapest.\n"
    "- The pears are less expensive than the mangoes.\nQ: which is correct?"
)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("from most to least expensive: first can be any fruit, then fourth is the kiwis", "verified"),
        ("from most to least expensive: first is an unknown fruit, then fourth is the plums", "refuted"),
        ("from cheapest to most expensive: third is any fruit, then second is the pears", "refuted"),
        ("from cheapest to most expensive: first or second is the pears", "refuted"),
        ("from cheapest to most expensive: third is the plums or the kiwis", "refuted"),
        ("from cheapest to most expensive: third is the pears or the plums", ""),
        ("from cheapest to most expensive: third is not the plums", ""),
        ("if we go from cheapest to most expensive: first is the plums", ""),
    ],
)
def test_a_row_is_read_from_either_end_and_around_the_places_that_it_leaves_open(row: str, expected: str) -> None:
    assert {placed.finding.verdict.value for placed in findings(f"So {row}.", problem=FRUIT)} == {expected} - {""}


START, STEP = "At the start: Ann: red, Ben: blue.", "Ann and Ben swap balls: Ann: {}, Ben: {}."


def verdicts_at(step: str, *, problem: str) -> list[tuple[str, bool]]:
    """The verdicts at the second step, each with whether it has a proof."""
    placed = findings(START, step, problem=problem)
    return [(one.finding.verdict.value, bool(one.finding.proof)) for one in placed if one.start > len(START)]


@pytest.mark.parametrize("problem", ["A problem.", SWAPS])
def test_a_swap_is_held_against_the_state_that_the_step_before_told_and_accused_once(problem: str) -> None:
    assert verdicts_at(STEP.format("blue", "red"), problem=problem) == [("verified", True)]
    assert verdicts_at(STEP.format("red", "blue"), problem=problem) == [("refuted", True)]


def test_what_the_problem_refutes_is_not_called_right_because_a_step_before_was_wrong() -> None:
    problem = SWAPS.replace(
        "Ann has a red ball, and Ben has a blue ball", "Ann has a blue ball, and Ben has a red ball"
    )
    assert verdicts_at(STEP.format("blue", "red"), problem=problem) == [("refuted", True)]


def test_a_list_and_two_words_of_it_are_accused_once() -> None:
    chain = '"cherry" < "apple" < "banana" < "kiwi"'
    assert [one.finding.verdict.value for one in findings(chain, problem=WORDS)] == ["refuted", "verified"]
    pair = [one.finding for one in findings('Hence "pear" < "apple".', problem="A problem.") if one.finding.accuses]
    assert [(finding.evidence.checker, finding.evidence.rule) for finding in pair] == [("sortings", "sorting")]


@pytest.mark.parametrize("problem", [RACE, SWAPS, WORDS])
@pytest.mark.parametrize(
    "text",
    [
        "Ann has the red ball, Ben " * 1_500,
        "apple < " * 5_000,
        '["a" ? ' * 5_000,
        "Ann > " * 5_000,
        "from left to right: first, second, " * 1_500,
        "apple comes first, then " * 1_500,
        "1. apple\n2. banana\n" * 2_000,
        "Ann and Ben swap balls: Ann: red, Ben: blue." * 900,
        '"apple": "a" (1) "apple" > "banana" ' * 1_200,
        "Sorted:" + " " * 30_000 + "x",
    ],
)
def test_long_lists_accuse_nobody(problem: str, text: str) -> None:
    assert not [placed for placed in findings(text, problem=problem) if placed.finding.accuses]
