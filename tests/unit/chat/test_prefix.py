"""Questions about one text begin alike, behind a boundary that its writer cannot know; answers may be recorded."""

import json
from itertools import takewhile

import pytest

from auditing.core.soundness.entailment import Query
from auditing.services.model_tier.judges.entailment import entailment_question
from auditing.services.model_tier.judges.judge import judge_question
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat import fence
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import NoAnswerError
from hdag.chat.request import request_body

TASK = "Anna has 17 pens, Ben has 25. How many have they together?"
ENDPOINT = EndpointSettings("e", "https://x.example/v1", "m-1")


def sent(question):
    return "\n".join(message["content"] for message in request_body(endpoint=ENDPOINT, question=question)["messages"])


def shared(first, second):
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(sent(first), sent(second), strict=False))
    return "".join(character for character, _ in pairs)


def judged(reasoning, *dependencies, focus=""):
    return judge_question(shown=ShownContext(TASK, reasoning, dependencies, focus=focus))


def test_questions_about_one_trace_share_rules_and_task():
    first = judged("17 + 25 = 42", focus="the sum")
    second = judged("So they have 42.", Dependency("S1", "17 + 25 = 42"))
    assert TASK in shared(first, second)
    assert sent(first).endswith("Look closely at: the sum")


def test_entailments_of_one_trace_share_rules_and_facts_and_the_words_come_last():
    plain, again = (
        entailment_question(query=Query((TASK, "17 + 25 = 42"), "So 42.", wording=n), granular=True) for n in (0, 1)
    )
    other = entailment_question(query=Query((TASK,), "17 + 25 = 42"), granular=True)
    assert TASK in shared(plain, other)
    # Up to the word that says whether anything follows, and from there to the end of the data.
    assert sent(again).endswith("the premise that gives it.")
    assert plain.messages[1].content in again.messages[1].content


def test_a_boundary_is_unknown_without_the_key_and_is_in_no_data(monkeypatch):
    ours = fence.boundary_about(about=TASK)
    assert ours == fence.boundary_about(about=TASK)
    monkeypatch.setattr(fence, "_KEYS", [b"another key"])
    assert fence.boundary_about(about=TASK) != ours
    monkeypatch.undo()
    # A model may have quoted the boundary where somebody read it: a later trace that holds it gets another one.
    rules, data = fence.fenced_messages(rules="Judge.", data={"context": TASK, "reasoning": ours}, about=TASK)
    assert f"<<<DATA {ours}" not in rules.content + data.content


def test_the_workers_of_a_server_draw_the_same_boundaries(settings):
    from django.apps import apps

    drawn = []
    for key in ("a" * 50, "a" * 50, "b" * 50):
        settings.SECRET_KEY = key
        apps.get_app_config("hdag").ready()
        drawn.append(fence.boundary_about(about=TASK))
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.fixture
def recording(monkeypatch, tmp_path):
    monkeypatch.setenv("TRUST_CHAT_RECORD", str(tmp_path / "answers"))
    return tmp_path / "answers"


def test_answers_are_recorded_once_and_replayed_without_a_server(server, allowed, recording):
    question = judged("17 + 25 = 42")
    with_server = ChatClient(EndpointSettings("e", server.url("oracle"), "m-1"), allowed=allowed)
    answer = with_server.ask(question=question, account="a")
    assert not answer.from_cache
    (file,) = recording.iterdir()
    assert json.loads(file.read_text())["purpose"] == "judge"
    assert TASK not in file.read_text()
    gone = EndpointSettings("e", server.url("oracle"), "m-1", deadline_seconds=0.0)
    replayed = ChatClient(gone).ask(question=question, account="a")
    assert (replayed.data, replayed.from_cache, replayed.spent.calls) == (answer.data, True, 0)
    with pytest.raises(NoAnswerError):
        ChatClient(gone).ask(question=judged("17 + 25 = 43"), account="a")


def test_a_probe_on_other_terms_is_not_answered_from_a_recording(server, allowed, recording):
    question = judged("17 + 25 = 42")
    settings = EndpointSettings("e", server.url("oracle"), "m-1")
    ChatClient(settings, allowed=allowed).ask(question=question, account="a")
    other = EndpointSettings("e", server.url("oracle"), "m-1", sends_temperature=False)
    assert not ChatClient(other, allowed=allowed).ask(question=question, account="a").from_cache
