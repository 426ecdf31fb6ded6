"""Servers as they are documented: each is probed, and then answers every question of the product."""

from dataclasses import replace
from decimal import Decimal

import pytest
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import Response
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

from auditing.core.soundness.entailment import Query
from auditing.services.model_tier.judges.entailment import ModelEntailment
from auditing.services.model_tier.questions import example_questions
from hdag.chat.cache import MemoryCache
from hdag.chat.client import ChatClient, Clock
from hdag.chat.dialects import ANY_NAME
from hdag.chat.dialects.table import DIALECTS, find_dialect, get_dialect
from hdag.chat.endpoint import AnswerMode, EndpointSettings
from hdag.chat.errors import Failure, NoAnswerError
from hdag.chat.probing.probe import probe
from hdag.chat.question import Message, Question, closed_object
from hdag.chat.request import request_body
from hdag.chat.usage import Prices, Usage
from tests.doubles.dialects.servers import SERVERS
from tests.doubles.scripted_models import think
from tests.tools.patience import PATIENCE
from tests.tools.sweeping import sampled

TERMS = (
    "answer_mode",
    "limit_field",
    "sends_temperature",
    "gives_logprobs",
    "thinking_tokens",
    "most_tokens",
    "reasoning_effort",
    "extra_body",
    "answers_as",
    "context_tokens",
)


@pytest.fixture
def endpoint_of(server):
    def make(name, dialect):
        known = get_dialect(name=dialect)
        terms = {field: getattr(known, field) for field in TERMS}
        url, model = server.url(f"dialect-{name}"), SERVERS[name].models[0]
        return EndpointSettings(name, url, model, timeout_seconds=PATIENCE, account_cap=99, daily_cap=99, **terms)

    return make


@pytest.fixture
def client_of(allowed):
    return lambda settings: ChatClient(settings, allowed=allowed, clock=Clock(sleep=lambda seconds: None))


@pytest.mark.parametrize("name", sampled(SERVERS, one_in=3))
def test_a_probe_of_an_unknown_server_asks_every_question_and_what_it_finds_answers_them(endpoint_of, client_of, name):
    report = probe(endpoint=endpoint_of(name, "unknown"), client_of=client_of, questions=example_questions())
    assert report.best is not None, report.reason
    (found,) = [mode for mode in report.modes if mode.mode is report.best.answer_mode]
    answers = zip(example_questions(), found.questions, strict=True)
    unanswered = [question for question, asked in answers if asked.failure or not asked.is_sound]
    with client_of(report.best) as client:
        for question in [*unanswered, *example_questions()[::6]]:
            assert client.ask(question=question, account="test").data


@pytest.mark.parametrize("name", sampled(SERVERS, one_in=3, first=1))
def test_after_a_probe_of_a_known_server_every_question_of_the_product_is_answered(endpoint_of, client_of, name):
    report = probe(endpoint=endpoint_of(name, name), client_of=client_of, questions=example_questions()[::6])
    assert report.best is not None, report.reason
    with client_of(report.best) as client:
        for question in example_questions():
            assert client.ask(question=question, account="test").data


@pytest.mark.parametrize("name", sampled(SERVERS, one_in=3, first=2))
def test_a_server_that_was_never_probed_is_asked_as_its_refusals_say(endpoint_of, client_of, name):
    """Error messages alone: an unknown server, no probe, every question at the first try."""
    endpoint = replace(endpoint_of(name, "unknown"), answers_as=ANY_NAME)
    with client_of(endpoint) as client:
        for question in example_questions():
            assert client.ask(question=question, account="test").data


@pytest.mark.parametrize("name", ["ollama", "grok", "pro"])
def test_an_effort_that_the_model_does_not_take_is_left_out_by_whatever_name(endpoint_of, client_of, name):
    endpoint = replace(endpoint_of(name, "unknown"), answers_as=ANY_NAME, reasoning_effort="minimal")
    with client_of(endpoint) as client:
        assert client.ask(question=example_questions()[0], account="test").data
        assert client.endpoint.reasoning_effort == ""


def test_thoughts_that_used_the_limit_up_are_given_more_room_and_are_not_free(endpoint_of, client_of):
    prices = Prices(per_million_out=Decimal(8))
    endpoint = replace(endpoint_of("long-thoughts", "openai-reasoning"), thinking_tokens=1_000, prices=prices)
    with client_of(endpoint) as client:
        answer = client.ask(question=replace(example_questions()[0], longest_answer=500), account="test")
    refused, answered = 1_500 * Decimal(8) / 1_000_000, prices.cost(Usage(0, answer.spent.usage.tokens_out))
    assert answer.spent.calls == 2
    assert answer.spent.cost == refused + answered


def test_a_known_server_is_asked_as_its_dialect_says_without_a_probe(endpoint_of, client_of):
    for name in SERVERS.keys() & DIALECTS.keys():
        with client_of(endpoint_of(name, name)) as client:
            assert client.ask(question=example_questions()[0], account="test").data["vote"] == "pass"


def test_a_probe_finds_the_strictest_mode_and_the_fields_that_are_refused(endpoint_of, client_of):
    def best(name):
        endpoint = endpoint_of(name, "unknown")
        settings = probe(endpoint=endpoint, client_of=client_of, questions=example_questions()).best
        return settings.answer_mode, settings.limit_field, settings.sends_temperature

    assert best("openai") == (AnswerMode.SCHEMA, "max_tokens", True)
    assert best("openai-reasoning") == (AnswerMode.SCHEMA, "max_completion_tokens", False)
    assert best("deepseek") == (AnswerMode.OBJECT, "max_tokens", True)
    assert best("plain") == (AnswerMode.TEXT, "max_completion_tokens", False)


def test_a_probe_finds_a_small_context_and_a_template_without_a_system_role(endpoint_of, client_of):
    best = probe(endpoint=endpoint_of("gemma", "unknown"), client_of=client_of, questions=example_questions()[:1]).best
    assert (best.takes_system, best.context_tokens) == (False, 8_000)
    roomy = probe(endpoint=endpoint_of("openai", "openai"), client_of=client_of, questions=example_questions()[:1]).best
    assert (roomy.takes_system, roomy.context_tokens) == (True, 128_000)


def test_a_probe_finds_out_who_gives_odds_and_asks_nobody_else_for_them(endpoint_of, client_of):
    def gives(name):
        endpoint = endpoint_of(name, "unknown")
        return probe(endpoint=endpoint, client_of=client_of, questions=example_questions()[:1]).best.gives_logprobs

    names = ("openai", "vllm", "openai-reasoning", "mistral", "anthropic", "gemini", "plain")
    assert [name for name in names if gives(name)] == ["openai", "vllm"]


def test_a_no_comes_with_its_probability_where_the_server_gives_odds(endpoint_of, client_of):
    query = Query(("There are 17 and 25.",), "17 + 25 = 42")
    with client_of(endpoint_of("openai", "openai")) as client:
        assert client.endpoint.gives_logprobs
        client.cache = MemoryCache()
        model = ModelEntailment(client, "test", granular=False)
        first, again = model.entail([query]), model.entail([query])
    assert first == again == [pytest.approx(0.1)]
    assert model.spent.calls == 1


def test_a_server_that_refuses_everything_has_no_best_and_a_reason(endpoint_of, client_of, server):
    endpoint = endpoint_of("vllm", "unknown")
    object.__setattr__(endpoint, "model", "another")
    report = probe(endpoint=endpoint, client_of=client_of, questions=example_questions())
    assert (report.best, report.modes) == (None, ())
    assert "(404)" in report.reason


def test_a_content_filter_is_named_and_is_no_vote(endpoint_of, client_of):
    question = Question("test", (Message("user", "FORBIDDEN"),), closed_object({"number": {"type": "integer"}}))
    with client_of(endpoint_of("azure", "azure")) as client, pytest.raises(NoAnswerError) as caught:
        client.ask(question=question, account="test")
    assert caught.value.failure is Failure.FILTERED


@pytest.mark.parametrize(
    ("url", "model", "name"),
    [
        ("https://api.openai.com/v1", "gpt-4o-mini", "openai"),
        ("https://api.openai.com/v1", "o3-mini", "openai-reasoning"),
        ("https://ours.openai.azure.com/openai/v1", "our-judge", "azure"),
        ("https://api.deepseek.com", "deepseek-chat", "deepseek"),
        ("https://evilapi.deepseek.com.example.org/v1", "deepseek-chat", "unknown"),
        ("https://notapi.deepseek.com/v1", "m", "unknown"),
    ],
)
def test_an_address_points_to_its_dialect(url, model, name):
    assert find_dialect(base_url=url, model=model).name == name


def test_requests_and_answers_keep_to_the_published_description(endpoint_of):
    """The `openai` package is generated from OpenAI's OpenAPI description: its types are that file, pinned."""
    request, answer = TypeAdapter(CompletionCreateParamsNonStreaming), SERVERS["openai"]
    for question in example_questions():
        body = request_body(endpoint=endpoint_of("openai", "openai"), question=question)
        request.validate_python(body)
        assert body.keys() <= CompletionCreateParamsNonStreaming.__annotations__.keys() | _inherited()
        status, whole = answer.respond(body, lambda asked: think("oracle", asked))
        assert status == 200
        ChatCompletion.model_validate(whole, strict=True)


def _inherited():
    return {key for base in CompletionCreateParamsNonStreaming.__orig_bases__ for key in base.__annotations__}


def test_every_entry_says_whether_it_has_batches():
    spoken = {name for name, dialect in DIALECTS.items() if dialect.takes_batches}
    assert spoken == {"unknown", "openai", "openai-reasoning", "azure", "azure-reasoning"}
    others = [dialect.batches for name, dialect in DIALECTS.items() if name not in spoken]
    assert all(text == "none" or "not spoken here: " in text for text in others)


def test_models_that_answer_at_the_other_door_only_are_known():
    def name(model):
        return find_dialect(base_url="https://api.openai.com/v1", model=model).name

    others = {"gpt-5-pro", "gpt-5.2-pro-2026-01-01", "gpt-5.1-codex-mini", "o3-pro", "codex-mini-latest"}
    assert {name(model) for model in others} == {"openai-responses"}
    assert {name(model) for model in ("gpt-5-mini", "o3", "o4-mini", "gpt-5.1")} == {"openai-reasoning"}
    assert {name(model) for model in ("gpt-4o", "gpt-4.1-mini")} == {"openai"}


def test_at_the_other_door_requests_and_answers_keep_to_the_published_description(endpoint_of):
    request, answer = TypeAdapter(ResponseCreateParamsNonStreaming), SERVERS["pro"]
    for question in example_questions():
        body = request_body(endpoint=replace(endpoint_of("pro", "openai-responses")), question=question)
        request.validate_python(body)
        assert body["store"] is False  # no text stays at the server
        status, whole = answer.respond_at("/v1/responses", body, lambda asked: think("oracle", asked))
        assert status == 200
        Response.model_validate(whole, strict=True)


def test_an_answer_that_is_cut_off_at_the_other_door_is_asked_for_with_more_room(endpoint_of, client_of):
    endpoint = replace(endpoint_of("pro", "openai-responses"), thinking_tokens=0)
    with client_of(endpoint) as client:
        question = replace(example_questions()[0], longest_answer=400)
        assert client.ask(question=question, account="test").corrections == 1


def test_every_entry_names_where_it_stands_and_when_that_was_read():
    for dialect in DIALECTS.values():
        if dialect.name != "unknown":
            assert dialect.sources
            assert all("(20" in source for source in dialect.sources)
