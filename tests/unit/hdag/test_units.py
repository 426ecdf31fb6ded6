"""Where sentences and blocks end: abbreviations, formulas, tables, dialogue, chat marks, other languages."""

import pytest

from hdag.core.passages.formulas import find_closed
from hdag.core.spans import Span
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.decomposers.rules.units import split_units
from hdag.readers.records import read_record
from tests.tools.sweeping import sampled


def units(text: str) -> list[str]:
    return [unit.span.slice(text) for unit in split_units(text=text, within=Span(0, len(text)))]


WHOLE = [
    "The court in Brown v. Board of Education overruled the older case.",
    "Under Art. 5 of the treaty and Sec. 2 of the act, cf. No. 12 there, the claim fails.",
    "See Fig. 3 and Eq. (4), i.e. Newton's law, for the derivation of this.",
    "As John F. Kennedy and Dr. Smith said at 5 p.m. Eastern time, it holds.",
    "Nach § 433 Abs. 1 BGB ist der Verkäufer z.B. Eigentümer, vgl. Nr. 12 dort.",
    "We use $x. Y$ and $ p. Q$ with blanks around it to be sure of it.",
    "So \\[ a = b. \n- c = d. \\] and the sum is written over two lines.",
    "It follows (see the table. It is on page 3) that the sum is right.",
    "Take x_{\\text{max. Value}} as the largest of all of these numbers.",
]


@pytest.mark.parametrize("text", WHOLE)
def test_a_sentence_is_not_cut_at_an_abbreviation_or_in_a_formula(text):
    assert units(text) == [text]


CUT = [
    "The best choice is Option C. The patient needs no further treatment.",
    "The answer to the question is no. Therefore we look at the next case.",
    "It was decided in the U.S. The court held that the statute was void.",
    "The loaf costs $5 in the shop. Then $6 more are paid for the cake.",
    "Wir rechnen mit 5 Äpfeln weiter. Äpfel kosten im Laden 2 Euro.",
    "首先我们计算总数，得到四十二个苹果。然后除以二，得到二十一个。",
    "Let the speed of the car be v. Then the distance is v times t.",
]


@pytest.mark.parametrize("text", CUT)
def test_two_sentences_are_two_units(text):
    assert len(units(text)) == 2


def test_options_are_items_and_a_table_is_one_unit():
    text = "We compare:\nOption A: it is 3. It fits.\nOption B: it is 4.\n\n| a | b |\n|---|---|\n| 1. X | 2 |\n\nSo A."
    assert units(text)[-3:] == ["Option B: it is 4.", "| a | b |\n|---|---|\n| 1. X | 2 |", "So A."]


def test_turns_of_a_dialogue_are_units():
    text = "User: what is 3 * 4 in all\nAssistant: it is 12 in all\nUser: thank you very much"
    assert len(units(text)) == 3


@pytest.mark.parametrize("opener", ["think", "reasoning"])
def test_no_unit_runs_over_the_end_of_the_thinking(opener):
    text = f"<{opener}>It is 4, no: 5</{opener}>The answer is 5"
    assert units(text) == [f"<{opener}>", "It is 4, no: 5", f"</{opener}>", "The answer is 5"]


def test_an_input_step_is_cut_at_the_end_of_the_thinking():
    trace = read_record({"problem": "p", "steps": ["So it is 4.</think>The answer is 4.", "Done."]}, where="r")
    contents = [s.content for s in RulesDecomposer().decompose(trace).segments if s.level.value == "step"]
    assert contents == ["So it is 4.", "</think>", "The answer is 4.", "Done."]


def test_lines_of_a_displayed_formula_are_no_items_and_no_headings():
    text = "We add\n\\begin{aligned}\nx &= 1 \\\\\n+ y &= 2. \\\\\n- z &= 3\n\\end{aligned}\nand get all of it."
    assert units(text) == [text]


MARKS = ["$", "\\[", "{", "(", "x^{", "Mr. A. ", "。", "| a |\n", "<think>", "U.S. "]


@pytest.mark.parametrize("mark", sampled(MARKS, one_in=3))
def test_hostile_text_is_read_to_its_end(mark):
    # Time that grew with the square of the length would run into the limit of a test.
    text = mark * (1_000_000 // len(mark))
    assert all(span.end <= len(text) for span in find_closed(text=text))
    assert units(text)[-1].endswith(mark.strip()[-1])


def test_a_tag_in_the_answer_is_a_unit_too():
    graph = RulesDecomposer().decompose(Trace("p", "", "<think>First it is 4.</think>The answer is 4."))
    assert {"First it is 4.", "The answer is 4."} <= {s.content for s in graph.segments}


@pytest.mark.parametrize(
    ("between", "is_whole"),
    [
        (f"\n{' ' * 12}```\n", False),
        (f"\n{' ' * 13}```\n", True),
        ("\n \t~~~\n", False),
        ("\nx ```\n", True),
        ("\n  \n", False),
    ],
)
def test_a_fence_opens_its_line_and_leaves_no_formula_open(between: str, is_whole: bool) -> None:
    text = f"$a{between}b$ (c{between}d)"
    assert [span.slice(text) for span in find_closed(text=text)] == (
        [f"$a{between}b$", f"(c{between}d)"] if is_whole else []
    )
