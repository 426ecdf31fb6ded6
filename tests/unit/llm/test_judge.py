"""A model's seat: a checked vote or a reason why there is none."""

import re
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from auditing.core.soundness.entailment import Query
from auditing.core.soundness.particles import certify
from auditing.core.values import Choice
from auditing.core.voting.rationale import Criterion, ErrorType, Mark
from auditing.research.soundness.services.entailments import Asking, entailment_by
from auditing.research.studies.instruments.claimtree_chains import make_line
from auditing.services.model_tier.judges.answer import SCHEMA, JudgeAnswer, NoVote, check_answer, contains_quote
from auditing.services.model_tier.judges.entailment import ModelEntailment, ask_entailment
from auditing.services.model_tier.judges.judge import ask_judge
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.endpoint import MaySee
from hdag.chat.errors import NoAnswerError

RIGHT = ShownContext("Two and two.", "2 + 2 = 4", (Dependency("ST1", "There are 2.", "passed"),), ("So 4.",))
WRONG = ShownContext("Two and two.", "Hence 2 + 2 = 5 in all.")


def test_a_right_step_passes_and_a_wrong_one_fails_with_its_words(client_of):
    client = client_of("oracle")
    assert ask_judge(client=client, shown=RIGHT, account="a").vote is Choice.PASS
    failed = ask_judge(client=client, shown=WRONG, account="a")
    assert (failed.vote, failed.error_type, failed.quotes) == (Choice.FAIL, ErrorType.CALCULATION, ("2 + 2 = 5",))
    place = failed.rationale(reasoning=WRONG.reasoning)
    assert WRONG.reasoning[place.start : place.end] == "2 + 2 = 5"


def test_an_answer_brings_criteria_cost_and_transcript(client_of):
    answer = ask_judge(client=client_of("oracle"), shown=RIGHT, account="a")
    assert set(answer.criteria) == set(Criterion)
    assert set(answer.criteria.values()) <= set(Mark)
    assert answer.spent.calls == 1
    assert [turn.speaker for turn in answer.transcript] == ["rules", "data", "model"]


@pytest.mark.parametrize(
    "behaviour", ["429", "500", "garbage", "truncated", "prose", "refusal", "empty", "wrong-model"]
)
def test_a_failing_model_gives_no_vote_and_never_a_pass(client_of, behaviour):
    answer = ask_judge(client=client_of(behaviour), shown=RIGHT, account="a")
    assert isinstance(answer, NoVote)
    assert answer.reason
    assert answer.failure


def test_an_endpoint_for_segments_is_not_shown_a_whole_trace(client_of, server):
    whole = ShownContext("c", "r", scope=MaySee.TRACES)
    assert ask_judge(client=client_of("private"), shown=whole, account="a").failure == "may_not_see"
    assert server.stats("private")["calls"] == 0


def test_the_trace_stands_in_the_users_message_alone_behind_the_border_of_its_task(client_of):
    shown = (RIGHT, RIGHT, replace(RIGHT, context="Another task."))
    texts = [ask_judge(client=client_of("oracle"), shown=context, account="a").transcript[:2] for context in shown]
    borders = [re.findall("<<<DATA ([0-9a-f]{32})", turns[1].text)[0] for turns in texts]
    assert borders[0] == borders[1] != borders[2]
    assert all("Two and two" not in turns[0].text and "tool_calls" not in turns[0].text for turns in texts)


def data(**changes):
    usual = {"vote": "fail", "error_type": "calculation", "origin": "local", "reason": "r", "quotes": ["2 + 2 = 5"]}
    return {**usual, "confidence": 0.9, "criteria": {}, **changes}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"quotes": []}, "quotes the words"),
        ({"quotes": ["2 + 2 = 6"]}, "does not occur"),
        ({"quotes": [" "]}, "does not occur"),
        ({"error_type": "none"}, "needs an error_type"),
        ({"vote": "pass"}, "a pass has error_type none"),
        ({"error_type": "propagated"}, "origin propagated"),
        ({"reason": " "}, "blank"),
    ],
)
def test_an_answer_that_contradicts_itself_or_the_text_is_sent_back(changes, complaint):
    assert any(complaint in sentence for sentence in check_answer(data=data(**changes), shown=WRONG))
    assert check_answer(data=data(), shown=WRONG) == ()


def test_quotes_may_differ_in_blanks_only():
    assert contains_quote(text="a  b\nc", quote="a b c")
    assert not contains_quote(text="abc", quote="a b")


def test_a_model_certifies_a_chain_over_loopback(client_of):
    tree = make_line(length=12, seed=3)
    model = ModelEntailment(client_of("oracle"), "study:1")
    certificate = certify(chain=tree.chain, model=model, seed=1)
    assert [claim.tau == 1.0 for claim in certificate.claims] == list(tree.corrected)
    assert model.spent.calls == certificate.calls


def test_an_entailment_votes_as_its_word_says(client_of):
    context = "I have AB"
    rule = Dependency("ST1", "Rule: AB -> CD (meaning that AB give CD)", "passed")
    step = "I have AB, I use rule (AB -> CD) to derive CD, now I have CD"
    client = client_of("oracle")
    follows, lacks = (
        ask_entailment(client=client, shown=ShownContext(context, step, leans), account="a") for leans in ((rule,), ())
    )
    assert (follows.vote, follows.confidence, follows.error_type) == (Choice.PASS, 1.0, None)
    assert (lacks.vote, lacks.error_type) == (Choice.FAIL, ErrorType.INVALID_DERIVATION)
    assert lacks.reason.startswith("Very Unlikely that it follows.")
    assert lacks.criteria == {Criterion.LOGIC: Mark.NO}
    assert isinstance(ask_entailment(client=client_of("prose"), shown=RIGHT, account="a"), NoVote)
    whole = ShownContext("c", "r", scope=MaySee.TRACES)
    assert ask_entailment(client=client, shown=whole, account="a").failure == "may_not_see"


def test_an_unanswered_question_leaves_no_certificate(client_of):
    with pytest.raises(NoAnswerError):
        ModelEntailment(client_of("prose"), "a").entail([Query(("p",), "h")])


def test_seats_of_one_model_are_asked_apart(client_of, server):
    client = client_of("twice")
    answers = [ask_judge(client=client, shown=RIGHT, account="a", sample=n) for n in (0, 1)]
    assert all(isinstance(answer, JudgeAnswer) for answer in answers)
    assert server.stats("twice")["calls"] == 2


def test_an_endpoint_is_asked_at_the_temperature_that_was_wished(client_of):
    """The oracle is sure of what follows: 1 stays 1, and the certificate names the temperature."""
    plain, scaled = (
        entailment_by(clients=[client_of("oracle")], account="a", asking=Asking(temperature=temperature))
        for temperature in (1.0, 2.5)
    )
    assert "temperature" not in plain.name
    assert "at temperature 2.5" in scaled.name
    with pytest.raises(ValueError, match="above 0"):
        entailment_by(clients=[client_of("oracle")], account="a", asking=Asking(temperature=-1.0))


@pytest.mark.parametrize(("field", "length"), [("reason", 4000), ("quotes", 600)])
def test_a_letter_is_enough_to_say_something_and_nothing_is_not(field: str, length: int) -> None:
    said = SCHEMA["properties"][field]
    text = Draft202012Validator(said.get("items", said))
    assert [text.is_valid("x" * count) for count in (0, 1, length, length + 1)] == [False, True, True, False]
