"""The client of a language model: a question goes in, a schema-checked answer or a named failure comes out.

One question: cache -> up to three rounds (the second and third with what was wrong) -> each round up to `retries` + 1
attempts -> each attempt reserved in the book before it goes out and settled after. Everything within one deadline.
"""

import json
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from hdag.chat.adapting import MOST_CHANGES, adapted_terms
from hdag.chat.address import Origin, check_base_url
from hdag.chat.answers import UnusableAnswerError, read_answer
from hdag.chat.book import INTERRUPTED, CallBook, Entry, MemoryBook, Settlement
from hdag.chat.cache import AnswerCache, NoCache, RecordedAnswers, content_key
from hdag.chat.dialects.odds import odds_of
from hdag.chat.endpoint import EndpointSettings
from hdag.chat.errors import (
    TRANSIENT,
    AddressRefusedError,
    CapReachedError,
    CircuitOpenError,
    EndpointBusyError,
    Failure,
    NoAnswerError,
)
from hdag.chat.question import Answer, Message, Question
from hdag.chat.replies.reply import Attempt, Reply
from hdag.chat.request import answer_limit, request_body
from hdag.chat.retries import Backoff
from hdag.chat.usage import NOTHING_SPENT, Spent, Usage, tokens_at_most

if TYPE_CHECKING:
    from hdag.chat.wire import Wire

__all__ = ["ChatClient", "Clock", "Course"]

_CORRECTIONS = 2  # times that an unusable answer goes back with its violations
_MORE_ROOM = 4  # times the limit that a cut-off answer had: a model that thinks needs it
# What the book raises, as the failure that the caller of `ask` sees.
_TURNED_AWAY: dict[type[Exception], Failure] = {
    CapReachedError: Failure.CAP_REACHED,
    CircuitOpenError: Failure.CIRCUIT_OPEN,
    EndpointBusyError: Failure.BUSY,
}
# The server said that it gives no answer: such an attempt is not charged, any other may have cost something.
_FREE = frozenset({Failure.RATE_LIMITED, Failure.SERVER_ERROR, Failure.REJECTED, Failure.FILTERED, Failure.REDIRECTED})


@dataclass(frozen=True, slots=True)
class Clock:
    """Time and random numbers, passed in so that tests need no waiting."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    rng: Callable[[], float] = random.random


@dataclass(slots=True)
class Course:
    """How one question has gone so far: who pays, when it began and must end, what it has taken."""

    account: str
    ends: float
    started: float
    spent: Spent = NOTHING_SPENT


@dataclass
class ChatClient:
    """Asks one endpoint. Safe to share between threads; close() when done.

    book: where calls are reserved (caps, places); cache: NoCache() switches it off; allowed: origins that the
    environment lists (private hosts, plain http).
    """

    endpoint: EndpointSettings
    book: CallBook = field(default_factory=MemoryBook)
    cache: AnswerCache = field(default_factory=NoCache)
    allowed: frozenset[Origin] = frozenset()
    clock: Clock = field(default_factory=Clock)
    backoff: Backoff = field(default_factory=Backoff)
    adapts: bool = True  # to what a refusal names; a probe, which finds out what is refused, does not

    def __post_init__(self) -> None:
        self._wire: Wire | None = None
        self._connecting = Lock()

    @property
    def is_batched(self) -> bool:
        """Whether a question may wait for a day before it is answered."""
        return False

    def ask(self, *, question: Question, account: str) -> Answer:
        """The answer to `question`, paid by `account`. Raises NoAnswerError with its Failure and what was spent.

        An answer that breaks its schema goes back with the violations, twice at most. Transport failures are retried
        with jitter, obeying Retry-After, until the endpoint's deadline.
        """
        key, recordings = self._key(question), self._recordings()
        recorded_key = self._recorded_key(key, question)
        recorded = recordings.find(recorded_key) if recordings else None
        cached = self.cache.find(key) if recorded is None else recorded
        if cached is not None:
            data = read_answer(text=cached, schema=question.schema)
            # Kept under a key of their own: answers that were cached before odds were asked for stay readable.
            odds = json.loads(self.cache.find(f"{key}-odds") or "{}") if question.weighs else {}
            return Answer(data, cached, NOTHING_SPENT, from_cache=True, odds=odds)
        started = self.clock.now()
        course = Course(account, started + self.endpoint.deadline_seconds, started)
        answer = self._ask_until_usable(question, course)
        self.cache.keep(key, answer.text)
        if answer.odds:
            self.cache.keep(f"{key}-odds", json.dumps(dict(answer.odds)))
        if recordings:
            told = {"purpose": question.purpose, "model": self.endpoint.model}
            recordings.keep(recorded_key, answer.text, **told)
        return answer

    def __enter__(self) -> Self:
        """The client, closed at the end of the block."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        if self._wire:
            self._wire.close()

    def _ask_until_usable(self, question: Question, course: Course) -> Answer:
        """The first answer that keeps to schema and rules, of three; unusable ones go back with their faults."""
        violations: tuple[str, ...] = ()
        current = question
        for corrections in range(_CORRECTIONS + 1):
            reply = self._reply(current, course)
            try:
                data = read_answer(text=reply.usable_text(), schema=question.schema, shown=question.shown)
                _check(question, data)
            except UnusableAnswerError as error:
                violations = error.violations
                current = _corrected(question, reply.text, violations)
                if reply.is_cut_off:
                    longest = question.longest_answer * _MORE_ROOM ** (corrections + 1)
                    current = replace(current, longest_answer=longest)
                continue
            thinks = bool(reply.thinking) or course.spent.usage.tokens_thinking > 0
            odds = odds_of(tokens=reply.tokens, field=question.weighs, words=question.words)
            return Answer(data, reply.text, self._bill(course), reply.model, corrections, odds=odds, thinks=thinks)
        raise self._no_answer(course, Failure.INVALID_ANSWER, "; ".join(violations))

    def _reply(self, question: Question, course: Course) -> Reply:
        """One reply of the server, however many attempts it takes."""
        for attempt in range(self.endpoint.retries + 1):
            made = self._fitting_attempt(question, course)
            if isinstance(made, Reply):
                return made
            wait = self.backoff.wait(attempt=attempt, rng=self.clock.rng(), retry_after=made.retry_after)
            # A rejected key or a wrong model will be no better a second later; neither is the last attempt.
            hopeless = made.failure not in TRANSIENT or attempt == self.endpoint.retries
            if hopeless or self.clock.now() + wait >= course.ends:
                raise self._no_answer(course, made.failure, made.reason)
            self.clock.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _fitting_attempt(self, question: Question, course: Course) -> Reply | Attempt:
        """An attempt, and further ones on other terms where the server's refusal names what it does not take."""
        tried = [self.endpoint]
        while True:
            terms = self.endpoint
            made = self._attempt(question, course)
            if not self.adapts or not isinstance(made, Attempt) or made.failure is not Failure.REJECTED:
                return made
            asked = answer_limit(endpoint=terms, question=question)
            # Threads share a client: what another one has learned meanwhile comes first.
            changed = (
                self.endpoint
                if self.endpoint != terms
                else adapted_terms(endpoint=terms, refusal=made.refusal, asked=asked, tried=tried)
            )
            if changed is None or len(tried) > MOST_CHANGES or self.clock.now() >= course.ends:
                return made
            self.endpoint = changed
            tried.append(changed)

    def _attempt(self, question: Question, course: Course) -> Reply | Attempt:
        """Reserve, call, settle: exactly one settlement for each reservation, whatever the call does."""
        body = request_body(endpoint=self.endpoint, question=question)
        size = len(json.dumps(body).encode())
        # The most this call can cost: one token a byte sent, and the longest answer that was asked for.
        reserve = self.endpoint.prices.cost(Usage(tokens_at_most(bytes_sent=size), self._limit(question)))
        entry = Entry(course.account, question.purpose, reserve, size)
        ticket = self._open(entry, course)
        # Should anything below raise (a cancelled job, a lost thread), the whole reserve counts as spent.
        settlement = Settlement(cost=reserve, error=INTERRUPTED)
        began = self.clock.now()
        try:
            left = max(0.0, course.ends - began)
            made = self._get_wire(course).call(body=body, seconds=min(self.endpoint.timeout_seconds, left))
            settlement = self._settle(made, entry, question, began)
        finally:
            self.book.close_call(ticket=ticket, settlement=settlement)
            course.spent += Spent(settlement.usage, settlement.cost, 1, size)
        return made

    def _settle(self, made: Reply | Attempt, entry: Entry, question: Question, began: float) -> Settlement:
        """What the call cost: as the server counted where that is possible, the whole reserve where nobody knows."""
        took = round((self.clock.now() - began) * 1000)
        if isinstance(made, Attempt):
            # A model that thought until its limit has worked, whatever the status of the answer.
            is_free = made.failure in _FREE and not made.refusal.wants_room
            cost = entry.reserve * (0 if is_free or not made.sent else 1)
            pause = made.retry_after if made.failure is Failure.RATE_LIMITED else None
            return Settlement(cost=cost, took_ms=took, error=made.failure, pause=pause)
        usage, most = made.usage, tokens_at_most(bytes_sent=entry.bytes_sent)
        # A count that cannot be true is not believed, whichever way it errs; so no cost exceeds its reserve.
        if usage is None or usage.tokens_in > most or usage.tokens_out > self._limit(question):
            return Settlement(Usage(most, self._limit(question)), entry.reserve, took)
        return Settlement(usage, self.endpoint.prices.cost(usage), took)

    def _open(self, entry: Entry, course: Course) -> str:
        """A ticket from the book, waiting for a free place until the deadline."""
        while True:
            try:
                return self.book.open_call(endpoint=self.endpoint, entry=entry)
            except (CapReachedError, CircuitOpenError, EndpointBusyError) as error:
                failure, reason = _TURNED_AWAY[type(error)], str(error)
                told = error.wait if isinstance(error, EndpointBusyError) else 0.0
            # A little jitter, or all who wait for one place would ask again at the same moment.
            wait = told + 0.05 + self.clock.rng() * 0.2
            if failure is not Failure.BUSY or self.clock.now() + wait >= course.ends:
                raise self._no_answer(course, failure, reason)
            self.clock.sleep(wait)

    def _get_wire(self, course: Course) -> "Wire":
        from hdag.chat.wire import Wire  # here: its library takes a third of a program's start, and few ask a model

        # Judges ask side by side: without the lock two threads would make a wire each, and one would never be closed.
        with self._connecting:
            if self._wire is None:
                try:
                    check_base_url(url=self.endpoint.base_url, allowed=self.allowed)
                except AddressRefusedError as error:
                    raise self._no_answer(course, Failure.REFUSED_ADDRESS, str(error)) from None
                self._wire = Wire(self.endpoint, self.allowed)
            return self._wire

    def _limit(self, question: Question) -> int:
        return answer_limit(endpoint=self.endpoint, question=question)

    def _key(self, question: Question) -> str:
        identity = question.identity or tuple(f"{message.role}:{message.content}" for message in question.messages)
        schema = json.dumps(question.schema, sort_keys=True)
        # Schema, purpose and model are part of the question: another model's answer is another answer.
        where = [self.endpoint.base_url, self.endpoint.model, question.purpose, schema]
        if question.weighs and self.endpoint.gives_logprobs:
            where.append("with odds")
        return content_key(parts=(*where, str(question.temperature), str(question.sample), *identity))

    def _recordings(self) -> RecordedAnswers | None:
        folder = os.environ.get("TRUST_CHAT_RECORD", "")
        return RecordedAnswers(Path(folder)) if folder else None

    def _recorded_key(self, key: str, question: Question) -> str:
        """The key of the question on the terms of this endpoint: a probe of other terms is another question."""
        body = request_body(endpoint=self.endpoint, question=question)
        terms = {name: value for name, value in body.items() if name != "messages"}
        return content_key(parts=(key, json.dumps(terms, sort_keys=True)))

    def _bill(self, course: Course) -> Spent:
        return replace(course.spent, seconds=self.clock.now() - course.started)

    def _no_answer(self, course: Course, failure: Failure, reason: str) -> NoAnswerError:
        return NoAnswerError(failure=failure, reason=reason, spent=self._bill(course))


def _check(question: Question, data: dict[str, Any]) -> None:
    """Raise UnusableAnswerError when the answer keeps to its schema but not to the rules of its question."""
    violations = question.check(data) if question.check else ()
    if violations:
        raise UnusableAnswerError(violations)


def _corrected(question: Question, answer: str, violations: tuple[str, ...]) -> Question:
    """The question again, with what was said and what is wrong with it."""
    complaint = "Your answer cannot be used:\n" + "\n".join(f"- {violation}" for violation in violations)
    again = (
        # The model sees what it said, cut so that a flood of text cannot fill the context.
        Message("assistant", answer[:4000] or "(empty)"),
        Message("user", complaint + "\nAnswer again with one JSON object that satisfies the schema, and nothing else."),
    )
    return replace(question, messages=(*question.messages, *again))
