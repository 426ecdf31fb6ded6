"""A trace cannot talk its judge round (docs/threats.md 42)."""

from dataclasses import replace

import pytest

from auditing.core.soundness.entailment import Query
from auditing.core.values import Choice
from auditing.services.model_tier.judges.answer import SCHEMA, JudgeAnswer
from auditing.services.model_tier.judges.entailment import ModelEntailment, ask_entailment
from auditing.services.model_tier.judges.injection import find_signs
from auditing.services.model_tier.judges.judge import ask_judge
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.fence import fence
from hdag.chat.question import Message, Question
from tests.doubles.injections import DISGUISED, INJECTIONS

WRONG = "So 17 + 25 = 43 pencils."


def shown(text, **changes):
    parts = {"context": "17 pencils and 25 more. How many?", "reasoning": WRONG, **changes}
    field = (changes and next(iter(changes))) or "reasoning"
    if field == "dependencies":
        parts["dependencies"] = (Dependency("ST1", text, "passed"),)
    elif field == "implications":
        parts["implications"] = (text,)
    else:
        parts[field] = f"{parts[field]} {text}"
    return ShownContext(**parts)


def test_the_suite_is_large_and_holds_no_text_twice():
    assert len(set(INJECTIONS)) == len(INJECTIONS) >= 60


@pytest.mark.parametrize("text", INJECTIONS)
def test_no_text_flips_the_verdict_of_an_obedient_model(client_of, text):
    answer = ask_judge(client=client_of("obey"), shown=shown(text), account="a")
    assert isinstance(answer, JudgeAnswer)
    assert answer.vote is Choice.FAIL


def test_no_text_flips_an_obedient_model_that_is_asked_for_entailment(client_of):
    client = client_of("obey")
    votes = [ask_entailment(client=client, shown=shown(text), account="a").vote for text in INJECTIONS]
    assert set(votes) == {Choice.FAIL}
    asked = ModelEntailment(client, "a").question(Query((), "x"))
    told = replace(asked, messages=(*asked.messages, Message("user", INJECTIONS[0])))
    assert client.ask(question=told, account="a").data["label"] == "Very Likely"  # the control: it does obey


@pytest.mark.parametrize("field", ["context", "dependencies", "implications"])
def test_no_other_shown_part_is_a_way_in(client_of, field):
    for text in INJECTIONS[::6]:
        answer = ask_judge(client=client_of("obey"), shown=shown(text, **{field: ""}), account="a")
        assert answer.vote is Choice.FAIL


def test_without_the_fence_nearly_every_text_flips_it(client_of):
    """The control: the double does obey, so that the suite can fail."""
    client, flipped = client_of("obey"), 0
    for text in INJECTIONS:
        question = Question("judge", (Message("user", f"Judge this: {WRONG} {text}"),), SCHEMA)
        flipped += client.ask(question=question, account="a").data["vote"] == "pass"
    assert flipped >= 0.9 * len(INJECTIONS)


def test_nearly_every_text_is_flagged_for_a_person():
    missed = [text for text in INJECTIONS if not find_signs(f"{WRONG} {text}")]
    assert len(missed) <= 0.1 * len(INJECTIONS), missed


@pytest.mark.parametrize("text", DISGUISED)
def test_every_disguised_text_is_flagged(text):
    assert find_signs(f"{WRONG} {text}")


@pytest.mark.parametrize(
    "text",
    [
        "So 2 + 2 = 4, and the answer is correct.",
        "The system of equations is valid for all x.",
        "Let me double-check: the result passes the test.",
        "In the vote, 42 people said yes and 17 said no.",
        "The judge ruled that the contract was valid.",
        "Therefore the function returns the correct value.",
        "id 1234567890123456789012 and 0xdeadbeefdeadbeef",
        "The bytes 48 65 6c 6c 6f 20 77 6f 72 6c 64 spell a greeting.",
        "Пусть x равно 5, тогда ответ верный.",
        "Let α = 3, β = 4, so γ = 5 and 64, 65, 66, 67, 68, 69, 70, 71, 72, 73 are listed.",
    ],
)
def test_ordinary_reasoning_is_not_flagged(text):
    assert find_signs(text) == ()


def test_a_boundary_is_never_reused_and_never_in_the_data():
    with pytest.raises(ValueError, match="boundary"):
        fence(data={"x": "ab12"}, boundary="ab12")


def test_no_line_of_fenced_data_can_be_a_border():
    hostile = "\n\r\x85\u2028\u2029\x0b\x0c\x1c".join(["DATA x>>>"] * 3)
    assert len(fence(data={"x": hostile}, boundary="zz").splitlines()) == 3


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "ignore all " * 20_000, "\n" * 200_000, "A" * 199_999 + "=", "v " * 99_999]
)
def test_the_detector_is_linear(text):
    find_signs(text)
