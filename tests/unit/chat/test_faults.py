"""Every fault of a server ends as an answer or a named failure, and under its cap."""

import logging
import threading
import time
from dataclasses import replace
from decimal import Decimal

import pytest

from hdag.chat.book import MemoryBook
from hdag.chat.cache import MemoryCache
from hdag.chat.client import ChatClient, Clock
from hdag.chat.endpoint import AnswerMode, EndpointSettings, EnvironmentKey, HeldKey
from hdag.chat.errors import Failure, NoAnswerError
from hdag.chat.question import Message, Question
from hdag.chat.retries import Backoff, Circuit
from hdag.chat.usage import Prices
from tests.tools.patience import PATIENCE

CANARY = "sk-canary-4f1d9b"
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["vote", "confidence"],
    "properties": {"vote": {"enum": ["pass", "fail"]}, "confidence": {"type": "number", "minimum": 0.5, "maximum": 1}},
}
QUESTION = Question("test", (Message("user", "2 + 2 = 4"),), SCHEMA, longest_answer=100)
PRICES = Prices(Decimal(10), Decimal(30))
SILENT = ("hang", "drip", "slow-headers")  # they answer after half a minute, and then with something else


def endpoint(server, behaviour, **changes):
    """Patient where the server answers; where it never does, a call is given up soon."""
    settings = EndpointSettings("e", server.url(behaviour), "m-1", HeldKey(CANARY), prices=PRICES, retries=2)
    soon = 0.4 if behaviour in SILENT else PATIENCE
    return replace(settings, **{"timeout_seconds": soon, "deadline_seconds": 4 * PATIENCE, **changes})


def client(server, allowed, behaviour, *, cache=None, book=None, **changes):
    waits = []
    clock = Clock(sleep=waits.append, rng=lambda: 0.5)
    book = book or MemoryBook(lambda: time.monotonic() + sum(waits))
    made = ChatClient(endpoint(server, behaviour, **changes), book, allowed=allowed, clock=clock)
    if cache:
        made.cache = cache
    made.waits = waits
    return made


def failure_of(made, account="audit:1"):
    with pytest.raises(NoAnswerError) as caught:
        made.ask(question=QUESTION, account=account)
    return caught.value


def test_an_answer_comes_with_its_tokens_bytes_and_cost(server, allowed):
    made = client(server, allowed, "oracle")
    answer = made.ask(question=QUESTION, account="audit:1")
    assert answer.data["vote"] == "pass"
    assert answer.spent.usage.tokens_in > 0
    assert answer.spent.cost == PRICES.cost(answer.spent.usage) == made.book.spent("audit:1")
    assert answer.spent.bytes_sent > 100


@pytest.mark.parametrize(
    ("behaviour", "failure", "calls"),
    [
        ("429", Failure.RATE_LIMITED, 3),
        ("429-after-3600", Failure.RATE_LIMITED, 1),
        ("500", Failure.SERVER_ERROR, 3),
        ("400", Failure.REJECTED, 1),
        ("hang", Failure.TIMED_OUT, 3),
        ("drip", Failure.TIMED_OUT, 3),
        ("slow-headers", Failure.TIMED_OUT, 3),
        ("redirect", Failure.REDIRECTED, 1),
        ("truncated", Failure.UNREACHABLE, 3),
        ("garbage", Failure.GARBAGE, 3),
        ("html", Failure.GARBAGE, 3),
        ("huge", Failure.TOO_LARGE, 1),
        ("gzip", Failure.UNREACHABLE, 3),
        ("wrong-model", Failure.WRONG_MODEL, 1),
        ("empty", Failure.INVALID_ANSWER, 3),
        ("prose", Failure.INVALID_ANSWER, 3),
        ("refusal", Failure.INVALID_ANSWER, 3),
        ("tool", Failure.INVALID_ANSWER, 3),
        ("cut", Failure.INVALID_ANSWER, 3),
    ],
)
def test_every_fault_ends_as_its_own_failure(server, allowed, behaviour, failure, calls):
    error = failure_of(client(server, allowed, behaviour))
    assert (error.failure, error.spent.calls) == (failure, calls)


def test_retry_after_is_obeyed_and_jitter_is_bounded(server, allowed):
    made = client(server, allowed, "429-after-1")
    failure_of(made)
    assert made.waits == [1.25, 1.25]
    made = client(server, allowed, "429")
    failure_of(made)
    assert made.waits == [0.25, 0.5]


def test_a_server_that_recovers_is_answered_after_retries(server, allowed):
    answer = client(server, allowed, "flaky-2-500").ask(question=QUESTION, account="a")
    assert answer.spent.calls == 3


def test_a_bad_answer_goes_back_with_what_is_wrong(server, allowed):
    answer = client(server, allowed, "repair").ask(question=QUESTION, account="a")
    assert answer.corrections == 1


def test_rules_beyond_the_schema_are_sent_back_too(server, allowed):
    picky = replace(QUESTION, check=lambda data: ("say fail",) if data["vote"] == "pass" else ())
    with pytest.raises(NoAnswerError, match="say fail"):
        client(server, allowed, "oracle").ask(question=picky, account="a")


def test_a_cap_is_never_passed_even_when_every_call_is_lost(server, allowed):
    cap = Decimal("0.02")
    made = client(server, allowed, "truncated", account_cap=cap, retries=0)
    failures = {failure_of(made).failure for _ in range(6)}
    assert failures == {Failure.UNREACHABLE, Failure.CAP_REACHED}
    assert made.book.spent("audit:1") <= cap
    assert failure_of(made, account="audit:2").failure is Failure.UNREACHABLE


def test_the_day_has_a_cap_over_all_accounts(server, allowed):
    made = client(server, allowed, "truncated", daily_cap=Decimal("0.02"), retries=0)
    assert [failure_of(made, account=str(i)).failure for i in range(9)][-1] is Failure.CAP_REACHED


@pytest.mark.parametrize("behaviour", ["boast", "no-usage"])
def test_a_server_that_cannot_count_is_charged_the_reserve(server, allowed, behaviour):
    made = client(server, allowed, behaviour)
    answer = made.ask(question=QUESTION, account="a")
    assert answer.spent.cost == PRICES.cost(answer.spent.usage)
    assert answer.spent.usage.tokens_out == QUESTION.longest_answer


def test_calls_that_never_arrived_or_were_turned_away_cost_nothing(server, allowed):
    assert failure_of(client(server, allowed, "500")).spent.cost == 0
    assert failure_of(client(server, allowed, "429")).spent.cost == 0


def test_the_circuit_opens_and_lets_one_trial_through_after_its_rest(server, allowed):
    moment, circuit = [0.0], Circuit()
    made = client(server, allowed, "500", retries=0, book=MemoryBook(lambda: moment[0]))
    failures = [failure_of(made).failure for _ in range(circuit.limit + 1)]
    assert failures[-1] is Failure.CIRCUIT_OPEN
    assert Failure.CIRCUIT_OPEN not in failures[:-1]
    moment[0] = circuit.rest_seconds
    assert [failure_of(made).failure for _ in range(2)] == [Failure.SERVER_ERROR, Failure.CIRCUIT_OPEN]


def test_pacing_never_opens_the_circuit_and_holds_everybody_back(server, allowed):
    moment = [0.0]
    book = MemoryBook(lambda: moment[0])
    hurried = {"retries": 0, "deadline_seconds": 50}  # too little to wait the minute
    paced, shared = (client(server, allowed, "429-after-60", book=book, **hurried) for _ in range(2))
    for _ in range(2 * Circuit().limit):
        assert failure_of(paced).failure is Failure.RATE_LIMITED
        assert failure_of(shared).failure is Failure.BUSY  # it asks nobody: the other one was told to wait
        moment[0] += 60
    calls = server.stats("429-after-60")["calls"]
    assert failure_of(shared).failure is Failure.RATE_LIMITED
    assert server.stats("429-after-60")["calls"] == calls + 1


def test_no_more_calls_at_once_than_the_endpoint_allows(server, allowed):
    book = MemoryBook()
    calm = endpoint(server, "flaky-0-limit", max_concurrency=2)
    clients = [ChatClient(calm, book, allowed=allowed) for _ in range(8)]
    threads = [threading.Thread(target=c.ask, kwargs={"question": QUESTION, "account": "a"}) for c in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = server.stats("flaky-0-limit")
    assert stats["answered"] == 8
    assert stats["most at once"] <= 2


def test_the_same_question_is_paid_once_and_repetitions_are_told_apart(server, allowed):
    made = client(server, allowed, "oracle", cache=MemoryCache())
    made.ask(question=QUESTION, account="a")
    again = made.ask(question=QUESTION, account="b")
    assert again.from_cache
    assert again.spent.cost == made.book.spent("b") == 0
    assert not made.ask(question=replace(QUESTION, sample=1), account="b").from_cache


@pytest.mark.parametrize(("behaviour", "seconds", "fewest"), [("chaos-3", 0.1, 0), ("mixed-3", PATIENCE, 20)])
def test_random_faults_end_with_an_answer_or_a_reason(server, allowed, behaviour, seconds, fewest):
    """How many answers come is counted only where no fault is a silence, which a slow answer looks like."""
    cap, book = Decimal("0.30"), MemoryBook()
    patient = Circuit(limit=10**6)
    made = client(server, allowed, behaviour, book=book, account_cap=cap, timeout_seconds=seconds, circuit=patient)
    ends = []
    for _ in range(40):
        try:
            ends.append(made.ask(question=QUESTION, account="a").data["vote"])
        except NoAnswerError as error:
            ends.append(error.failure)
    assert len(ends) == 40
    assert ends.count("pass") >= fewest
    assert book.spent("a") <= cap
    assert server.stats(behaviour)["calls"] >= 40


@pytest.mark.parametrize("mode", [AnswerMode.OBJECT, AnswerMode.TEXT])
def test_servers_without_schemas_are_told_the_schema_in_words(server, allowed, mode):
    # This mind knows the schema from what it is sent and from nowhere else.
    assert client(server, allowed, "oracle", answer_mode=mode).ask(question=QUESTION, account="a").data


def test_the_key_shows_nowhere(server, allowed, caplog):
    caplog.set_level(logging.DEBUG)
    logging.getLogger("openai").setLevel(logging.DEBUG)
    made = client(server, allowed, "echo-key")
    error = failure_of(made)
    shown = [repr(made), repr(made.endpoint), str(error), repr(error), repr(error.__dict__), caplog.text]
    shown += [repr(vars(link)) for link in (error.__cause__, error.__context__) if link]
    assert not any(CANARY in text for text in shown)
    assert error.__context__ is None


def test_only_variables_named_as_keys_can_be_read():
    environ = {"SECRET_KEY": "s", "ACME_API_KEY": CANARY}
    assert EnvironmentKey("ACME_API_KEY", environ).get_key() == CANARY
    assert CANARY not in repr(EnvironmentKey("ACME_API_KEY", environ))
    from hdag.chat.errors import KeyUnavailableError

    for name in ("SECRET_KEY", "MISSING_API_KEY", "x_API_KEY"):
        with pytest.raises(KeyUnavailableError):
            EnvironmentKey(name, environ).get_key()


def test_backoff_never_waits_less_than_asked_nor_longer_than_its_limit():
    backoff = Backoff(first=1, longest=5)
    assert all(0 <= backoff.wait(attempt=n, rng=0.999) < 5 for n in range(2000))
    assert backoff.wait(attempt=0, rng=0.0, retry_after=9) == 9
