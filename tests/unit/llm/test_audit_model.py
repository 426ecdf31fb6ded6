"""The audit model: tools without side effects, everything kept, conflicts counted."""

import pytest

from auditing.core.values import Choice
from auditing.research.rado.core.evaluations import Evaluation
from auditing.research.rado.evaluation_audit import EvaluationAudit
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.audit_model import audit_with_tools
from auditing.services.model_tier.judges.shown import ShownContext
from auditing.services.model_tier.judges.tools import Passage, Toolbox
from hdag.chat.endpoint import MaySee

WRONG = ShownContext("Two and two.", "Hence 2 + 2 = 5 in all.")
RIGHT = ShownContext("Two and two.", "Hence 2 + 2 = 4 in all.")


def audit(client_of, behaviour, shown=WRONG, **changes):
    toolbox = changes.pop("toolbox", Toolbox())
    return audit_with_tools(client=client_of(behaviour, **changes), shown=shown, account="a", toolbox=toolbox)


def test_a_malformed_call_comes_back_as_an_error_and_the_check_decides(client_of):
    failed, passed = audit(client_of, "oracle"), audit(client_of, "oracle", RIGHT)
    assert (failed.vote, passed.vote) == (Choice.FAIL, Choice.PASS)
    assert [call.ok for call in failed.calls] == [False, True]
    assert "a call looks like" in failed.calls[0].text or "no function" in failed.calls[0].text
    assert [turn.speaker for turn in failed.transcript] == ["rules", "data", "model", "tool", "model", "tool", "model"]
    assert failed.spent.calls == 3


def test_passing_what_a_checker_refuted_is_a_conflict(client_of):
    audits = [audit(client_of, "stubborn"), audit(client_of, "oracle")]
    assert [one.conflict for one in audits] == [True, False]
    calls = [call.ok for one in audits for call in one.calls]
    assert (len(calls), calls.count(False)) == (4, 2)


@pytest.mark.parametrize(("behaviour", "failure"), [("endless", "too_many_turns"), ("prose", "invalid_answer")])
def test_a_model_that_never_ends_or_never_answers_gives_no_vote(client_of, behaviour, failure):
    answer = audit(client_of, behaviour)
    assert isinstance(answer, NoVote)
    assert answer.failure == failure
    assert answer.spent.calls >= 3


def test_an_evaluation_is_audited_with_its_question_and_response_in_view(client_of):
    item = EvaluationAudit("What is 2 + 2?", "2 + 2 = 5", Evaluation(1, 1, "All fine."))
    answer = audit(client_of, "oracle", item, may_see=MaySee.TRACES)
    assert answer.vote is Choice.FAIL
    assert "What is 2 + 2?" in answer.transcript[1].text
    assert audit(client_of, "oracle", item).failure == "may_not_see"


class Shelf:
    def find(self, *, query, limit):
        return (Passage("handbook", f"about {query}"),)


@pytest.mark.parametrize(
    ("tool", "text", "result"),
    [
        ("function", "divide(1, 8)", "0.125"),
        ("calculate", "17 + 25 * 3", "92"),
        ("calculate", "1/3 + 1/6", "0.5"),
        ("algebra", "solve x^2 - 4 = 0", "-2, 2"),
        ("algebra", "expand (x + 1)^2", "x^2 + 2*x + 1"),
        ("convert", "3.5 km -> m", "3500 m"),
        ("convert", "90 km/hour to m/s", "25 m/s"),
        ("dates", "2024-01-31 to 2024-03-01", "30 days"),
        ("dates", "2024-02-28 + 2 days", "2024-03-01, a Friday"),
        ("search", "rates", "[handbook] about rates"),
    ],
)
def test_tools_compute(tool, text, result):
    found = Toolbox(Shelf()).call(tool=tool, text=text)
    assert (found.ok, found.text) == (True, result)


def test_the_checker_engine_verifies_and_refutes():
    assert Toolbox().call(tool="check", text="17 + 25 = 42").text.startswith("verified")
    assert Toolbox().call(tool="check", text="17 + 25 = 43").refuted


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("search", "anything"),
        ("shell", "ls"),
        ("function", "__import__('os').system('true')"),
        ("calculate", "10^99999999"),
        ("calculate", "x + 1"),
        ("calculate", "1 + "),
        ("calculate", ""),
        ("calculate", "(" * 1500),
        ("check", " "),
        ("algebra", "solve x^2"),
        ("algebra", "factor x = y"),
        ("algebra", "eval __import__('os')"),
        ("algebra", "solve x + y = 1"),
        ("convert", "3 km -> s"),
        ("convert", "3 km**9**9 -> m"),
        ("convert", "1 __class__ -> m"),
        ("dates", "2024-02-30 + 1 day"),
        ("dates", "tomorrow"),
        ("dates", "9999-12-31 + 999999 days"),
        ("function", "add(1, 2)" + " " * 3000),
    ],
)
def test_a_call_that_cannot_be_carried_out_is_an_error_in_words(tool, text):
    found = Toolbox().call(tool=tool, text=text)
    assert not found.ok
    assert found.text
