"""What no test noticed when one sign or number of a reader was changed (`make mutants`): a test for each such line."""

from fractions import Fraction

import pytest

from auditing.checker.answers.extraction import final_answer
from auditing.checker.answers.ranges import relation_of
from auditing.checker.answers.sameness import _words as words_of_answer
from auditing.checker.checks.algebra.references import _is_exact
from auditing.checker.checks.algebra.solving import solves
from auditing.checker.checks.logic.names import find_names
from auditing.checker.checks.logic.worlds import find_world
from auditing.checker.mathematics.compare import _rounds_to
from auditing.checker.mathematics.enclosure import Range
from auditing.checker.mathematics.exactly.approximations import is_near
from auditing.checker.mathematics.exactly.rounding import _repeats
from auditing.checker.mathematics.tree import Node, Num, Sym
from auditing.core.model_tier.families import is_own_family
from auditing.core.policy.presets import DEFAULT, FAST
from auditing.core.voting.seal import LARGEST_SEALED, LONGEST_RATIONALE
from hdag.core.passages.atoms import Atom
from hdag.core.passages.branches import find_abandoned
from hdag.core.passages.conclusions import _shortened
from hdag.core.passages.planning import _is_paragraph
from hdag.core.passages.taking import _weight


def atoms(*texts: str) -> list[Atom]:
    return [Atom(f"ST{number}", 0, len(text), text, True) for number, text in enumerate(texts, 1)]


def test_a_branch_is_opened_before_it_is_given_up() -> None:
    opened, given_up = "Maybe we try halves.", "That doesn't work."
    assert find_abandoned(atoms=atoms("We add.", given_up)) == []
    assert find_abandoned(atoms=atoms(opened, "We halve.")) == []
    assert find_abandoned(atoms=atoms(opened, given_up)) == [range(2)]


def test_a_paragraph_stands_alone_on_its_lines() -> None:
    alone = Atom("ST1", 0, 5, "alone", True)
    assert _is_paragraph("alone", alone)
    assert _is_paragraph("alone\nmore", alone)
    assert not _is_paragraph("alone more", alone)
    assert not _is_paragraph("aalone", Atom("ST1", 1, 6, "alone", True))


def test_a_number_in_common_tells_as_much_as_three_words() -> None:
    assert (_weight({"7"}, {"7"}), _weight({"a1"}, {"a1"}), _weight({"7", "a1"}, {"7", "a1"})) == (3, 1, 4)


def test_a_conclusion_is_cut_at_a_word_of_its_last_third() -> None:
    """Of 30 characters the 29 before the dots are kept, or those up to a space from the twentieth on."""
    assert _shortened("a" * 20 + " " + "b" * 30, 30) == "a" * 20 + "…"
    assert _shortened("a" * 19 + " " + "b" * 30, 30) == "a" * 19 + " " + "b" * 9 + "…"


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        (r"(-\infty, 3)", ("", "<", "3")),
        ("(-∞, 3]", ("", "<=", "3")),
        (r"(3, \infty)", ("", ">", "3")),
        ("[3, ∞)", ("", ">=", "3")),
        ("(3, 4)", None),
    ],
)
def test_an_interval_to_infinity_is_one_relation(text: str, relation: tuple[str, str, str] | None) -> None:
    assert relation_of(text) == relation


def test_the_last_statement_of_an_answer_counts() -> None:
    assert final_answer(text="It is 3. #### 4, no: #### 5") == "5"


def test_an_answer_of_two_letters_is_no_article() -> None:
    assert (words_of_answer("an"), words_of_answer("an egg")) == ("an", "egg")


def test_a_number_of_one_decimal_counts_as_exact() -> None:
    assert _is_exact(Num(Fraction(1, 2), 1))
    assert not _is_exact(Num(Fraction(1, 4), 2))


def test_an_irrational_value_is_put_in_as_it_is_written() -> None:
    square, root = Node("^", (Sym("x"), Num(Fraction(2)))), Node("sqrt", (Num(Fraction(2)),))
    assert solves(left=square, right=Num(Fraction(2)), name="x", value=root)
    assert solves(left=square, right=Num(Fraction(3)), name="x", value=root) is False


def test_objects_are_read_of_a_problem_about_their_order_alone() -> None:
    listed = "On a shelf there are three books: a red book, a green book, and a blue book."
    names = find_names(f"They stand in a fixed order. {listed}")
    assert names
    assert names.objects == ("red", "green", "blue")
    assert find_world(listed) is None
    assert find_world("They stand in a fixed order.") is None
    assert find_world(f"{listed} The red book is to the left of the blue book.")


def test_an_approximation_may_be_off_by_the_unit_of_its_last_digit() -> None:
    ten = Num(Fraction(10))
    assert is_near(Sym("x"), ten, Fraction(20), Fraction(10))
    assert not is_near(Sym("x"), ten, Fraction(20) + Fraction(1, 100), Fraction(10))


def test_an_interval_is_a_whole_number_where_it_is_narrower_than_twenty_digits() -> None:
    three = Fraction(3)

    def judged(width: Fraction) -> bool:
        value = Range(three - width / 2, three + width / 2)
        return _rounds_to(Num(three), value, value, three) is not None

    assert judged(Fraction(1, 2 * 10**20))
    assert not judged(Fraction(3, 2 * 10**20))


@pytest.mark.parametrize(("text", "decimals"), [("0.143", 3), ("0.67", 2), ("0.091", 3), ("0.667", 3)])
def test_a_decimal_that_repeats_is_known_by_its_divisor(text: str, decimals: int) -> None:
    assert _repeats(Num(Fraction(text), decimals))
    assert not _repeats(Num(Fraction("0.2" if decimals == 2 else "0.137"), decimals))


def test_a_judge_without_a_family_is_of_nobodys_family() -> None:
    assert not is_own_family(family="", model="judge-1", author="nobody")


def test_a_computers_round_stays_open_a_minute_and_a_fast_models_five() -> None:
    assert (DEFAULT.computer.commit_seconds, FAST.llm.commit_seconds) == (60, 300)
    assert FAST.human.reveal_seconds == 3_600


def test_the_longest_sealed_vote_holds_the_longest_reason_and_its_padding() -> None:
    """Version 1 byte, point 65, authentication 16, opening 68, nonce 32, length 4, then the reason and its padding."""
    assert LARGEST_SEALED == 1 + 65 + 16 + 68 + 32 + 4 + LONGEST_RATIONALE + 256
