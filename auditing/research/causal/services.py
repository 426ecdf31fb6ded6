"""Causal audits (Ariadne) as jobs. Reads recorded audits; writes CausalBatch, and by blocks.py CausalTrial and Block.

In rule mode written computations are carried out again; with an agent an endpoint runs on from the changed thought.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from django.db import transaction

from accounts.models import User
from auditing.core.events import EventKind
from auditing.models import Audit
from auditing.research.causal.blocks import Subject, store_trial, trial_key, written_traces
from auditing.research.causal.core import (
    Design,
    InterventionKind,
    Mode,
    Pick,
    Planned,
    plan_trials,
)
from auditing.research.causal.core.propagation import rewrite
from auditing.research.causal.core.rule_mode import examine_segments
from auditing.research.causal.reruns.endpoint import Agent, Tried
from auditing.research.models import CausalBatch
from auditing.research.reports.selectors.audits import readable
from auditing.selectors.model_tier.consents import agreed_endpoints
from auditing.services import jobs
from auditing.services.events import record_event
from auditing.services.model_tier.documents import DocumentSearch
from auditing.services.model_tier.judges.tools import Toolbox
from hdag.chat.address import Origin
from hdag.chat.book import THREAD_PREFIX
from hdag.core.steps import project_steps
from hdag.core.values import Trace
from hdag.decomposers.rules import RulesDecomposer
from hdag.models import Endpoint
from hdag.selectors import load_graph, load_trace
from hdag.services.call_book import client_for
from hdag.store import content
from hdag.store.content import ContentGoneError

MOST_PUBLIC = MOST_QUERIES = 200
LONGEST_QUERY = 4000  # characters
MOST_AT_ONCE = 10
NO_PUBLIC = "The public set is not on this server: its operator puts it there (manage.py data list)."
NOTHING_TO_TRY = "Nothing was tried: no trace of this batch has a step that this kind of intervention can change."
Public = tuple[str, Trace]
Try = Callable[["Subject", Planned], Tried | None]


class CausalRefusedError(ValueError):
    """This batch cannot be asked for."""


@dataclass(frozen=True, slots=True)
class Helpers:
    """Endpoints of a batch: who runs on (None: rule mode), who changes thoughts (None: rules), about which queries.

    queries: problems whose reasoning the agent writes first, R(q) in the words of the method.
    """

    agent: Endpoint | None = None
    critic: Endpoint | None = None
    queries: tuple[str, ...] = ()


def ask(
    *,
    owner: User,
    title: str,
    audits: Iterable[Audit],
    public: int,
    design: Design | None = None,
    helpers: Helpers | None = None,
) -> CausalBatch:
    """Queue a batch over audits that the owner may read, and `public` traces of the public set beside them.

    Raises CausalRefusedError when an endpoint may not see whole traces, or a provider has not allowed that models do.
    """
    design, helpers = design or Design(), helpers or Helpers()
    chosen = list(readable(user=owner).filter(pk__in=[audit.pk for audit in audits]).select_related("trace"))
    _check(chosen, helpers)
    with transaction.atomic():
        batch = CausalBatch.objects.create(
            owner=owner,
            title=title[:120],
            public=min(public, MOST_PUBLIC),
            seed=design.seed,
            endpoint=helpers.agent,
            critic=helpers.critic,
            pick=design.pick,
            chosen=list(design.chosen),
            mode=design.mode,
            kind=design.kind or "",
            together=design.together,
            queries=content.store_json([{"problem": query} for query in helpers.queries]) if helpers.queries else None,
            total=len(chosen) + public + len(helpers.queries),
        )
        batch.audits.set(chosen)
        record_event(
            audit=None, kind=EventKind.CAUSAL_ASKED, actor=owner, job=str(batch.pk), audits=len(chosen), public=public
        )
        jobs.enqueue(job=batch)
    return batch


def run(
    *,
    batch: CausalBatch,
    now: datetime,
    public: Sequence[Public],
    refusals: tuple[type[Exception], ...] = (),
    allowed: frozenset[Origin] = frozenset(),
) -> str:
    """Every planned trial once; a run that was cut off goes on where it stopped."""

    def work() -> None:
        # Asked again: a consent may have been withdrawn since the batch was queued.
        _check(list(batch.audits.select_related("trace")), Helpers(batch.endpoint, batch.critic))
        done = set(batch.trials.values_list("trace", "label", "kind"))
        with ExitStack() as stack:
            try_out, workers, written = _method_of(batch, allowed, stack)
            for number, subject in enumerate(_subjects(batch, chain(public, written)), start=1):
                todo = [
                    planned_trial
                    for planned_trial in _plan(batch, subject)
                    if (subject.name, *trial_key(planned=planned_trial)) not in done
                ]
                for planned, tried in _results(subject, todo, try_out, workers):
                    if tried is not None:
                        store_trial(batch=batch, subject=subject, planned=planned, tried=tried)
                    jobs.step(job=batch, done=number - 1, says=f"trace {number} of {batch.total}")
                jobs.step(job=batch, done=number, says=f"trace {number} of {batch.total}")
        if not batch.trials.exists():
            raise CausalRefusedError(NO_PUBLIC if batch.public and not public else NOTHING_TO_TRY)
        jobs.finish(job=batch, done=batch.total)

    return jobs.run(job=batch, now=now, work=work, refusals=(*refusals, CausalRefusedError))


def design_of(*, batch: CausalBatch) -> Design:
    """What the batch does with each trace."""
    kind = InterventionKind(batch.kind) if batch.kind else None
    return Design(Pick(batch.pick), tuple(batch.chosen), Mode(batch.mode), kind, batch.together, batch.seed)


def _check(chosen: Sequence[Audit], helpers: Helpers) -> None:
    endpoints = [endpoint for endpoint in (helpers.agent, helpers.critic) if endpoint is not None]
    if helpers.queries and not helpers.agent:
        raise CausalRefusedError("A query needs an agent that writes its reasoning.")
    if helpers.critic and not helpers.agent:
        raise CausalRefusedError("A critic needs an agent that runs on from what it changed.")
    for endpoint in endpoints:
        if endpoint.may_see != Endpoint.MaySee.TRACES or not endpoint.enabled:
            raise CausalRefusedError(f"{endpoint.name} may not see whole traces.")
    # Two people agree to each trace: its provider that models see it whole, and who runs the campaign, to which server.
    private = [audit for audit in chosen if endpoints and not audit.trace.whole_to_models]
    if private:
        titles = ", ".join(audit.trace.title for audit in private[:5])
        raise CausalRefusedError(f"Their providers have not allowed that models see the whole trace: {titles}.")
    for audit in chosen:
        agreed = agreed_endpoints(audit=audit, rows=endpoints, whole=True)
        if refused := [row.name for row in endpoints if row not in agreed]:
            title = audit.trace.title
            raise CausalRefusedError(f"Nobody agreed that whole traces of its campaign go to {refused[0]}: {title}.")


def _method_of(batch: CausalBatch, allowed: frozenset[Origin], stack: ExitStack) -> tuple[Try, int, Sequence[Public]]:
    """How trials of this batch are carried out, how many at once, and what the agent wrote about its queries."""
    if batch.endpoint is None:
        return _by_rules, 1, ()
    client = stack.enter_context(client_for(row=batch.endpoint, allowed=allowed))
    critic = stack.enter_context(client_for(row=batch.critic, allowed=allowed)) if batch.critic else None
    toolbox = Toolbox(search=DocumentSearch() if batch.endpoint.searches else None)
    agent = Agent(client, critic, f"causal:{batch.pk}", toolbox)

    def try_out(subject: Subject, planned: Planned) -> Tried | None:
        return agent.try_out(
            problem=subject.trace.problem,
            texts=subject.texts,
            planned=planned,
            answer=subject.trace.answer,
            load_bearing=bool(subject.steps.ancestors() & set(planned.segments)),
        )

    return try_out, min(batch.endpoint.max_concurrency, MOST_AT_ONCE), written_traces(batch=batch, client=client)


def _by_rules(subject: Subject, planned: Planned) -> Tried | None:
    by_id = {segment.id: segment for segment in subject.graph.segments}
    examined = examine_segments(
        graph=subject.graph,
        segments=[by_id[key] for key in planned.segments],
        answer=subject.trace.answer,
        kinds=planned.kinds,
    )
    if examined is None:
        return None
    changed = dict(zip(planned.segments, examined.made, strict=True))
    # The sink always: the answer is what the change is followed to.
    moved = {*examined.reached, subject.steps.sink}
    after = [
        changed[key].changed if key in changed else rewrite(text=text, values=examined.values) if key in moved else text
        for key, text in subject.texts.items()
    ]
    return Tried(
        examined.made, examined.trial, examined.causal, tuple(subject.texts.values()), tuple(after), examined.reached
    )


def _plan(batch: CausalBatch, subject: Subject) -> tuple[Planned, ...]:
    return plan_trials(
        texts=subject.texts,
        sink=subject.steps.sink,
        bearing=subject.steps.ancestors(),
        design=design_of(batch=batch),
        trace=subject.name,
        any_kind=batch.critic is not None,
    )


def _results(
    subject: Subject, todo: Sequence[Planned], try_out: Try, workers: int
) -> Iterator[tuple[Planned, Tried | None]]:
    """Results in the order of the plan; several at once where the endpoint takes several."""
    if workers == 1 or len(todo) < 2:
        yield from ((planned, try_out(subject, planned)) for planned in todo)
        return
    with ThreadPoolExecutor(workers, thread_name_prefix=THREAD_PREFIX) as pool:
        yield from zip(todo, pool.map(lambda planned: try_out(subject, planned), todo), strict=True)


def _subjects(batch: CausalBatch, public: Iterable[Public]) -> Iterator[Subject]:
    for audit in batch.audits.select_related("trace__payload", "decomposition").order_by("pk"):
        try:
            trace, graph = load_trace(audit.trace), load_graph(audit.job).graph
        except ContentGoneError:
            continue
        yield Subject(str(audit.trace_id), audit, trace, graph, project_steps(graph=graph))
    for name, trace in public:
        graph = RulesDecomposer().decompose(trace)
        yield Subject(name, None, trace, graph, project_steps(graph=graph))
