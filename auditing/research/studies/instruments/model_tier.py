"""The model tier in a study: the endpoint that the option `endpoint` names judges the steps of a trace one by one.

Asks the endpoint as the judge of a seat would be asked; the calls stand in its book, on the account of the study.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TypeVar

from django.db import DatabaseError, connection
from django.db.models import Sum

from auditing.core.values import Choice
from auditing.research.soundness.core.second_look import Premises
from auditing.research.studies.instruments.coverage import Tally
from auditing.research.studies.instruments.labelled import DataMissingError
from auditing.research.studies.instruments.runner import Notebook, OptionError, Run
from auditing.services.model_tier.judges.answer import NoVote
from auditing.services.model_tier.judges.judge import ask_judge
from auditing.services.model_tier.judges.shown import Dependency, ShownContext
from hdag.chat.address import read_allowlist
from hdag.chat.book import THREAD_PREFIX
from hdag.chat.client import ChatClient
from hdag.chat.endpoint import EndpointSettings, MaySee
from hdag.chat.errors import NoAnswerError
from hdag.chat.question import Answer, Question
from hdag.core.steps import project_steps
from hdag.core.values import Graph, Segment, Source, Trace
from hdag.models import ChatCall, Endpoint
from hdag.services.batches import BatchedClient
from hdag.services.call_book import DatabaseBook
from hdag.services.endpoint_settings import settings_of

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class UnansweredError(Exception):
    """The model gave no usable answer; what depends on it is not measured."""


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """Answers in the notebook of a run, by the content of their question: a second run asks only for the others."""

    notebook: Notebook

    def find(self, key: str) -> str | None:
        """The kept answer or None."""
        text = self.notebook.find(key=f"answer {key}")
        return text if isinstance(text, str) else None

    def keep(self, key: str, text: str) -> None:
        """Keep an answer."""
        self.notebook.keep(key=f"answer {key}", value=text)


@dataclass
class CountingClient(ChatClient):
    """A client that counts how its questions end."""

    tally: Tally = field(default_factory=Tally)

    def ask(self, *, question: Question, account: str) -> Answer:
        """The answer, counted. Raises NoAnswerError, counted as well."""
        try:
            answer = super().ask(question=question, account=account)
        except NoAnswerError as error:
            self.tally.count_failure(error)
            raise
        self.tally.count_answer()
        return answer


@dataclass
class BatchedCountingClient(CountingClient, BatchedClient):
    """The same, of an endpoint that is asked in batches: what is not answered yet counts as failed until it is."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A model's word on one step: whether it fails it (None: it abstained), how sure it is, .5 to 1, and why."""

    fails: bool | None
    confidence: float = 0.5
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ModelTier:
    """One endpoint as the judge of whole traces."""

    client: CountingClient
    account: str
    premises: Premises = Premises.DECLARED_FIRST

    @property
    def name(self) -> str:
        """The endpoint's name."""
        return self.client.endpoint.name

    def fails(self, *, trace: Trace, graph: Graph, segment: Segment) -> bool | None:
        """Whether the model fails the segment; None when it abstains. Raises UnansweredError without an answer.

        By declared premises first, a segment fails only where it also fails beside every step before it.
        """
        return self.judge(trace=trace, graph=graph, segment=segment).fails

    def judge(self, *, trace: Trace, graph: Graph, segment: Segment) -> Judged:
        """The same with the model's confidence, that of its last answer."""
        declared = graph.premises().get(segment.id, ())
        if self.premises is not Premises.ALL:
            first = self._judge_beside(trace, graph, segment, declared)
            if not first.fails or self.premises is Premises.DECLARED:
                return first
        earlier = tuple(step.id for step in step_segments(graph=graph) if step.start < segment.start)
        if self.premises is Premises.DECLARED_FIRST and set(earlier) <= set(declared):
            return first
        return self._judge_beside(trace, graph, segment, tuple(dict.fromkeys((*declared, *earlier))))

    def _judge_beside(self, trace: Trace, graph: Graph, segment: Segment, premises: Sequence[str]) -> Judged:
        texts = {other_segment.id: other_segment.content for other_segment in graph.segments}
        context = ShownContext(
            context=trace.problem,
            reasoning=segment.content,
            dependencies=tuple(Dependency(key, texts[key]) for key in premises if key in texts),
            # The studies send whole public traces, so only endpoints that may see them are used.
            scope=MaySee.TRACES,
        )
        return self.judge_shown(context)

    def judge_shown(self, context: ShownContext) -> Judged:
        """Its word on what it is shown. Raises UnansweredError."""
        answer = ask_judge(client=self.client, shown=context, account=self.account)
        # Not judged is not the same as passed.
        if isinstance(answer, NoVote):
            raise UnansweredError(answer.reason)
        if answer.vote is Choice.ABSTAIN:
            self.client.tally.count_abstention()
            return Judged(None)
        return Judged(answer.vote is Choice.FAIL, answer.confidence, answer.reason)

    def first_failed(self, *, trace: Trace, graph: Graph, before: int | None = None) -> int | None:
        """The first input step that the model fails, asked in order and up to `before`; None when there is none.

        Raises UnansweredError where a step before it has no answer: which is the first is then not known.
        """
        unanswered: UnansweredError | None = None
        for segment in step_segments(graph=graph):
            if segment.step is None or (before is not None and segment.step >= before):
                continue
            try:
                if self.fails(trace=trace, graph=graph, segment=segment) and unanswered is None:
                    return segment.step
            except UnansweredError as error:
                # A batch takes a day: all steps go into the same one, though some may turn out not to be needed.
                if not self.client.is_batched:
                    raise
                unanswered = unanswered or error
        if unanswered is not None:
            raise unanswered
        return None

    def in_parallel(self, work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
        """`work` on every item, in order, as many at a time as the endpoint allows calls."""
        return in_parallel(work=work, items=items, workers=self.client.endpoint.max_concurrency)


def in_parallel(*, work: Callable[[_Item], _Result], items: Sequence[_Item], workers: int) -> list[_Result]:
    """`work` on every item, in order, on that many threads; one worker is the thread of the caller."""
    count = min(workers, len(items))
    if count <= 1:
        return [work(entry) for entry in items]

    def apart(entry: _Item) -> _Result:
        try:
            return work(entry)
        finally:
            connection.close()  # a thread's own; nobody else would

    # Calls wait for a server, not for a processor: threads are enough.
    with ThreadPoolExecutor(count, thread_name_prefix=THREAD_PREFIX) as pool:
        return list(pool.map(apart, items))


def step_segments(*, graph: Graph) -> list[Segment]:
    """The step-level segments of the thinking, in reading order."""
    steps = set(project_steps(graph=graph).nodes)
    return [segment for segment in graph.segments if segment.source is Source.THINKING and segment.id in steps]


@contextmanager
def open_model(*, run: Run, study: str) -> Iterator[ModelTier | None]:
    """The model of option endpoint=NAME, None without that option. Raises DataMissingError when it cannot be asked."""
    name = run.options.get("endpoint", "")
    if not name:
        yield None
        return
    account = f"study:{study}"
    with open_clients(run=run, names=[name], account=account) as clients:
        yield ModelTier(clients[0], account, premises_of(run))


def premises_of(run: Run) -> Premises:
    """The option premises: what a judged step may lean on. Raises OptionError."""
    try:
        return Premises(run.options.get("premises", Premises.DECLARED_FIRST))
    except ValueError:
        raise OptionError(f"the option premises is one of: {', '.join(Premises)}") from None


@contextmanager
def open_clients(*, run: Run, names: Sequence[str], account: str) -> Iterator[list[CountingClient]]:
    """A counting client of each endpoint. Raises DataMissingError naming the first that cannot be asked.

    Where the run has a limit in money, `account` may spend so much more than it has spent until now.
    """
    rows = [_row_of(name) for name in names]
    allowed = read_allowlist(os.environ.get("TRUST_CHAT_ALLOWED_ORIGINS", ""))
    run.tally.asks = ", ".join(row.name for row in rows)
    answers = KeptAnswers(run.notebook)
    with ExitStack() as opened:
        yield [
            opened.enter_context(
                _client_class(row)(_settings(row, run, account), DatabaseBook(), answers, allowed, tally=run.tally)
            )
            for row in rows
        ]


def _client_class(row: Endpoint) -> type[CountingClient]:
    return BatchedCountingClient if row.batches else CountingClient


def _settings(row: Endpoint, run: Run, account: str) -> EndpointSettings:
    settings = settings_of(row=row)
    if run.money is None:
        return settings
    spent = ChatCall.objects.filter(account=account).aggregate(total=Sum("cost"))["total"] or Decimal(0)
    return replace(settings, account_cap=spent + run.money)


def _row_of(name: str) -> Endpoint:
    try:
        row = Endpoint.objects.filter(name=name, enabled=True, may_see=Endpoint.MaySee.TRACES).first()
    except DatabaseError:
        raise DataMissingError(f"the endpoint {name!r} cannot be looked up: the database does not answer") from None
    if row is None:
        raise DataMissingError(f"no endpoint {name!r} is enabled that may see whole traces")
    return row
