"""What a tired reader would call mis-cut: each rule that mends it, on the text that it is for and on its neighbour."""

import pytest

from hdag.core.passages import PassageLimits, PassagePlan, Why, plan_passages
from hdag.core.passages.blocks import find_blocks
from hdag.core.passages.records import find_tool_records
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.readers.records import read_record

SENTENCE = "The shop sells {0} loaves on day {0}, so the till holds {1} dollars more than it did before. "
TALE = "".join(SENTENCE.format(n, 3 * n) for n in range(3, 8))


def plan_of(thinking: str, answer: str = "", below: int = 100) -> PassagePlan:
    trace = Trace("How much?", thinking, answer)
    graph = RulesDecomposer().decompose(trace)
    return plan_passages(trace=trace, graph=graph, limits=PassageLimits(one_unit_below=below))


def holding(plan: PassagePlan, words: str) -> str:
    return next(passage.text for passage in plan.passages if words in passage.text)


NESTED = "".join(
    f"{n}. Method {n} of the plan\n   - It takes about {n + 3} hours in all.\n   - Its risks:\n"
    f"     - the disk of host {n} fills up\n     - nobody can go back after step {n}\n"
    for n in range(1, 7)
)


def test_a_list_item_holds_what_is_nested_in_it() -> None:
    plan = plan_of(NESTED)
    assert len(plan.asked) > 1
    assert all(passage.text[0].isdigit() for passage in plan.asked)


def test_an_item_with_more_nested_in_it_than_a_passage_may_hold_is_parted_but_not_from_its_first_inner_item() -> None:
    inner = "".join(f"   - The till of day {n} holds {3 * n} dollars more than the till before.\n" for n in range(30))
    text = f"1. The days in order\n{inner}"
    assert next(len(span) for span in find_blocks(text=text)) < 200
    assert "   - The till of day 0" in holding(plan_of(text), "1. The days")


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [
        ("II. The Confrontation Clause", True),
        ("B. Exceptions.", True),
        ("2.1 Preparation", True),
        ("B. The rule does not apply because nobody was asked about it at all.", False),
        ("2. Stop the drug", False),  # an item of a list says what to do
        ("A. It is 5 = 2 + 3", False),
    ],
)
def test_a_line_of_an_outline_is_a_heading_of_what_stands_below_it(line: str, is_heading: bool) -> None:
    plan = plan_of(f"{TALE}\n\n{line}\n\n{TALE.replace('loaves', 'cakes')}")
    whys = [passage.why for passage in plan.passages if passage.text == line]
    before = next(passage.text for passage in plan.passages if "loaves" in passage.text)
    assert (whys == [Why.HEADING] or holding(plan, line).startswith(line)) if is_heading else Why.HEADING not in whys
    assert line not in before or not is_heading


def test_a_title_that_goes_on_in_its_paragraph_stays_with_it() -> None:
    plan = plan_of(f"{TALE}\n\nII. The duty of the shop. {TALE.replace('loaves', 'pills')}")
    assert holding(plan, "pills").startswith("II. The duty of the shop. The shop")


def test_what_an_answer_ends_with_in_bold_is_the_answer_and_a_bold_line_with_text_below_a_heading() -> None:
    plan = plan_of(TALE, "**61/216**")
    assert [(p.id, p.text) for p in plan.asked][-1] == ("A1", "**61/216**")
    plan = plan_of(f"**Step 1**\n\n{TALE}\n\n**Step 2**")
    assert [p.why for p in plan.passages if p.text.startswith("**")] == [Why.HEADING] * 2


CHAIN = (
    "We know that the sum over all days of the shop is\n\n$$S = 3 + 4 + 5 + 6 + 7$$\n\n$$= 7 + 5 + 13$$\n\n$$= 25.$$"
)


def test_a_formula_that_goes_on_with_a_sign_of_equality_stays_with_its_beginning() -> None:
    plan = plan_of(f"{TALE}\n\n{CHAIN}\n\n{TALE.replace('loaves', 'cakes')}")
    assert CHAIN.split("\n\n", 1)[1] in holding(plan, "$$S =")
    assert "shop is\n\n$$S" in holding(plan, "$$S =")  # a sentence that goes on into a displayed formula


TOOL = (
    f"{TALE}\n\n<tool_call>\n{{'cmd': 'cat days.py'}}\n</tool_call>\n<tool_response>\nDAYS = 7\n\n\n"
    f"def total(days):\n    return sum(days)\n</tool_response>\n\n{TALE.replace('loaves', 'cakes')}"
)


def test_a_record_of_a_tool_within_a_text_is_not_cut_and_not_asked() -> None:
    plan = plan_of(TOOL)
    record = holding(plan, "DAYS = 7")
    assert record.count("<tool_response>") == record.count("</tool_response>")
    assert [p.why for p in plan.passages if p.text.startswith("<tool_call>")] == [Why.TOOL_RECORD]
    unclosed = plan_of(TOOL.replace("</tool_response>", ""))
    assert "def total" in " ".join(p.text for p in unclosed.asked)


@pytest.mark.parametrize(
    ("text", "records"),
    [
        (
            "Thought: look\nAction: search\nAction Input: tower\nObservation: It is 330 m.\nThought: So 330.",
            ["Action: search", "Action Input: tower", "Observation: It is 330 m."],
        ),
        (
            "Action: search\nObservation: 330\nAction: finish\nAction Input: It is 330.",
            ["Action: search", "Observation: 330"],
        ),
        ("Observation: the sum is even.\nPlan: add one.", []),  # nobody acts: an observation of the author's
        ("<b>Action: x</b> <stdout>4</stdout> <stdout>", ["<stdout>4</stdout>"]),
    ],
)
def test_records_are_known_by_tags_and_by_labels(text: str, records: list[str]) -> None:
    assert [span.slice(text) for span in find_tool_records(text=text)] == records


BROKEN_OFF = (
    "The price of the call is C = 85 * N(",
    "It goes to the base (",
    "The price is then:\n\n$$p = \\frac{w_t}{",
)


@pytest.mark.parametrize("end", BROKEN_OFF)
@pytest.mark.parametrize("below", [100, 9_000])
def test_words_that_break_off_at_the_end_of_a_trace_are_asked_of_nobody(end: str, below: int) -> None:
    plan = plan_of(f"{TALE}\n\n{end}", below=below)
    assert plan.passages[-1].why is Why.BREAKS_OFF
    assert not any(end[-10:] in passage.text for passage in plan.asked)
    assert "".join(end.split()) in "".join("".join(passage.text for passage in plan.passages).split())


@pytest.mark.parametrize(
    ("end", "answer"),
    [
        ("So 3 * 5 = 16 (where 5 is the", ""),  # the sum before the bracket is a claim
        ("The call costs 85 dollars (at the end of the day).", ""),
        ("The call costs 85 dollars (or 86.", ""),  # a slip of the pen: the sentence is finished
        ("It goes to the base (", "The till holds 90 dollars more."),  # the answer stands below
    ],
)
def test_a_finished_sentence_a_computed_one_and_one_before_the_answer_are_asked(end: str, answer: str) -> None:
    plan = plan_of(f"{TALE}\n\n{end}", answer)
    assert any(end in passage.text for passage in plan.asked)


def test_an_input_step_that_breaks_off_keeps_its_seat_and_a_trace_of_nothing_else_its_only_one() -> None:
    steps = [*(SENTENCE.format(n, 3 * n) for n in range(3, 8)), "The price of the call is C = 85 * N("]
    trace = read_record({"problem": "How much?", "steps": steps}, where="r")
    plan = plan_passages(trace=trace, graph=RulesDecomposer().decompose(trace))
    assert any(steps[-1] in passage.text for passage in plan.asked)
    assert plan_of("The price of the call is C = 85 * N(").asked
